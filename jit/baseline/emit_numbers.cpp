// What all operators on numbers share: operands, conversions, and the two cases, integers and floats, of
// which the likely one comes first and the other one out of line.
#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"
#include "vm/bytecode/opcode_facts.h"

namespace mangata::jit {

BaselineCompiler::Operand BaselineCompiler::register_operand(Register reg) const {
  return {.reg = reg, .kind = types_->kind(reg), .likely_kind = types_->likely_kind(reg)};
}

BaselineCompiler::Operand BaselineCompiler::constant_operand(int index) const {
  const Value& value = proto_->constants[static_cast<size_t>(index)];
  const NumberKind kind = value.is_integer() ? NumberKind::Integer : NumberKind::Float;
  return {.payload = value.payload, .kind = kind, .likely_kind = kind};
}

namespace {

bool is_swapped(const Instruction& in) { return has_constant_operand(in.op) && in.d == kOperandsSwapped; }

}  // namespace

BaselineCompiler::Operand BaselineCompiler::left_operand(const Instruction& in) const {
  return is_swapped(in) ? constant_operand(in.c) : register_operand(in.rb());
}

BaselineCompiler::Operand BaselineCompiler::right_operand(const Instruction& in) const {
  if (is_swapped(in)) return register_operand(in.rb());
  return has_constant_operand(in.op) ? constant_operand(in.c) : register_operand(in.rc());
}

void BaselineCompiler::store_integer(const Operand& to, Gp reg) {
  masm_.store(payload_of(to.reg), reg);
  if (to.kind != NumberKind::Integer) store_tag(to.reg, Tag::Integer);
}

void BaselineCompiler::store_float(const Operand& to) {
  masm_.store_float(payload_of(to.reg), kFloat);
  if (to.kind != NumberKind::Float) store_tag(to.reg, Tag::Float);
}

void BaselineCompiler::branch_unless_number(const Operand& operand, NumberKind kind, const Label& target) {
  if (operand.kind == kind) return;
  if (operand.kind != NumberKind::Unknown) {
    masm_.jump(target);
  } else {
    branch_unless_tag(operand.reg, Operand::tag_of_kind(kind), target);
  }
}

void BaselineCompiler::load_integer(Gp reg, const Operand& operand) {
  if (operand.is_constant()) {
    load_immediate(reg, operand.payload);
  } else {
    masm_.load(reg, payload_of(operand.reg));
  }
}

void BaselineCompiler::load_float_constant(Xmm reg, double value) {
  masm_.load_float_bits(reg, Value::number(value).payload);
}

void BaselineCompiler::convert_integer(Xmm reg, Register from) {
  masm_.convert_to_float(reg, payload_of(from));
}

void BaselineCompiler::load_double(Xmm reg, const Operand& operand, const Label& slow, bool is_held) {
  const auto load = [this, reg, operand, is_held] {
    if (!is_held) masm_.load_float(reg, payload_of(operand.reg));
  };
  if (operand.is_constant()) return load_float_constant(reg, operand.as_double());
  switch (operand.kind) {
    case NumberKind::Integer:
      return convert_integer(reg, operand.reg);
    case NumberKind::Float:
      return load();
    case NumberKind::Unknown:
      break;
  }
  const Label loaded = masm_.new_label();
  const Label no_float = slow_path([this, reg, operand, slow, loaded] {
    branch_unless_tag(operand.reg, Tag::Integer, slow);
    convert_integer(reg, operand.reg);
    masm_.jump(loaded);
  });
  branch_unless_tag(operand.reg, Tag::Float, no_float);
  load();
  masm_.bind(loaded);
}

/// The case of floats and mixed numbers. What is no number goes to `otherwise`; `operate`: both are
/// loaded.
void BaselineCompiler::emit_float_case(const Operand& to, const Operand& left, const Operand& right,
                                       const NumberCases& cases, const Label& otherwise,
                                       const Label& operate) {
  load_two_doubles(left, right, otherwise);
  masm_.bind(operate);
  cases.floats();
  store_float(to);
  computed_float_ = to.reg;
}

void BaselineCompiler::emit_number_cases(const Instruction& in, const Operand& left, const Operand& right,
                                         const NumberCases& cases) {
  const Operand to = register_operand(in.ra());
  const bool known = left.kind != NumberKind::Unknown && right.kind != NumberKind::Unknown;
  const bool may_be_integers =
      left.kind != NumberKind::Float && right.kind != NumberKind::Float && cases.integers;
  const bool may_be_floats = cases.floats && (!known || !may_be_integers);
  const Label slow = metamethod_slow_path(arithmetic_or_metamethod);
  if (!may_be_integers && !may_be_floats) return masm_.jump(slow);
  if (!may_be_integers) return emit_float_case(to, left, right, cases, slow, masm_.new_label());

  // Where an operand is overwritten, its tag is right already.
  Operand integer_to = to;
  if (left.reg == to.reg || right.reg == to.reg) integer_to.kind = NumberKind::Integer;
  const auto integer_case = [this, left, right, cases, integer_to](const Label& otherwise) {
    branch_unless_number(left, NumberKind::Integer, otherwise);
    branch_unless_number(right, NumberKind::Integer, otherwise);
    cases.integers(integer_to);
  };
  const auto float_case = [this, to, left, right, cases, slow] {
    emit_float_case(to, left, right, cases, slow, masm_.new_label());
  };
  const bool floats_likely = left.likely_kind == NumberKind::Float || right.likely_kind == NumberKind::Float;
  const bool integers_likely =
      left.likely_kind == NumberKind::Integer && right.likely_kind == NumberKind::Integer;
  if (!may_be_floats) {
    integer_case(slow);
  } else if (integers_likely || (!floats_likely && (left.is_constant() || right.is_constant()))) {
    integer_case(slow_path([this, float_case] {
      float_case();
      masm_.jump(next_label());
    }));
  } else if (floats_likely) {
    const Label operate = masm_.new_label();
    const Label mixed = slow_path([this, left, right, slow, operate] {
      load_double(kFloat, left, slow);
      load_double(kSecondFloat, right, slow);
      masm_.jump(operate);
    });
    const Label no_floats = slow_path([this, integer_case, mixed] {
      integer_case(mixed);
      masm_.jump(next_label());
    });
    branch_unless_number(left, NumberKind::Float, no_floats);
    branch_unless_number(right, NumberKind::Float, no_floats);
    emit_float_case(to, left.as_float(), right.as_float(), cases, slow, operate);
  } else {
    const Label no_integers = masm_.new_label();
    integer_case(no_integers);
    masm_.jump(next_label());
    masm_.bind(no_integers);
    float_case();
  }
}

}  // namespace mangata::jit
