#include "jit/abi/runtime_calls_tables.h"

#include "jit/abi/safepoint.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/key_access.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/object/hash_part.h"
#include "vm/operations/index.h"

namespace mangata::jit {
namespace {

LuaFunction* running_function(Value* base) { return function_slot(base)->as_lua_function(); }

const Value& constant_at(Value* base, int index) {
  return running_function(base)->proto->constants[static_cast<size_t>(index)];
}

Value operand_of(Value* base, int operand) {
  return (operand & kConstantOperand) != 0 ? constant_at(base, operand & kMaxRkConstant) : base[operand];
}

InlineCache* caches_of(Value* base) { return running_function(base)->proto->caches.data(); }

/// The end of an instruction that may have allocated.
int64_t stored(Thread* thread, const Status& status) {
  if (!status.ok()) return kRaised;
  return outcome_of(thread, thread->vm->heap.safepoint());
}

/// R[a] := object.K[c]
int64_t get_field(Thread* thread, Value* base, const Instruction* pc, Value object) {
  const Instruction& in = pc[-1];
  Vm& vm = *thread->vm;
  String* key = constant_at(base, in.c).as_string();
  InlineCache* caches = caches_of(base);
  if (object.is_table() && in.d != kNoInlineCache &&
      cache_get(object.as_table(), caches[in.d], key, base + in.a)) {
    return kDone;
  }
  publish(thread, base, pc);
  if (in.d == kNoInlineCache) return deliver(thread, base, pc, get_index(vm, object, Value::string(key)));
  return deliver(thread, base, pc, cached_get_miss(vm, object, key, caches[in.d], running_function(base)->proto->second_cache(in.d)));
}

/// object.K[b] := RK(c)
int64_t set_field(Thread* thread, Value* base, const Instruction* pc, Value object) {
  const Instruction& in = pc[-1];
  Vm& vm = *thread->vm;
  String* key = constant_at(base, in.b).as_string();
  const Value value = operand_of(base, in.c);
  InlineCache* caches = caches_of(base);
  if (object.is_table() && in.d != kNoInlineCache &&
      cache_set(vm, object.as_table(), caches[in.d], key, value)) {
    return kDone;
  }
  publish(thread, base, pc);
  if (in.d == kNoInlineCache) return stored(thread, set_index(vm, object, Value::string(key), value));
  return stored(thread, cached_set_miss(vm, object, key, value, caches[in.d], running_function(base)->proto->second_cache(in.d)));
}

/// R[a] := object[key]
int64_t get_element(Thread* thread, Value* base, const Instruction* pc, Value object, Value key) {
  Vm& vm = *thread->vm;
  if (object.is_table()) {
    const Value found = load_key(&vm, object.as_table(), key.payload, static_cast<uint64_t>(key.tag));
    if (static_cast<uint64_t>(found.tag) != kNotLoaded) {
      base[pc[-1].a] = found;
      return kDone;
    }
  }
  publish(thread, base, pc);
  if (!object.is_table() || !key.is_string() || !key.as_string()->is_short())
    return deliver(thread, base, pc, get_index(vm, object, key));
  InlineCache shared;  // as of a site that has met many shapes
  shared.miss_count = InlineCache::kMaxMisses;
  return deliver(thread, base, pc, cached_get_miss(vm, object, key.as_string(), shared));
}

/// Clears the last element, as popping from a stack does; false: nothing was done.
bool clear_last(Table* table, int64_t key) {
  const uint32_t size = table->array_size();
  if (size == 0 || key != size) return false;
  table->type_word = size - 1;
  table_shrink_after_clearing(table);
  return true;
}

/// object[key] := RK(c)
int64_t set_element(Thread* thread, Value* base, const Instruction* pc, Value object, Value key) {
  const Value value = operand_of(base, pc[-1].c);
  if (value.is_nil() && object.is_table() && key.is_integer() &&
      clear_last(object.as_table(), key.as_integer())) {
    return kDone;
  }
  if (object.is_table() && key.is_string() && replace_at_key(*thread->vm, object.as_table(), key, value))
    return kDone;
  publish(thread, base, pc);
  return stored(thread, set_index_slow(*thread->vm, object, key, value));
}

/// A safepoint of an instruction that has made R[a]; the state is published.
int64_t safepoint_below(Thread* thread, Value* base, const Instruction* pc) {
  Heap& heap = thread->vm->heap;
  if (!heap.needs_step()) [[likely]]
    return kDone;
  thread->top = base + pc[-1].a + 1;
  const Status status = heap.step();
  thread->top = frame_top(base);
  return outcome_of(thread, status);
}

}  // namespace

int64_t runtime_get_global(Thread* thread, Value* base, const Instruction* pc) {
  return get_field(thread, base, pc, *running_function(base)->upvalues[pc[-1].b]->location);
}

int64_t runtime_set_global(Thread* thread, Value* base, const Instruction* pc) {
  return set_field(thread, base, pc, *running_function(base)->upvalues[pc[-1].a]->location);
}

int64_t runtime_get_field(Thread* thread, Value* base, const Instruction* pc) {
  return get_field(thread, base, pc, base[pc[-1].b]);
}

int64_t runtime_set_field(Thread* thread, Value* base, const Instruction* pc) {
  return set_field(thread, base, pc, base[pc[-1].a]);
}

int64_t runtime_self(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  const Value object = base[in.b];
  base[in.a + kCallOverheadSlots] = object;
  return get_field(thread, base, pc, object);
}

int64_t runtime_get_index(Thread* thread, Value* base, const Instruction* pc) {
  return get_element(thread, base, pc, base[pc[-1].b], base[pc[-1].c]);
}

int64_t runtime_get_integer(Thread* thread, Value* base, const Instruction* pc) {
  return get_element(thread, base, pc, base[pc[-1].b], Value::integer(pc[-1].c));
}

int64_t runtime_set_index(Thread* thread, Value* base, const Instruction* pc) {
  return set_element(thread, base, pc, base[pc[-1].a], base[pc[-1].b]);
}

int64_t runtime_set_integer(Thread* thread, Value* base, const Instruction* pc) {
  return set_element(thread, base, pc, base[pc[-1].a], Value::integer(pc[-1].b));
}

int64_t runtime_length(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return deliver(thread, base, pc, length(*thread->vm, base[pc[-1].b]));
}

int64_t runtime_safepoint_below(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return safepoint_below(thread, base, pc);
}

int64_t runtime_new_table(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  base[in.a] = Value::table(table_new(*thread->vm, in.b, in.c));
  return runtime_safepoint_below(thread, base, pc);
}

int64_t runtime_set_list(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* ra = base + in.a;
  const int count = in.b != 0 ? in.b : static_cast<int>(thread->top - ra) - 1;
  publish(thread, base, pc);
  if (!set_list(*thread->vm, ra->as_table(), ra + 1, count, in.imm).ok()) return kRaised;
  return safepoint_below(thread, base, pc);
}

int64_t runtime_concat(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  if (!concat(*thread->vm, base + pc[-1].a, pc[-1].b).ok()) return kRaised;
  const int64_t outcome = safepoint_below(thread, base, pc);
  return outcome == kDone && must_leave(thread) ? kLeave : outcome;
}

int64_t runtime_closure(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  const Instruction& in = pc[-1];
  base[in.a] = Value::function(make_closure(*thread->vm, *thread, base, running_function(base), in.imm));
  return safepoint_below(thread, base, pc);
}

int64_t runtime_close(Thread* thread, Value* base, const Instruction* pc) {
  if (thread->to_be_closed.empty()) {
    close_upvalues(*thread, base + pc[-1].a);
    return kDone;
  }
  publish(thread, base, pc);
  return outcome_of(thread, close_variables(*thread->vm, *thread, base + pc[-1].a, Value::nil(), false));
}

void barrier_of_value(Vm* vm, Object* owner, const Value* location) {
  vm->heap.write_barrier(owner, *location);
}

void barrier_of_new_property(Vm* vm, Object* owner, const Value* location) {
  vm->heap.write_barrier(owner, static_cast<Table*>(owner)->shape);
  vm->heap.write_barrier(owner, *location);
}

}  // namespace mangata::jit
