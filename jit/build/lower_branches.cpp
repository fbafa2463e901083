// Conditional branches and loops (manual §3.3.5, §3.4.4).
#include "jit/build/lowering.h"
#include "vm/bytecode/conditions.h"

namespace mangata::jit {

/// None: it is known.
ir::Value Lowering::truth(const Operand& operand, bool* known) {
  if (operand.kind == Kind::Any)
    return b_.ugt(operand.tag, b_.word(static_cast<uint64_t>(Tag::False)));
  *known = operand.kind != Kind::Nil && operand.kind != Kind::False;
  return {};
}

bool Lowering::lower_truth(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  bool known = false;
  const Operand operand = values_.peek(in.ra());
  IrValue condition = truth(operand, &known);
  const bool wanted = !jumps_if_not(in.op);
  if (!condition) return branches_.branch_known(known == wanted, target), false;
  branches_.branch(wanted ? condition : b_.bit_not(condition), target);
  return false;
}

bool Lowering::lower_copying_branch(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  bool known = false;
  const Operand operand = values_.peek(in.rb());
  IrValue condition = truth(operand, &known);
  const bool wanted = !jumps_if_not(in.op);
  if (!condition) {
    if (known == wanted) values_.copy(walk_.slot_of(in.ra()), walk_.slot_of(in.rb()));
    return branches_.branch_known(known == wanted, target), false;
  }
  // The copy belongs to the arm that jumps.
  IrValue jumps = wanted ? condition : b_.bit_not(condition);
  Block taken = b_.make_block("copies");
  Block not_taken = b_.make_block("not_taken");
  b_.set_likely(b_.branch(jumps, taken, not_taken), contexts_.is_seen(true));
  branches_.arm(not_taken, false, walk_.pc + 1);
  b_.set_position(taken);
  walk_.ended = false;
  if (!contexts_.is_seen(true)) return branches_.exit_at(walk_.pc, ExitSite::Why::Arm), false;
  values_.copy(walk_.slot_of(in.ra()), walk_.slot_of(in.rb()));
  walk_.track = contexts_.track_of(true);
  branches_.go_to(target);
  return false;
}

/// By a call of the runtime, which has written the frame: a metamethod, or what has no form of its own. The frame may have to leave then.
bool Lowering::branch_by_runtime(int target) {
  IrValue outcome = calls_.call(runtime_.step);
  const Instruction& in = walk_.instruction();
  calls_.forget_written(in);
  Block stays = b_.make_block("branched");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(b_.ult(outcome, b_.word(2)), stays, leaves), true);
  b_.set_position(leaves);
  Block goes = b_.make_block("goes");
  b_.branch(b_.slt(outcome, b_.word(0)), exits_.leaving_block(kRegionRaised), goes);
  b_.set_position(goes);
  if (walk_.state.is_inlined()) {
    Block jumps = b_.make_block("jumps");
    Block falls = b_.make_block("falls");
    b_.branch(b_.eq(b_.bit_and(outcome, b_.word(1)), b_.word(1)), jumps, falls);
    b_.set_position(jumps);
    exits_.emit(target, ExitSite::Why::Other);
    b_.set_position(falls);
    exits_.emit(walk_.pc + 1, ExitSite::Why::Other);
  } else {
    b_.jump(exits_.leaving_block(kRegionLeaves));
  }
  b_.set_position(stays);
  branches_.branch(b_.eq(outcome, b_.word(1)), target);
  return false;
}

/// By a call that is no safepoint; false: not both operands are expected to be strings, and nothing was done.
bool Lowering::lower_order_of_strings(const Instruction& in, bool or_equal, bool expected) {
  const auto may_be_string = [](const Operand& operand, TagMask recorded) {
    return operand.kind == Kind::String || (operand.kind == Kind::Any && recorded == tag_bit(Tag::String));
  };
  Operand left = values_.read(in.ra()), right = values_.read(in.rb());
  if (!may_be_string(left, walk_.site().left) || !may_be_string(right, walk_.site().right)) return false;
  values_.expect(&left, Kind::String);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) right = left;
  values_.expect(&right, Kind::String);
  events_.give_back();  // it is charged for
  IrValue order = b_.call(IrType::I64, b_.address_constant(runtime_.order_of_strings), {b_.vm(), b_.pointer(left), b_.pointer(right)});
  IrValue holds = or_equal ? b_.sle(order, b_.word(0)) : b_.slt(order, b_.word(0));
  branches_.branch(expected ? holds : b_.bit_not(holds), walk_.pc + 1 + in.imm);
  return true;
}

bool Lowering::lower_order(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  const bool with_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  const auto [relation, swapped, expected] = *comparison_form(in.op);
  const bool or_equal = relation == Relation::LessEqual;
  Operand left = values_.read(in.ra());
  Operand right = with_constant ? registers_.constant(in.b) : values_.read(in.rb());
  // Where a check has failed and no other type was recorded since, the others are rare, and come.
  const auto is_unsure = [&](const Operand& operand, TagMask recorded) {
    return walk_.site().is_unstable && operand.kind == Kind::Any && is_single(recorded);
  };
  if (is_unsure(left, walk_.site().left) || is_unsure(right, walk_.site().right)) return branch_by_runtime(target);
  if (!with_constant && lower_order_of_strings(in, or_equal, expected)) return false;
  if (!values_.expect_number(&left, walk_.site().left)) return branch_by_runtime(target);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!values_.expect_number(&right, walk_.site().right)) {
    return branch_by_runtime(target);
  }
  const auto compared = [&](ir::Opcode less, ir::Opcode less_or_equal, IrValue a, IrValue b) {
    return swapped ? b_.binary(or_equal ? less_or_equal : less, b, a) : b_.binary(or_equal ? less_or_equal : less, a, b);
  };
  IrValue holds;
  if (left.kind == Kind::Integer && right.kind == Kind::Integer) {
    holds = compared(ir::Opcode::Slt, ir::Opcode::Sle, left.payload, right.payload);
  } else {
    // An integer and a float compare as numbers; where the conversion is exact, as floats.
    for (const Operand& operand : {left, right}) guard_exact_as_double(operand);
    holds = compared(ir::Opcode::FLt, ir::Opcode::FLe, b_.as_double(left), b_.as_double(right));
  }
  branches_.branch(expected ? holds : b_.bit_not(holds), target);
  return false;
}

/// Converted to a float, the number stays what it is.
void Lowering::guard_exact_as_double(const Operand& operand) {
  if (operand.kind != Kind::Integer) return;
  guards_.guard(b_.ule(b_.add(operand.payload, b_.word(uint64_t{1} << 53)), b_.word(uint64_t{1} << 54)));
}

/// As the one kind that was recorded, or as the number that it is.
bool Lowering::expect_comparable(Operand* operand, TagMask recorded) {
  constexpr TagMask kNumbers = tag_bit(Tag::Integer) | tag_bit(Tag::Float);
  return values_.expect_recorded(operand, recorded) ||
         ((recorded & ~kNumbers) == 0 && values_.expect_number(operand, recorded));
}

/// C data may be equal to values of other types (vm/operations/operations.h): they leave.
void Lowering::guard_not_foreign(const Operand& operand) {
  if (operand.kind != Kind::Any && operand.kind != Kind::Userdata) return;
  Block is_userdata = b_.make_block("is_userdata");
  Block goes_on = b_.make_block("not_foreign");
  if (operand.kind == Kind::Any) {
    IrValue tag = b_.word(static_cast<uint64_t>(Tag::Userdata));
    b_.set_likely(b_.branch(b_.eq(operand.tag, tag), is_userdata, goes_on), false);
  } else {
    b_.jump(is_userdata);
  }
  b_.set_position(is_userdata);
  IrValue kind = b_.load(IrType::I8, b_.at(b_.pointer(operand), offsetof(Userdata, type_byte)), Memory::Header);
  IrValue is_plain = b_.eq(kind, b_.i8(static_cast<uint8_t>(UserdataKind::Plain)));
  b_.set_likely(b_.branch(is_plain, goes_on, guards_.exit_block()), true);
  b_.set_position(goes_on);
}

/// Of operands of any types: 0, 1 or kEqualityUnknown.
ir::Value Lowering::raw_equality(const Operand& left, const Operand& right) {
  return b_.call(IrType::I64, b_.address_constant(runtime_.equality), {b_.payload_bits(left), b_.tag_value(left), b_.payload_bits(right), b_.tag_value(right)});
}

/// Of operands of several types, as a boolean. Metamethods and long strings leave.
ir::Value Lowering::equality_of_types(const Operand& left, const Operand& right) {
  IrValue found = raw_equality(left, right);
  guards_.guard(b_.ult(found, b_.word(kEqualityUnknown)));
  return b_.ne(found, b_.word(0));
}

/// Raw equality where that is all there is; metamethods and long strings leave.
bool Lowering::lower_equality(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  const bool with_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
  const bool expected = !jumps_if_not(in.op);
  Operand left = with_constant ? values_.peek(in.ra()) : values_.read(in.ra());
  Operand right = with_constant ? registers_.constant(in.b) : values_.read(in.rb());
  const auto decide = [&](IrValue equal) {
    BranchFinding finding{.slot = kNoFrameSlot, .payload = 0, .where_taken = expected};
    const auto known = right.payload ? b_.known_word(right.payload) : std::nullopt;
    const bool is_register = left.slot != kNoFrameSlot && left.slot < RegisterFile::kFirstField && !registers_.is_captured(left.slot);
    if (known && is_register && registers_.fact(left.slot).kind == right.kind && right.kind != Kind::Float)
      finding.slot = left.slot, finding.payload = *known;
    branches_.branch(expected ? equal : b_.bit_not(equal), target, finding);
  };
  if (!with_constant && left.slot == right.slot && left.kind != Kind::Any && left.kind != Kind::Float) {
    return branches_.branch_known(expected, target), false;
  }
  if (with_constant && left.kind == Kind::Any && right.kind < Kind::Integer) {  // nil and booleans
    guard_not_foreign(left);
    return decide(b_.eq(left.tag, b_.tag_value(right))), false;
  }
  if (with_constant && left.kind == Kind::Any && right.kind == Kind::String &&
      walk_.function().is_short_string[in.b]) {
    guard_not_foreign(left);
    IrValue same = b_.bit_and(b_.eq(left.tag, b_.tag_value(right)), b_.eq(left.payload, right.payload));
    return decide(same), false;
  }
  const auto is_of_types = [](const Operand& operand, TagMask recorded) {
    return operand.kind == Kind::Any && !is_single(recorded) && (recorded & ~(tag_bit(Tag::Integer) | tag_bit(Tag::Float))) != 0;
  };
  if (walk_.site().is_unstable && (left.kind == Kind::Any || right.kind == Kind::Any)) {
    IrValue found = raw_equality(left, right);
    Block known = b_.make_block("known");
    Block unknown = b_.make_block("unknown");
    b_.set_likely(b_.branch(b_.ult(found, b_.word(kEqualityUnknown)), known, unknown), true);
    b_.set_position(unknown);
    queue_.beside([&] { branch_by_runtime(target); });
    b_.set_position(known);
    return decide(b_.ne(found, b_.word(0))), false;
  }
  if (is_of_types(left, walk_.site().left) || (!with_constant && is_of_types(right, walk_.site().right)))
    return decide(equality_of_types(left, right)), false;
  if (!expect_comparable(&left, walk_.site().left)) return branch_by_runtime(target);
  if (left.slot != kNoFrameSlot && left.slot == right.slot) {
    right = left;
  } else if (!expect_comparable(&right, walk_.site().right)) {
    return branch_by_runtime(target);
  }
  if (is_number(left.kind) && is_number(right.kind)) {
    if (left.kind == Kind::Integer && right.kind == Kind::Integer)
      return decide(b_.eq(left.payload, right.payload)), false;
    for (const Operand& operand : {left, right}) guard_exact_as_double(operand);
    return decide(b_.feq(b_.as_double(left), b_.as_double(right))), false;
  }
  if (left.kind != right.kind) {
    guard_not_foreign(left);
    guard_not_foreign(right);
    return branches_.branch_known(!expected, target), false;
  }
  switch (left.kind) {
    case Kind::Nil:
    case Kind::True:
    case Kind::False:
      return branches_.branch_known(expected, target), false;
    case Kind::LuaFunction:
    case Kind::NativeFunction:
    case Kind::LightUserdata:
    case Kind::Thread:
      return decide(b_.eq(left.payload, right.payload)), false;
    case Kind::String: {
      IrValue same = b_.eq(left.payload, right.payload);
      if (with_constant && walk_.function().is_short_string[in.b]) return decide(same), false;
      // Strings at different addresses are equal only if both are long.
      IrValue flags = b_.load(IrType::I8, b_.at(b_.pointer(right), offsetof(String, type_flags)), Memory::Header);
      guards_.guard(
          b_.bit_or(same, b_.ne(b_.bit_and(flags, b_.i8(String::kShort)), b_.i8(0))));
      return decide(same), false;
    }
    case Kind::Table: {
      IrValue same = b_.eq(left.payload, right.payload);
      Block differ = b_.make_block("differ");
      Block compared = b_.make_block("compared");
      b_.branch(same, compared, differ);
      b_.set_position(differ);
      guards_.guard(b_.bit_and(lacks(b_, b_.pointer(left), kNoEqual), lacks(b_, b_.pointer(right), kNoEqual)));
      b_.jump(compared);
      b_.set_position(compared);
      return decide(same), false;
    }
    default:
      return branch_by_runtime(target);
  }
}

// --- numeric loops

/// The step of the loop whose ForPrepare that is, if the instruction before has loaded an integer for it, and control comes
/// from there only; otherwise 0.
int64_t Lowering::constant_step(int prepare) const {
  if (prepare <= 0 || walk_.function().is_leader[static_cast<size_t>(prepare)]) return 0;
  const std::vector<Instruction>& code = walk_.function().code;
  int pc = prepare - 1;
  while (pc > 0 && code[static_cast<size_t>(pc)].op == Opcode::PathEvent) --pc;
  const Instruction& before = code[static_cast<size_t>(pc)];
  return before.op == Opcode::LoadInteger && before.a == code[static_cast<size_t>(prepare)].a + 2 ? before.imm : 0;
}

/// The ForPrepare of the loop that ends here: the last one with its registers. Loops in its body have others.
int Lowering::prepare_of_loop(const Instruction& loop) const {
  int pc = walk_.pc - 1;
  const auto is_it = [&](const Instruction& in) { return in.op == Opcode::ForPrepare && in.a == loop.a; };
  while (pc > 0 && !is_it(walk_.function().code[static_cast<size_t>(pc)])) --pc;
  return pc;
}

/// Integers with a step that is known inline; anything else by the runtime.
bool Lowering::lower_for_prepare(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  const int64_t by = constant_step(walk_.pc);
  Operand start = values_.read(in.ra()), limit = values_.read(in.ra() + 1);
  const bool integers = by != 0 && (start.kind == Kind::Integer || start.kind == Kind::Any) &&
                        (limit.kind == Kind::Integer || limit.kind == Kind::Any) &&
                        registers_.is_captured(walk_.slot_of(in.ra())) == false;
  if (!integers) return branch_by_runtime(target);
  if (!values_.expect(&start, Kind::Integer) || !values_.expect(&limit, Kind::Integer)) return branches_.exit_at(walk_.pc), false;
  IrValue skips = by > 0 ? b_.slt(limit.payload, start.payload)
                         : b_.sgt(limit.payload, start.payload);
  IrValue distance =
      by > 0 ? b_.sub(limit.payload, start.payload) : b_.sub(start.payload, limit.payload);
  const auto unit = static_cast<uint64_t>(by > 0 ? by : -by);
  if (unit != 1) distance = b_.udiv(distance, b_.word(unit));
  // The registers count only where the loop runs; where it does not, they are dead.
  values_.write_integer(in.ra() + 3, start.payload);
  values_.write_integer(in.ra() + 1, distance);
  branches_.branch(skips, target);
  return false;
}

bool Lowering::lower_for_loop(const Instruction& in) {
  const int target = walk_.pc + 1 + in.imm;
  polls_.reserve_event();
  Operand step = values_.read(in.ra() + 2);
  if (step.kind == Kind::Any &&
      !values_.expect_number(&step, registers_.fact(walk_.slot_of(in.ra() + 2)).kind == Kind::Any ? tag_bit(Tag::Integer) : TagMask{0})) {
    return branches_.exit_at(walk_.pc), false;
  }
  Operand index = values_.read(in.ra()), limit = values_.read(in.ra() + 1);
  if (!is_number(step.kind) || !values_.expect(&index, step.kind) || !values_.expect(&limit, step.kind))
    return branches_.exit_at(walk_.pc), false;
  IrValue goes_on;
  Operand next{.kind = step.kind};
  if (step.kind == Kind::Integer) {
    // Where the loop is entered in its middle, the register says nothing.
    if (const int64_t by = constant_step(prepare_of_loop(in)); by != 0) step.payload = b_.word(static_cast<uint64_t>(by));
    goes_on = b_.ne(limit.payload, b_.word(0));
    next.payload = b_.add(index.payload, step.payload);
  } else {
    next.payload = b_.fadd(index.payload, step.payload);
    IrValue upwards = b_.fgt(step.payload, b_.f64(0));
    goes_on = b_.select(upwards, b_.fle(next.payload, limit.payload), b_.fle(limit.payload, next.payload));
  }
  Block loops = b_.make_block("loops");
  Block ends = b_.make_block("ends");
  branches_.set_weights(b_.branch(goes_on, loops, ends));
  branches_.arm(ends, false, walk_.pc + 1);
  b_.set_position(loops);
  walk_.ended = false;
  if (!contexts_.is_seen(true)) {
    // Not gone back while it was recorded, so there is no code for the body: as baseline code does it.
    return branches_.exit_at(walk_.pc, ExitSite::Why::Arm), false;
  }
  events_.take();
  if (step.kind == Kind::Integer) values_.write_integer(in.ra() + 1, b_.sub(limit.payload, b_.word(1)));
  values_.write(in.ra(), next);
  values_.write(in.ra() + 3, next);
  walk_.track = contexts_.track_of(true);
  branches_.go_to(target);
  return false;
}

}  // namespace mangata::jit
