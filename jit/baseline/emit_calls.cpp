// Calls: native call and return between compiled functions (jit/abi/frame_layout.h); native functions by their
// direct forms (vm/object/function.h); anything else is in a stub (site_stubs.h). Read next: emit_entries.cpp, emit_tail_calls.cpp,
// emit_returns.cpp, emit_generic_for.cpp.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// a3 := the number of arguments; with b = 0 they end at Thread::top.
void BaselineCompiler::emit_argument_count(const Instruction& in) {
  if (in.b != 0) {
    load_immediate(a3, static_cast<uint64_t>(in.b - 1));
    return;
  }
  masm_.load(a3, thread_field(offsetof(Thread, top)));
  masm_.load_address(a2, payload_of(in.ra() + kCallOverheadSlots));
  masm_.subtract(a3, a2);
  masm_.shift_right(a3, 4);
}

/// Where the function in `proto` is called with so many arguments; kAnyCount: with a3 arguments. Otherwise
/// may use a3.
Mem BaselineCompiler::load_entry(const Gp& proto, int argument_count) {
  size_t entry = kNativeEntries - 1;
  if (argument_count >= 0 && static_cast<size_t>(argument_count) < entry) {
    entry = static_cast<size_t>(argument_count);
  } else if (argument_count >= 0) {
    load_immediate(a3, static_cast<uint64_t>(argument_count));
  }
  return field(proto, offsetof(Proto, native_entries) + entry * sizeof(void*));
}

/// The Lua function at R[function], its arguments in place; kAnyCount: a3 of them.
void BaselineCompiler::emit_lua_call(Register function, int argument_count, int wanted_results) {
  const Register base = function + kCallOverheadSlots;
  const int header = value_of(base) * kSlotBytes;
  const auto header_word = [&](int offset, uint64_t high_half) {
    load_immediate(a2, tag_bits(Tag::Frame) | high_half << 32);
    masm_.store(word_at(kBase, header + offset), a2);
  };
  masm_.load(t0, payload_of(function));
  masm_.load(t0, field(t0, offsetof(LuaFunction, proto)));
  load_immediate(a2, address_of(saved_pc()));
  masm_.store(word_at(kBase, kSavedPcOffset), a2);
  spill_path();
  header_word(kPositionTagOffset, static_cast<uint64_t>(base) << 8);
  header_word(kCountsTagOffset, static_cast<uint64_t>(wanted_results) & kWantedResultsMask);
  masm_.add(kBase, header);
  masm_.call(load_entry(t0, argument_count));
  masm_.load(kBase, word_at(kStack));
  emit_check_outcome();
  reload_path();
}

/// There are `present` values, fewer than `wanted`, from R[first] on: nil for the others, and on to `done`.
void BaselineCompiler::emit_fill_nils(Register first, int wanted, const Gp& present, const Label& done) {
  for (int i = wanted - 1; i >= 0; --i) {
    store_constant(first + i, Value::nil());
    if (i == 0) break;
    masm_.compare(present, i);
    masm_.branch(Condition::AboveEqual, done);
  }
  masm_.jump(done);
}

/// What a direct form has left at R[a...]: t0 results, or kNotDirect.
void BaselineCompiler::emit_direct_results(const Instruction& in, const Label& not_direct) {
  const int wanted = in.c - 1;
  if (wanted <= 0) {
    masm_.branch_if_negative(low(t0), not_direct);
    if (wanted == 0) return;
    masm_.shift_left(t0, 4);
    masm_.load_address(a3, payload_of(in.ra()));
    masm_.add(t0, a3);
    masm_.store(thread_field(offsetof(Thread, top)), t0);
    return;
  }
  const Label complete = masm_.new_label();
  const Label fewer = slow_path([this, in, wanted, complete, not_direct] {
    masm_.branch_if_negative(low(t0), not_direct);
    emit_fill_nils(in.ra(), wanted, low(t0), complete);
  });
  masm_.compare(low(t0), wanted);
  masm_.branch(Condition::Less, fewer);
  masm_.bind(complete);
}

/// After a native function: it may have allocated.
void BaselineCompiler::emit_safepoint_after_call() {
  masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  masm_.branch(Condition::Greater, generic_slow_path(runtime_safepoint_after_call));
}

/// R[a] is not a Lua function. A native one is called by its direct form, and the rest is in a stub that all sites share, which gets what
/// that has returned.
void BaselineCompiler::emit_call_of_other(const Instruction& in) {
  const Label not_direct = masm_.new_label(), tried = masm_.new_label();
  spill_path();
  branch_unless_tag(in.ra(), Tag::NativeFunction, not_direct);
  masm_.load(a0, payload_of(in.ra()));
  masm_.load(t0, word_at(a0, offsetof(NativeFunction, direct)));
  masm_.branch_if_zero(t0, not_direct);
  emit_argument_count(in);
  masm_.move(a0, kVm);
  masm_.load_address(a1, payload_of(in.ra()));
  masm_.move(low(a2), low(a3));
  masm_.call(t0);
  if (in.c <= 1) {
    masm_.branch_if_negative(low(t0), tried);
  } else {
    masm_.compare(low(t0), in.c - 1);
    masm_.branch(Condition::Less, tried);
  }
  if (in.c == 0) {
    masm_.move(low(a3), low(t0));
    masm_.shift_left(low(a3), kSlotShift);
    masm_.load_address(a3, word_at(kBase, a3, 0, in.a * kSlotBytes));
    masm_.store(thread_field(offsetof(Thread, top)), a3);
  }
  masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);  // it may have allocated
  masm_.branch(Condition::LessEqual, next_label());
  masm_.jump(tried);
  masm_.bind(not_direct);
  masm_.load_word(low(t0), kNotTried);
  masm_.bind(tried);
  load_immediate(a2, address_of(saved_pc()));
  masm_.call(thunks_.call_of_other);
  masm_.load(kBase, word_at(kStack));
  emit_check_outcome();
  reload_path();
  masm_.jump(next_label());
}

/// How many arguments a call of an open number has where the call that yields the last ones yields one, as
/// intrinsics do; 0: it is not known.
int BaselineCompiler::likely_argument_count(const Instruction& in) const {
  if (in.b != 0) return in.b - 1;
  if (in.d != 0 || pc_ == 0 || types_->begins_block(CodePc(pc_))) return 0;
  const Instruction& last = (&in)[-1];
  return last.op == Opcode::Call && last.c == 0 ? last.a - (in.a + kCallOverheadSlots) + 1 : 0;
}

/// What is probably an intrinsic is one inline, and any other call out of line.
void BaselineCompiler::emit_Call(const Instruction& in) {
  Instruction counted = in;
  counted.b = static_cast<decltype(counted.b)>(likely_argument_count(in) + 1);
  const bool may_be_intrinsic = counted.b > 1 && (in.c == 2 || in.c == 0);
  const NativeId guess = may_be_intrinsic ? guess_intrinsic(in) : NativeId::None;
  if (guess == NativeId::None) return emit_any_call(in);
  const Label otherwise = masm_.new_label();
  if (in.b == 0) {
    masm_.load_address(t0, payload_of(in.ra() + (kCallOverheadSlots + counted.b - 1)));
    masm_.compare(t0, thread_field(offsetof(Thread, top)));
    masm_.branch(Condition::NotEqual, otherwise);
  }
  if (!emit_intrinsic(counted, guess, otherwise)) {
    masm_.bind(otherwise);
    return emit_any_call(in);
  }
  if (in.c == 0) {
    masm_.load_address(t0, payload_of(in.ra() + 1));
    masm_.store(thread_field(offsetof(Thread, top)), t0);
  }
  queue_slow_path(otherwise, [this, in] {
    emit_any_call(in);
    masm_.jump(next_label());
  });
}

void BaselineCompiler::emit_any_call(const Instruction& in) {
  if (in.b == 0 && in.d != 0) emit_part(runtime_make_room);
  const Label not_lua = slow_path([this, in] { emit_call_of_other(in); });
  branch_unless_tag(in.ra(), Tag::LuaFunction, not_lua);
  if (in.b == 0) emit_argument_count(in);
  emit_lua_call(in.ra(), argument_count(in), in.c - 1);
}

}  // namespace mangata::jit
