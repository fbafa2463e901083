// Calls: functions that are inlined, library functions inline, everything else by the runtime.

#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

bool Lowering::lower_call(const Instruction& in) {
  if (in.b == 0 && walk_.state.open_end == kNoFrameSlot) return branches_.exit_at(walk_.pc), false;
  const Proto* probable = registers_.fact(walk_.slot_of(in.ra())).method;
  const RegionFunction* callee = walk_.function().callees[static_cast<size_t>(walk_.pc)];
  if (probable != nullptr) {
    callee = inlinable(probable);
  } else if (walk_.site().many_callees) {
    if (!is_kept() && by_callees(in)) return false;
  } else {
    const auto id = static_cast<NativeId>(walk_.site().native_id);
    if (id != NativeId::None && (in.c == 2 || in.c == 0) && lower_intrinsic(in, id)) {
      walk_.state.open_end = in.c == 0 ? walk_.slot_of(in.ra()) + 1 : kNoFrameSlot;
      return true;
    }
    probable = walk_.site().callee;
  }
  if (callee != nullptr && inline_call(in, *callee)) return false;
  if (probable == input_.root().proto && call_itself(in)) return true;
  if ((in.b == 0 && in.d != 0) || !knows_results(walk_.function(), walk_.pc)) return branches_.leave_here(), false;
  if (in.b == 0 || (probable != nullptr ? !call_natively(in, probable) : !walk_.site().many_callees || !call_any(in))) calls_.do_instruction();
  return expect_results(in), true;
}

/// Whether it is known how many the instruction leaves.
bool Lowering::knows_results(const RegionFunction& function, int pc) {
  const Instruction& in = function.code[static_cast<size_t>(pc)];
  const int count = function.sites[static_cast<size_t>(pc)].open_results();
  return in.c != 0 || (count >= 0 && in.a + count <= function.register_count);
}

/// Of an instruction that was executed elsewhere, and may have left all there are, up to Thread::top: as many as were recorded, or the
/// frames go on behind it.
void Lowering::expect_results(const Instruction& in) {
  if (in.c != 0) return;
  const FrameSlot end = walk_.slot_of(in.ra() + walk_.site().open_results());
  Block as_many = b_.make_block("as_many");
  Block others = b_.make_block("other_results");
  IrValue top = b_.load(IrType::Pointer, b_.at(b_.thread(), offsetof(Thread, top)), Memory::Machine);
  b_.set_likely(b_.branch(b_.eq(top, b_.frame_address(end)), as_many, others), true);
  b_.set_position(others);
  exits_.emit(walk_.pc + 1, ExitSite::Why::Other);
  b_.set_position(as_many);
  walk_.state.open_end = end;
}

/// Null: it is not.
const RegionFunction* Lowering::inlinable(const Proto* callee) const {
  const auto found = input_.inlinable.find(callee);
  return found == input_.inlinable.end() ? nullptr : found->second;
}

/// Where several functions were called, the walk splits, and begins this instruction anew for each. False: it is not known which.
bool Lowering::by_callees(const Instruction& in) {
  const FrameSlot slot = walk_.slot_of(in.ra());
  const auto several = walk_.site().several_callees();
  if (several.empty() || walk_.site().is_unstable || registers_.is_captured(slot)) return false;
  Operand function = values_.read(in.ra());
  if (!values_.expect(&function, Kind::LuaFunction)) return false;
  IrValue proto = proto_of(b_, function);
  for (const Proto* callee : several) {
    Block same = b_.make_block("callee");
    Block differs = b_.make_block("other_callee");
    b_.branch(b_.eq(proto, b_.word(reinterpret_cast<uint64_t>(callee))), same, differs);
    State state = walk_.state;
    state.slots[static_cast<size_t>(slot)].method = callee;
    queue_.begin_anew(same, std::move(state));
    b_.set_position(differs);
  }
  b_.jump(guards_.exit_block());
  branches_.finish();
  return true;
}

/// The register of the first argument: open results of a call may lie right behind the function still.
Register Lowering::first_argument(const Instruction& in) const {
  return in.ra() + (in.b == 0 && in.d != 0 ? 1 : kCallOverheadSlots);
}

/// Of the call, which may be open.
int Lowering::argument_count(const Instruction& in) const {
  return in.b != 0 ? in.b - 1 : walk_.state.open_end - walk_.slot_of(first_argument(in));
}

/// What the stack has to say of a call of machine code: the caller's values and place, and the callee's header. Returns the slot of the
/// callee's R[0].
FrameSlot Lowering::begin_native_call(const Instruction& in) {
  calls_.publish_values(walk_.pc);
  calls_.publish_frames(walk_.pc);
  const FrameSlot caller_base = walk_.state.top().base, base = walk_.slot_of(in.ra()) + kCallOverheadSlots;
  b_.store(b_.word(reinterpret_cast<uint64_t>(walk_.function().address + walk_.pc + 1)),
           b_.frame_address(caller_base - kFrameHeaderSlots), Memory::Frame);
  calls_.write_header_tags(base, caller_base, in.c - 1, 0);
  return base;
}

/// Machine code calls machine code: arguments and results are in the frames (emit_calls.cpp). The function of that prototype (an address) has
/// its R[0] in slot `base`.
ir::Value Lowering::call_code_of(IrValue proto, FrameSlot base, int count) {
  const auto entry = static_cast<size_t>(std::min(count, kNativeEntries - 1));
  const auto offset = static_cast<int64_t>(offsetof(Proto, native_entries) + entry * sizeof(void*));
  IrValue address = b_.load(IrType::Pointer, b_.at(proto, offset), Memory::Machine);
  return b_.call_compiled(b_.address_constant(input_.call_compiled),
                          {b_.thread(), b_.frame_address(base), address, b_.word(static_cast<uint64_t>(count)), b_.vm()});
}

bool Lowering::call_natively(const Instruction& in, const Proto* callee) {
  Operand function = values_.read(in.ra());
  if (registers_.is_captured(walk_.slot_of(in.ra())) || !guard_callee(&function, callee)) return false;
  const FrameSlot base = begin_native_call(in);
  events_.give_back();
  IrValue outcome = call_code_of(b_.address_constant(callee), base, in.b - 1);
  calls_.forget_written(in);
  calls_.check_outcome(outcome);
  return true;
}

/// Of whatever function of Lua it is; another one is called by the runtime.
bool Lowering::call_any(const Instruction& in) {
  Operand function = values_.read(in.ra());
  if (registers_.is_captured(walk_.slot_of(in.ra())) || (function.kind != Kind::Any && function.kind != Kind::LuaFunction)) return false;
  const FrameSlot base = begin_native_call(in);
  events_.give_back();
  Block called = b_.make_block("called");
  IrValue outcome = b_.add_parameter(called, IrType::I64);
  if (function.kind == Kind::Any) {
    Block is_lua = b_.make_block("lua_function"), is_other = b_.make_block("other_function");
    b_.set_likely(b_.branch(b_.eq(function.tag, b_.word(static_cast<uint64_t>(Tag::LuaFunction))), is_lua, is_other), true);
    b_.set_position(is_other);
    IrValue saved = b_.address_constant(walk_.function().address + walk_.pc + 1);
    b_.jump(called, {b_.call(IrType::I64, b_.address_constant(calls_.function_of_instruction()), {b_.thread(), b_.frame_address(walk_.state.top().base), saved})});
    b_.set_position(is_lua);
  }
  IrValue proto = b_.load(IrType::Pointer, b_.at(b_.pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  b_.jump(called, {call_code_of(proto, base, in.b - 1)});
  b_.set_position(called);
  calls_.forget_written(in);
  calls_.check_outcome(outcome);
  return true;
}

/// A function that was inlined calls one that is not as its last act: that takes its frame, and returns to its caller. False: nothing was
/// generated, or what may leave.
bool Lowering::tail_call_natively(const Instruction& in, const Proto* callee) {
  const InlineFrame frame = walk_.state.top();
  const int arguments = argument_count(in);
  const FrameSlot from = walk_.slot_of(first_argument(in)), called = frame.callee_slot();
  const RegionFunction& caller = *walk_.state.frames[walk_.state.frames.size() - 2].function;
  if (frame.result_slot != InlineFrame::kCalled || !knows_results(caller, frame.return_pc - 1)) return false;
  Operand function = values_.read(in.ra());
  if (callee != nullptr ? !guard_callee(&function, callee) : !values_.expect(&function, Kind::LuaFunction)) return false;
  for (int i = 0; i < arguments; ++i) values_.read(first_argument(in) + i);
  values_.copy(called, walk_.slot_of(in.ra()));
  for (int i = 0; i < arguments; ++i) values_.copy(frame.base + i, from + i);
  // From here on nothing may leave: the caller's call is another one.
  registers_.need_stack_to(frame.base + arguments);
  registers_.store(called);
  for (int i = 0; i < arguments; ++i) registers_.store(frame.base + i);
  walk_.state.slots.resize(static_cast<size_t>(called));  // what the inlined function had is nothing that its caller waits for
  resume_caller();
  const FrameSlot caller_base = walk_.state.top().base;
  calls_.publish_values(walk_.pc + 1);
  calls_.publish_frames(walk_.pc);
  b_.store(b_.word(reinterpret_cast<uint64_t>(walk_.function().address + walk_.pc + 1)), b_.frame_address(caller_base - kFrameHeaderSlots), Memory::Frame);
  calls_.write_header_tags(frame.base, caller_base, frame.wanted, FrameHeader::kTailCalled);
  events_.give_back();
  IrValue proto = callee != nullptr ? b_.address_constant(callee)
                                    : b_.load(IrType::Pointer, b_.at(b_.pointer(function), offsetof(LuaFunction, proto)), Memory::Header);
  IrValue outcome = call_code_of(proto, frame.base, arguments);
  walk_.state.open_end = kNoFrameSlot;
  const Instruction& call = walk_.instruction();
  calls_.forget_written(call);
  calls_.check_outcome(outcome);
  expect_results(call);
  branches_.go_to(walk_.pc + 1);
  return true;
}

/// Checks that it is that library function.
bool Lowering::guard_native(Operand* function, NativeId id) {
  if (!values_.expect(function, Kind::NativeFunction)) return false;
  IrValue found = b_.load(IrType::I8, b_.at(b_.pointer(*function), offsetof(NativeFunction, type_byte)), Memory::Header);
  guards_.guard(b_.eq(found, b_.i8(static_cast<uint8_t>(id))));
  return true;
}

/// Calls of library functions with the usual types of arguments (vm/intrinsics.def).
bool Lowering::lower_intrinsic(const Instruction& in, NativeId id) {
  const int arguments = argument_count(in);
  if (arguments < 1) return false;
  Operand function = values_.read(in.ra());
  if (is_bit_function(id)) return lower_bit_function(in, id, function);
  Operand first = id == NativeId::SetMetatable || id == NativeId::Type ? values_.peek(first_argument(in)) : values_.read(first_argument(in));
  const auto known_kind = [&](const Operand& operand) { return operand.kind != Kind::Any; };
  const auto is_it = [&] { return guard_native(&function, id); };
  // Of open arguments no types are recorded; then they are guessed.
  const auto number = [&](Operand* operand) {
    return in.b == 0 && !known_kind(*operand) ? values_.expect(operand, Kind::Float) : values_.expect_number(operand, walk_.site().left);
  };
  switch (id) {
    case NativeId::MathSqrt:
      if (!number(&first) || !is_it()) return false;
      return values_.write_float(in.ra(), b_.fsqrt(b_.as_double(first))), true;
    case NativeId::MathFloor:
    case NativeId::MathCeil: {
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Integer) return values_.write_integer(in.ra(), first.payload), true;
      IrValue rounded = id == NativeId::MathFloor ? b_.floor(first.payload) : b_.ceil(first.payload);
      guards_.guard(b_.bit_and(b_.fge(rounded, b_.f64(-0x1p63)), b_.flt(rounded, b_.f64(0x1p63))));
      return values_.write_integer(in.ra(), b_.float_to_integer(rounded)), true;
    }
    case NativeId::MathAbs:
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Float)
        return values_.write_float(in.ra(), b_.fabs(first.payload)), true;
      return values_.write_integer(in.ra(), b_.select(b_.slt(first.payload, b_.word(0)), b_.neg(first.payload), first.payload)),
             true;
    case NativeId::MathMax:
    case NativeId::MathMin: {
      if (arguments != 2) return false;
      Operand second = values_.read(first_argument(in) + 1);
      if (!values_.expect_number(&first, walk_.site().left) || !values_.expect_number(&second, walk_.site().right) || first.kind != second.kind || !is_it())
        return false;
      const bool is_max = id == NativeId::MathMax;
      IrValue second_wins;
      if (first.kind == Kind::Integer) {
        second_wins = is_max ? b_.slt(first.payload, second.payload)
                             : b_.slt(second.payload, first.payload);
      } else {
        second_wins = is_max ? b_.flt(first.payload, second.payload)
                             : b_.flt(second.payload, first.payload);
      }
      return values_.write(in.ra(), {.kind = first.kind,
                                     .payload = b_.select(second_wins, second.payload, first.payload)}),
             true;
    }
    case NativeId::StringByte: {
      if (arguments > 2 || !values_.expect(&first, Kind::String)) return false;
      IrValue index = b_.word(0);
      if (arguments == 2) {
        Operand position = values_.read(first_argument(in) + 1);
        if (position.kind == Kind::Float || walk_.site().right == tag_bit(Tag::Float)) {
          if (!values_.expect_index(&position, walk_.site().right)) return false;
        } else if (!values_.expect(&position, Kind::Integer)) {
          return false;
        }
        index = b_.sub(position.payload, b_.word(1));
      }
      if (!is_it()) return false;
      guard_inside(in, b_.ult(index, b_.load(IrType::I64, b_.at(b_.pointer(first), offsetof(String, length)), Memory::Header)));
      IrValue byte =
          b_.load(IrType::I8,
                  b_.address(b_.at(b_.pointer(first), offsetof(String, data)), index, 1),
                  Memory::Header);
      return values_.write_integer(in.ra(), b_.zext(byte, IrType::I64)), true;
    }
    case NativeId::StringLength:
      if (!values_.expect(&first, Kind::String) || !is_it()) return false;
      return values_.write_integer(in.ra(), b_.load(IrType::I64, b_.at(b_.pointer(first), offsetof(String, length)), Memory::Header)),
             true;
    case NativeId::Type:
      return is_it() && lower_type(in, first);
    case NativeId::SetMetatable:
      return arguments == 2 && walk_.function().metatables.contains(CodePc(walk_.pc)) && is_it() && lower_set_metatable(in, first);
    default:
      return false;
  }
}

/// Goes on where the position is inside the string. Outside there is no result, which has been seen (as nil; where all results are
/// wanted, as the function that is still there), or is rare.
void Lowering::guard_inside(const Instruction& in, IrValue is_inside) {
  const bool wants_all = in.c == 0;
  const TagMask seen_outside = tag_bit(wants_all ? Tag::NativeFunction : Tag::Nil);
  if (in.op != Opcode::Call || (!wants_all && in.c != 2) || registers_.is_captured(walk_.slot_of(in.ra())) || (walk_.site().result & seen_outside) == 0)
    return guards_.guard(is_inside);
  Block inside = b_.make_block("inside");
  Block outside = b_.make_block("outside");
  b_.set_likely(b_.branch(is_inside, inside, outside), true);
  b_.set_position(outside);
  queue_.beside([&] {
    if (wants_all) {
      walk_.state.open_end = walk_.slot_of(in.ra());
    } else {
      values_.write(in.ra(), {.kind = Kind::Nil});
    }
    branches_.go_to(walk_.pc + 1);
  });
  b_.set_position(inside);
}

bool Lowering::lower_type(const Instruction& in, const Operand& argument) {
  const auto name = [&](IrValue string) {
    values_.write(in.ra(), {.kind = Kind::String, .payload = string});
    return true;
  };
  if (argument.kind == Kind::Userdata) return false;  // there are two kinds
  if (argument.kind != Kind::Any)
    return name(b_.word(reinterpret_cast<uint64_t>(input_.type_names[static_cast<size_t>(tag_of(argument.kind))])));
  guards_.guard(b_.ne(argument.tag, b_.word(static_cast<uint64_t>(Tag::Userdata))));
  IrValue names = b_.at(b_.vm(), offsetof(Vm, type_names));
  return name(b_.load(IrType::I64, b_.address(names, argument.tag, 8), Memory::Machine));
}

}  // namespace mangata::jit
