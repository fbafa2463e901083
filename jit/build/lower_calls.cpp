#include "jit/build/lower_calls.h"

#include <algorithm>

#include "jit/build/lower_frames.h"
#include "jit/build/lower_intrinsics.h"
#include "jit/build/lower_recursion.h"

namespace mangata::jit {
namespace {

/// Machine code calls machine code: arguments and results are in the frames (emit_calls.cpp). The function of that prototype (an address) has
/// its R[0] in slot `base`.
IrValue call_code_of(const LoweringTools& t, IrValue proto, FrameSlot base, int count) {
  Writer& b = t.b;
  const auto entry = static_cast<size_t>(std::min(count, kNativeEntries - 1));
  const auto offset = static_cast<int64_t>(offsetof(Proto, native_entries) + entry * sizeof(void*));
  IrValue address = b.load(IrType::Pointer, b.at(proto, offset), Memory::Machine);
  return b.call_compiled(b.address_constant(t.input.call_compiled),
                         {b.thread(), b.frame_address(base), address, b.word(static_cast<uint64_t>(count)), b.vm()});
}

bool call_natively(const LoweringTools& t, const Instruction& in, const Proto* callee) {
  Operand function = t.values.read(in.ra());
  if (t.registers.is_captured(t.walk.slot_of(in.ra())) || !guard_callee(t, &function, callee)) return false;
  const FrameSlot base = begin_native_call(t, in);
  t.events.give_back();
  IrValue outcome = call_code_of(t, t.b.address_constant(callee), base, in.b - 1);
  t.calls.forget_written(in);
  t.calls.check_outcome(outcome);
  return true;
}

/// Of whatever function of Lua it is; another one is called by the runtime.
bool call_any(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  Operand function = t.values.read(in.ra());
  if (t.registers.is_captured(t.walk.slot_of(in.ra())) || (function.kind != Kind::Any && function.kind != Kind::LuaFunction)) return false;
  const FrameSlot base = begin_native_call(t, in);
  t.events.give_back();
  Block called = b.make_block("called");
  IrValue outcome = b.add_parameter(called, IrType::I64);
  if (function.kind == Kind::Any) {
    Block is_lua = b.make_block("lua_function"), is_other = b.make_block("other_function");
    b.set_likely(b.branch(b.eq(function.tag, b.word(static_cast<uint64_t>(Tag::LuaFunction))), is_lua, is_other), true);
    b.set_position(is_other);
    IrValue saved = b.address_constant(t.walk.function().address + t.walk.pc + 1);
    b.jump(called, {b.call(IrType::I64, b.address_constant(t.calls.function_of_instruction()), {b.thread(), b.frame_address(t.walk.state.top().base), saved})});
    b.set_position(is_lua);
  }
  IrValue proto = b.load(IrType::Pointer, b.at(b.pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  b.jump(called, {call_code_of(t, proto, base, in.b - 1)});
  b.set_position(called);
  t.calls.forget_written(in);
  t.calls.check_outcome(outcome);
  return true;
}

}  // namespace

bool lower_call(const LoweringTools& t, const Instruction& in) {
  if (in.b == 0 && t.walk.state.open_end == kNoFrameSlot) return t.branches.exit_at(t.walk.pc), false;
  const Proto* probable = t.registers.fact(t.walk.slot_of(in.ra())).method;
  const RegionFunction* callee = t.walk.function().callees[static_cast<size_t>(t.walk.pc)];
  if (probable != nullptr) {
    callee = inlinable(t, probable);
  } else if (t.walk.site().many_callees) {
    if (!t.inlining.is_kept() && by_callees(t, in)) return false;
  } else {
    const auto id = static_cast<NativeId>(t.walk.site().native_id);
    if (id != NativeId::None && (in.c == 2 || in.c == 0) && lower_intrinsic(t, in, id)) {
      t.walk.state.open_end = in.c == 0 ? t.walk.slot_of(in.ra()) + 1 : kNoFrameSlot;
      return true;
    }
    probable = t.walk.site().callee;
  }
  if (callee != nullptr && inline_call(t, in, *callee)) return false;
  if (probable == t.input.root().proto && call_itself(t, in)) return true;
  if ((in.b == 0 && in.d != 0) || !knows_results(t.walk.function(), t.walk.pc)) return t.branches.leave_here(), false;
  if (in.b == 0 || (probable != nullptr ? !call_natively(t, in, probable) : !t.walk.site().many_callees || !call_any(t, in))) t.calls.do_instruction();
  return expect_results(t, in), true;
}

bool knows_results(const RegionFunction& function, int pc) {
  const Instruction& in = function.code[static_cast<size_t>(pc)];
  const int count = function.sites[static_cast<size_t>(pc)].open_results();
  return in.c != 0 || (count >= 0 && in.a + count <= function.register_count);
}

void expect_results(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (in.c != 0) return;
  const FrameSlot end = t.walk.slot_of(in.ra() + t.walk.site().open_results());
  Block as_many = b.make_block("as_many");
  Block others = b.make_block("other_results");
  IrValue top = b.load(IrType::Pointer, b.at(b.thread(), offsetof(Thread, top)), Memory::Machine);
  b.set_likely(b.branch(b.eq(top, b.frame_address(end)), as_many, others), true);
  b.set_position(others);
  t.exits.emit(t.walk.pc + 1, ExitSite::Why::Other);
  b.set_position(as_many);
  t.walk.state.open_end = end;
}

const RegionFunction* inlinable(const LoweringTools& t, const Proto* callee) {
  const auto found = t.input.inlinable.find(callee);
  return found == t.input.inlinable.end() ? nullptr : found->second;
}

bool by_callees(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const FrameSlot slot = t.walk.slot_of(in.ra());
  const auto several = t.walk.site().several_callees();
  if (several.empty() || t.walk.site().is_unstable || t.registers.is_captured(slot)) return false;
  Operand function = t.values.read(in.ra());
  if (!t.values.expect(&function, Kind::LuaFunction)) return false;
  IrValue proto = proto_of(b, function);
  for (const Proto* callee : several) {
    Block same = b.make_block("callee");
    Block differs = b.make_block("other_callee");
    b.branch(b.eq(proto, b.word(reinterpret_cast<uint64_t>(callee))), same, differs);
    State state = t.walk.state;
    state.slots[static_cast<size_t>(slot)].method = callee;
    t.queue.begin_anew(same, std::move(state));
    b.set_position(differs);
  }
  b.jump(t.guards.exit_block());
  t.branches.finish();
  return true;
}

Register first_argument(const Instruction& in) {
  return in.ra() + (in.b == 0 && in.d != 0 ? 1 : kCallOverheadSlots);
}

int argument_count(const LoweringTools& t, const Instruction& in) {
  return in.b != 0 ? in.b - 1 : t.walk.state.open_end - t.walk.slot_of(first_argument(in));
}

FrameSlot begin_native_call(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  t.calls.publish_values(t.walk.pc);
  t.calls.publish_frames(t.walk.pc);
  const FrameSlot caller_base = t.walk.state.top().base, base = t.walk.slot_of(in.ra()) + kCallOverheadSlots;
  b.store(b.word(reinterpret_cast<uint64_t>(t.walk.function().address + t.walk.pc + 1)),
          b.frame_address(caller_base - kFrameHeaderSlots), Memory::Frame);
  t.calls.write_header_tags(base, caller_base, in.c - 1, 0);
  return base;
}

bool tail_call_natively(const LoweringTools& t, const Instruction& in, const Proto* callee) {
  Writer& b = t.b;
  const InlineFrame frame = t.walk.state.top();
  const int arguments = argument_count(t, in);
  const FrameSlot from = t.walk.slot_of(first_argument(in)), called = frame.origin(), base = called + kCallOverheadSlots;
  const RegionFunction& caller = *t.walk.state.frames[t.walk.state.frames.size() - 2].function;
  if (frame.result_slot != InlineFrame::kCalled || !knows_results(caller, frame.return_pc - 1)) return false;
  Operand function = t.values.read(in.ra());
  if (callee != nullptr ? !guard_callee(t, &function, callee) : !t.values.expect(&function, Kind::LuaFunction)) return false;
  for (int i = 0; i < arguments; ++i) t.values.read(first_argument(in) + i);
  t.values.copy(called, t.walk.slot_of(in.ra()));
  for (int i = 0; i < arguments; ++i) t.values.copy(base + i, from + i);
  // From here on nothing may leave: the caller's call is another one.
  t.registers.need_stack_to(base + arguments);
  t.registers.store(called);
  for (int i = 0; i < arguments; ++i) t.registers.store(base + i);
  t.walk.state.slots.resize(static_cast<size_t>(called));  // what the inlined function had is nothing that its caller waits for
  t.inlining.resume_caller();
  const FrameSlot caller_base = t.walk.state.top().base;
  t.calls.publish_values(t.walk.pc + 1);
  t.calls.publish_frames(t.walk.pc);
  b.store(b.word(reinterpret_cast<uint64_t>(t.walk.function().address + t.walk.pc + 1)), b.frame_address(caller_base - kFrameHeaderSlots), Memory::Frame);
  t.calls.write_header_tags(base, caller_base, frame.wanted, FrameHeader::kTailCalled);
  t.events.give_back();
  IrValue proto = callee != nullptr ? b.address_constant(callee)
                                    : b.load(IrType::Pointer, b.at(b.pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  IrValue outcome = call_code_of(t, proto, base, arguments);
  t.walk.state.open_end = kNoFrameSlot;
  const Instruction& call = t.walk.instruction();
  t.calls.forget_written(call);
  t.calls.check_outcome(outcome);
  expect_results(t, call);
  t.branches.go_to(t.walk.pc + 1);
  return true;
}

}  // namespace mangata::jit
