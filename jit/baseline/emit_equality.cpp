// Equality with a jump (manual §3.4.4). What the tags, payloads and metatables do not tell is left to the runtime:
// long strings, tables or userdata that may have __eq, and userdata beside other types.
#include "jit/abi/runtime_arithmetic.h"
#include "jit/baseline/compiler.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// The table in the register has a metatable that is not known to lack __eq. Clobbers the register.
void branch_if_may_have_equal(Assembler& a, const Gp& table, const Label& target) {
  const Label plain = a.newLabel();
  a.mov(table, field(table, offsetof(Table, own_metatable)));
  a.test(table, table);
  a.jz(plain);
  a.test(byte_ptr(table, offsetof(Table, type_flags)), kNoEqual);
  a.jz(target);
  a.bind(plain);
}

}  // namespace

/// The flags of ucomisd: unordered is not equal.
void BaselineCompiler::emit_jump_on_float_equality(const Branch& branch) {
  a_.jp(branch.unequal());
  a_.je(branch.equal());
  a_.jmp(branch.unequal());
}

void BaselineCompiler::emit_equality(const Instruction& in, bool expected) {
  const Branch branch{.target = jump_target(in), .next = next_label(), .expected = expected};
  const Operand left = register_operand(in.a), right = register_operand(in.b);
  if (left.kind == NumberKind::Integer && right.kind == NumberKind::Integer) {
    a_.mov(rcx, payload_of(in.a));
    a_.cmp(rcx, payload_of(in.b));
    expected ? a_.je(branch.target) : a_.jne(branch.target);
    return;
  }
  const Label runtime = metamethod_branch_slow_path(in);
  const Label other = slow_path([this, in, branch, runtime] {
    const Label floats = a_.newLabel(), tables = a_.newLabel();
    a_.cmp(eax, static_cast<int>(tag_bits(Tag::Float)));
    a_.je(floats);
    a_.cmp(rcx, payload_of(in.b));
    a_.je(branch.equal());
    // Two strings of which one is short, functions, and threads are equal when identical only.
    a_.cmp(eax, static_cast<int>(tag_bits(Tag::Table)));
    a_.je(tables);
    a_.cmp(eax, static_cast<int>(tag_bits(Tag::Userdata)));
    a_.je(runtime);
    a_.cmp(eax, static_cast<int>(tag_bits(Tag::String)));
    a_.jne(branch.unequal());
    a_.test(byte_ptr(rcx, offsetof(String, type_flags)), String::kShort);
    a_.jz(runtime);
    a_.jmp(branch.unequal());
    a_.bind(tables);
    a_.mov(rdx, payload_of(in.b));
    branch_if_may_have_equal(a_, rcx, runtime);
    branch_if_may_have_equal(a_, rdx, runtime);
    a_.jmp(branch.unequal());
    a_.bind(floats);
    a_.movsd(xmm0, payload_of(in.a));
    a_.ucomisd(xmm0, payload_of(in.b));
    emit_jump_on_float_equality(branch);
  });
  const Label tags_differ = slow_path([this, in, branch, runtime] {
    constexpr auto kInteger = static_cast<int>(tag_bits(Tag::Integer));
    constexpr auto kUserdata = static_cast<int>(tag_bits(Tag::Userdata));
    const Label a_is_float = a_.newLabel();
    a_.mov(ecx, short_tag_of(in.b));
    a_.cmp(eax, kUserdata);
    a_.je(runtime);
    a_.cmp(ecx, kUserdata);
    a_.je(runtime);
    a_.sub(eax, kInteger);
    a_.cmp(eax, 1);
    a_.ja(branch.unequal());
    a_.sub(ecx, kInteger);
    a_.cmp(ecx, 1);
    a_.ja(branch.unequal());
    a_.test(eax, eax);
    a_.jnz(a_is_float);
    emit_mixed_equality(in.a, in.b, branch);
    a_.bind(a_is_float);
    emit_mixed_equality(in.b, in.a, branch);
  });
  a_.mov(eax, short_tag_of(in.a));
  a_.cmp(eax, short_tag_of(in.b));
  a_.jne(tags_differ);
  a_.mov(rcx, payload_of(in.a));
  a_.cmp(eax, static_cast<int>(tag_bits(Tag::Integer)));
  a_.ja(other);
  a_.cmp(rcx, payload_of(in.b));
  expected ? a_.je(branch.target) : a_.jne(branch.target);
}

/// Where a value goes that has another tag than the constant: userdata may be C data, anything else is
/// unequal.
Label BaselineCompiler::other_tag_slow_path(const Instruction& in, const Branch& branch) {
  return slow_path([this, in, branch] {
    a_.cmp(short_tag_of(in.a), static_cast<int>(tag_bits(Tag::Userdata)));
    a_.jne(branch.unequal());
    a_.jmp(generic_branch_slow_path(in, runtime_compare));
  });
}

void BaselineCompiler::emit_number_constant_equality(const Instruction& in, const Value& k,
                                                     const Branch& branch) {
  const Operand left = register_operand(in.a);
  const auto compare_integers = [this, in](int64_t value) {
    if (value == static_cast<int32_t>(value)) {
      a_.cmp(payload_of(in.a), static_cast<int32_t>(value));
    } else {
      load_immediate(rax, static_cast<uint64_t>(value));
      a_.cmp(payload_of(in.a), rax);
    }
  };
  const auto compare_floats = [this, in, branch](double value) {
    load_float_constant(xmm0, value);
    a_.ucomisd(xmm0, payload_of(in.a));
    emit_jump_on_float_equality(branch);
  };
  if (k.is_integer()) {
    const Label no_integer = slow_path([this, in, k, branch, compare_floats] {
      const auto rounded = static_cast<double>(k.as_integer());
      int64_t back;
      branch_unless_tag(in.a, Tag::Float, other_tag_slow_path(in, branch));
      if (float_to_integer(rounded, &back) && back == k.as_integer()) {
        compare_floats(rounded);
      } else {
        a_.jmp(branch.unequal());
      }
    });
    branch_unless_number(left, NumberKind::Integer, no_integer);
    compare_integers(k.as_integer());
    branch.expected ? a_.je(branch.target) : a_.jne(branch.target);
    return;
  }
  const Label no_float = slow_path([this, in, k, branch, compare_integers] {
    int64_t integer;
    branch_unless_tag(in.a, Tag::Integer, other_tag_slow_path(in, branch));
    if (float_to_integer(k.as_float(), &integer)) {
      compare_integers(integer);
      a_.je(branch.equal());
    }
    a_.jmp(branch.unequal());
  });
  branch_unless_number(left, NumberKind::Float, no_float);
  compare_floats(k.as_float());
}

/// With nil and booleans, whose tags say all. The test for userdata comes where the value is not equal, if it
/// costs nothing to put it there.
void BaselineCompiler::emit_tag_constant_equality(const Instruction& in, const Value& k,
                                                  const Branch& branch) {
  const Label runtime = generic_branch_slow_path(in, runtime_compare);
  a_.mov(eax, short_tag_of(in.a));
  if (branch.expected) {
    a_.cmp(eax, static_cast<int>(tag_bits(k.tag)));
    a_.je(branch.target);
  }
  a_.cmp(eax, static_cast<int>(tag_bits(Tag::Userdata)));
  a_.je(runtime);
  if (!branch.expected) {
    a_.cmp(eax, static_cast<int>(tag_bits(k.tag)));
    a_.jne(branch.target);
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
    branch_unless_tag(in.a, Tag::String, other_tag_slow_path(in, branch));
    load_immediate(rax, k.payload);
    a_.cmp(payload_of(in.a), rax);
    if (!k.as_string()->is_short()) {
      a_.jne(differs);
      if (expected) a_.jmp(branch.target);
      return;
    }
  } else {
    return emit_tag_constant_equality(in, k, branch);
  }
  expected ? a_.je(branch.target) : a_.jne(branch.target);
}

void BaselineCompiler::emit_JumpIfEqual(const Instruction& in) { emit_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqual(const Instruction& in) { emit_equality(in, false); }
void BaselineCompiler::emit_JumpIfEqualConstant(const Instruction& in) { emit_constant_equality(in, true); }
void BaselineCompiler::emit_JumpIfNotEqualConstant(const Instruction& in) {
  emit_constant_equality(in, false);
}

}  // namespace mangata::jit
