// Direct forms of the table library (direct.h), for tables without a metatable.
#include "runtime/lib/direct.h"
#include "runtime/lib/table_access.h"
#include "vm/poll.h"

namespace mangata::direct {
namespace {

int ret(Value* function, Value value) {
  function[0] = value;
  return 1;
}

}  // namespace

int insert(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count != 2 || arguments[1].is_nil()) return kNotDirect;
  Table* table = raw_table(arguments[0]);
  if (table == nullptr) return kNotDirect;
  const int64_t size = table_length(table);
  if (size == INT64_MAX) return kNotDirect;
  if (!set_at(vm, arguments[0], size + 1, arguments[1]).ok()) return kNotDirect;
  charge_native(vm, 1);
  return 0;
}

int remove(Vm& vm, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || argument_count > 2) return kNotDirect;
  Table* table = raw_table(arguments[0]);
  if (table == nullptr) return kNotDirect;
  const int64_t size = table_length(table);
  if (argument_count == 2 && !arguments[1].is_integer()) return kNotDirect;
  const int64_t position = argument_count == 2 ? arguments[1].as_integer() : size;
  if (size == 0) {  // a list that is used up
    const bool is_empty = position == 0 || position == 1;
    if (!is_empty || !table_get_integer(table, position).is_nil()) return kNotDirect;
    charge_native(vm, 1);
    return ret(function, Value::nil());
  }
  if (size != table->array_size() || position < 1 || position > size) return kNotDirect;
  const auto at = static_cast<uint32_t>(position);
  const Value removed = table->element(at - 1);
  shift_elements(vm, table, at - 1, at, static_cast<uint32_t>(size) - at);
  if (!table_set_integer(vm, table, size, Value::nil()).ok()) return kNotDirect;
  charge_native(vm, 1);
  return ret(function, removed);
}

int unpack(Vm& vm, Value* function, int argument_count) {
  if (argument_count != 1) return kNotDirect;
  Table* table = raw_table(function[kCallOverheadSlots]);
  if (table == nullptr) return kNotDirect;
  const int64_t size = table_length(table);
  if (size != table->array_size() || size > vm.current->stack_soft_limit - function) return kNotDirect;
  const auto count = static_cast<uint32_t>(size);
  charge_if_much(vm, size);
  for (uint32_t i = 0; i < count; ++i) function[i] = table->element(i);
  return static_cast<int>(count);
}

}  // namespace mangata::direct
