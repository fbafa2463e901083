#include "jit/build/lower_intrinsics.h"

#include "jit/build/lower_bit_library.h"
#include "jit/build/lower_calls.h"
#include "jit/build/lower_select.h"
#include "jit/build/lower_set_metatable.h"

namespace mangata::jit {
namespace {

/// Goes on where the position is inside the string. Outside there is no result, which has been seen (as nil; where all results are
/// wanted, as the function that is still there), or is rare. Where `position`, from the start, is negative, nothing is known: it counts
/// from the end.
void guard_inside(const LoweringTools& t, const Instruction& in, IrValue is_inside, IrValue position) {
  Writer& b = t.b;
  const bool wants_all = in.c == 0;
  const TagMask seen_outside = tag_bit(wants_all ? Tag::NativeFunction : Tag::Nil);
  if (in.op != Opcode::Call || (!wants_all && in.c != 2) || t.registers.is_captured(t.walk.slot_of(in.ra())) || (t.walk.site().result & seen_outside) == 0)
    return t.guards.guard(is_inside);
  Block inside = b.make_block("inside");
  Block outside = b.make_block("outside");
  b.set_likely(b.branch(is_inside, inside, outside), true);
  b.set_position(outside);
  t.queue.beside([&] {
    t.guards.guard(b.sle(b.word(0), position));
    if (wants_all) {
      t.walk.state.open_end = t.walk.slot_of(in.ra());
    } else {
      t.values.write(in.ra(), {.kind = Kind::Nil});
    }
    t.branches.go_to(t.walk.pc + 1);
  });
  b.set_position(inside);
}

/// math.max and math.min, of two numbers of one kind.
bool lower_extremum(const LoweringTools& t, const Instruction& in, NativeId id, Operand function, Operand first) {
  Writer& b = t.b;
  Operand second = t.values.read(first_argument(in) + 1);
  if (!t.values.expect_number(&first, t.walk.site().left) || !t.values.expect_number(&second, t.walk.site().right) || first.kind != second.kind ||
      !guard_native(t, &function, id))
    return false;
  const bool is_max = id == NativeId::MathMax;
  IrValue second_wins;
  if (first.kind == Kind::Integer) {
    second_wins = is_max ? b.slt(first.payload, second.payload) : b.slt(second.payload, first.payload);
  } else {
    second_wins = is_max ? b.flt(first.payload, second.payload) : b.flt(second.payload, first.payload);
  }
  return t.values.write(in.ra(), {.kind = first.kind, .payload = b.select(second_wins, second.payload, first.payload)}), true;
}

/// Of one byte, whose position may be the second argument.
bool lower_string_byte(const LoweringTools& t, const Instruction& in, Operand function, Operand first) {
  Writer& b = t.b;
  if (!t.values.expect(&first, Kind::String)) return false;
  const auto length = [&] { return b.load(IrType::I64, b.at(b.pointer(first), offsetof(String, length)), Memory::Header); };
  IrValue from_start = b.word(1);
  IrValue index = b.word(0);
  if (argument_count(t, in) == 2) {
    Operand position = t.values.read(first_argument(in) + 1);
    if (position.kind == Kind::Float || t.walk.site().right == tag_bit(Tag::Float)) {
      if (!t.values.expect_index(&position, t.walk.site().right)) return false;
    } else if (!t.values.expect(&position, Kind::Integer)) {
      return false;
    }
    const std::optional<uint64_t> known = b.known_word(position.payload);
    if (known && static_cast<int64_t>(*known) < 0) {
      index = b.add(length(), position.payload);
    } else {
      from_start = position.payload;
      index = b.sub(from_start, b.word(1));
    }
  }
  if (!guard_native(t, &function, NativeId::StringByte)) return false;
  guard_inside(t, in, b.ult(index, length()), from_start);
  IrValue byte = b.load(IrType::I8, b.address(b.at(b.pointer(first), offsetof(String, data)), index, 1), Memory::Header);
  return t.values.write_integer(in.ra(), b.zext(byte, IrType::I64)), true;
}

bool lower_type(const LoweringTools& t, const Instruction& in, const Operand& argument) {
  Writer& b = t.b;
  const auto name = [&](IrValue string) {
    t.values.write(in.ra(), {.kind = Kind::String, .payload = string});
    return true;
  };
  if (argument.kind == Kind::Userdata) return false;  // there are two kinds
  if (argument.kind != Kind::Any)
    return name(b.word(reinterpret_cast<uint64_t>(t.input.type_names[static_cast<size_t>(tag_of(argument.kind))])));
  t.guards.guard(b.ne(argument.tag, b.word(static_cast<uint64_t>(Tag::Userdata))));
  IrValue names = b.at(b.vm(), offsetof(Vm, type_names));
  return name(b.load(IrType::I64, b.address(names, argument.tag, 8), Memory::Machine));
}

}  // namespace

bool guard_native(const LoweringTools& t, Operand* function, NativeId id) {
  Writer& b = t.b;
  if (!t.values.expect(function, Kind::NativeFunction)) return false;
  IrValue found = b.load(IrType::I8, b.at(b.pointer(*function), offsetof(NativeFunction, type_byte)), Memory::Header);
  t.guards.guard(b.eq(found, b.i8(static_cast<uint8_t>(id))));
  return true;
}

bool lower_intrinsic(const LoweringTools& t, const Instruction& in, NativeId id) {
  Writer& b = t.b;
  const int arguments = argument_count(t, in);
  if (arguments < 1) return false;
  Operand function = t.values.read(in.ra());
  if (is_bit_function(id)) return lower_bit_function(t, in, id, function);
  Operand first = id == NativeId::SetMetatable || id == NativeId::Type ? t.values.peek(first_argument(in)) : t.values.read(first_argument(in));
  const auto known_kind = [&](const Operand& operand) { return operand.kind != Kind::Any; };
  const auto is_it = [&] { return guard_native(t, &function, id); };
  // Of open arguments no types are recorded; then they are guessed.
  const auto number = [&](Operand* operand) {
    return in.b == 0 && !known_kind(*operand) ? t.values.expect(operand, Kind::Float) : t.values.expect_number(operand, t.walk.site().left);
  };
  switch (id) {
    case NativeId::MathSqrt:
      if (!number(&first) || !is_it()) return false;
      return t.values.write_float(in.ra(), b.fsqrt(b.as_double(first))), true;
    case NativeId::MathFloor:
    case NativeId::MathCeil: {
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Integer) return t.values.write_integer(in.ra(), first.payload), true;
      IrValue rounded = id == NativeId::MathFloor ? b.floor(first.payload) : b.ceil(first.payload);
      t.guards.guard(b.bit_and(b.fge(rounded, b.f64(-0x1p63)), b.flt(rounded, b.f64(0x1p63))));
      return t.values.write_integer(in.ra(), b.float_to_integer(rounded)), true;
    }
    case NativeId::MathAbs:
      if (!number(&first) || !is_it()) return false;
      if (first.kind == Kind::Float)
        return t.values.write_float(in.ra(), b.fabs(first.payload)), true;
      return t.values.write_integer(in.ra(), b.select(b.slt(first.payload, b.word(0)), b.neg(first.payload), first.payload)),
             true;
    case NativeId::MathMax:
    case NativeId::MathMin:
      return arguments == 2 && lower_extremum(t, in, id, function, first);
    case NativeId::StringByte:
      return arguments <= 2 && lower_string_byte(t, in, function, first);
    case NativeId::StringLength:
      if (!t.values.expect(&first, Kind::String) || !is_it()) return false;
      return t.values.write_integer(in.ra(), b.load(IrType::I64, b.at(b.pointer(first), offsetof(String, length)), Memory::Header)),
             true;
    case NativeId::Select:
      return lower_select(t, in, function, first);
    case NativeId::Type:
      return is_it() && lower_type(t, in, first);
    case NativeId::SetMetatable:
      return arguments == 2 && t.walk.function().metatables.contains(CodePc(t.walk.pc)) && is_it() && lower_set_metatable(t, in, first);
    default:
      return false;
  }
}

}  // namespace mangata::jit
