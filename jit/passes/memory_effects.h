// What operations do to memory, by classes (jit/ir/alias_classes.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/ir/function.h"

namespace mangata::jit {

inline constexpr uint32_t kAllClasses = (1u << ir::kMemoryClasses) - 1;

inline uint32_t class_bit(ir::Memory memory) { return 1u << static_cast<size_t>(memory); }

/// A call of what may access memory that operations here do.
inline bool calls_for_memory(const ir::Operation& operation) {
  return ir::info_of(operation.op).effect == ir::Effect::Calls && (operation.touches == ir::CallMemory::All || operation.touches == ir::CallMemory::Reads);
}

/// Classes that the operation may write to, as bits. Any is one of them wherever something is written.
inline uint32_t written_by(const ir::Operation& operation) {
  switch (ir::info_of(operation.op).effect) {
    case ir::Effect::Writes: return operation.memory == ir::Memory::Any ? kAllClasses : class_bit(operation.memory) | class_bit(ir::Memory::Any);
    case ir::Effect::Calls: return calls_for_memory(operation) ? kAllClasses : 0;
    case ir::Effect::Pure:
    case ir::Effect::Reads:
    case ir::Effect::ReadsVariable:
    case ir::Effect::WritesVariable:
    case ir::Effect::ReadsStack:
    case ir::Effect::Control: return 0;
  }
  return kAllClasses;
}

}  // namespace mangata::jit
