#include "jit/abi/runtime_metamethods.h"

#include "jit/abi/runtime_arithmetic.h"
#include "jit/abi/runtime_calls_tables.h"
#include "jit/abi/safepoint.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"

namespace mangata::jit {
namespace {

constexpr MetamethodCall kNoCall{nullptr, nullptr};

Proto& running_proto(Value* base) { return *function_slot(base)->as_lua_function()->proto; }

/// Whether call() would accept one more nested call, and the stack has room for its arguments and a leaf's
/// frame.
bool has_room(Thread* thread, Value* slot) {
  constexpr int kSlots = kCallOverheadSlots + static_cast<int>(Thread::kLeafSlots);
  if (thread->native_depth + 1 >= kMaxNativeDepth) return false;
  return slot + kSlots <= thread->stack_soft_limit ||
         (slot + kSlots <= std::min(thread->stack_end, thread->stack + Thread::kMaxValueSlots) &&
          make_stack_room(*thread, slot, kSlots));
}

/// The call of a Lua function above the registers of the frame at `base`, whose state is published.
MetamethodCall prepare(Thread* thread, Value* base, const Value& method,
                       std::initializer_list<Value> arguments, int wanted_results) {
  Value* slot = thread->top;
  if (!method.is_lua_function() || !has_room(thread, slot)) return kNoCall;
  ++thread->native_depth;
  Value* callee_base = slot + kCallOverheadSlots;
  *slot = method;
  Value* next = callee_base;
  for (const Value& argument : arguments) *next++ = argument;
  write_frame_header(frame_of(callee_base), nullptr, wanted_results,
                     static_cast<uint32_t>(callee_base - base), 0, 0);
  static_assert(kNativeEntries > 4);
  return {method.as_lua_function()->proto->native_entries[arguments.size()], callee_base};
}

MetamethodCall outcome(int64_t value) { return {reinterpret_cast<const void*>(value), nullptr}; }

MetamethodCall or_else(const MetamethodCall& call, RuntimeCall otherwise, Thread* thread, Value* base,
                       const Instruction* pc) {
  return call.base != nullptr ? call : outcome(otherwise(thread, base, pc));
}

/// What only tables and userdata have, as far as Lua functions are concerned.
Value metamethod_of_either(Vm& vm, const Value& left, const Value& right, Metamethod event) {
  const auto has_own = [](const Value& value) { return value.is_table() || value.is_userdata(); };
  if (!has_own(left) && !has_own(right)) return Value::nil();
  const Value method = vm.metamethod(left, event);
  return method.is_nil() ? vm.metamethod(right, event) : method;
}

struct SiteCaches {
  InlineCache* first = nullptr;
  InlineCache* second = nullptr;
};

/// Of an access by field name; of others none.
SiteCaches caches_of(Value* base, const Instruction& in) {
  Proto& proto = running_proto(base);
  const bool is_by_name = in.op == Opcode::GetField || in.op == Opcode::Self || in.op == Opcode::SetField ||
                          in.op == Opcode::GetGlobal || in.op == Opcode::SetGlobal;
  const bool has_cache = is_by_name && in.d != kNoInlineCache;
  if (!has_cache) return {};
  return {&proto.caches[in.d], proto.second_cache(in.d)};
}

bool is_name(const Value& key) { return key.is_string() && key.as_string()->is_short(); }

/// Longer chains are for the runtime.
constexpr int kMostTables = 8;

/// Where __index leads to a Lua function, and no table on the way has the key.
MetamethodCall index_call(Thread* thread, Value* base, const Instruction* pc, const Value& object,
                          const Value& key) {
  Value at = object, method = Value::nil();
  for (int i = 0; i < kMostTables && at.is_table(); ++i) {
    Table* table = at.as_table();
    if (table->metatable() == nullptr) return kNoCall;
    method = find_metamethod(*thread->vm, table->metatable(), Metamethod::Index);
    if (!method.is_table() && !method.is_lua_function()) return kNoCall;
    if (!table_get(table, key).is_nil()) return kNoCall;
    if (method.is_lua_function()) break;
    at = method;
  }
  if (!method.is_lua_function()) return kNoCall;
  const SiteCaches caches = caches_of(base, pc[-1]);
  if (is_name(key)) learn_index_handler(*thread->vm, object.as_table(), key.as_string(), caches.first, caches.second);
  publish(thread, base, pc);
  return prepare(thread, base, method, {at, key}, 1);
}

/// A read from an object of the library ffi: by the library itself, or by the Lua function that it says; else `otherwise`.
MetamethodCall read_foreign(Thread* thread, Value* base, const Instruction* pc, const Value& object, const Value& key, RuntimeCall otherwise) {
  publish(thread, base, pc);
  Value found;
  switch (thread->vm->foreign_data->read(object, key, &found)) {
    case ForeignRead::Found: return outcome(deliver(thread, base, pc, found));
    case ForeignRead::Calls: return or_else(prepare(thread, base, found, {object, key}, 1), otherwise, thread, base, pc);
    case ForeignRead::Other: break;
  }
  return outcome(otherwise(thread, base, pc));
}

MetamethodCall read(Thread* thread, Value* base, const Instruction* pc, const Value& object, const Value& key, RuntimeCall otherwise) {
  if (is_foreign(object)) return read_foreign(thread, base, pc, object, key, otherwise);
  return or_else(index_call(thread, base, pc, object, key), otherwise, thread, base, pc);
}

MetamethodCall new_index_call(Thread* thread, Value* base, const Instruction* pc, const Value& object,
                              const Value& key) {
  if (!object.is_table()) return kNoCall;
  Table* table = object.as_table();
  Table* metatable = table->metatable();
  if (metatable == nullptr) return kNoCall;
  const Value method = find_metamethod(*thread->vm, metatable, Metamethod::NewIndex);
  if (!method.is_lua_function() || !table_get(table, key).is_nil()) return kNoCall;
  const SiteCaches caches = caches_of(base, pc[-1]);
  if (is_name(key)) learn_newindex_handler(*thread->vm, table, key.as_string(), caches.first, caches.second);
  const int operand = pc[-1].c;
  const Value value = (operand & kConstantOperand) != 0
                          ? running_proto(base).constants[static_cast<size_t>(operand & kMaxRkConstant)]
                          : base[operand];
  publish(thread, base, pc);
  return prepare(thread, base, method, {object, key, value}, 0);
}

}  // namespace

MetamethodCall arithmetic_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Arithmetic operation = arithmetic_of(base, pc[-1]);
  const Value method =
      metamethod_of_either(*thread->vm, operation.left, operation.right, event_of(operation.op));
  if (!method.is_lua_function()) return outcome(runtime_arithmetic(thread, base, pc));
  publish(thread, base, pc);
  note_operand_types(running_proto(base), pc - 1, operation.left, operation.right);
  return or_else(prepare(thread, base, method, {operation.left, operation.right}, 1), runtime_arithmetic,
                 thread, base, pc);
}

MetamethodCall length_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Value object = base[pc[-1].b];
  const Value method = metamethod_of_either(*thread->vm, object, object, Metamethod::Length);
  if (!method.is_lua_function()) return outcome(runtime_length(thread, base, pc));
  publish(thread, base, pc);
  return or_else(prepare(thread, base, method, {object, object}, 1), runtime_length, thread, base, pc);
}

MetamethodCall get_field_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  return read(thread, base, pc, base[in.b], running_proto(base).constants[in.c], runtime_get_field);
}

MetamethodCall get_global_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  const Value environment = *function_slot(base)->as_lua_function()->upvalues[in.b]->location;
  return read(thread, base, pc, environment, running_proto(base).constants[in.c], runtime_get_global);
}

MetamethodCall set_global_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  const Value environment = *function_slot(base)->as_lua_function()->upvalues[in.a]->location;
  return or_else(new_index_call(thread, base, pc, environment, running_proto(base).constants[in.b]), runtime_set_global, thread, base,
                 pc);
}

MetamethodCall self_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  const Value object = base[in.b];
  base[in.a + kCallOverheadSlots] = object;
  return read(thread, base, pc, object, running_proto(base).constants[in.c], runtime_self);
}

MetamethodCall get_index_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  return read(thread, base, pc, base[pc[-1].b], base[pc[-1].c], runtime_get_index);
}

MetamethodCall get_integer_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  return read(thread, base, pc, base[pc[-1].b], Value::integer(pc[-1].c), runtime_get_integer);
}

MetamethodCall set_field_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  return or_else(new_index_call(thread, base, pc, base[in.a], running_proto(base).constants[in.b]),
                 runtime_set_field, thread, base, pc);
}

MetamethodCall set_index_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  return or_else(new_index_call(thread, base, pc, base[pc[-1].a], base[pc[-1].b]), runtime_set_index, thread,
                 base, pc);
}

MetamethodCall set_integer_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  return or_else(new_index_call(thread, base, pc, base[pc[-1].a], Value::integer(pc[-1].b)),
                 runtime_set_integer, thread, base, pc);
}

MetamethodCall compare_or_metamethod(Thread* thread, Value* base, const Instruction* pc) {
  const Comparison comparison = comparison_of(base, pc[-1]);
  const Value &left = comparison.left, &right = comparison.right;
  Value method;
  if (comparison.relation == Relation::Equal) {
    method = equality_metamethod(*thread->vm, left, right);
  } else {
    const bool is_less = comparison.relation == Relation::Less;
    method =
        metamethod_of_either(*thread->vm, left, right, is_less ? Metamethod::Less : Metamethod::LessEqual);
  }
  if (!method.is_lua_function()) return outcome(runtime_compare(thread, base, pc));
  publish(thread, base, pc);
  return or_else(prepare(thread, base, method, {left, right}, 1), runtime_compare, thread, base, pc);
}

int64_t finish_comparison(Thread* thread, Value* base, const Instruction* pc, const Value* result) {
  return comparison_outcome(thread, base, pc, result->is_truthy());
}

}  // namespace mangata::jit
