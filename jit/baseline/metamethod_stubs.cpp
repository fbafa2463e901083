#include "jit/baseline/metamethod_stubs.h"

#include "jit/baseline/runtime_metamethods.h"
#include "jit/frame_layout.h"

namespace mangata::jit {

using namespace asmjit::x86;

void emit_runtime_call_or_metamethod(Assembler& a, MetamethodResult result,
                                     const std::function<void(uint32_t bytes)>& frame_size) {
  constexpr int kCalleeBase = 0, kSavedPc = 8, kCallerBase = 16, kBytes = 24;
  const asmjit::Label done = a.newLabel();
  frame_size(8);
  a.push(kBase);
  a.push(rdx);
  a.sub(rsp, 8);
  frame_size(8 + kBytes);
  a.mov(rdi, kThread);
  a.mov(rsi, kBase);
  a.call(rax);
  a.test(rdx, rdx);
  a.jz(done);
  a.mov(qword_ptr(rsp, kCalleeBase), rdx);
  a.mov(kBase, rdx);
  a.call(rax);
  a.mov(kBase, qword_ptr(rsp, kCallerBase));
  a.dec(dword_ptr(kThread, static_cast<int>(offsetof(Thread, native_depth))));
  a.test(eax, eax);
  a.js(done);
  a.mov(rcx, qword_ptr(rsp, kCalleeBase));
  a.mov(rdx, qword_ptr(rsp, kSavedPc));
  if (result == MetamethodResult::Value) {
    constexpr int kDestination =
        static_cast<int>(offsetof(Instruction, a)) - static_cast<int>(sizeof(Instruction));
    static_assert(sizeof(Instruction::a) == 1);
    a.movzx(edx, byte_ptr(rdx, kDestination));
    a.shl(edx, kSlotShift);
    a.mov(rsi, qword_ptr(rcx, kFunctionOffset));
    a.mov(rdi, qword_ptr(rcx, kFunctionOffset + kTagOffset));
    a.mov(qword_ptr(kBase, rdx), rsi);
    a.mov(qword_ptr(kBase, rdx, 0, kTagOffset), rdi);
  } else if (result == MetamethodResult::Branch) {
    a.mov(rdi, kThread);
    a.mov(rsi, kBase);
    a.add(rcx, kFunctionOffset);
    a.call(asmjit::imm(reinterpret_cast<uint64_t>(&finish_comparison)));
  }
  a.bind(done);
  a.add(rsp, kBytes);
  frame_size(8);
  a.ret();
}

}  // namespace mangata::jit
