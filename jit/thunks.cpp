#include "jit/thunks.h"

#include <asmjit/x86.h>

#include "jit/baseline/runtime_calls.h"
#include "jit/emit_region.h"
#include "jit/frame_layout.h"
#include "jit/jit.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// Runs a frame that compiled code leaves. It comes back when it is hot: then `address` is where it goes on.
TailTarget leave_frame(Thread* thread, Value* base) {
  thread->base = base;
  const Instruction* before = frame_of(base)->saved_pc - 1;
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // An instruction that leaves an open number of results has set the top for its consumer.
  const bool open = before >= proto.code && (before->op == Opcode::Call || before->op == Opcode::Vararg) && before->c == 0;
  if (!open) thread->top = base + proto.max_stack_slots;
  const RunOutcome outcome = run_left_frame(*thread->vm, *thread);
  if (outcome == RunOutcome::Hot) {
    // A tail call may have put another function there.
    const CompiledCode& code = *function_slot(base)->as_lua_function()->proto->compiled;
    return {code.resume_address(frame_of(base)->saved_pc), kDone};
  }
  if (outcome != RunOutcome::Returned) return {nullptr, kRaised};
  return {nullptr, thread->hook_mask != 0 ? kLeave : kDone};
}

/// How far beyond the limit of the native stack a frame may still be run in the interpreter.
bool native_stack_exhausted(const Thread& thread) {
  return static_cast<const char*>(__builtin_frame_address(0)) < thread.native_limit - kNativeReserveBytes / 2;
}

}  // namespace

const void* prepare_call(Thread* thread, Value* base, int64_t argument_count) {
  Vm& vm = *thread->vm;
  FrameHeader* frame = frame_of(base);
  Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // Until the frame is complete, errors are the caller's.
  thread->base = caller_base(base);
  const int count = static_cast<int>(argument_count);
  if (!ensure_stack(vm, base, count + proto.max_stack_slots).ok()) return nullptr;
  if (native_stack_exhausted(*thread)) {
    (void)raise_message(vm, "stack overflow");
    return nullptr;
  }
  for (int i = count; i < proto.parameter_count; ++i) base[i].set_nil();
  frame->saved_pc = proto.code;
  frame->extra_args = proto.is_vararg ? static_cast<uint32_t>(count) : 0;
  thread->base = base;
  thread->top = base + proto.max_stack_slots;
  if (proto.compiled == nullptr && --proto.entry_countdown < 0) report_hot_function(vm, proto);
  const Thunks& thunks = static_cast<Tier*>(vm.native_tier)->thunks;
  if (!may_run_compiled(proto, *thread)) return thunks.leave_to_interpreter;
  return proto.compiled->resume_address(proto.code);
}

Thunks make_thunks(CodeCache& cache) {
  asmjit::CodeHolder holder;
  holder.init(asmjit::Environment::host());
  Assembler a(&holder);
  Thunks thunks;

  const size_t enter = a.offset();
  const Gp pushed[] = {rbp, rbx, r12, r13, r14, r15};
  for (const Gp& reg : pushed) a.push(reg);
  a.sub(rsp, 8);
  a.mov(kThread, rdi);
  a.mov(kBase, rsi);
  a.mov(kPath, rcx);
  a.mov(kVm, r8);
  asmjit::Label body = a.newLabel();
  a.call(body);
  a.add(rsp, 8);
  for (int i = 5; i >= 0; --i) a.pop(pushed[i]);
  a.ret();
  a.bind(body);
  a.push(kBase);
  a.jmp(rdx);

  a.align(asmjit::AlignMode::kCode, 16);
  const size_t call_function = a.offset();
  asmjit::Label raised = a.newLabel();
  a.push(kBase);
  a.mov(rdi, kThread);
  a.mov(rsi, kBase);
  a.mov(edx, ecx);
  a.call(asmjit::imm(address_of(reinterpret_cast<const void*>(&prepare_call))));
  a.test(rax, rax);
  a.jz(raised);
  a.jmp(rax);
  a.bind(raised);
  a.mov(rax, static_cast<int64_t>(kRaised));
  a.add(rsp, 8);
  a.ret();

  a.align(asmjit::AlignMode::kCode, 16);
  const size_t leave = a.offset();
  a.mov(rdi, kThread);
  a.mov(rsi, kBase);
  a.call(asmjit::imm(address_of(reinterpret_cast<const void*>(&leave_frame))));
  asmjit::Label returned = a.newLabel();
  a.test(rax, rax);
  a.jz(returned);
  a.mov(kPath, qword_ptr(kBase, kPathOffset));
  a.jmp(rax);
  a.bind(returned);
  a.mov(rax, rdx);
  a.add(rsp, 8);
  a.ret();

  const auto region = emit_region(cache, holder);
  if (!region) return thunks;
  thunks.region = *region;
  thunks.enter = reinterpret_cast<Thunks::Enter>(region->rx + enter);
  thunks.call_function = region->rx + call_function;
  thunks.leave_to_interpreter = region->rx + leave;
  return thunks;
}

}  // namespace mangata::jit
