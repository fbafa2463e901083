// Returns: results go straight to the caller's registers.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

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

/// The base of the frame as its caller made it. In a vararg function: in rsi, the number of wanted results in
/// eax. Clobbers rcx, rdx.
Gp BaselineCompiler::load_frame_origin() {
  if (!proto_->is_vararg) return kBase;
  a_.mov(ecx, dword_ptr(kBase, kCountsOffset));
  a_.mov(eax, ecx);
  a_.and_(eax, kWantedResultsMask);
  a_.shr(ecx, kWantedResultsBits);
  a_.lea(edx, ptr(rcx, proto_->parameter_count + kCallOverheadSlots));
  a_.test(ecx, ecx);
  a_.cmovz(edx, ecx);
  a_.shl(rdx, kSlotShift);
  a_.mov(rsi, kBase);
  a_.sub(rsi, rdx);
  return rsi;
}

/// Returns R[first], ..., `count` values. All are copied even when fewer are wanted: what lies behind the
/// wanted ones is free.
void BaselineCompiler::emit_return_values(int first, int count) {
  const Label slow = slow_path([this] { emit_generic_return(); });
  const Label copy = a_.newLabel();
  const Gp origin = load_frame_origin();
  const auto compare_wanted = [this](int to) {
    if (proto_->is_vararg) {
      a_.cmp(eax, to);
    } else {
      a_.cmp(dword_ptr(kBase, kCountsOffset), to);  // without extra arguments
    }
  };
  const auto destination = [](int i) { return (i - kCallOverheadSlots) * kSlotBytes; };
  compare_wanted(count);
  const Label more_wanted = slow_path([this, slow, copy, origin, compare_wanted, end = destination(count)] {
    compare_wanted(kWantedResultsMask);
    a_.jne(slow);
    a_.lea(rax, ptr(origin, end));
    a_.mov(thread_field(offsetof(Thread, top)), rax);
    a_.jmp(copy);
  });
  a_.ja(more_wanted);
  a_.bind(copy);
  for (int i = 0; i < count; ++i) {
    copy_value(qword_ptr(origin, destination(i)), qword_ptr(origin, destination(i) + kTagOffset),
               payload_of(first + i), tag_of(first + i));
  }
  emit_return_epilogue();
}

/// Returns all from R[first] to Thread::top. A native function may have made them: a collection may be due.
void BaselineCompiler::emit_return_open(int first) {
  const Label slow = slow_path([this] {
    emit_runtime_call(runtime_return_open);
    a_.jmp(exit_);
  });
  const Label copy = a_.newLabel();
  const Gp origin = load_frame_origin();
  if (!proto_->is_vararg) a_.mov(eax, dword_ptr(kBase, kCountsOffset));  // without extra arguments
  a_.cmp(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  a_.jg(slow);
  a_.lea(rdi, payload_of(first));
  a_.mov(r8, thread_field(offsetof(Thread, top)));
  a_.lea(r9, ptr(origin, kFunctionOffset));
  a_.mov(rcx, r8);
  a_.sub(rcx, rdi);
  const Label all_wanted = slow_path([this, copy] {
    a_.lea(rdx, ptr(r9, rcx));
    a_.mov(thread_field(offsetof(Thread, top)), rdx);
    a_.jmp(copy);
  });
  a_.cmp(eax, kWantedResultsMask);
  a_.je(all_wanted);
  a_.shl(eax, kSlotShift);
  a_.cmp(rax, rcx);
  a_.ja(slow);
  a_.bind(copy);  // all, as in emit_return_values
  emit_copy_values();
  emit_return_epilogue();
}

void BaselineCompiler::emit_Return(const Instruction& in) {
  if (in.c != 0 || in.b - 1 > kMaxInlineResults) return emit_generic_return();
  in.b == 0 ? emit_return_open(in.a) : emit_return_values(in.a, in.b - 1);
}
void BaselineCompiler::emit_Return0(const Instruction&) { emit_return_values(0, 0); }
void BaselineCompiler::emit_Return1(const Instruction& in) { emit_return_values(in.a, 1); }

/// Moves the frame above its arguments when there are more than parameters (vm/object/frame.h).
void BaselineCompiler::emit_PrepareVararg(const Instruction& in) {
  const int parameters = in.b;
  const Label slow = slow_path([this] {
    emit_part(runtime_prepare_vararg);
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
  if (in.b != 0) {
    a_.lea(rax, payload_of(in.a + in.b));
    a_.mov(thread_field(offsetof(Thread, top)), rax);
    return;
  }
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
