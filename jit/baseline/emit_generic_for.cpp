// The generic loop (manual §3.3.5): Lua iterators are called as functions are, `next` and ipairs without a
// call.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

void BaselineCompiler::emit_GenericForPrepare(const Instruction& in) {
  const Label slow = slow_path([this, in] {
    emit_runtime_call(runtime_step);
    masm_.branch_if_bits(low(t0), static_cast<int>(~kTaken), leave_);
    masm_.jump(jump_target(in));
  });
  branch_unless_tag(in.ra() + 3, Tag::Nil, slow);
  masm_.store(payload_of(in.ra() + 3), 0);  // the cursor of `next`
  masm_.jump(jump_target(in));
}

/// R[a+4], R[a+7], R[a+8] := R[a], R[a+1], R[a+2]: the call is set up.
void BaselineCompiler::emit_iterator_arguments(Register function) {
  copy_register(function + 4, function);
  copy_register(function + (4 + kCallOverheadSlots), function + 1);
  copy_register(function + (5 + kCallOverheadSlots), function + 2);
}

/// a3 := the 0-based index of the next element of a traversal by `next`: its cursor, while it is among the elements.
void BaselineCompiler::emit_load_cursor(const Instruction& in, const Label& otherwise) {
  const Label goes_on = masm_.new_label();
  branch_unless_tag(in.ra() + 3, Tag::Nil, otherwise);
  masm_.load(a3, payload_of(in.ra() + 3));
  masm_.compare_with_zero(a3);
  masm_.branch(Condition::NotZero, goes_on);
  branch_unless_tag(in.ra() + 2, Tag::Nil, otherwise);  // the loop went on by calls meanwhile
  masm_.bind(goes_on);
}

/// A step of `next` or of the iterator of ipairs, to an element that is not nil; everything else in the runtime.
void BaselineCompiler::emit_elements_step(const Instruction& in, NativeId iterator, const Label& otherwise) {
  const Label integers = masm_.new_label(), floats = masm_.new_label(), stored = masm_.new_label();
  branch_unless_tag(in.ra() + 1, Tag::Table, otherwise);
  if (iterator == NativeId::Next) {
    emit_load_cursor(in, otherwise);
  } else {
    branch_unless_tag(in.ra() + 2, Tag::Integer, otherwise);
    masm_.load(a3, payload_of(in.ra() + 2));
  }
  masm_.load(t0, payload_of(in.ra() + 1));
  masm_.load(low(a2), short_at(t0, offsetof(Table, type_word)));
  masm_.compare(a3, a2);
  masm_.branch(Condition::AboveEqual, otherwise);
  masm_.load_unsigned(low(a2), byte_at(t0, offsetof(Table, type_byte)));
  masm_.load(a1, word_at(t0, offsetof(Table, elements)));
  masm_.compare(low(a2), static_cast<int>(ElementKind::Any));
  masm_.branch(Condition::NotEqual, integers);
  masm_.move(t0, a3);
  masm_.shift_left(t0, 4);
  masm_.load(a2, word_at(a1, t0, 0, kTagOffset));
  masm_.branch_if_zero(a2, otherwise);
  masm_.load(t0, word_at(a1, t0));
  masm_.store(payload_of(in.ra() + 5), t0);
  masm_.store(tag_of(in.ra() + 5), a2);
  masm_.jump(stored);
  masm_.bind(integers);
  masm_.load(t0, word_at(a1, a3, 3));
  masm_.store(payload_of(in.ra() + 5), t0);
  masm_.compare(low(a2), static_cast<int>(ElementKind::Integer));
  masm_.branch(Condition::NotEqual, floats);
  store_tag(in.ra() + 5, Tag::Integer);
  masm_.jump(stored);
  masm_.bind(floats);
  store_tag(in.ra() + 5, Tag::Float);
  masm_.bind(stored);
  masm_.increment(a3);
  masm_.store(payload_of(in.ra() + 4), a3);
  store_tag(in.ra() + 4, Tag::Integer);
  if (iterator == NativeId::Next) masm_.store(payload_of(in.ra() + 3), a3);
  for (int i = 2; i < in.c; ++i) store_constant(in.ra() + 4 + i, Value::nil());
}

void BaselineCompiler::emit_GenericForCall(const Instruction& in) {
  const Label lua = slow_path([this, in] {
    const Label not_function = slow_path([this, in] {
      emit_iterator_arguments(in.ra());
      emit_generic(runtime_generic_for_call);
      masm_.jump(next_label());
    });
    branch_unless_tag(in.ra(), Tag::LuaFunction, not_function);
    emit_iterator_arguments(in.ra());
    emit_lua_call(in.ra() + 4, 2, in.c);
    masm_.jump(next_label());
  });
  const Label native_call = slow_path([this, in] {
    const Label framed = masm_.new_label();
    emit_iterator_arguments(in.ra());
    masm_.load(a0, payload_of(in.ra()));
    masm_.load(t0, word_at(a0, offsetof(NativeFunction, direct)));
    masm_.branch_if_zero(t0, framed);
    masm_.move(a0, kVm);
    masm_.load_address(a1, payload_of(in.ra() + 4));
    masm_.load_word(low(a2), 2);
    masm_.call(t0);
    const Instruction results = Instruction::abcd(Opcode::Call, in.a + 4, 0, in.c + 1);
    emit_direct_results(results, generic_slow_path(runtime_generic_for_call));
    emit_safepoint_after_call();
    masm_.jump(next_label());
    masm_.bind(framed);
    emit_call_or_switch(in, in.ra() + 4, 2, in.c, runtime_generic_for_call);
  });
  const Label iterate = slow_path([this, in, native_call] {
    masm_.load(t0, payload_of(in.ra()));
    masm_.load_unsigned(low(t0), byte_at(t0, offsetof(NativeFunction, type_byte)));
    masm_.subtract(low(t0), static_cast<int>(NativeId::Next));
    masm_.compare(low(t0), static_cast<int>(NativeId::IpairsIterator) - static_cast<int>(NativeId::Next));
    masm_.branch(Condition::Above, native_call);
    const Label by_runtime = masm_.new_label();
    masm_.branch(Condition::Equal, by_runtime);
    emit_elements_step(in, NativeId::Next, by_runtime);
    masm_.jump(next_label());
    masm_.bind(by_runtime);
    masm_.load_address(a0, payload_of(in.ra()));
    masm_.load_word(low(a1), in.c);
    masm_.call(runtime_iterate);
    masm_.branch_if_zero(low_byte(t0), native_call);
    masm_.jump(next_label());
  });
  branch_unless_tag(in.ra(), Tag::NativeFunction, lua);
  masm_.load(t0, payload_of(in.ra()));
  masm_.compare(byte_at(t0, offsetof(NativeFunction, type_byte)), static_cast<int>(NativeId::IpairsIterator));
  masm_.branch(Condition::NotEqual, iterate);
  emit_elements_step(in, NativeId::IpairsIterator, iterate);
}

void BaselineCompiler::emit_GenericForLoop(const Instruction& in) {
  masm_.compare(short_tag_of(in.ra() + 4), static_cast<int>(tag_bits(Tag::Nil)));
  masm_.branch(Condition::Equal, next_label());
  copy_register(in.ra() + 2, in.ra() + 4);
  emit_backedge(in);
}

}  // namespace mangata::jit
