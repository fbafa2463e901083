// Loads and moves.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

void BaselineCompiler::copy_value(Mem to_payload, Mem to_tag, Mem from_payload, Mem from_tag) {
  a_.mov(rax, from_payload);
  a_.mov(rdx, from_tag);
  a_.mov(to_payload, rax);
  a_.mov(to_tag, rdx);
}

void BaselineCompiler::emit_copy_values() {
  const Label again = a_.newLabel(), done = a_.newLabel();
  a_.cmp(rdi, r8);
  a_.jae(done);
  a_.bind(again);
  copy_value(qword_ptr(r9), qword_ptr(r9, kTagOffset), qword_ptr(rdi), qword_ptr(rdi, kTagOffset));
  a_.add(rdi, kSlotBytes);
  a_.add(r9, kSlotBytes);
  a_.cmp(rdi, r8);
  a_.jb(again);
  a_.bind(done);
}

void BaselineCompiler::copy_register(int to, int from) {
  copy_value(payload_of(to), tag_of(to), payload_of(from), tag_of(from));
}

void BaselineCompiler::store_constant(int reg, const Value& value) {
  const auto narrow = static_cast<int32_t>(value.payload);
  if (static_cast<uint64_t>(static_cast<int64_t>(narrow)) == value.payload) {
    a_.mov(payload_of(reg), narrow);
  } else {
    a_.mov(rax, value.payload);
    a_.mov(payload_of(reg), rax);
  }
  store_tag(reg, value.tag);
}

void BaselineCompiler::branch_unless_tag(int reg, Tag tag, const Label& target) {
  a_.cmp(short_tag_of(reg), static_cast<int>(tag_bits(tag)));
  a_.jne(target);
}

void BaselineCompiler::load_upvalue_location(Gp reg, int index) {
  load_function(reg);
  a_.mov(reg, qword_ptr(reg, static_cast<int>(offsetof(LuaFunction, upvalues)) + index * 8));
  a_.mov(reg, qword_ptr(reg, offsetof(Upvalue, location)));
}

void BaselineCompiler::emit_Move(const Instruction& in) { copy_register(in.a, in.b); }
void BaselineCompiler::emit_LoadInteger(const Instruction& in) { store_constant(in.a, Value::integer(in.imm)); }
void BaselineCompiler::emit_LoadFloat(const Instruction& in) { store_constant(in.a, Value::number(in.imm)); }
void BaselineCompiler::emit_LoadConstant(const Instruction& in) {
  store_constant(in.a, proto_->constants[static_cast<size_t>(in.imm)]);
}
void BaselineCompiler::emit_LoadFalse(const Instruction& in) { store_constant(in.a, Value::boolean(false)); }
void BaselineCompiler::emit_LoadTrue(const Instruction& in) { store_constant(in.a, Value::boolean(true)); }
void BaselineCompiler::emit_LoadNil(const Instruction& in) {
  for (int i = 0; i < in.b; ++i) store_constant(in.a + i, Value::nil());
}

void BaselineCompiler::emit_Not(const Instruction& in) {
  // Tags Nil and False are 0 and 1, True is 2: the result's payload is "tag <= 1", its tag that plus 1.
  a_.xor_(eax, eax);
  a_.cmp(short_tag_of(in.b), static_cast<int>(tag_bits(Tag::False)));
  a_.setbe(al);
  a_.mov(payload_of(in.a), rax);
  a_.inc(eax);
  a_.mov(tag_of(in.a), rax);
}

void BaselineCompiler::emit_ToBeClosed(const Instruction&) { emit_generic(); }

}  // namespace mangata::jit
