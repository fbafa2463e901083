#include "jit/build/forced_failures.h"

namespace mangata::jit {

IrValue ForcedFailures::now_and_then(IrValue condition, uint32_t period) {
  if (period == 0) return condition;
  countdowns_.push_back(1 + static_cast<uint32_t>(countdowns_.size()) * 7 % period);
  IrValue cell = b_.address_constant(&countdowns_.back());
  IrValue left = b_.sub(b_.load(IrType::I32, cell, 0, Memory::Any, true), b_.i32(1));
  IrValue fails = b_.eq(left, b_.i32(0));
  b_.store(b_.select(fails, b_.i32(period), left), cell, 0, Memory::Any, true);
  return b_.bit_and(condition, b_.bit_not(fails));
}

}  // namespace mangata::jit
