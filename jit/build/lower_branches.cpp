#include "jit/build/lower_branches.h"

#include "vm/bytecode/conditions.h"

namespace mangata::jit {
namespace {

/// By a call that is no safepoint; false: not both operands are expected to be strings, and nothing was done.
bool lower_order_of_strings(const LoweringTools& t, const Instruction& in, bool or_equal, bool expected) {
  Writer& b = t.b;
  const auto may_be_string = [](const Operand& operand, TagMask recorded) {
    return operand.kind == Kind::String || (operand.kind == Kind::Any && recorded == tag_bit(Tag::String));
  };
  Operand left = t.values.read(in.ra()), right = t.values.read(in.rb());
  if (!may_be_string(left, t.walk.site().left) || !may_be_string(right, t.walk.site().right)) return false;
  t.values.expect(&left, Kind::String);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) right = left;
  t.values.expect(&right, Kind::String);
  t.events.give_back();  // it is charged for
  IrValue order = b.call(IrType::I64, b.address_constant(t.runtime.order_of_strings), {b.vm(), b.pointer(left), b.pointer(right)});
  IrValue holds = or_equal ? b.sle(order, b.word(0)) : b.slt(order, b.word(0));
  t.branches.branch(expected ? holds : b.bit_not(holds), t.walk.pc + 1 + in.imm);
  return true;
}

/// Converted to a float, the number stays what it is.
void guard_exact_as_double(const LoweringTools& t, const Operand& operand) {
  Writer& b = t.b;
  if (operand.kind != Kind::Integer) return;
  t.guards.guard(b.ule(b.add(operand.payload, b.word(uint64_t{1} << 53)), b.word(uint64_t{1} << 54)));
}

/// As the one kind that was recorded, or as the number that it is.
bool expect_comparable(const LoweringTools& t, Operand* operand, TagMask recorded) {
  constexpr TagMask kNumbers = tag_bit(Tag::Integer) | tag_bit(Tag::Float);
  return t.values.expect_recorded(operand, recorded) ||
         ((recorded & ~kNumbers) == 0 && t.values.expect_number(operand, recorded));
}

/// C data may be equal to values of other types (vm/operations/operations.h): they leave.
void guard_not_foreign(const LoweringTools& t, const Operand& operand) {
  Writer& b = t.b;
  if (operand.kind != Kind::Any && operand.kind != Kind::Userdata) return;
  Block is_userdata = b.make_block("is_userdata");
  Block goes_on = b.make_block("not_foreign");
  if (operand.kind == Kind::Any) {
    IrValue tag = b.word(static_cast<uint64_t>(Tag::Userdata));
    b.set_likely(b.branch(b.eq(operand.tag, tag), is_userdata, goes_on), false);
  } else {
    b.jump(is_userdata);
  }
  b.set_position(is_userdata);
  IrValue kind = b.load(IrType::I8, b.at(b.pointer(operand), offsetof(Userdata, type_byte)), Memory::Header);
  IrValue is_plain = b.eq(kind, b.i8(static_cast<uint8_t>(UserdataKind::Plain)));
  b.set_likely(b.branch(is_plain, goes_on, t.guards.exit_block()), true);
  b.set_position(goes_on);
}

/// Of operands of any types: 0, 1 or kEqualityUnknown.
IrValue raw_equality(const LoweringTools& t, const Operand& left, const Operand& right) {
  Writer& b = t.b;
  return b.call(IrType::I64, b.address_constant(t.runtime.equality), {b.payload_bits(left), b.tag_value(left), b.payload_bits(right), b.tag_value(right)});
}

/// Of operands of several types, as a boolean. Metamethods and long strings leave.
IrValue equality_of_types(const LoweringTools& t, const Operand& left, const Operand& right) {
  Writer& b = t.b;
  IrValue found = raw_equality(t, left, right);
  t.guards.guard(b.ult(found, b.word(kEqualityUnknown)));
  return b.ne(found, b.word(0));
}

/// Two operands that a branch compares.
struct Equality {
  Operand left, right;
  int target;
  bool expected;         ///< it jumps where they are equal
  bool is_short_string;  ///< the right one is a constant that is equal to no other object
};

/// Where it is known whether they are equal. The arm where a register is equal to a constant knows that it is.
void branch_by(const LoweringTools& t, const Equality& equality, IrValue equal) {
  Writer& b = t.b;
  const auto& [left, right, target, expected, is_short_string] = equality;
  BranchFinding finding{.slot = kNoFrameSlot, .payload = 0, .where_taken = expected};
  const auto known = right.payload ? b.known_word(right.payload) : std::nullopt;
  const bool is_register = left.slot != kNoFrameSlot && left.slot < RegisterFile::kFirstField && !t.registers.is_captured(left.slot);
  if (known && is_register && t.registers.fact(left.slot).kind == right.kind && right.kind != Kind::Float)
    finding.slot = left.slot, finding.payload = *known;
  t.branches.branch(expected ? equal : b.bit_not(equal), target, finding);
}

/// Of operands whose kinds are known.
bool lower_equality_of_kinds(const LoweringTools& t, const Equality& equality) {
  Writer& b = t.b;
  const auto& [left, right, target, expected, is_short_string] = equality;
  const auto decide = [&](IrValue equal) { branch_by(t, equality, equal); };
  if (is_number(left.kind) && is_number(right.kind)) {
    if (left.kind == Kind::Integer && right.kind == Kind::Integer)
      return decide(b.eq(left.payload, right.payload)), false;
    for (const Operand& operand : {left, right}) guard_exact_as_double(t, operand);
    return decide(b.feq(b.as_double(left), b.as_double(right))), false;
  }
  if (left.kind != right.kind) {
    guard_not_foreign(t, left);
    guard_not_foreign(t, right);
    return t.branches.branch_known(!expected, target), false;
  }
  switch (left.kind) {
    case Kind::Nil:
    case Kind::True:
    case Kind::False:
      return t.branches.branch_known(expected, target), false;
    case Kind::LuaFunction:
    case Kind::NativeFunction:
    case Kind::LightUserdata:
    case Kind::Thread:
      return decide(b.eq(left.payload, right.payload)), false;
    case Kind::String: {
      IrValue same = b.eq(left.payload, right.payload);
      if (is_short_string) return decide(same), false;
      // Strings at different addresses are equal only if both are long.
      IrValue flags = b.load(IrType::I8, b.at(b.pointer(right), offsetof(String, type_flags)), Memory::Header);
      t.guards.guard(b.bit_or(same, b.ne(b.bit_and(flags, b.i8(String::kShort)), b.i8(0))));
      return decide(same), false;
    }
    case Kind::Table: {
      IrValue same = b.eq(left.payload, right.payload);
      Block differ = b.make_block("differ");
      Block compared = b.make_block("compared");
      b.branch(same, compared, differ);
      b.set_position(differ);
      t.guards.guard(b.bit_and(lacks(b, b.pointer(left), kNoEqual), lacks(b, b.pointer(right), kNoEqual)));
      b.jump(compared);
      b.set_position(compared);
      return decide(same), false;
    }
    default:
      return branch_by_runtime(t, target);
  }
}

/// Where a check has failed: as bits, or by metamethods.
bool lower_equality_of_any(const LoweringTools& t, const Equality& equality) {
  Writer& b = t.b;
  IrValue found = raw_equality(t, equality.left, equality.right);
  Block known = b.make_block("known");
  Block unknown = b.make_block("unknown");
  b.set_likely(b.branch(b.ult(found, b.word(kEqualityUnknown)), known, unknown), true);
  b.set_position(unknown);
  t.queue.beside([&] { branch_by_runtime(t, equality.target); });
  b.set_position(known);
  return branch_by(t, equality, b.ne(found, b.word(0))), false;
}

}  // namespace

bool branch_by_runtime(const LoweringTools& t, int target) {
  Writer& b = t.b;
  IrValue outcome = t.calls.call(t.runtime.step);
  const Instruction& in = t.walk.instruction();
  t.calls.forget_written(in);
  Block stays = b.make_block("branched");
  Block leaves = b.make_block("leaves");
  b.set_likely(b.branch(b.ult(outcome, b.word(2)), stays, leaves), true);
  b.set_position(leaves);
  Block goes = b.make_block("goes");
  b.branch(b.slt(outcome, b.word(0)), t.exits.leaving_block(kRegionRaised), goes);
  b.set_position(goes);
  if (t.walk.state.is_inlined()) {
    Block jumps = b.make_block("jumps");
    Block falls = b.make_block("falls");
    b.branch(b.eq(b.bit_and(outcome, b.word(1)), b.word(1)), jumps, falls);
    b.set_position(jumps);
    t.exits.emit(target, ExitSite::Why::Other);
    b.set_position(falls);
    t.exits.emit(t.walk.pc + 1, ExitSite::Why::Other);
  } else {
    b.jump(t.exits.leaving_block(kRegionLeaves));
  }
  b.set_position(stays);
  t.branches.branch(b.eq(outcome, b.word(1)), target);
  return false;
}

IrValue truth(const LoweringTools& t, const Operand& operand, bool* known) {
  Writer& b = t.b;
  if (operand.kind == Kind::Any)
    return b.ugt(operand.tag, b.word(static_cast<uint64_t>(Tag::False)));
  *known = operand.kind != Kind::Nil && operand.kind != Kind::False;
  return {};
}

bool lower_truth(const LoweringTools& t, const Instruction& in) {
  const int target = t.walk.pc + 1 + in.imm;
  bool known = false;
  const Operand operand = t.values.peek(in.ra());
  IrValue condition = truth(t, operand, &known);
  const bool wanted = !jumps_if_not(in.op);
  if (!condition) return t.branches.branch_known(known == wanted, target), false;
  t.branches.branch(wanted ? condition : t.b.bit_not(condition), target);
  return false;
}

bool lower_copying_branch(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const int target = t.walk.pc + 1 + in.imm;
  bool known = false;
  const Operand operand = t.values.peek(in.rb());
  IrValue condition = truth(t, operand, &known);
  const bool wanted = !jumps_if_not(in.op);
  if (!condition) {
    if (known == wanted) t.values.copy(t.walk.slot_of(in.ra()), t.walk.slot_of(in.rb()));
    return t.branches.branch_known(known == wanted, target), false;
  }
  // The copy belongs to the arm that jumps.
  IrValue jumps = wanted ? condition : b.bit_not(condition);
  Block taken = b.make_block("copies");
  Block not_taken = b.make_block("not_taken");
  b.set_likely(b.branch(jumps, taken, not_taken), t.contexts.is_seen(true));
  t.branches.arm(not_taken, false, t.walk.pc + 1);
  b.set_position(taken);
  t.walk.ended = false;
  if (!t.contexts.is_seen(true)) return t.branches.exit_at(t.walk.pc, ExitSite::Why::Arm), false;
  t.values.copy(t.walk.slot_of(in.ra()), t.walk.slot_of(in.rb()));
  t.walk.track = t.contexts.track_of(true);
  t.branches.go_to(target);
  return false;
}

bool lower_order(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const int target = t.walk.pc + 1 + in.imm;
  const bool with_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  const auto [relation, swapped, expected] = *comparison_form(in.op);
  const bool or_equal = relation == Relation::LessEqual;
  Operand left = t.values.read(in.ra());
  Operand right = with_constant ? t.registers.constant(in.b) : t.values.read(in.rb());
  // Where a check has failed and no other type was recorded since, the others are rare, and come.
  const auto is_unsure = [&](const Operand& operand, TagMask recorded) {
    return t.walk.site().is_unstable && operand.kind == Kind::Any && is_single(recorded);
  };
  if (is_unsure(left, t.walk.site().left) || is_unsure(right, t.walk.site().right)) return branch_by_runtime(t, target);
  if (!with_constant && lower_order_of_strings(t, in, or_equal, expected)) return false;
  if (!t.values.expect_number(&left, t.walk.site().left)) return branch_by_runtime(t, target);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!t.values.expect_number(&right, t.walk.site().right)) {
    return branch_by_runtime(t, target);
  }
  const auto compared = [&](ir::Opcode less, ir::Opcode less_or_equal, IrValue x, IrValue y) {
    return swapped ? b.binary(or_equal ? less_or_equal : less, y, x) : b.binary(or_equal ? less_or_equal : less, x, y);
  };
  IrValue holds;
  if (left.kind == Kind::Integer && right.kind == Kind::Integer) {
    holds = compared(ir::Opcode::Slt, ir::Opcode::Sle, left.payload, right.payload);
  } else {
    // An integer and a float compare as numbers; where the conversion is exact, as floats.
    for (const Operand& operand : {left, right}) guard_exact_as_double(t, operand);
    holds = compared(ir::Opcode::FLt, ir::Opcode::FLe, b.as_double(left), b.as_double(right));
  }
  t.branches.branch(expected ? holds : b.bit_not(holds), target);
  return false;
}

bool lower_equality(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  const bool with_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  Equality equality{.left = with_constant ? t.values.peek(in.ra()) : t.values.read(in.ra()),
                    .right = with_constant ? t.registers.constant(in.b) : t.values.read(in.rb()),
                    .target = t.walk.pc + 1 + in.imm,
                    .expected = !jumps_if_not(in.op),
                    .is_short_string = with_constant && t.walk.function().is_short_string[in.b]};
  Operand &left = equality.left, &right = equality.right;
  if (!with_constant && left.slot == right.slot && left.kind != Kind::Any && left.kind != Kind::Float) {
    return t.branches.branch_known(equality.expected, equality.target), false;
  }
  if (with_constant && left.kind == Kind::Any && right.kind < Kind::Integer) {  // nil and booleans
    guard_not_foreign(t, left);
    return branch_by(t, equality, b.eq(left.tag, b.tag_value(right))), false;
  }
  if (with_constant && left.kind == Kind::Any && right.kind == Kind::String && equality.is_short_string) {
    guard_not_foreign(t, left);
    IrValue same = b.bit_and(b.eq(left.tag, b.tag_value(right)), b.eq(left.payload, right.payload));
    return branch_by(t, equality, same), false;
  }
  const auto is_of_types = [](const Operand& operand, TagMask recorded) {
    return operand.kind == Kind::Any && !is_single(recorded) && (recorded & ~(tag_bit(Tag::Integer) | tag_bit(Tag::Float))) != 0;
  };
  if (t.walk.site().is_unstable && (left.kind == Kind::Any || right.kind == Kind::Any)) return lower_equality_of_any(t, equality);
  if (is_of_types(left, t.walk.site().left) || (!with_constant && is_of_types(right, t.walk.site().right)))
    return branch_by(t, equality, equality_of_types(t, left, right)), false;
  if (!expect_comparable(t, &left, t.walk.site().left)) return branch_by_runtime(t, equality.target);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!expect_comparable(t, &right, t.walk.site().right)) {
    return branch_by_runtime(t, equality.target);
  }
  return lower_equality_of_kinds(t, equality);
}

}  // namespace mangata::jit
