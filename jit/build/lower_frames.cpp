#include "jit/build/lower_frames.h"

#include <algorithm>

#include "jit/build/lower_calls.h"
#include "jit/build/lower_fields.h"
#include "jit/build/lower_intrinsics.h"
#include "jit/build/lower_recursion.h"
#include "jit/build/lower_upvalues.h"
#include "jit/region/region_benefit.h"

namespace mangata::jit {
namespace {

/// Of a function that was inlined: all results are where the caller's call has them.
void receive_results(const LoweringTools& t, IrValue outcome) {
  t.inlining.resume_caller();
  t.walk.state.open_end = kNoFrameSlot;
  const Instruction& call = t.walk.instruction();
  t.calls.forget_written(call);
  Block done = t.calls.split_by_outcome(outcome);
  t.exits.emit(t.walk.pc + 1, ExitSite::Why::Other);
  t.b.set_position(done);
  t.events.look_soon();
  expect_results(t, call);
  t.branches.go_to(t.walk.pc + 1);
}

/// From a metamethod: its first result is the operator's, if that has one.
void return_to_operator(const LoweringTools& t, const Instruction& in, int count) {
  const InlineFrame frame = t.walk.state.top();
  if (count == 0 && frame.result_slot != InlineFrame::kNoResult) {
    t.registers.set(frame.result_slot, {.kind = Kind::Nil});
  } else if (frame.result_slot != InlineFrame::kNoResult) {
    t.values.copy(frame.result_slot, t.walk.slot_of(in.ra()));
  }
  t.walk.state.open_end = kNoFrameSlot;
  t.inlining.resume_caller();
}

/// Puts the results where the caller wants them, and is in the caller then, at the call. False: the walk has ended.
bool deliver(const LoweringTools& t, const Instruction& in, int count) {
  const InlineFrame frame = t.walk.state.top();
  if (frame.result_slot != InlineFrame::kCalled) return return_to_operator(t, in, count), true;
  const FrameSlot first = frame.origin();
  const FrameSlot end_of_caller = t.walk.state.frames[t.walk.state.frames.size() - 2].end();
  const int wanted = frame.wanted < 0 ? count : frame.wanted;
  if (first + wanted > end_of_caller) return t.branches.exit_at(t.walk.pc), false;
  // They move down. What has to be made for the caller is made first: that may leave.
  for (int i = 0; i < std::min(count, wanted); ++i) {
    if (t.registers.is_captured(first + i)) t.values.read(in.ra() + i);
  }
  for (int i = 0; i < wanted; ++i) {
    t.walk.state.reach(first + i + 1);
    i < count ? t.values.copy(first + i, t.walk.slot_of(in.ra() + i)) : t.registers.set(first + i, {.kind = Kind::Nil});
  }
  t.walk.state.open_end = frame.wanted < 0 ? first + wanted : kNoFrameSlot;
  t.walk.state.slots.resize(static_cast<size_t>(first + wanted));  // what was behind that is dead
  t.inlining.resume_caller();
  return true;
}

/// A tail call of a native function is a call whose results are returned. False: nothing was done.
bool tail_call_native(const LoweringTools& t, const Instruction& in, const InlineFrame& frame) {
  const RegionFunction& caller = *t.walk.state.frames[t.walk.state.frames.size() - 2].function;
  const bool is_open = frame.wanted < 0;
  if (is_open && !knows_results(caller, frame.return_pc - 1)) return false;
  Operand callee = t.values.read(in.ra());
  if (!t.values.expect(&callee, Kind::NativeFunction)) return false;
  t.tally.note_by_runtime(t.walk);
  IrValue outcome = t.calls.call(t.runtime.tail_call_native);
  if (is_open) return receive_results(t, outcome), true;
  const int end = std::max(t.walk.function().register_count, in.a + frame.wanted);
  t.walk.state.reach(t.walk.slot_of(Register{end}));
  t.registers.need_stack_to(t.walk.slot_of(Register{end}));
  for (int reg = in.a; reg < end; ++reg) t.registers.forget(Register{reg});
  t.registers.forget_tables();
  const Instruction returns = Instruction::abcd(Opcode::Return, in.a, frame.wanted + 1);
  Block done = t.calls.split_by_outcome(outcome);
  t.queue.beside([&] {
    if (deliver(t, returns, frame.wanted)) t.branches.exit_at(t.walk.pc + 1);
  });
  t.b.set_position(done);
  t.events.look_soon();
  lower_return(t, returns);
  return true;
}

/// The metatable of an operand, which has the metamethod in that slot.
IrValue guard_operator_holder(const LoweringTools& t, const Operand& operand, const InlineCache& cache) {
  Writer& b = t.b;
  if (cache.holder != nullptr) return guard_holder_shape(t, cache);
  IrValue metatable = b.load(IrType::Pointer, b.at(b.pointer(operand), offsetof(Table, own_metatable)), Memory::Header);
  IrValue shape = b.load(IrType::I64, b.at(metatable, offsetof(Table, shape)), Memory::Header);
  t.guards.guard(b.eq(shape, b.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  return metatable;
}

/// The slots from `begin` on, up to `end`, of which there are some, and goes on in the block `then`.
void fill_with_nil(Writer& b, IrValue slots, IrValue begin, IrValue end, Block then) {
  Block fill = b.make_block("fill");
  Block again = b.make_block("fills_again");
  IrValue slot = b.add_parameter(fill, IrType::I64);
  b.jump(fill, {begin});
  b.set_position(fill);
  b.store_value({.kind = Kind::Nil}, b.address(slots, b.shl(slot, b.word(4)), 1), Memory::Frame);
  IrValue next = b.add(slot, b.word(1));
  b.branch(b.ult(next, end), again, then);
  b.set_position(again);
  b.jump(fill, {next});
}

/// From a region that is a whole function: the results go to where the caller wants them (emit_returns.cpp).
void return_to_caller(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (t.direct.is_made()) return return_directly(t, in);
  constexpr int kMostResults = 4;
  const int count = result_count(t, in);
  const bool closes = in.op == Opcode::Return && in.c != 0;
  if (count < 0 || closes || count > kMostResults) return t.branches.exit_at(t.walk.pc, ExitSite::Why::Loop);
  IrValue wanted =
      b.load(IrType::I32, b.frame_address(FrameSlot{-kFrameHeaderSlots}, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  std::vector<Operand> results;
  for (int i = 0; i < count; ++i) results.push_back(t.values.read(in.ra() + i));
  Block more = b.make_block("more_wanted");
  Block all = b.make_block("all_wanted");
  Block returns = b.make_block("returns");
  constexpr FrameSlot first{-kCallOverheadSlots};
  // All are stored even when fewer are wanted: what lies behind the wanted ones is free.
  b.set_likely(b.branch(b.ugt(wanted, b.i32(static_cast<uint32_t>(count))), more, returns), false);
  b.set_position(more);
  Block fewer = b.make_block("fewer_than_wanted");
  b.branch(b.eq(wanted, b.i32(FrameHeader::kWantedMask)), all, fewer);
  b.set_position(fewer);
  fill_with_nil(b, b.frame_address(first), b.word(static_cast<uint64_t>(count)), b.zext(wanted, IrType::I64), returns);
  b.set_position(all);
  b.store(b.frame_address(first + count), b.at(b.thread(), offsetof(Thread, top)), Memory::Machine);
  b.jump(returns);
  b.set_position(returns);
  for (int i = 0; i < count; ++i) {
    const Operand& result = results[static_cast<size_t>(i)];
    b.store_value(result, b.frame_address(first + i), Memory::Frame);
  }
  t.events.count();
  t.events.end();
  b.return_status(b.word(static_cast<uint64_t>(kRegionReturned)));
  t.branches.finish();
}

}  // namespace

bool guard_callee(const LoweringTools& t, Operand* function, const Proto* callee) {
  Writer& b = t.b;
  if (!t.values.expect(function, Kind::LuaFunction)) return false;
  t.guards.guard(b.eq(proto_of(b, *function), b.word(reinterpret_cast<uint64_t>(callee))));
  return true;
}

bool inline_call(const LoweringTools& t, const Instruction& in, const RegionFunction& callee) {
  const FrameSlot origin = t.walk.slot_of(in.ra());
  const int arguments = argument_count(t, in);
  if (!t.inlining.may_enter(callee, in.c == 0) || !t.inlining.has_room_for(callee, arguments) || t.registers.is_captured(origin)) return false;
  Operand function = t.values.read(in.ra());
  if (!guard_callee(t, &function, callee.proto)) return false;
  t.polls.reserve_event();
  InlineFrame frame = t.inlining.frame_of(callee, origin, t.walk.slot_of(first_argument(in)), arguments);
  frame.return_pc = t.walk.pc + 1;
  frame.wanted = in.c - 1;
  t.inlining.enter(frame, arguments);
  t.inlining.start();
  return true;
}

bool inline_iterator(const LoweringTools& t, const Instruction& in, const RegionFunction& callee) {
  const FrameSlot called = t.walk.slot_of(in.ra() + 4), base = called + kCallOverheadSlots;
  if (callee.proto->is_vararg || !t.inlining.may_enter(callee, false) || t.registers.is_captured(called)) return false;
  Operand function = t.values.read(in.ra());
  if (!guard_callee(t, &function, callee.proto)) return false;
  t.polls.reserve_event();
  t.walk.state.reach(base + 2);
  t.values.copy(called, t.walk.slot_of(in.ra()));
  for (int i = 0; i < std::min(2, callee.parameter_count); ++i) t.values.copy(base + i, t.walk.slot_of(in.ra() + 1 + i));
  t.inlining.enter({.function = &callee, .base = base, .return_pc = t.walk.pc + 1, .wanted = in.c}, 2);
  t.inlining.start();
  return true;
}

bool lower_tail_call(const LoweringTools& t, const Instruction& in) {
  const auto why = t.walk.state.is_inlined() ? ExitSite::Why::Other : ExitSite::Why::Loop;
  if (in.c != 0 || (in.b == 0 && t.walk.state.open_end == kNoFrameSlot)) return t.branches.exit_at(t.walk.pc, why), false;
  const auto id = static_cast<NativeId>(t.walk.site().native_id);
  // Its caller gets them, and nothing may leave between the call and the return.
  if (!t.walk.state.is_inlined() || t.registers.is_captured(t.walk.state.top().origin())) {
    for (int i = 0; i < argument_count(t, in); ++i) t.values.read(first_argument(in) + i);
  }
  if (id != NativeId::None && !t.walk.site().many_callees && t.registers.fact(t.walk.slot_of(in.ra())).method == nullptr && lower_intrinsic(t, in, id)) {
    t.walk.state.open_end = kNoFrameSlot;
    return lower_return(t, {.op = Opcode::Return1, .a = in.a});
  }
  const Proto* probable = t.registers.fact(t.walk.slot_of(in.ra())).method;
  if (t.walk.state.is_inlined() && probable == nullptr && !t.inlining.is_kept() && by_callees(t, in)) return false;
  const RegionFunction* callee = probable != nullptr ? inlinable(t, probable) : t.walk.function().callees[static_cast<size_t>(t.walk.pc)];
  if (t.walk.state.is_inlined() && t.inlining.is_kept()) callee = nullptr;
  const InlineFrame frame = t.walk.state.top();
  const bool is_native = callee == nullptr && t.walk.site().callee == nullptr && !t.walk.site().many_callees;
  if (t.walk.state.is_inlined() && is_native && (in.b != 0 || in.d == 0) && tail_call_native(t, in, frame)) return false;
  if (!t.walk.state.is_inlined() && tail_call_itself(t, in)) return false;
  const Proto* only = probable == nullptr && !t.walk.site().many_callees ? t.walk.site().callee : probable;
  if (t.walk.state.is_inlined() && callee == nullptr && tail_call_natively(t, in, only)) return false;
  const int arguments = argument_count(t, in);
  if (!t.walk.state.is_inlined() || callee == nullptr || !t.inlining.has_room_for(*callee, arguments)) return t.branches.exit_at(t.walk.pc, why), false;
  Operand function = t.values.read(in.ra());
  if (!guard_callee(t, &function, callee->proto)) return t.branches.exit_at(t.walk.pc, why), false;
  t.polls.reserve_event();
  t.values.copy(frame.origin(), t.walk.slot_of(in.ra()));
  InlineFrame next = t.inlining.frame_of(*callee, frame.origin(), t.walk.slot_of(first_argument(in)), arguments);
  next.return_pc = frame.return_pc;
  next.wanted = frame.wanted;
  next.is_tail_called = true;
  next.result_slot = frame.result_slot;
  t.walk.state.frames.pop_back();
  t.inlining.enter(next, arguments);
  return frame.is_tail_called ? t.inlining.start_again() : t.inlining.start(), false;
}

bool inline_operator(const LoweringTools& t, const Instruction& in, Operand left, Operand right) {
  Writer& b = t.b;
  const auto found = t.walk.function().operators.find(CodePc(t.walk.pc));
  const RegionFunction* callee = t.walk.function().callees[static_cast<size_t>(t.walk.pc)];
  if (found == t.walk.function().operators.end() || callee == nullptr || callee->proto->is_vararg || t.walk.site().is_unstable ||
      !t.inlining.may_enter(*callee, false) ||
      t.registers.is_captured(t.walk.slot_of(in.ra())))
    return false;
  const InlineCache& cache = found->second.cache;
  Operand& handles = t.walk.site().right_handles ? right : left;
  Operand& other = t.walk.site().right_handles ? left : right;
  const bool has_register_c = opcode_info(in.op).format == OperandFormat::RaRbRc;
  const TagMask tags = has_register_c && t.walk.site().right_handles ? t.walk.site().right : t.walk.site().left;
  const bool is_table = handles.kind == Kind::Table || (handles.kind == Kind::Any && tags == tag_bit(Tag::Table));
  if (!is_table) return false;
  // A left operand of another type might have a metamethod, too.
  if (t.walk.site().right_handles && !t.values.expect_number(&other, t.walk.site().left)) return false;
  if (!t.values.expect(&handles, Kind::Table)) return false;
  if (t.registers.is_replaced(handles) && t.registers.fact(handles.slot).shape != cache.shape) return false;
  guard_shape(t, handles, cache.shape);
  Operand method = b.load_value(property(b, guard_operator_holder(t, handles, cache), cache.slot), Memory::Values);
  if (!guard_callee(t, &method, callee->proto)) return false;
  t.polls.reserve_event();
  const FrameSlot result = t.walk.slot_of(in.ra()), base = t.walk.state.top().end() + kCallOverheadSlots;
  t.walk.state.slots.resize(static_cast<size_t>(base + std::max(callee->register_count, 2)));
  t.registers.set(base - kCallOverheadSlots, method);
  const Operand arguments[] = {left, right};
  for (int i = 0; i < std::min(2, callee->parameter_count); ++i) {
    t.values.put(base + i, arguments[i]);
  }
  t.inlining.enter({.function = callee, .base = base, .return_pc = t.walk.pc + 1, .wanted = 1, .result_slot = result}, 2);
  t.inlining.start();
  return true;
}

bool inline_handler(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const auto found = t.walk.function().operators.find(CodePc(t.walk.pc));
  const RegionFunction* callee = t.walk.function().callees[static_cast<size_t>(t.walk.pc)];
  if (found == t.walk.function().operators.end() || callee == nullptr || callee->proto->is_vararg || t.walk.site().is_unstable ||
      !t.inlining.may_enter(*callee, false))
    return false;
  const bool is_store = in.op == Opcode::SetField || in.op == Opcode::SetGlobal, is_self = in.op == Opcode::Self;
  const bool is_global = in.op == Opcode::GetGlobal || in.op == Opcode::SetGlobal;
  const FrameSlot self = t.walk.slot_of(in.ra() + kCallOverheadSlots);
  if ((!is_store && t.registers.is_captured(t.walk.slot_of(in.ra()))) || (is_self && t.registers.is_captured(self))) return false;
  const InlineCache& cache = found->second.cache;
  Operand object = is_global ? environment(t, is_store ? in.a : in.b) : t.values.read(is_store ? in.ra() : in.rb());
  const Operand value = is_store ? t.values.read_rk(in.c) : Operand{.kind = Kind::Nil};
  if (!t.values.expect_table(&object)) return false;
  guard_shape(t, object, cache.shape);
  Operand first = object;
  if (cache.holder != nullptr) {
    guard_epoch(t, cache);
    first = {.kind = Kind::Table, .payload = b.word(reinterpret_cast<uint64_t>(cache.holder))};
  }
  IrValue metatable = b.load(IrType::Pointer, b.at(b.pointer(first), offsetof(Table, own_metatable)), Memory::Header);
  IrValue shape = b.load(IrType::I64, b.at(metatable, offsetof(Table, shape)), Memory::Header);
  t.guards.guard(b.eq(shape, b.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  Operand method = b.load_value(property(b, metatable, cache.slot), Memory::Values);
  if (!guard_callee(t, &method, callee->proto)) return false;
  t.polls.reserve_event();
  const FrameSlot base = t.walk.state.top().end() + kCallOverheadSlots;
  const int arguments = is_store ? 3 : 2;
  t.walk.state.slots.resize(static_cast<size_t>(base + std::max(callee->register_count, arguments)));
  t.registers.set(base - kCallOverheadSlots, method);
  const Operand all[] = {first, t.registers.constant(is_store ? in.b : in.c), value};
  for (int i = 0; i < std::min(arguments, callee->parameter_count); ++i) t.values.put(base + i, all[i]);
  if (is_self) t.values.put(self, object);
  const FrameSlot result = is_store ? InlineFrame::kNoResult : t.walk.slot_of(in.ra());
  t.inlining.enter({.function = callee, .base = base, .return_pc = t.walk.pc + 1, .wanted = is_store ? 0 : 1, .result_slot = result}, arguments);
  t.inlining.start();
  return true;
}

int result_count(const LoweringTools& t, const Instruction& in) {
  if (in.op == Opcode::Return0) return 0;
  if (in.op == Opcode::Return1) return 1;
  if (in.b != 0) return in.b - 1;
  return t.walk.state.open_end == kNoFrameSlot ? -1 : t.walk.state.open_end - t.walk.slot_of(in.ra());
}

bool lower_return(const LoweringTools& t, const Instruction& in) {
  if (!t.walk.state.is_inlined()) return t.input.is_function ? return_to_caller(t, in) : t.branches.exit_at(t.walk.pc), false;
  const int count = result_count(t, in);
  if (count < 0) return t.branches.exit_at(t.walk.pc), false;
  if (deliver(t, in, count)) t.branches.go_to(t.walk.pc + 1);
  return false;
}

}  // namespace mangata::jit
