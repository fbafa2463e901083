// Indexing: table access with __index and __newindex (Lua 5.4 manual §2.4).
//
// Read next: vm/interpreter/inline_cache.h (the fast way for constant keys).
#include "vm/operations/index.h"

#include <cmath>

#include "vm/object/hash_part.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// Steps of a chain of __index or __newindex before it is taken for a loop.
constexpr int kMaxIndexChain = 2000;

/// A raw store of a key that may be nil or NaN.
Status store(Vm& vm, Table* table, Value key, Value value, bool computed) {
  if (key.is_string()) {
    charge_stored_key(vm, table, key.as_string());
    return table_set_string(vm, table, key.as_string(), value, computed);
  }
  if (key.is_nil()) return raise_message(vm, "table index is nil");
  if (key.is_float() && std::isnan(key.as_float())) return raise_message(vm, "table index is NaN");
  return table_set(vm, table, key, value);
}

Value get(Vm& vm, Table* table, Value key) {
  if (key.is_string() && !key.as_string()->is_short()) {
    const HashNode* node = find_long_string(vm, table, key.as_string());
    charge_comparison(vm, node, key.as_string());
    return node == nullptr ? Value::nil() : node->value;
  }
  return table_get(table, key);
}

/// By the library ffi, or the Lua function that it says, with no frame of C between, as machine code has none (jit/abi); else `handler`.
Result<Value> read_foreign(Vm& vm, const Value& handler, const Value& object, const Value& key) {
  Value found;
  switch (vm.foreign_data->read(object, key, &found)) {
    case ForeignRead::Found: return found;
    case ForeignRead::Calls: return call_metamethod(vm, found, object, key);
    case ForeignRead::Other: break;
  }
  return call_metamethod(vm, handler, object, key);
}

}  // namespace

HashNode* find_long_string(Vm& vm, Table* table, String* key) {
  const bool is_hashed = (key->type_flags & String::kHashed) != 0;
  if (!is_hashed && table->hash != nullptr) charge_bytes(vm, 2 * key->length);
  return hash_find(table->hash, Value::string(key));
}

void charge_comparison(Vm& vm, const HashNode* node, const String* key) {
  if (node != nullptr && node->key().as_string() != key) charge_bytes(vm, key->length);
}

void charge_stored_key(Vm& vm, Table* table, String* key) {
  if (key->length >= kLongKeyBytes) [[unlikely]]
    charge_comparison(vm, find_long_string(vm, table, key), key);
}

Result<Value> get_index(Vm& vm, Value object, Value key) {
  for (int step = 0; step < kMaxIndexChain; ++step) {
    Value handler;
    if (object.is_table()) {
      Table* table = object.as_table();
      const Value value = get(vm, table, key);
      if (!value.is_nil()) return value;
      handler = find_metamethod(vm, table->metatable(), Metamethod::Index);
      if (handler.is_nil()) return value;
    } else {
      handler = vm.metamethod(object, Metamethod::Index);
      if (handler.is_nil()) return raise_type_error(vm, object, "index");
    }
    if (handler.is_function()) return is_foreign(object) ? read_foreign(vm, handler, object, key) : call_metamethod(vm, handler, object, key);
    object = handler;
  }
  return raise_message(vm, "'__index' chain too long; possible loop");
}

Status set_index_with(Vm& vm, Value object, Value key, Value value, bool computed) {
  for (int step = 0; step < kMaxIndexChain; ++step) {
    Value handler;
    if (object.is_table()) {
      Table* table = object.as_table();
      if (table->metatable() == nullptr) return store(vm, table, key, value, computed);
      handler = find_metamethod(vm, table->metatable(), Metamethod::NewIndex);
      if (handler.is_nil() || !table_get(table, key).is_nil()) return store(vm, table, key, value, computed);
    } else {
      handler = vm.metamethod(object, Metamethod::NewIndex);
      if (handler.is_nil()) return raise_type_error(vm, object, "index");
    }
    if (handler.is_function()) return call_metamethod_no_result(vm, handler, object, key, value);
    object = handler;
  }
  return raise_message(vm, "'__newindex' chain too long; possible loop");
}

Status set_index(Vm& vm, Value object, Value key, Value value) {
  return set_index_with(vm, object, key, value, /*computed=*/true);
}

}  // namespace mangata
