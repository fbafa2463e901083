// Functions that call themselves (direct_function.h): their calls of themselves, and their returns.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

/// They are where registers are; the frame does not have them.
void Lowering::take_parameters() {
  int reg = 0;
  for (const Operand& value : direct_.parameters()) values_.write(Register{reg++}, value);
}

/// Whether stacks have room, and nobody asks for attention.
ir::Value Lowering::may_begin() {
  IrValue stack = b_.stack_pointer();
  IrValue native_limit = b_.load(IrType::I64, b_.at(b_.thread(), offsetof(Thread, region_limit)), Memory::Machine);
  IrValue has_native_room = b_.uge(stack, native_limit);
  IrValue is_quiet = events_.nobody_asks();
  return b_.bit_and(b_.bit_and(has_room(), has_native_room), is_quiet);
}

void Lowering::return_directly(const Instruction& in) {
  const bool has_result = result_count(in) == 1;
  const Operand result = has_result ? values_.read(in.ra()) : Operand{.kind = Kind::Nil};
  const int64_t status = has_result ? kRegionReturned : kRegionReturnedNothing;
  IrValue payload = b_.payload_bits(result);
  events_.count();
  events_.end();
  b_.return_values({b_.word(static_cast<uint64_t>(status)), payload, b_.tag_value(result)});
  branches_.finish();
}

/// By a call with the arguments in registers. False: it does not fit.
bool Lowering::call_itself(const Instruction& in) {
  const RegionFunction& callee = input_.root();
  if (!direct_.is_made() || in.c > 2 || walk_.site().is_unstable || registers_.is_captured(walk_.slot_of(in.ra()))) return false;
  const int count = argument_count(in);
  const bool is_open = in.c == 0;  // its results are; one is known to have come then
  for (int reg = count; reg < callee.parameter_count; ++reg) {
    if (direct_.parameter_kind(Register{reg}) != Kind::Any) return false;
  }
  Operand function = values_.read(in.ra());
  std::vector<Operand> arguments;
  for (int reg = 0; reg < std::min(count, callee.parameter_count); ++reg) {
    arguments.push_back(values_.read(first_argument(in) + reg));
    const Kind kind = direct_.parameter_kind(Register{reg});
    if (kind != Kind::Any && !values_.expect(&arguments.back(), kind)) return false;
  }
  if (!guard_callee(&function, callee.proto)) return false;
  for (int i = 0; i < count; ++i) registers_.fact(walk_.slot_of(first_argument(in) + i)).dirty = false;  // the callee has them
  const FrameSlot base = begin_native_call(in);
  walk_.state.open_end = kNoFrameSlot;
  std::vector<IrValue> values{b_.thread(), b_.frame_address(base), b_.vm(), b_.word(0)};
  for (int reg = 0; reg < callee.parameter_count; ++reg) {
    const Operand value = reg < count ? arguments[static_cast<size_t>(reg)] : Operand{.kind = Kind::Nil};
    const Kind kind = direct_.parameter_kind(Register{reg});
    values.push_back(kind == Kind::Any ? b_.payload_bits(value) : value.payload);
    if (kind == Kind::Any) values.push_back(b_.tag_value(value));
  }
  events_.give_back();
  IrValue call = direct_.call(values);
  IrValue status = b_.result(call, 0, IrType::I64);
  IrValue payload = b_.result(call, 1, IrType::I64);
  IrValue tag = b_.result(call, 2, IrType::I64);
  calls_.forget_written(in);
  Block returned = b_.make_block("returned");
  Block other = b_.make_block("not_returned");
  IrValue is_there = is_open ? b_.eq(status, b_.i64(static_cast<uint64_t>(kRegionReturned))) : direct_.has_returned(status);
  b_.set_likely(b_.branch(is_there, returned, other), true);
  b_.set_position(other);
  IrValue outcome = b_.call(IrType::I64, b_.address_constant(runtime_.finish_call),
                            {b_.thread(), b_.frame_address(base), status, b_.address_constant(self_.get())});
  Block finished = calls_.split_by_outcome(outcome);
  calls_.leave_behind();
  b_.set_position(finished);
  if (is_open) {
    exits_.emit(walk_.pc + 1, ExitSite::Why::Other);  // they end at Thread::top
    b_.set_position(returned);
    values_.write(in.ra(), {.kind = Kind::Any, .payload = payload, .tag = tag});
    walk_.state.open_end = walk_.slot_of(in.ra()) + 1;
    return events_.look_soon(), true;
  }
  Block goes_on = b_.make_block("called");
  if (in.c == 2) {
    IrValue either = b_.add_parameter(goes_on, IrType::I64);
    IrValue its_tag = b_.add_parameter(goes_on, IrType::I64);
    const Operand slow = b_.load_value(b_.frame_address(walk_.slot_of(in.ra())), Memory::Frame);
    b_.jump(goes_on, {slow.payload, slow.tag});
    b_.set_position(returned);
    b_.jump(goes_on, {payload, tag});
    b_.set_position(goes_on);
    values_.write(in.ra(), {.kind = Kind::Any, .payload = either, .tag = its_tag});
  } else {
    b_.jump(goes_on);
    b_.set_position(returned);
    b_.jump(goes_on);
    b_.set_position(goes_on);
  }
  events_.look_soon();
  return true;
}

/// As its last act, in the region's own frame: it begins anew. The function may be another one of the same prototype.
bool Lowering::tail_call_itself(const Instruction& in) {
  const RegionFunction& root = input_.root();
  if (!input_.is_function || walk_.site().callee != root.proto || walk_.site().many_callees || root.captured.any()) return false;
  Operand function = values_.read(in.ra());
  if (!guard_callee(&function, root.proto)) return false;
  polls_.reserve_event();
  events_.take();
  b_.store(function.payload, b_.frame_address(FrameSlot{-kCallOverheadSlots}), Memory::Frame);
  static_assert(FrameHeader::kTailCalled < 256);  // the flags are one byte
  IrValue flags = b_.frame_address(FrameSlot{-kFrameHeaderSlots}, static_cast<int>(offsetof(FrameHeader, tag_low_1)) + 4);
  b_.store(b_.bit_or(b_.load(IrType::I8, flags, Memory::Frame), b_.i8(FrameHeader::kTailCalled)), flags, Memory::Frame);
  const int count = argument_count(in);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    reg < count ? values_.copy(walk_.slot_of(Register{reg}), walk_.slot_of(first_argument(in) + reg)) : values_.write(Register{reg}, {.kind = Kind::Nil});
  }
  for (int reg = root.parameter_count; reg < root.register_count; ++reg) registers_.fact(walk_.slot_of(Register{reg})) = {};
  if (root.counters != nullptr) b_.set(registers_.path_cell(walk_.state.top().base), b_.word(0));
  walk_.state.open_end = kNoFrameSlot;
  walk_.track = {};
  branches_.go_to(0);
  return true;
}

}  // namespace mangata::jit
