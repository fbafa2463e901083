// Equality with a jump (manual §3.4.4). What the tags, payloads and metatables do not tell is left to the runtime:
// long strings, tables or userdata that may have __eq, and userdata beside other types.
#include "jit/abi/runtime_arithmetic.h"
#include "jit/baseline/compiler.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// The table in the register has a metatable that is not known to lack __eq. Clobbers the register.
void branch_if_may_have_equal(Masm& masm, const Gp& table, const Label& target) {
  const Label plain = masm.new_label();
  masm.load(table, field(table, offsetof(Table, own_metatable)));
  masm.branch_if_zero(table, plain);
  masm.branch_unless_bits(byte_at(table, offsetof(Table, type_flags)), kNoEqual, target);
  masm.bind(plain);
}

}  // namespace

/// The flags of ucomisd: unordered is not equal.
void BaselineCompiler::emit_jump_on_float_equality(const Branch& branch) {
  masm_.branch(Condition::Unordered, branch.unequal());
  masm_.branch(Condition::Equal, branch.equal());
  masm_.jump(branch.unequal());
}

/// Tags are the same, but not integer's: t0 has the left one, a3 the left payload.
Label BaselineCompiler::same_tags_slow_path(const Instruction& in, const Branch& branch, const Label& runtime) {
  return slow_path([this, in, branch, runtime] {
    const Label floats = masm_.new_label(), tables = masm_.new_label();
    masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Float)));
    masm_.branch(Condition::Equal, floats);
    masm_.compare(a3, payload_of(in.rb()));
    masm_.branch(Condition::Equal, branch.equal());
    // Two strings of which one is short, functions, and threads are equal when identical only.
    masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Table)));
    masm_.branch(Condition::Equal, tables);
    masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Userdata)));
    masm_.branch(Condition::Equal, runtime);
    masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::String)));
    masm_.branch(Condition::NotEqual, branch.unequal());
    masm_.branch_unless_bits(byte_at(a3, offsetof(String, type_flags)), String::kShort, runtime);
    masm_.jump(branch.unequal());
    masm_.bind(tables);
    masm_.load(a2, payload_of(in.rb()));
    branch_if_may_have_equal(masm_, a3, runtime);
    branch_if_may_have_equal(masm_, a2, runtime);
    masm_.jump(branch.unequal());
    masm_.bind(floats);
    masm_.load_float(f0, payload_of(in.ra()));
    masm_.compare_floats(f0, payload_of(in.rb()));
    emit_jump_on_float_equality(branch);
  });
}

/// Tags differ: t0 has the left one.
Label BaselineCompiler::different_tags_slow_path(const Instruction& in, const Branch& branch, const Label& runtime) {
  return slow_path([this, in, branch, runtime] {
    constexpr auto kInteger = static_cast<int>(tag_bits(Tag::Integer));
    constexpr auto kUserdata = static_cast<int>(tag_bits(Tag::Userdata));
    const Label a_is_float = masm_.new_label();
    masm_.load(low(a3), short_tag_of(in.rb()));
    masm_.compare(low(t0), kUserdata);
    masm_.branch(Condition::Equal, runtime);
    masm_.compare(low(a3), kUserdata);
    masm_.branch(Condition::Equal, runtime);
    masm_.subtract(low(t0), kInteger);
    masm_.compare(low(t0), 1);
    masm_.branch(Condition::Above, branch.unequal());
    masm_.subtract(low(a3), kInteger);
    masm_.compare(low(a3), 1);
    masm_.branch(Condition::Above, branch.unequal());
    masm_.branch_if_not_zero(low(t0), a_is_float);
    emit_mixed_equality(in.ra(), in.rb(), branch);
    masm_.bind(a_is_float);
    emit_mixed_equality(in.rb(), in.ra(), branch);
  });
}

void BaselineCompiler::emit_equality(const Instruction& in, bool expected) {
  const Branch branch{.target = jump_target(in), .next = next_label(), .expected = expected};
  const Operand left = register_operand(in.ra()), right = register_operand(in.rb());
  if (left.kind == NumberKind::Integer && right.kind == NumberKind::Integer) {
    masm_.load(a3, payload_of(in.ra()));
    masm_.compare(a3, payload_of(in.rb()));
    expected ? masm_.branch(Condition::Equal, branch.target) : masm_.branch(Condition::NotEqual, branch.target);
    return;
  }
  const Label runtime = metamethod_branch_slow_path(in);
  const Label other = same_tags_slow_path(in, branch, runtime);
  const Label tags_differ = different_tags_slow_path(in, branch, runtime);
  masm_.load(low(t0), short_tag_of(in.ra()));
  masm_.compare(low(t0), short_tag_of(in.rb()));
  masm_.branch(Condition::NotEqual, tags_differ);
  masm_.load(a3, payload_of(in.ra()));
  masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Integer)));
  masm_.branch(Condition::Above, other);
  masm_.compare(a3, payload_of(in.rb()));
  expected ? masm_.branch(Condition::Equal, branch.target) : masm_.branch(Condition::NotEqual, branch.target);
}

/// Where a value goes that has another tag than the constant: userdata may be C data, anything else is
/// unequal.
Label BaselineCompiler::other_tag_slow_path(const Instruction& in, const Branch& branch) {
  return slow_path([this, in, branch] {
    masm_.compare(short_tag_of(in.ra()), static_cast<int>(tag_bits(Tag::Userdata)));
    masm_.branch(Condition::NotEqual, branch.unequal());
    masm_.jump(generic_branch_slow_path(in, runtime_compare));
  });
}

void BaselineCompiler::emit_number_constant_equality(const Instruction& in, const Value& k,
                                                     const Branch& branch) {
  const Operand left = register_operand(in.ra());
  const auto compare_integers = [this, in](int64_t value) {
    if (value == static_cast<int32_t>(value)) {
      masm_.compare(payload_of(in.ra()), static_cast<int32_t>(value));
    } else {
      load_immediate(t0, static_cast<uint64_t>(value));
      masm_.compare(payload_of(in.ra()), t0);
    }
  };
  const auto compare_floats = [this, in, branch](double value) {
    load_float_constant(f0, value);
    masm_.compare_floats(f0, payload_of(in.ra()));
    emit_jump_on_float_equality(branch);
  };
  if (k.is_integer()) {
    const Label no_integer = slow_path([this, in, k, branch, compare_floats] {
      const auto rounded = static_cast<double>(k.as_integer());
      int64_t back;
      branch_unless_tag(in.ra(), Tag::Float, other_tag_slow_path(in, branch));
      if (float_to_integer(rounded, &back) && back == k.as_integer()) {
        compare_floats(rounded);
      } else {
        masm_.jump(branch.unequal());
      }
    });
    branch_unless_number(left, NumberKind::Integer, no_integer);
    compare_integers(k.as_integer());
    branch.expected ? masm_.branch(Condition::Equal, branch.target) : masm_.branch(Condition::NotEqual, branch.target);
    return;
  }
  const Label no_float = slow_path([this, in, k, branch, compare_integers] {
    int64_t integer;
    branch_unless_tag(in.ra(), Tag::Integer, other_tag_slow_path(in, branch));
    if (float_to_integer(k.as_float(), &integer)) {
      compare_integers(integer);
      masm_.branch(Condition::Equal, branch.equal());
    }
    masm_.jump(branch.unequal());
  });
  branch_unless_number(left, NumberKind::Float, no_float);
  compare_floats(k.as_float());
}

/// With nil and booleans, whose tags say all. The test for userdata comes where the value is not equal, if it
/// costs nothing to put it there.
void BaselineCompiler::emit_tag_constant_equality(const Instruction& in, const Value& k,
                                                  const Branch& branch) {
  const Label runtime = generic_branch_slow_path(in, runtime_compare);
  masm_.load(low(t0), short_tag_of(in.ra()));
  if (branch.expected) {
    masm_.compare(low(t0), static_cast<int>(tag_bits(k.tag)));
    masm_.branch(Condition::Equal, branch.target);
  }
  masm_.compare(low(t0), static_cast<int>(tag_bits(Tag::Userdata)));
  masm_.branch(Condition::Equal, runtime);
  if (!branch.expected) {
    masm_.compare(low(t0), static_cast<int>(tag_bits(k.tag)));
    masm_.branch(Condition::NotEqual, branch.target);
  }
}

void BaselineCompiler::emit_constant_equality(const Instruction& in, bool expected) {
  const Branch branch{.target = jump_target(in), .next = next_label(), .expected = expected};
  const Value& k = proto_->constants[in.b];
  if (k.is_number()) return emit_number_constant_equality(in, k, branch);
  if (k.is_string()) {
    // A long one may be equal without being identical.
    const Label differs =
        k.as_string()->is_short() ? branch.unequal() : generic_branch_slow_path(in, runtime_compare);
    branch_unless_tag(in.ra(), Tag::String, other_tag_slow_path(in, branch));
    load_immediate(t0, k.payload);
    masm_.compare(payload_of(in.ra()), t0);
    if (!k.as_string()->is_short()) {
      masm_.branch(Condition::NotEqual, differs);
      if (expected) masm_.jump(branch.target);
      return;
    }
  } else {
    return emit_tag_constant_equality(in, k, branch);
  }
  expected ? masm_.branch(Condition::Equal, branch.target) : masm_.branch(Condition::NotEqual, branch.target);
}

void BaselineCompiler::emit_JumpIfEqual(const Instruction& in) { emit_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqual(const Instruction& in) { emit_equality(in, false); }
void BaselineCompiler::emit_JumpIfEqualConstant(const Instruction& in) { emit_constant_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqualConstant(const Instruction& in) {
  emit_constant_equality(in, false);
}

}  // namespace mangata::jit
