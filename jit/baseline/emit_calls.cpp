// Calls: native call and return between compiled functions (jit/abi/frame_layout.h), native functions by their
// direct forms (vm/object/function.h), everything else in the runtime. Read next: emit_entries.cpp,
// emit_tail_calls.cpp, emit_returns.cpp, emit_generic_for.cpp.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// ecx := the number of arguments; with b = 0 they end at Thread::top.
void BaselineCompiler::emit_argument_count(const Instruction& in) {
  if (in.b != 0) {
    load_immediate(rcx, static_cast<uint64_t>(in.b - 1));
    return;
  }
  a_.mov(rcx, thread_field(offsetof(Thread, top)));
  a_.lea(rdx, payload_of(in.a + kCallOverheadSlots));
  a_.sub(rcx, rdx);
  a_.shr(rcx, 4);
}

/// Where the function in `proto` is called with so many arguments; kAnyCount: with ecx arguments. Otherwise
/// may use ecx.
Mem BaselineCompiler::load_entry(const Gp& proto, int argument_count) {
  size_t entry = kNativeEntries - 1;
  if (argument_count >= 0 && static_cast<size_t>(argument_count) < entry) {
    entry = static_cast<size_t>(argument_count);
  } else if (argument_count >= 0) {
    load_immediate(rcx, static_cast<uint64_t>(argument_count));
  }
  return field(proto, offsetof(Proto, native_entries) + entry * sizeof(void*));
}

/// The Lua function at R[function], its arguments in place; kAnyCount: ecx of them.
void BaselineCompiler::emit_lua_call(int function, int argument_count, int wanted_results) {
  const int base = function + kCallOverheadSlots;
  const int header = base * kSlotBytes;
  const auto header_word = [&](int offset, uint64_t high_half) {
    load_immediate(rdx, tag_bits(Tag::Frame) | high_half << 32);
    a_.mov(qword_ptr(kBase, header + offset), rdx);
  };
  a_.mov(rax, payload_of(function));
  a_.mov(rax, field(rax, offsetof(LuaFunction, proto)));
  load_immediate(rdx, address_of(saved_pc()));
  a_.mov(qword_ptr(kBase, kSavedPcOffset), rdx);
  spill_path();
  header_word(kPositionTagOffset, static_cast<uint64_t>(base) << 8);
  header_word(kCountsTagOffset, static_cast<uint64_t>(wanted_results) & kWantedResultsMask);
  a_.add(kBase, header);
  a_.call(load_entry(rax, argument_count));
  a_.mov(kBase, qword_ptr(rsp));
  emit_check_outcome();
  reload_path();
}

/// There are `present` values, fewer than `wanted`, from R[first] on: nil for the others, and on to `done`.
void BaselineCompiler::emit_fill_nils(int first, int wanted, const Gp& present, const Label& done) {
  for (int i = wanted - 1; i >= 0; --i) {
    store_constant(first + i, Value::nil());
    if (i == 0) break;
    a_.cmp(present, i);
    a_.jae(done);
  }
  a_.jmp(done);
}

/// What a direct form has left at R[a...]: eax results, or kNotDirect.
void BaselineCompiler::emit_direct_results(const Instruction& in, const Label& not_direct) {
  const int wanted = in.c - 1;
  if (wanted <= 0) {
    a_.test(eax, eax);
    a_.js(not_direct);
    if (wanted == 0) return;
    a_.shl(rax, 4);
    a_.lea(rcx, payload_of(in.a));
    a_.add(rax, rcx);
    a_.mov(thread_field(offsetof(Thread, top)), rax);
    return;
  }
  const Label complete = a_.newLabel();
  const Label fewer = slow_path([this, in, wanted, complete, not_direct] {
    a_.test(eax, eax);
    a_.js(not_direct);
    emit_fill_nils(in.a, wanted, eax, complete);
  });
  a_.cmp(eax, wanted);
  a_.jl(fewer);
  a_.bind(complete);
}

/// After a native function: it may have allocated.
void BaselineCompiler::emit_safepoint_after_call() {
  a_.cmp(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  a_.jg(generic_slow_path(runtime_safepoint_after_call));
}

/// R[a] is not a Lua function.
void BaselineCompiler::emit_call_of_other(const Instruction& in) {
  const Label real_call = generic_slow_path(runtime_call);
  const Label no_direct_form =
      slow_path([this, in] { emit_call_or_switch(in, in.a, argument_count(in), in.c - 1, runtime_call); });
  const Label object = slow_path([this, in, real_call] {
    emit_argument_count(in);
    a_.mov(rdi, kVm);
    a_.lea(rsi, payload_of(in.a));
    a_.mov(edx, ecx);
    a_.call(asmjit::imm(reinterpret_cast<uint64_t>(&runtime_resolve_call)));
    a_.mov(ecx, eax);
    a_.test(eax, eax);
    a_.js(real_call);
    emit_lua_call(in.a, kAnyCount, in.c - 1);  // its __call
    a_.jmp(next_label());
  });
  branch_unless_tag(in.a, Tag::NativeFunction, object);
  a_.mov(rdi, payload_of(in.a));
  a_.mov(rax, qword_ptr(rdi, offsetof(NativeFunction, direct)));
  a_.test(rax, rax);
  a_.jz(no_direct_form);
  spill_path();  // as the other ways to the next instruction do
  emit_argument_count(in);
  a_.mov(rdi, kVm);
  a_.lea(rsi, payload_of(in.a));
  a_.mov(edx, ecx);
  a_.call(rax);
  emit_direct_results(in, real_call);
  emit_safepoint_after_call();
}

/// How many arguments a call of an open number has where the call that yields the last ones yields one, as
/// intrinsics do; 0: it is not known.
int BaselineCompiler::likely_argument_count(const Instruction& in) const {
  if (in.b != 0) return in.b - 1;
  if (in.d != 0 || pc_ == 0 || types_->begins_block(pc_)) return 0;
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
  const Label otherwise = a_.newLabel();
  if (in.b == 0) {
    a_.lea(rax, payload_of(in.a + kCallOverheadSlots + counted.b - 1));
    a_.cmp(rax, thread_field(offsetof(Thread, top)));
    a_.jne(otherwise);
  }
  if (!emit_intrinsic(counted, guess, otherwise)) {
    a_.bind(otherwise);
    return emit_any_call(in);
  }
  if (in.c == 0) {
    a_.lea(rax, payload_of(in.a + 1));
    a_.mov(thread_field(offsetof(Thread, top)), rax);
  }
  queue_slow_path(otherwise, [this, in] {
    emit_any_call(in);
    a_.jmp(next_label());
  });
}

void BaselineCompiler::emit_any_call(const Instruction& in) {
  if (in.b == 0 && in.d != 0) emit_part(runtime_make_room);
  const Label not_lua = slow_path([this, in] {
    emit_call_of_other(in);
    a_.jmp(next_label());
  });
  branch_unless_tag(in.a, Tag::LuaFunction, not_lua);
  if (in.b == 0) emit_argument_count(in);
  emit_lua_call(in.a, argument_count(in), in.c - 1);
}

}  // namespace mangata::jit
