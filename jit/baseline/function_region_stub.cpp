// From a call into optimized code, and from there back to the caller, or by a side exit to baseline code. The counterpart for loops:
// emit_region_entry.cpp.
//
// rbx is the new base, the arguments are in place, and the return address is on the native stack (emit_entries.cpp).
#include "jit/baseline/function_region_stub.h"

#include "jit/abi/compiled_code.h"
#include "jit/abi/compiled_region.h"
#include "jit/abi/region_runtime.h"
#include "jit/x64/registers.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

Mem entry_field(const Gp& code, size_t offset) {
  return qword_ptr(code, static_cast<int>(offsetof(CompiledCode, function_entry) + offset));
}

}  // namespace

void emit_plain_exit(Assembler& a, const Label& not_plain) {
  a.mov(rdx, field(rcx, offsetof(RegionCode, plain_pc_of_exits)));
  a.movsxd(rdx, dword_ptr(rdx, rax, 2));
  a.test(edx, edx);
  a.js(not_plain);
  a.mov(r8, field(rcx, offsetof(RegionCode, counts_of_exits)));
  a.inc(qword_ptr(r8, rax, 3));
}

void emit_function_region_entries(Assembler& a, const Label& leave_to_interpreter,
                                  size_t (&entry_offsets)[kNativeEntries],
                                  const std::function<void(uint32_t bytes)>& frame_size) {
  frame_size(8);
  const Label counted = a.newLabel(), fill = a.newLabel(), filled = a.newLabel(), other = a.newLabel();
  const Label exits = a.newLabel(), special = a.newLabel(), raised = a.newLabel();
  a.bind(counted);
  entry_offsets[kNativeEntries - 1] = a.offset();
  a.mov(rax, qword_ptr(kBase, kFunctionOffset));
  a.mov(rax, field(rax, offsetof(LuaFunction, proto)));
  a.movzx(edx, byte_ptr(rax, offsetof(Proto, parameter_count)));
  a.cmp(ecx, edx);
  a.jb(fill);
  a.bind(filled);
  a.movzx(esi, byte_ptr(rax, offsetof(Proto, max_stack_slots)));
  a.mov(rdx, field(rax, offsetof(Proto, compiled)));
  a.shl(rsi, kSlotShift);
  a.add(rsi, kBase);
  a.cmp(rsi, thread_field(offsetof(Thread, compiled_limit)));
  a.ja(other);
  a.cmp(rsp, thread_field(offsetof(Thread, region_limit)));
  a.jb(other);
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  // Regions installed under kLeaveToSpendFuel are such that need not be left for it.
  a.test(dword_ptr(kVm, offsetof(Vm, interrupt)), 0xff | kLeaveToCountPaths << 8);
  a.jne(other);
  // By the time it comes back, another version and another region may be installed.
  a.push(kBase);
  a.push(rdx);
  a.push(entry_field(rdx, offsetof(RegionEntry, region)));
  frame_size(32);
  a.mov(rdi, kThread);
  a.mov(rsi, kBase);
  a.mov(r8, rdx);
  a.mov(rdx, kVm);
  a.call(entry_field(r8, offsetof(RegionEntry, entry)));
  a.cmp(rax, static_cast<int>(kRegionReturned));
  a.jne(exits);
  a.xor_(eax, eax);
  a.add(rsp, 24);
  a.ret();

  a.bind(exits);
  a.test(rax, rax);
  a.js(special);
  const Label goes_on = a.newLabel(), not_plain = a.newLabel();
  a.mov(rcx, qword_ptr(rsp));
  emit_plain_exit(a, not_plain);
  a.jmp(goes_on);
  a.bind(not_plain);
  a.mov(rdi, kThread);
  a.mov(rsi, kBase);
  a.mov(rdx, rax);
  a.call(asmjit::imm(reinterpret_cast<uint64_t>(&complete_exit)));
  a.test(rax, rax);
  a.js(special);
  a.mov(rdx, rax);
  a.bind(goes_on);
  a.mov(r8, qword_ptr(rsp, 8));
  a.add(rsp, 16);
  frame_size(16);
  a.mov(rcx, entry_field(r8, offsetof(RegionEntry, resume_offsets)));
  a.mov(ecx, dword_ptr(rcx, rdx, 2));
  a.add(rcx, entry_field(r8, offsetof(RegionEntry, code)));
  a.mov(kPath, qword_ptr(kBase, kPathOffset));
  a.jmp(rcx);
  a.bind(special);
  frame_size(32);
  a.add(rsp, 16);
  frame_size(16);
  a.cmp(rax, static_cast<int>(kRegionRaised));
  a.jne(leave_to_interpreter);
  a.bind(raised);
  a.mov(rax, static_cast<int64_t>(kRaised));
  a.add(rsp, 8);
  a.ret();

  a.bind(other);
  frame_size(8);
  a.mov(eax, dword_ptr(rdx, static_cast<int>(offsetof(CompiledCode, entry_offsets) + (kNativeEntries - 1) * sizeof(uint32_t))));
  a.add(rax, qword_ptr(rdx, static_cast<int>(offsetof(CompiledCode, function_entry) + offsetof(RegionEntry, code))));
  a.jmp(rax);

  a.bind(fill);
  const Label again = a.newLabel();
  a.mov(esi, ecx);
  a.shl(rsi, kSlotShift);
  a.bind(again);
  a.mov(qword_ptr(kBase, rsi), 0);
  a.mov(qword_ptr(kBase, rsi, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  a.add(rsi, kSlotBytes);
  a.inc(ecx);
  a.cmp(ecx, edx);
  a.jb(again);
  a.jmp(filled);

  for (int count = 0; count < kNativeEntries - 1; ++count) {
    entry_offsets[count] = a.offset();
    a.mov(ecx, count);
    a.jmp(counted);
  }
}

}  // namespace mangata::jit
