// Loads and moves.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

void BaselineCompiler::copy_value(Mem to_payload, Mem to_tag, Mem from_payload, Mem from_tag) {
  masm_.load(kTemporary, from_payload);
  masm_.load(kSecondTemporary, from_tag);
  masm_.store(to_payload, kTemporary);
  masm_.store(to_tag, kSecondTemporary);
}

void BaselineCompiler::emit_copy_values() {
  const Gp from = kArguments[0], end = kArguments[4], to = kArguments[5];
  const Label again = masm_.new_label(), done = masm_.new_label();
  masm_.compare(from, end);
  masm_.branch(Condition::AboveEqual, done);
  masm_.bind(again);
  copy_value(word_at(to), word_at(to, kTagOffset), word_at(from), word_at(from, kTagOffset));
  masm_.add(from, kSlotBytes);
  masm_.add(to, kSlotBytes);
  masm_.compare(from, end);
  masm_.branch(Condition::Below, again);
  masm_.bind(done);
}

void BaselineCompiler::copy_register(Register to, Register from) {
  copy_value(payload_of(to), tag_of(to), payload_of(from), tag_of(from));
}

void BaselineCompiler::store_constant(Register reg, const Value& value) {
  const auto narrow = static_cast<int32_t>(value.payload);
  if (static_cast<uint64_t>(static_cast<int64_t>(narrow)) == value.payload) {
    masm_.store(payload_of(reg), narrow);
  } else {
    masm_.load_word(kTemporary, value.payload);
    masm_.store(payload_of(reg), kTemporary);
  }
  store_tag(reg, value.tag);
}

void BaselineCompiler::branch_unless_tag(Register reg, Tag tag, const Label& target) {
  masm_.compare(short_tag_of(reg), static_cast<int>(tag_bits(tag)));
  masm_.branch(Condition::NotEqual, target);
}

void BaselineCompiler::load_upvalue_location(Gp reg, int index) {
  load_function(reg);
  masm_.load(reg, word_at(reg, static_cast<int>(offsetof(LuaFunction, upvalues)) + index * 8));
  masm_.load(reg, field(reg, offsetof(Upvalue, location)));
}

void BaselineCompiler::emit_Move(const Instruction& in) { copy_register(in.ra(), in.rb()); }
void BaselineCompiler::emit_LoadInteger(const Instruction& in) { store_constant(in.ra(), Value::integer(in.imm)); }
void BaselineCompiler::emit_LoadFloat(const Instruction& in) { store_constant(in.ra(), Value::number(in.imm)); }
void BaselineCompiler::emit_LoadConstant(const Instruction& in) {
  store_constant(in.ra(), proto_->constants[static_cast<size_t>(in.imm)]);
}
void BaselineCompiler::emit_LoadFalse(const Instruction& in) { store_constant(in.ra(), Value::boolean(false)); }
void BaselineCompiler::emit_LoadTrue(const Instruction& in) { store_constant(in.ra(), Value::boolean(true)); }
void BaselineCompiler::emit_LoadNil(const Instruction& in) {
  for (int i = 0; i < in.b; ++i) store_constant(in.ra() + i, Value::nil());
}

void BaselineCompiler::emit_Not(const Instruction& in) {
  // Tags Nil and False are 0 and 1, True is 2: the result's payload is "tag <= 1", its tag that plus 1.
  masm_.load_comparison(kTemporary, short_tag_of(in.rb()), Condition::BelowEqual, static_cast<int>(tag_bits(Tag::False)));
  masm_.store(payload_of(in.ra()), kTemporary);
  masm_.increment(low(kTemporary));
  masm_.store(tag_of(in.ra()), kTemporary);
}

void BaselineCompiler::emit_ToBeClosed(const Instruction&) { emit_generic(); }

}  // namespace mangata::jit
