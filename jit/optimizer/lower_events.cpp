// Where fuel is limited: calls and backedges (vm/event_countdown.h) are counted, each before it happens.
//
// [DESIGN] A region takes some events at a time off Vm::region_fuel, as rounds are granted otherwise (Lowering::poll), and counts them
// down in a register. It gives back what it has not used where it ends, and before each runtime call: whoever runs there may count or
// limit all. Where none are left, the region leaves before the instruction, whose event baseline code then counts. A function's own call
// is counted when it is entered; where it is not entered, complete_exit() counts it.
#include <llvm/IR/Intrinsics.h>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {

/// The running instruction lets an event happen, unless the region leaves here. It has had no effect yet.
void Lowering::reserve_event() {
  if (!input_.counts_events) return;
  constexpr uint64_t kGranted = 256;
  constexpr auto kAsks = static_cast<uint16_t>(0xff | kLeaveToCountPaths << 8);
  Block* used_up = make_block("used_up");
  Block* granted = make_block("granted");
  Block* goes_on = make_block("goes_on");
  Block* leaves = make_block("leaves");
  const auto load_of = [&](llvm::AllocaInst* cell) { return b_.CreateLoad(b_.getInt64Ty(), cell); };
  set_likely(b_.CreateCondBr(b_.CreateICmpEQ(load_of(left_), word(0)), used_up, goes_on), false);
  b_.SetInsertPoint(used_up);
  IrValue* asked = b_.CreateAlignedLoad(b_.getInt16Ty(), at(vm_, offsetof(Vm, interrupt)), llvm::Align(1), true);
  IrValue* nobody = b_.CreateICmpEQ(b_.CreateAnd(asked, b_.getInt16(kAsks)), b_.getInt16(0));
  IrValue* fuel = load(b_.getInt64Ty(), region_fuel(), Memory::Machine);
  set_likely(b_.CreateCondBr(b_.CreateAnd(nobody, b_.CreateICmpNE(fuel, word(0))), granted, leaves), true);
  b_.SetInsertPoint(leaves);
  emit_exit(pc_, ExitSite::Why::Other);
  b_.SetInsertPoint(granted);
  IrValue* taken = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, fuel, word(kGranted));
  store(b_.CreateSub(fuel, taken), region_fuel(), Memory::Machine);
  b_.CreateStore(b_.CreateAdd(load_of(granted_), taken), granted_);
  b_.CreateStore(taken, left_);
  b_.CreateBr(goes_on);
  b_.SetInsertPoint(goes_on);
}

/// The event that was reserved happens.
void Lowering::take_event() {
  if (!input_.counts_events) return;
  b_.CreateStore(b_.CreateSub(b_.CreateLoad(b_.getInt64Ty(), left_), word(1)), left_);
}

void Lowering::give_back_events() {
  if (!input_.counts_events) return;
  IrValue* left = b_.CreateLoad(b_.getInt64Ty(), left_);
  store(b_.CreateAdd(load(b_.getInt64Ty(), region_fuel(), Memory::Machine), left), region_fuel(), Memory::Machine);
  poll_soon();
}

/// Where a function is entered, with its frame as it was.
void Lowering::count_own_call() {
  if (!input_.counts_events || !input_.is_function) return;
  Block* counted = make_block("counted");
  Block* leaves = make_block("leaves");
  IrValue* fuel = load(b_.getInt64Ty(), region_fuel(), Memory::Machine);
  set_likely(b_.CreateCondBr(b_.CreateICmpNE(fuel, word(0)), counted, leaves), true);
  b_.SetInsertPoint(leaves);
  refuse(ExitSite::Why::Other);
  b_.SetInsertPoint(counted);
  store(b_.CreateSub(fuel, word(1)), region_fuel(), Memory::Machine);
}

/// Nothing has happened yet.
void Lowering::refuse(ExitSite::Why why) {
  const RegionFunction& root = input_.root();
  b_.CreateRet(word(exits_.size()));
  exits_.push_back({.why = why,
                    .own_pc = input_.entry_pc,
                    .to_pc = root.original_pcs[static_cast<size_t>(input_.entry_pc)],
                    .proto = root.proto,
                    .counts_call = input_.counts_events && input_.is_function});
}

llvm::Value* Lowering::region_fuel() { return at(vm_, offsetof(Vm, region_fuel)); }

}  // namespace mangata::jit
