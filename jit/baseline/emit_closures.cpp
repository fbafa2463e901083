// Closures and upvalues.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {
/// Closures with more upvalues are made by a call.
constexpr size_t kMaxInlineUpvalues = 4;

Mem upvalue_of(const Gp& function, size_t index) {
  return field(function, offsetof(LuaFunction, upvalues) + index * sizeof(Upvalue*));
}
}  // namespace

/// a2 := the open upvalue of a register, as find_upvalue finds or makes it; jumps to `slow` when higher
/// registers have open ones. Clobbers t0, a1.
void BaselineCompiler::emit_find_upvalue(Register reg, const Label& slow) {
  const Label make = masm_.new_label(), found = masm_.new_label();
  masm_.load_address(a1, payload_of(reg));
  masm_.load(a2, thread_field(offsetof(Thread, open_upvalues)));
  masm_.branch_if_zero(a2, make);
  masm_.compare(a1, field(a2, offsetof(Upvalue, location)));
  masm_.branch(Condition::Equal, found);
  masm_.branch(Condition::Below, slow);
  masm_.bind(make);
  emit_allocate(sizeof(Upvalue), slow);
  masm_.store(word_at(t0), static_cast<int32_t>(ObjectType::Upvalue));
  masm_.store(field(t0, offsetof(Upvalue, location)), a1);
  masm_.store(field(t0, offsetof(Upvalue, next_open)), a2);
  masm_.store(thread_field(offsetof(Thread, open_upvalues)), t0);
  masm_.move(a2, t0);
  masm_.bind(found);
}

/// What make_closure does. When it ends up in the runtime after all, an upvalue made so far is found there
/// again.
void BaselineCompiler::emit_Closure(const Instruction& in) {
  Proto* proto = proto_->nested[static_cast<size_t>(in.imm)];
  const size_t count = proto->upvalues.size();
  if (count > kMaxInlineUpvalues) return emit_generic(runtime_closure);
  const Label slow = generic_slow_path(runtime_closure);
  emit_allocate(LuaFunction::size_bytes(static_cast<uint32_t>(count)), slow);
  masm_.move(a4, t0);
  load_immediate(a2, static_cast<uint64_t>(ObjectType::LuaFunction) | static_cast<uint64_t>(count) << 32);
  static_assert(offsetof(LuaFunction, type_word) == 4);
  masm_.store(word_at(a4), a2);
  load_immediate(a2, address_of(proto));
  masm_.store(field(a4, offsetof(LuaFunction, proto)), a2);
  load_function(a3);
  for (size_t i = 0; i < count; ++i) {
    const UpvalueDescription& upvalue = proto->upvalues[i];
    if (upvalue.from_parent_register) {
      emit_find_upvalue(Register{upvalue.index}, slow);
    } else {
      masm_.load(a2, upvalue_of(a3, upvalue.index));
    }
    masm_.store(upvalue_of(a4, i), a2);
  }
  masm_.store(payload_of(in.ra()), a4);
  store_tag(in.ra(), Tag::LuaFunction);
  emit_safepoint_below();
}

void BaselineCompiler::emit_Close(const Instruction&) { emit_generic(runtime_close); }

void BaselineCompiler::emit_GetUpvalue(const Instruction& in) {
  load_upvalue_location(a3, in.b);
  copy_value(payload_of(in.ra()), tag_of(in.ra()), word_at(a3), word_at(a3, kTagOffset));
}

void BaselineCompiler::emit_SetUpvalue(const Instruction& in) {
  load_function(a3);
  masm_.load(a3, upvalue_of(a3, in.b));
  masm_.load(a4, field(a3, offsetof(Upvalue, location)));
  copy_value(word_at(a4), word_at(a4, kTagOffset), payload_of(in.ra()), tag_of(in.ra()));
  emit_barrier(a3, a4, barrier_of_value);
}

}  // namespace mangata::jit
