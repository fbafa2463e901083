// Where fuel is limited: calls and backedges (vm/event_countdown.h) are counted, each before it happens.
//
// [DESIGN] A region takes some events at a time off Vm::region_fuel, as rounds are granted otherwise (Lowering::poll), and counts them
// down in a register. It gives back what it has not used where it ends, and before each runtime call: whoever runs there may count or
// limit all. At backedges it makes sure of kReservedEvents, so that calls that are walked into need no check of their own: then all
// events of an iteration are one subtraction. Where there are not so many left, the region leaves before the instruction, whose event
// baseline code then counts. A function's own call is counted when it is entered; where it is not entered, complete_exit() counts it.
//
#include <llvm/IR/Intrinsics.h>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {

/// Goes on with kReservedEvents at least, or else leaves to `pc` of the running function.
void Lowering::reserve_events(int pc) {
  constexpr uint64_t kGranted = 256;
  constexpr auto kAsks = static_cast<uint16_t>(0xff | kLeaveToCountPaths << 8);
  Block* used_up = make_block("used_up");
  Block* granted = make_block("granted");
  Block* goes_on = make_block("goes_on");
  Block* leaves = make_block("leaves");
  IrValue* left = b_.CreateLoad(b_.getInt64Ty(), left_);
  set_likely(b_.CreateCondBr(b_.CreateICmpULT(left, word(kReservedEvents)), used_up, goes_on), false);
  b_.SetInsertPoint(used_up);
  IrValue* asked = b_.CreateAlignedLoad(b_.getInt16Ty(), at(vm_, offsetof(Vm, interrupt)), llvm::Align(1), true);
  IrValue* nobody = b_.CreateICmpEQ(b_.CreateAnd(asked, b_.getInt16(kAsks)), b_.getInt16(0));
  IrValue* fuel = load(b_.getInt64Ty(), region_fuel(), Memory::Machine);
  IrValue* is_enough = b_.CreateICmpUGE(fuel, word(kReservedEvents));
  set_likely(b_.CreateCondBr(b_.CreateAnd(nobody, is_enough), granted, leaves), true);
  b_.SetInsertPoint(leaves);
  emit_exit(pc, ExitSite::Why::Other);
  b_.SetInsertPoint(granted);
  IrValue* taken = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, fuel, word(kGranted));
  store(b_.CreateSub(fuel, taken), region_fuel(), Memory::Machine);
  b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), granted_), taken), granted_);
  b_.CreateStore(b_.CreateAdd(left, taken), left_);
  b_.CreateBr(goes_on);
  b_.SetInsertPoint(goes_on);
  state_.reserved_events = kReservedEvents;
}

/// The running instruction, which has had no effect yet, may go back.
void Lowering::reserve_for_backedge() {
  if (input_.counts_events) reserve_events(pc_);
}

/// It may be a call that is walked into.
void Lowering::reserve_for_call() {
  if (input_.counts_events && state_.reserved_events == 0) reserve_events(pc_);
}

/// All that arrive at a leader have the same number of events in reserve.
void Lowering::reserve_for_leader(int pc) {
  if (!input_.counts_events) return;
  const std::vector<Instruction>& code = function().code;
  bool is_head = false;
  for (size_t i = static_cast<size_t>(pc); i < code.size() && !is_head; ++i)
    is_head = is_backedge(code[i]) && static_cast<int>(i) + 1 + code[i].imm == pc;
  if (is_head && state_.reserved_events < kReservedEvents - 1) reserve_events(pc);
  state_.reserved_events = is_head ? kReservedEvents - 1 : 0;
}

/// One that was reserved happens.
void Lowering::take_event() {
  if (!input_.counts_events) return;
  --state_.reserved_events;
  b_.CreateStore(b_.CreateSub(b_.CreateLoad(b_.getInt64Ty(), left_), word(1)), left_);
}

void Lowering::give_back_events() {
  if (!input_.counts_events) return;
  IrValue* left = b_.CreateLoad(b_.getInt64Ty(), left_);
  store(b_.CreateAdd(load(b_.getInt64Ty(), region_fuel(), Memory::Machine), left), region_fuel(), Memory::Machine);
  poll_soon();
  state_.reserved_events = 0;
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
