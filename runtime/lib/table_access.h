// Reading and writing lists for the table library: with metamethods when there are any, straight into the
// elements otherwise.
//
// With a metatable these functions are safepoints (vm/native.h, the rooting rule).
#pragma once

#include <cstring>

#include "vm/native.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

/// The table behind `object` when no metamethod can interfere with it, else null.
inline Table* raw_table(Value object) {
  return object.is_table() && object.as_table()->metatable() == nullptr ? object.as_table() : nullptr;
}

inline Result<Value> get_at(Vm& vm, Value object, int64_t key) {
  if (Table* table = raw_table(object)) {
    Value value;
    return table_get_element(table, key, &value) ? value : table_get_integer(table, key);
  }
  return get_index(vm, object, Value::integer(key));
}

inline Status set_at(Vm& vm, Value object, int64_t key, Value value) {
  if (Table* table = raw_table(object)) {
    if (table_set_element(vm, table, key, value)) return {};
    return table_set_integer(vm, table, key, value);
  }
  return set_index(vm, object, Value::integer(key), value);
}

inline size_t element_bytes(const Table* table) {
  return table->element_kind() == ElementKind::Any ? sizeof(Value) : sizeof(int64_t);
}

/// Moves `count` elements from 0-based `from` to `to`, within storage that is large enough. No barrier: the
/// table referenced them before.
inline void shift_elements(Vm& vm, Table* table, uint32_t to, uint32_t from, uint32_t count) {
  char* bytes = static_cast<char*>(table->elements);
  const size_t size = element_bytes(table);
  std::memmove(bytes + to * size, bytes + from * size, count * size);
  charge_bytes(vm, count * size);
}

/// What a list argument must be able to do when it is no table.
enum ListUse : int {
  kReadList = 1,
  kWriteList = 2,
  kMeasureList = 4
};

/// Accepts tables, and anything with the metamethods for `uses`. Raises "table expected, got X".
Status check_list(Call& call, int i, int uses);

/// check_list, and the length of the list (#, with __len).
Result<int64_t> check_list_length(Call& call, int i, int uses);

}  // namespace mangata
