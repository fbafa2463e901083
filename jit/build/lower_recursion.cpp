#include "jit/build/lower_recursion.h"

#include <algorithm>

#include "jit/build/lower_calls.h"
#include "jit/build/lower_frames.h"

namespace mangata::jit {
namespace {

/// One that is wanted, or none: from the direct function, or from the frame, where another tier has left it.
void merge_results(const LoweringTools& t, const Instruction& in, Block returned, IrValue payload, IrValue tag) {
  Writer& b = t.b;
  Block goes_on = b.make_block("called");
  if (in.c == 2) {
    IrValue either = b.add_parameter(goes_on, IrType::I64);
    IrValue either_tag = b.add_parameter(goes_on, IrType::I64);
    const Operand slow = b.load_value(b.frame_address(t.walk.slot_of(in.ra())), Memory::Frame);
    b.jump(goes_on, {slow.payload, slow.tag});
    b.set_position(returned);
    b.jump(goes_on, {payload, tag});
    b.set_position(goes_on);
    t.values.write(in.ra(), {.kind = Kind::Any, .payload = either, .tag = either_tag});
  } else {
    b.jump(goes_on);
    b.set_position(returned);
    b.jump(goes_on);
    b.set_position(goes_on);
  }
}

}  // namespace

void return_directly(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const bool has_result = result_count(t, in) == 1;
  const Operand result = has_result ? t.values.read(in.ra()) : Operand{.kind = Kind::Nil};
  const int64_t status = has_result ? kRegionReturned : kRegionReturnedNothing;
  IrValue payload = b.payload_bits(result);
  t.events.count();
  t.events.end();
  b.return_values({b.word(static_cast<uint64_t>(status)), payload, b.tag_value(result)});
  t.branches.finish();
}

bool call_itself(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const RegionFunction& callee = t.input.root();
  if (!t.direct.is_made() || in.c > 2 || t.walk.site().is_unstable || t.registers.is_captured(t.walk.slot_of(in.ra()))) return false;
  const int count = argument_count(t, in);
  const bool is_open = in.c == 0;  // its results are; one is known to have come then
  for (int reg = count; reg < callee.parameter_count; ++reg) {
    if (t.direct.parameter_kind(Register{reg}) != Kind::Any) return false;
  }
  Operand function = t.values.read(in.ra());
  std::vector<Operand> arguments;
  for (int reg = 0; reg < std::min(count, callee.parameter_count); ++reg) {
    arguments.push_back(t.values.read(first_argument(in) + reg));
    const Kind kind = t.direct.parameter_kind(Register{reg});
    if (kind != Kind::Any && !t.values.expect(&arguments.back(), kind)) return false;
  }
  if (!guard_callee(t, &function, callee.proto)) return false;
  for (int i = 0; i < count; ++i) t.registers.fact(t.walk.slot_of(first_argument(in) + i)).dirty = false;  // the callee has them
  const FrameSlot base = begin_native_call(t, in);
  t.walk.state.open_end = kNoFrameSlot;
  std::vector<IrValue> values{b.thread(), b.frame_address(base), b.vm(), b.word(0)};
  for (int reg = 0; reg < callee.parameter_count; ++reg) {
    const Operand value = reg < count ? arguments[static_cast<size_t>(reg)] : Operand{.kind = Kind::Nil};
    const Kind kind = t.direct.parameter_kind(Register{reg});
    values.push_back(kind == Kind::Any ? b.payload_bits(value) : value.payload);
    if (kind == Kind::Any) values.push_back(b.tag_value(value));
  }
  t.events.give_back();
  IrValue call = t.direct.call(values);
  IrValue status = b.result(call, 0, IrType::I64);
  IrValue payload = b.result(call, 1, IrType::I64);
  IrValue tag = b.result(call, 2, IrType::I64);
  t.calls.forget_written(in);
  Block returned = b.make_block("returned");
  Block other = b.make_block("not_returned");
  IrValue is_there = is_open ? b.eq(status, b.i64(static_cast<uint64_t>(kRegionReturned))) : t.direct.has_returned(status);
  b.set_likely(b.branch(is_there, returned, other), true);
  b.set_position(other);
  IrValue outcome = b.call(IrType::I64, b.address_constant(t.runtime.finish_call),
                           {b.thread(), b.frame_address(base), status, b.address_constant(t.self)});
  Block finished = t.calls.split_by_outcome(outcome);
  t.calls.leave_behind();
  b.set_position(finished);
  if (is_open) {
    t.exits.emit(t.walk.pc + 1, ExitSite::Why::Other);  // they end at Thread::top
    b.set_position(returned);
    t.values.write(in.ra(), {.kind = Kind::Any, .payload = payload, .tag = tag});
    t.walk.state.open_end = t.walk.slot_of(in.ra()) + 1;
    return t.events.look_soon(), true;
  }
  merge_results(t, in, returned, payload, tag);
  t.events.look_soon();
  return true;
}

bool tail_call_itself(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const RegionFunction& root = t.input.root();
  if (!t.input.is_function || t.walk.site().callee != root.proto || t.walk.site().many_callees || root.captured.any()) return false;
  Operand function = t.values.read(in.ra());
  if (!guard_callee(t, &function, root.proto)) return false;
  t.polls.reserve_event();
  t.events.take();
  b.store(function.payload, b.frame_address(FrameSlot{-kCallOverheadSlots}), Memory::Frame);
  static_assert(FrameHeader::kTailCalled < 256);  // the flags are one byte
  IrValue flags = b.frame_address(FrameSlot{-kFrameHeaderSlots}, static_cast<int>(offsetof(FrameHeader, tag_low_1)) + 4);
  b.store(b.bit_or(b.load(IrType::I8, flags, Memory::Frame), b.i8(FrameHeader::kTailCalled)), flags, Memory::Frame);
  const int count = argument_count(t, in);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    reg < count ? t.values.copy(t.walk.slot_of(Register{reg}), t.walk.slot_of(first_argument(in) + reg)) : t.values.write(Register{reg}, {.kind = Kind::Nil});
  }
  for (int reg = root.parameter_count; reg < root.register_count; ++reg) t.registers.fact(t.walk.slot_of(Register{reg})) = {};
  if (root.counters != nullptr) b.set(t.registers.path_cell(t.walk.state.top().base), b.word(0));
  t.walk.state.open_end = kNoFrameSlot;
  t.walk.track = {};
  t.branches.go_to(0);
  return true;
}

}  // namespace mangata::jit
