// Functions that call themselves: machine code calls machine code, with arguments and results in registers.
//
// [DESIGN] Of such a function there are two functions in the module: the *direct* one, which takes unboxed parameters and returns an unboxed
// result, and around it the region that baseline code enters, which reads the parameters from the frame and puts the result there. A
// call of itself then needs neither the thunk, nor the checks of an entry from baseline code, nor the frame slots of its arguments.
// What remains is what somebody who looks at the stack in the middle of it must find: the caller's live values, the headers, and the
// callee's function. Parameters and registers of the callee count as dirty from its start.
//
// An activation that does not end with a return (a side exit, an error, or the refusal to begin, where stacks are full or attention was
// asked for) has left its frame complete, and finish_call() runs it to its end in other tiers: its result is in the frame then.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {
namespace {

constexpr int kMostParameters = 8;

/// Whether all its returns are of at most one value.
bool returns_one(const RegionFunction& function) {
  return std::none_of(function.code.begin(), function.code.end(), [](const Instruction& in) {
    return in.op == Opcode::Return && (in.b != 2 || in.c != 0);
  });
}

bool calls(const RegionFunction& function, const Proto* callee) {
  for (size_t pc = 0; pc < function.code.size(); ++pc) {
    const SiteTypes& site = function.sites[pc];
    if (function.code[pc].op == Opcode::Call && site.callee == callee && !site.many_callees && site.count != 0) return true;
  }
  return false;
}

}  // namespace

/// Whether it has a direct form, and uses it.
bool Lowering::is_recursive() const {
  const RegionFunction& root = input_.root();
  return input_.is_function && root.captured.none() && root.parameter_count <= kMostParameters && returns_one(root) &&
         std::any_of(input_.functions.begin(), input_.functions.end(),
                     [&](const auto& function) { return calls(*function, root.proto); });
}

/// Any: its tag is a parameter, too.
Kind Lowering::parameter_kind(Register reg) const {
  const TagMask tags = input_.entry_tags[static_cast<size_t>(reg)];
  if (!is_single(tags)) return Kind::Any;
  const Kind kind = kind_of(static_cast<Tag>(std::countr_zero(tags)));
  return has_payload(kind) ? kind : Kind::Any;
}

/// { status, payload, tag } (thread, base, vm, path register, parameters)
void Lowering::make_direct_function(const std::string& name) {
  has_direct_ = true;
  ir::Function& direct = module_.functions.emplace_back(name, most_instructions_ + most_instructions_ / 4);
  for (const IrType type : {IrType::Pointer, IrType::Pointer, IrType::Pointer, IrType::I64}) direct.add_parameter(type);
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    const Kind kind = parameter_kind(Register{reg});
    direct.add_parameter(kind == Kind::Float ? IrType::F64 : IrType::I64);
    if (kind == Kind::Any) direct.add_parameter(IrType::I64);
  }
  for (int i = 0; i < 3; ++i) direct.add_result(IrType::I64);
}

/// Of the direct function.
std::vector<Lowering::Operand> Lowering::parameters() const {
  std::vector<Operand> all;
  const std::span<const IrValue> arguments = b_.function().parameters();
  size_t next = kFirstParameter;
  for (int reg = 0; reg < input_.root().parameter_count; ++reg) {
    Operand value{.kind = parameter_kind(Register{reg}), .payload = arguments[next++]};
    if (value.kind == Kind::Any) value.tag = arguments[next++];
    all.push_back(value);
  }
  return all;
}

/// They are where registers are; the frame does not have them.
void Lowering::take_parameters() {
  int reg = 0;
  for (const Operand& value : parameters()) write(Register{reg++}, value);
}

/// The direct function refuses to begin: it stores its parameters for whoever does.
void Lowering::refuse_directly() {
  // Not by register: what is known of them belongs to another place.
  FrameSlot slot{};
  for (const Operand& value : parameters()) {
    store(payload_bits(value), frame_address(slot), Memory::Frame);
    store(tag_value(value), frame_address(slot, offsetof(Value, tag)), Memory::Frame);
    ++slot;
  }
  return_status(b_.i64(static_cast<uint64_t>(kRegionRefused)));
}

/// Whether stacks have room, and nobody asks for attention.
ir::Value Lowering::may_begin() {
  IrValue stack = b_.stack_pointer();
  IrValue native_limit = load(IrType::I64, at(thread_, offsetof(Thread, region_limit)), Memory::Machine);
  IrValue has_native_room = b_.uge(stack, native_limit);
  IrValue is_quiet = nobody_asks();
  return b_.bit_and(b_.bit_and(has_room(), has_native_room), is_quiet);
}

/// Ends the generated function; of the direct one the rest of the result counts only behind a return.
void Lowering::return_status(IrValue status) {
  if (!has_direct_) {
    b_.return_values({status});
    return;
  }
  IrValue unknown = b_.undefined(IrType::I64);
  b_.return_values({status, unknown, unknown});
}

void Lowering::return_directly(const Instruction& in) {
  const bool has_result = result_count(in) == 1;
  const Operand result = has_result ? read(in.ra()) : Operand{.kind = Kind::Nil};
  const int64_t status = has_result ? kRegionReturned : kRegionReturnedNothing;
  IrValue payload = payload_bits(result);
  count_events();
  end_events();
  b_.return_values({word(static_cast<uint64_t>(status)), payload, tag_value(result)});
  finish_walk();
}

/// By a call with the arguments in registers. False: it does not fit.
bool Lowering::call_itself(const Instruction& in) {
  const RegionFunction& callee = input_.root();
  if (!has_direct_ || in.c > 2 || site().is_unstable || is_captured(slot_of(in.ra()))) return false;
  const int count = argument_count(in);
  const bool is_open = in.c == 0;  // its results are; one is known to have come then
  for (int reg = count; reg < callee.parameter_count; ++reg) {
    if (parameter_kind(Register{reg}) != Kind::Any) return false;
  }
  Operand function = read(in.ra());
  std::vector<Operand> arguments;
  for (int reg = 0; reg < std::min(count, callee.parameter_count); ++reg) {
    arguments.push_back(read(first_argument(in) + reg));
    const Kind kind = parameter_kind(Register{reg});
    if (kind != Kind::Any && !expect(&arguments.back(), kind)) return false;
  }
  if (!guard_callee(&function, callee.proto)) return false;
  for (int i = 0; i < count; ++i) fact(slot_of(first_argument(in) + i)).dirty = false;  // the callee has them
  const FrameSlot base = begin_native_call(in);
  state_.open_end = kNoFrameSlot;
  std::vector<IrValue> values{thread_, frame_address(base), vm_, word(0)};
  for (int reg = 0; reg < callee.parameter_count; ++reg) {
    const Operand value = reg < count ? arguments[static_cast<size_t>(reg)] : Operand{.kind = Kind::Nil};
    const Kind kind = parameter_kind(Register{reg});
    values.push_back(kind == Kind::Any ? payload_bits(value) : value.payload);
    if (kind == Kind::Any) values.push_back(tag_value(value));
  }
  give_back_events();
  IrValue call = b_.call_function(kDirect, values);
  IrValue status = b_.result(call, 0, IrType::I64);
  IrValue payload = b_.result(call, 1, IrType::I64);
  IrValue tag = b_.result(call, 2, IrType::I64);
  forget_written(in);
  Block returned = make_block("returned");
  Block other = make_block("not_returned");
  IrValue is_there = is_open ? b_.eq(status, b_.i64(static_cast<uint64_t>(kRegionReturned))) : has_returned(status);
  set_likely(b_.branch(is_there, returned, other), true);
  b_.set_position(other);
  IrValue outcome = b_.call(IrType::I64, address_constant(runtime_.finish_call),
                            {thread_, frame_address(base), status, address_constant(self_.get())});
  Block finished = split_by_outcome(outcome);
  leave_behind_call();
  b_.set_position(finished);
  if (is_open) {
    emit_exit(pc_ + 1, ExitSite::Why::Other);  // they end at Thread::top
    b_.set_position(returned);
    write(in.ra(), {.kind = Kind::Any, .payload = payload, .tag = tag});
    state_.open_end = slot_of(in.ra()) + 1;
    return poll_soon(), true;
  }
  Block goes_on = make_block("called");
  if (in.c == 2) {
    IrValue either = b_.add_parameter(goes_on, IrType::I64);
    IrValue its_tag = b_.add_parameter(goes_on, IrType::I64);
    const Operand slow = load_value(frame_address(slot_of(in.ra())), Memory::Frame);
    b_.jump(goes_on, {slow.payload, slow.tag});
    b_.set_position(returned);
    b_.jump(goes_on, {payload, tag});
    b_.set_position(goes_on);
    write(in.ra(), {.kind = Kind::Any, .payload = either, .tag = its_tag});
  } else {
    b_.jump(goes_on);
    b_.set_position(returned);
    b_.jump(goes_on);
    b_.set_position(goes_on);
  }
  poll_soon();
  return true;
}

ir::Value Lowering::has_returned(IrValue status) {
  static_assert(kRegionReturned == -3 && kRegionReturnedNothing == -4);
  return b_.eq(b_.bit_and(status, word(~uint64_t{1})), b_.i64(static_cast<uint64_t>(kRegionReturnedNothing)));
}

/// As its last act, in the region's own frame: it begins anew. The function may be another one of the same prototype.
bool Lowering::tail_call_itself(const Instruction& in) {
  const RegionFunction& root = input_.root();
  if (!input_.is_function || site().callee != root.proto || site().many_callees || root.captured.any()) return false;
  Operand function = read(in.ra());
  if (!guard_callee(&function, root.proto)) return false;
  reserve_event();
  take_event();
  store(function.payload, frame_address(FrameSlot{-kCallOverheadSlots}), Memory::Frame);
  static_assert(FrameHeader::kTailCalled < 256);  // the flags are one byte
  IrValue flags = frame_address(FrameSlot{-kFrameHeaderSlots}, static_cast<int>(offsetof(FrameHeader, tag_low_1)) + 4);
  store(b_.bit_or(load(IrType::I8, flags, Memory::Frame), b_.i8(FrameHeader::kTailCalled)), flags, Memory::Frame);
  const int count = argument_count(in);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    reg < count ? copy_slot(slot_of(Register{reg}), slot_of(first_argument(in) + reg)) : write(Register{reg}, {.kind = Kind::Nil});
  }
  for (int reg = root.parameter_count; reg < root.register_count; ++reg) fact(slot_of(Register{reg})) = {};
  if (root.counters != nullptr) b_.set(path_cell(state_.top().base), word(0));
  state_.open_end = kNoFrameSlot;
  track_ = {};
  go_to(0);
  return true;
}

/// The region: checks the types of the parameters in the frame, and puts the result where the caller wants it (emit_returns.cpp).
void Lowering::wrap_direct() {
  const RegionFunction& root = input_.root();
  begin_function(&module_.functions.front());
  new_block("entry");
  std::vector<IrValue> values{thread_, base_, vm_};
  values.push_back(root.counters == nullptr ? word(0) : load(IrType::I64, frame_address(FrameSlot{-1}), Memory::Frame));
  IrValue all = b_.boolean(true);
  for (int reg = 0; reg < root.parameter_count; ++reg) {
    const Operand value = load_value(frame_address(FrameSlot{reg}), Memory::Frame);
    const Kind kind = parameter_kind(Register{reg});
    values.push_back(kind == Kind::Float ? b_.float_of_bits(value.payload) : value.payload);
    if (kind == Kind::Any) {
      values.push_back(value.tag);
    } else {
      all = b_.bit_and(all, b_.eq(value.tag, word(static_cast<uint64_t>(tag_of(kind)))));
    }
  }
  Block enters = make_block("enters");
  Block refused = make_block("refused");
  Block returned = make_block("returned");
  Block other = make_block("not_returned");
  Block exits = make_block("exits");
  set_likely(b_.branch(all, enters, refused), true);
  b_.set_position(refused);
  b_.return_values({word(0)});  // the first exit
  b_.set_position(enters);
  IrValue call = b_.call_function(kDirect, values);
  IrValue status = b_.result(call, 0, IrType::I64);
  set_likely(b_.branch(has_returned(status), returned, other), true);
  b_.set_position(other);
  b_.branch(b_.eq(status, b_.i64(static_cast<uint64_t>(kRegionRefused))), refused, exits);
  b_.set_position(exits);
  b_.return_values({status});
  b_.set_position(returned);
  deliver_result(call);
}

/// Of the direct function. It is nil where nothing was returned.
void Lowering::deliver_result(IrValue call) {
  constexpr FrameSlot first{-kCallOverheadSlots};
  IrValue wanted =
      load(IrType::I32, frame_address(FrameSlot{-kFrameHeaderSlots}, offsetof(FrameHeader, tag_low_2) + 4), Memory::Frame);
  store(b_.result(call, 1, IrType::I64), frame_address(first), Memory::Frame);
  store(b_.result(call, 2, IrType::I64), frame_address(first, offsetof(Value, tag)), Memory::Frame);
  Block done = make_block("done");
  Block more = make_block("more_wanted");
  Block all = make_block("all_wanted");
  Block fills = make_block("fills");
  const ir::Variable filled = b_.new_variable(IrType::I32);
  set_likely(b_.branch(b_.ugt(wanted, b_.i32(1)), more, done), false);
  b_.set_position(more);
  b_.set(filled, b_.i32(1));
  b_.branch(b_.eq(wanted, b_.i32(FrameHeader::kWantedMask)), all, fills);
  b_.set_position(all);
  IrValue has_one = b_.eq(b_.result(call, 0, IrType::I64), b_.i64(static_cast<uint64_t>(kRegionReturned)));
  store(b_.select(has_one, frame_address(first + 1), frame_address(first)), at(thread_, offsetof(Thread, top)), Memory::Machine);
  b_.jump(done);
  b_.set_position(fills);
  IrValue i = b_.get(filled);
  IrValue slot = b_.address(frame_address(first), b_.zext(i, IrType::I64), sizeof(Value));
  store(word(0), slot, Memory::Frame);
  store(word(static_cast<uint64_t>(Tag::Nil)), at(slot, offsetof(Value, tag)), Memory::Frame);
  IrValue next = b_.add(i, b_.i32(1));
  b_.set(filled, next);
  b_.branch(b_.ult(next, wanted), fills, done);
  b_.set_position(done);
  b_.return_values({b_.i64(static_cast<uint64_t>(kRegionReturned))});
}

}  // namespace mangata::jit
