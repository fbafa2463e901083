#include "jit/baseline/metamethod_stubs.h"

#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/access_stubs.h"
#include "jit/baseline/cached_access.h"
#include "jit/x64/registers.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

// The words of the stubs' native frame.
constexpr int kCalleeBase = 0, kSavedPc = 8, kCallerBase = 16, kBytes = 24;

constexpr int offset_in_running(size_t offset_of_operand) {
  return static_cast<int>(offset_of_operand) - static_cast<int>(sizeof(Instruction));
}

/// Where the metamethod has returned, with its outcome in eax: the rest of the instruction, and back to the site.
void end_metamethod(Assembler& a, MetamethodResult result, const Label& done) {
  a.mov(kBase, qword_ptr(rsp, kCallerBase));
  a.dec(dword_ptr(kThread, static_cast<int>(offsetof(Thread, native_depth))));
  a.test(eax, eax);
  a.js(done);
  a.mov(rcx, qword_ptr(rsp, kCalleeBase));
  a.mov(rdx, qword_ptr(rsp, kSavedPc));
  if (result == MetamethodResult::Value) {
    static_assert(sizeof(Instruction::a) == 1);
    a.movzx(edx, byte_ptr(rdx, offset_in_running(offsetof(Instruction, a))));
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
}

/// Begins the native frame: rax := the base of a frame above the registers of the running one. Jumps where there is no room for a leaf.
void begin_call_above(Assembler& a, const Label& no_room) {
  a.mov(rax, qword_ptr(kBase, kFunctionOffset));
  a.mov(rax, field(rax, offsetof(LuaFunction, proto)));
  static_assert(sizeof(Proto::max_stack_slots) == 1);
  a.movzx(eax, byte_ptr(rax, static_cast<int>(offsetof(Proto, max_stack_slots))));
  a.add(eax, kCallOverheadSlots);
  a.shl(rax, kSlotShift);
  a.add(rax, kBase);
  a.mov(qword_ptr(rsp, kCalleeBase), rax);
  a.lea(r10, qword_ptr(rax, static_cast<int>(Thread::kLeafSlots) * kSlotBytes));
  a.cmp(r10, thread_field(offsetof(Thread, stack_soft_limit)));
  a.ja(no_room);
  a.cmp(dword_ptr(kThread, static_cast<int>(offsetof(Thread, native_depth))), kMaxNativeDepth - 1);
  a.jge(no_room);
}

/// rsi := the Lua function that the cache in r8 knows, rcx := the table that is its first argument; rcx is the table, rdx its shape. Clobbers
/// rax.
void find_handler(Assembler& a, bool may_have_holder, const Label& unknown) {
  branch_unless_kind(a, InlineCache::kHandler, unknown);
  if (may_have_holder) {
    const Label own = a.newLabel();
    a.mov(rsi, field(r8, offsetof(InlineCache, holder)));
    a.test(rsi, rsi);
    a.jz(own);
    branch_unless_epoch(a, rax, unknown);
    a.mov(rcx, rsi);
    a.bind(own);
  }
  a.mov(rsi, field(rcx, offsetof(Table, own_metatable)));
  a.test(rsi, rsi);
  a.jz(unknown);
  a.mov(rax, field(rsi, offsetof(Table, shape)));
  a.cmp(rax, field(r8, offsetof(InlineCache, holder_shape)));
  a.jne(unknown);
  load_slot_address(a, rsi);
  a.cmp(dword_ptr(rax, kTagOffset), static_cast<int>(tag_bits(Tag::LuaFunction)));
  a.jne(unknown);
  a.mov(rsi, qword_ptr(rax));
}

/// The frame whose base is in rax: the function in rsi, and its header. Clobbers rdx, rdi.
void write_frame(Assembler& a, int wanted_results) {
  a.mov(rdi, qword_ptr(rsp, kSavedPc));
  a.mov(qword_ptr(kBase, kSavedPcOffset), rdi);
  a.mov(qword_ptr(rax, kFunctionOffset), rsi);
  a.mov(qword_ptr(rax, kFunctionOffset + kTagOffset), static_cast<int>(tag_bits(Tag::LuaFunction)));
  a.mov(rdi, tag_bits(Tag::Frame));
  a.mov(rdx, rax);
  a.sub(rdx, kBase);
  static_assert(kSlotShift == 4);  // the distance in slots begins at bit 40
  a.shl(rdx, 36);
  a.or_(rdx, rdi);
  a.mov(qword_ptr(rax, kPositionTagOffset), rdx);
  a.mov(rdx, tag_bits(Tag::Frame) | static_cast<uint64_t>(wanted_results) << 32);
  a.mov(qword_ptr(rax, kCountsTagOffset), rdx);
}

void put_argument(Assembler& a, int index, const Gp& payload, Tag tag) {
  a.mov(qword_ptr(rax, index * kSlotBytes), payload);
  a.mov(qword_ptr(rax, index * kSlotBytes + kTagOffset), static_cast<int>(tag_bits(tag)));
}

}  // namespace

void emit_handler_or_runtime_call(Assembler& a, HandlerAccess access, const Label& otherwise,
                                  const std::function<void(uint32_t bytes)>& frame_size) {
  const bool stores = is_store(access);
  const bool is_global = access == HandlerAccess::GetGlobal || access == HandlerAccess::SetGlobal;
  const bool is_computed = access == HandlerAccess::GetIndex || access == HandlerAccess::SetIndex;
  const Label done = a.newLabel(), unknown = a.newLabel(), found = a.newLabel();
  frame_size(8);
  a.push(kBase);
  a.push(rdx);
  a.sub(rsp, 8);
  frame_size(8 + kBytes);
  a.mov(r11, rax);
  begin_call_above(a, unknown);
  if (stores) {
    a.mov(qword_ptr(rax, 2 * kSlotBytes), rsi);
    a.mov(qword_ptr(rax, 2 * kSlotBytes + kTagOffset), rdi);
    if (!is_global) a.movzx(ecx, byte_ptr(rdx, offset_in_running(offsetof(Instruction, a))));
  } else if (!is_global) {
    a.movzx(ecx, word_ptr(rdx, offset_in_running(offsetof(Instruction, b))));
  }
  if (is_computed) {
    a.movzx(edx, word_ptr(rdx, offset_in_running(stores ? offsetof(Instruction, b) : offsetof(Instruction, c))));
    a.shl(edx, kSlotShift);
    a.cmp(dword_ptr(kBase, rdx, 0, kTagOffset), static_cast<int>(tag_bits(Tag::String)));
    a.jne(unknown);
    a.mov(r9, qword_ptr(kBase, rdx));
  }
  if (!is_global) {
    a.shl(ecx, kSlotShift);
    a.cmp(dword_ptr(kBase, rcx, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Table)));
    a.jne(unknown);
    a.mov(rcx, qword_ptr(kBase, rcx));
  }
  a.mov(rdx, field(rcx, offsetof(Table, shape)));
  if (!is_computed) {
    a.cmp(rdx, field(r8, offsetof(InlineCache, shape)));
    a.je(found);
  }
  find_shared_cache(a, stores, unknown);
  a.bind(found);
  find_handler(a, !stores, unknown);
  a.inc(dword_ptr(kThread, static_cast<int>(offsetof(Thread, native_depth))));
  a.mov(rax, qword_ptr(rsp, kCalleeBase));
  write_frame(a, stores ? 0 : 1);
  put_argument(a, 0, rcx, Tag::Table);
  put_argument(a, 1, r9, Tag::String);
  a.mov(kBase, rax);
  a.mov(rax, field(rsi, offsetof(LuaFunction, proto)));
  static_assert(kNativeEntries > 4);
  a.call(field(rax, offsetof(Proto, native_entries) + (stores ? 3 : 2) * sizeof(void*)));
  end_metamethod(a, stores ? MetamethodResult::None : MetamethodResult::Value, done);
  frame_size(8);
  a.ret();
  a.bind(unknown);
  a.mov(rax, r11);
  a.mov(rdx, qword_ptr(rsp, kSavedPc));
  a.add(rsp, kBytes);
  a.jmp(otherwise);
}

void emit_runtime_call_or_metamethod(Assembler& a, MetamethodResult result,
                                     const std::function<void(uint32_t bytes)>& frame_size) {
  const Label done = a.newLabel();
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
  end_metamethod(a, result, done);
  frame_size(8);
  a.ret();
}

}  // namespace mangata::jit
