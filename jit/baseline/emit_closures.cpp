// Closures and upvalues.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {
/// Closures with more upvalues are made by a call.
constexpr size_t kMaxInlineUpvalues = 4;

Mem upvalue_of(const Gp& function, size_t index) {
  return field(function, offsetof(LuaFunction, upvalues) + index * sizeof(Upvalue*));
}
}  // namespace

/// rdx := the open upvalue of a register, as find_upvalue finds or makes it; jumps to `slow` when higher
/// registers have open ones. Clobbers rax, rsi.
void BaselineCompiler::emit_find_upvalue(int reg, const Label& slow) {
  const Label make = a_.newLabel(), found = a_.newLabel();
  a_.lea(rsi, payload_of(reg));
  a_.mov(rdx, thread_field(offsetof(Thread, open_upvalues)));
  a_.test(rdx, rdx);
  a_.jz(make);
  a_.cmp(rsi, field(rdx, offsetof(Upvalue, location)));
  a_.je(found);
  a_.jb(slow);
  a_.bind(make);
  emit_allocate(sizeof(Upvalue), slow);
  a_.mov(qword_ptr(rax), static_cast<int32_t>(ObjectType::Upvalue));
  a_.mov(field(rax, offsetof(Upvalue, location)), rsi);
  a_.mov(field(rax, offsetof(Upvalue, next_open)), rdx);
  a_.mov(thread_field(offsetof(Thread, open_upvalues)), rax);
  a_.mov(rdx, rax);
  a_.bind(found);
}

/// What make_closure does. When it ends up in the runtime after all, an upvalue made so far is found there
/// again.
void BaselineCompiler::emit_Closure(const Instruction& in) {
  Proto* proto = proto_->nested[static_cast<size_t>(in.imm)];
  const size_t count = proto->upvalues.size();
  if (count > kMaxInlineUpvalues) return emit_generic(runtime_closure);
  const Label slow = generic_slow_path(runtime_closure);
  emit_allocate(LuaFunction::size_bytes(static_cast<uint32_t>(count)), slow);
  a_.mov(r8, rax);
  load_immediate(rdx, static_cast<uint64_t>(ObjectType::LuaFunction) | static_cast<uint64_t>(count) << 32);
  static_assert(offsetof(LuaFunction, type_word) == 4);
  a_.mov(qword_ptr(r8), rdx);
  load_immediate(rdx, address_of(proto));
  a_.mov(field(r8, offsetof(LuaFunction, proto)), rdx);
  load_function(rcx);
  for (size_t i = 0; i < count; ++i) {
    const UpvalueDescription& upvalue = proto->upvalues[i];
    if (upvalue.from_parent_register) {
      emit_find_upvalue(upvalue.index, slow);
    } else {
      a_.mov(rdx, upvalue_of(rcx, upvalue.index));
    }
    a_.mov(upvalue_of(r8, i), rdx);
  }
  a_.mov(payload_of(in.a), r8);
  store_tag(in.a, Tag::LuaFunction);
  emit_safepoint_below();
}

void BaselineCompiler::emit_Close(const Instruction&) { emit_generic(runtime_close); }

void BaselineCompiler::emit_GetUpvalue(const Instruction& in) {
  load_upvalue_location(rcx, in.b);
  copy_value(payload_of(in.a), tag_of(in.a), qword_ptr(rcx), qword_ptr(rcx, kTagOffset));
}

void BaselineCompiler::emit_SetUpvalue(const Instruction& in) {
  load_function(rcx);
  a_.mov(rcx, upvalue_of(rcx, in.b));
  a_.mov(r8, field(rcx, offsetof(Upvalue, location)));
  copy_value(qword_ptr(r8), qword_ptr(r8, kTagOffset), payload_of(in.a), tag_of(in.a));
  emit_barrier(rcx, r8, barrier_of_value);
}

}  // namespace mangata::jit
