// Where fuel is limited: calls and backedges (vm/event_countdown.h) are counted, each before it happens.
//
// [DESIGN] A region takes some events at a time off Vm::region_fuel, as rounds are granted otherwise (Lowering::poll), and counts them
// down in a register. It gives back what it has not used where it ends, and before each runtime call: whoever runs there may count or
// limit all. At backedges it makes sure of kReservedEvents, so that calls that are walked into need no check of their own: then all
// events of an iteration are one subtraction. Where there are not so many left, the region leaves before the instruction, whose event
// baseline code then counts. A function without loops counts in memory instead: it calls more than it goes back, and has nothing to
// give back. Its own call is counted when it is entered; where it is not entered, complete_exit() counts it.
#include <llvm/IR/Intrinsics.h>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {

/// Whether nobody has asked for attention. That fuel is limited is no reason to leave where events are counted.
llvm::Value* Lowering::nobody_asks() {
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  constexpr auto kAsks = static_cast<uint16_t>(0xff | kLeaveToCountPaths << 8);
  IrValue* asked = b_.CreateAlignedLoad(b_.getInt16Ty(), at(vm_, offsetof(Vm, interrupt)), llvm::Align(1), true);
  if (input_.counts_events) asked = b_.CreateAnd(asked, b_.getInt16(kAsks));
  return b_.CreateICmpEQ(asked, b_.getInt16(0));
}

llvm::Value* Lowering::region_fuel() { return load(b_.getInt64Ty(), at(vm_, offsetof(Vm, region_fuel)), Memory::Machine); }
void Lowering::set_region_fuel(IrValue* events) { store(events, at(vm_, offsetof(Vm, region_fuel)), Memory::Machine); }
llvm::Value* Lowering::is_enough(IrValue* fuel) { return b_.CreateICmpUGE(fuel, word(kReservedEvents)); }

/// Goes on with kReservedEvents at least, or else leaves to `pc` of the running function.
void Lowering::reserve_events(int pc) {
  constexpr uint64_t kGranted = 256;
  Block* goes_on = make_block("goes_on");
  Block* leaves = make_block("leaves");
  if (counts_in_memory_) {
    set_likely(b_.CreateCondBr(b_.CreateAnd(nobody_asks(), is_enough(region_fuel())), goes_on, leaves), true);
  } else {
    Block* used_up = make_block("used_up");
    Block* granted = make_block("granted");
    IrValue* left = b_.CreateLoad(b_.getInt64Ty(), left_);
    set_likely(b_.CreateCondBr(is_enough(left), goes_on, used_up), true);
    b_.SetInsertPoint(used_up);
    IrValue* fuel = region_fuel();
    set_likely(b_.CreateCondBr(b_.CreateAnd(nobody_asks(), is_enough(fuel)), granted, leaves), true);
    b_.SetInsertPoint(granted);
    IrValue* taken = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, fuel, word(kGranted));
    set_region_fuel(b_.CreateSub(fuel, taken));
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), granted_), taken), granted_);
    b_.CreateStore(b_.CreateAdd(left, taken), left_);
    b_.CreateBr(goes_on);
  }
  b_.SetInsertPoint(leaves);
  emit_exit(pc, ExitSite::Why::Other);
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
  if (counts_in_memory_) return set_region_fuel(b_.CreateSub(region_fuel(), word(1)));
  b_.CreateStore(b_.CreateSub(b_.CreateLoad(b_.getInt64Ty(), left_), word(1)), left_);
}

/// Before others count.
void Lowering::give_back_events() {
  if (!input_.counts_events) return;
  state_.reserved_events = 0;
  if (counts_in_memory_) return;
  set_region_fuel(b_.CreateAdd(region_fuel(), b_.CreateLoad(b_.getInt64Ty(), left_)));
  poll_soon();
}

/// One piece of code for all that leave.
void Lowering::leave_with_events(IrValue* status) {
  if (leaving_all_ == nullptr) {
    const auto resume = b_.saveIP();
    Block* block = make_block("leaves_all");
    b_.SetInsertPoint(block);
    leaving_all_ = b_.CreatePHI(b_.getInt64Ty(), 8);
    end_events();
    return_status(leaving_all_);
    b_.restoreIP(resume);
  }
  leaving_all_->addIncoming(status, b_.GetInsertBlock());
  b_.CreateBr(leaving_all_->getParent());
}

/// The generated function returns.
void Lowering::end_events() {
  if (input_.counts_events && !counts_in_memory_) set_region_fuel(b_.CreateAdd(region_fuel(), b_.CreateLoad(b_.getInt64Ty(), left_)));
  count_rounds();
}

/// It is entered.
void Lowering::count_own_call() {
  if (!input_.counts_events || !input_.is_function) return;
  set_region_fuel(b_.CreateSub(region_fuel(), word(1)));
  state_.reserved_events = counts_in_memory_ ? kReservedEvents - 1 : 0;
}

}  // namespace mangata::jit
