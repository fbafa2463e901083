// Access by keys that are no elements: names, objects, sparse integers. The stubs that all sites share
// (map_stubs.h), out of line; what they miss are runtime calls.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// a5, a2 := the key of an access; `key` is the operand's number.
void BaselineCompiler::load_key_operand(const Instruction& in, Register key) {
  if (in.op == Opcode::GetInteger || in.op == Opcode::SetInteger) {
    masm_.load_word(a5, static_cast<int64_t>(key));
    masm_.load_word(low(a2), static_cast<int>(Tag::Integer));
  } else {
    masm_.load(a5, payload_of(key));
    masm_.load(low(a2), short_tag_of(key));
  }
}

/// R[a] of GetIndex or GetInteger, whose R[b] is a table.
Label BaselineCompiler::get_by_key_slow_path(const Instruction& in, const Label& miss) {
  return slow_path([this, in, miss] {
    masm_.load(a3, payload_of(in.rb()));
    load_key_operand(in, in.rc());
    masm_.call(thunks_.get_by_key);
    masm_.branch_on_miss(miss);
    masm_.store(payload_of(in.ra()), a1);
    masm_.store(tag_of(in.ra()), a0);
    masm_.jump(next_label());
  });
}

/// SetIndex or SetInteger, whose R[a] is a table.
Label BaselineCompiler::set_by_key_slow_path(const Instruction& in, const Label& miss) {
  return slow_path([this, in, miss] {
    masm_.load(a3, payload_of(in.ra()));
    load_key_operand(in, in.rb());
    load_operand(a1, a0, in.c);
    masm_.call(thunks_.set_by_key);
    masm_.branch_on_miss(miss);
    emit_barrier(a3, t0, barrier_of_new_property);
    emit_safepoint_after_call();
    masm_.jump(next_label());
  });
}

}  // namespace mangata::jit
