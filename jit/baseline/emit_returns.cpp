// Returns: results go straight to the caller's registers.
#include "jit/baseline/compiler.h"
#include "jit/baseline/runtime_calls_calls.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// More results than this are returned by the runtime.
constexpr int kMaxInlineResults = 6;

}  // namespace

void BaselineCompiler::emit_return_epilogue() {
  a_.xor_(eax, eax);
  a_.add(rsp, 8);
  a_.ret();
}

void BaselineCompiler::emit_generic_return() {
  emit_runtime_call(runtime_return);
  a_.jmp(exit_);
}

/// Returns R[first], ..., `count` values. All are copied even when fewer are wanted: what lies behind the
/// wanted ones is free.
void BaselineCompiler::emit_return_values(int first, int count) {
  const Label slow = slow_path([this] { emit_generic_return(); });
  const Label copy = a_.newLabel();
  Gp destination_base = kBase;  // of the frame that the caller made
  if (proto_->is_vararg) {
    destination_base = rsi;
    a_.mov(ecx, dword_ptr(kBase, kCountsOffset));
    a_.mov(eax, ecx);
    a_.and_(eax, kWantedResultsMask);
    a_.shr(ecx, kWantedResultsBits);
    a_.lea(edx, ptr(rcx, proto_->parameter_count + kCallOverheadSlots));
    a_.test(ecx, ecx);
    a_.cmovz(edx, ecx);
    a_.shl(rdx, 4);
    a_.mov(rsi, kBase);
    a_.sub(rsi, rdx);
    a_.cmp(eax, count);
  } else {
    a_.cmp(dword_ptr(kBase, kCountsOffset), count);  // without extra arguments
  }
  const auto destination = [&](int i) { return (i - kCallOverheadSlots) * kSlotBytes; };
  const Label more_wanted = slow_path([this, slow, copy, destination_base, end = destination(count)] {
    if (proto_->is_vararg) {
      a_.cmp(eax, kWantedResultsMask);
    } else {
      a_.cmp(dword_ptr(kBase, kCountsOffset), kWantedResultsMask);
    }
    a_.jne(slow);
    a_.lea(rax, ptr(destination_base, end));
    a_.mov(thread_field(offsetof(Thread, top)), rax);
    a_.jmp(copy);
  });
  a_.ja(more_wanted);
  a_.bind(copy);
  for (int i = 0; i < count; ++i) {
    copy_value(qword_ptr(destination_base, destination(i)),
               qword_ptr(destination_base, destination(i) + kTagOffset), payload_of(first + i),
               tag_of(first + i));
  }
  emit_return_epilogue();
}

void BaselineCompiler::emit_Return(const Instruction& in) {
  const bool is_simple = in.b != 0 && in.c == 0 && in.b - 1 <= kMaxInlineResults;
  is_simple ? emit_return_values(in.a, in.b - 1) : emit_generic_return();
}
void BaselineCompiler::emit_Return0(const Instruction&) { emit_return_values(0, 0); }
void BaselineCompiler::emit_Return1(const Instruction& in) { emit_return_values(in.a, 1); }

/// Moves the frame above its arguments when there are more than parameters (vm/object/frame.h).
void BaselineCompiler::emit_PrepareVararg(const Instruction& in) {
  const int parameters = in.b;
  const Label slow = slow_path([this] {
    emit_generic(runtime_prepare_vararg);
    a_.mov(kBase, thread_field(offsetof(Thread, base)));
    a_.mov(qword_ptr(rsp), kBase);
    a_.jmp(next_label());
  });
  a_.mov(ecx, dword_ptr(kBase, kCountsOffset));
  a_.mov(edx, ecx);
  a_.and_(edx, kWantedResultsMask);
  a_.mov(dword_ptr(kBase, kCountsOffset), edx);
  a_.shr(ecx, kWantedResultsBits);  // all arguments
  a_.cmp(ecx, parameters);
  a_.jbe(next_label());
  // rsi: the new base
  a_.lea(eax, ptr(rcx, kCallOverheadSlots));
  a_.mov(edi, eax);
  a_.shl(rax, 4);
  a_.lea(rsi, ptr(kBase, rax));
  a_.lea(rax, ptr(rsi, proto_->max_stack_slots * kSlotBytes));
  a_.cmp(rax, thread_field(offsetof(Thread, stack_soft_limit)));
  const Label undo = slow_path([this, slow] {
    a_.shl(ecx, kWantedResultsBits);
    a_.or_(dword_ptr(kBase, kCountsOffset), ecx);
    a_.jmp(slow);
  });
  a_.ja(undo);
  const auto copy = [&](int offset) {
    a_.mov(rax, qword_ptr(kBase, offset));
    a_.mov(qword_ptr(rsi, offset), rax);
  };
  copy(kFunctionOffset);
  copy(kFunctionOffset + kTagOffset);
  a_.shl(edi, 8);
  a_.add(edi, dword_ptr(kBase, kPositionTagOffset + 4));
  a_.mov(dword_ptr(rsi, kPositionTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  a_.mov(dword_ptr(rsi, kPositionTagOffset + 4), edi);
  a_.sub(ecx, parameters);
  a_.shl(ecx, kWantedResultsBits);
  a_.or_(ecx, edx);
  a_.mov(dword_ptr(rsi, kCountsTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  a_.mov(dword_ptr(rsi, kCountsOffset), ecx);
  for (int i = 0; i < parameters; ++i) {
    copy(i * kSlotBytes);
    copy(i * kSlotBytes + kTagOffset);
    store_constant(i, Value::nil());
  }
  a_.mov(kBase, rsi);
  a_.mov(qword_ptr(rsp), rsi);
}

/// The extra arguments end right below the function of this frame.
void BaselineCompiler::emit_Vararg(const Instruction& in) {
  const int wanted = in.c - 1;
  if (wanted > kMaxInlineResults) return emit_generic();
  const auto source = [](int i) { return (i - kCallOverheadSlots) * kSlotBytes; };
  const Label done = a_.newLabel();
  a_.mov(ecx, dword_ptr(kBase, kCountsOffset));
  a_.shr(ecx, kWantedResultsBits);
  a_.mov(edx, ecx);
  a_.shl(rdx, 4);
  a_.mov(rsi, kBase);
  a_.sub(rsi, rdx);
  if (wanted == kMultipleResults) {
    const Label again = a_.newLabel();
    a_.lea(rdi, payload_of(in.a));
    a_.lea(rax, ptr(rdi, rdx));
    a_.cmp(rax, thread_field(offsetof(Thread, stack_soft_limit)));
    a_.ja(generic_slow_path());
    a_.mov(thread_field(offsetof(Thread, top)), rax);
    a_.cmp(rdi, rax);
    a_.je(done);
    a_.bind(again);
    a_.mov(rcx, qword_ptr(rsi, source(0)));
    a_.mov(rdx, qword_ptr(rsi, source(0) + kTagOffset));
    a_.mov(qword_ptr(rdi), rcx);
    a_.mov(qword_ptr(rdi, kTagOffset), rdx);
    a_.add(rsi, kSlotBytes);
    a_.add(rdi, kSlotBytes);
    a_.cmp(rdi, rax);
    a_.jne(again);
  } else {
    for (int i = 0; i < wanted; ++i) {
      const Label missing = slow_path([this, in, i, wanted, done] {
        for (int nil = i; nil < wanted; ++nil) store_constant(in.a + nil, Value::nil());
        a_.jmp(done);
      });
      a_.cmp(ecx, i);
      a_.jbe(missing);
      copy_value(payload_of(in.a + i), tag_of(in.a + i), qword_ptr(rsi, source(i)),
                 qword_ptr(rsi, source(i) + kTagOffset));
    }
  }
  a_.bind(done);
}

}  // namespace mangata::jit
