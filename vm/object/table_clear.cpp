#include "vm/object/table_inline.h"
#include "vm/object/table_internal.h"

namespace mangata {

/// String keys go by table_set_string(), which tells caches of what they rely on.
int64_t table_clear(Vm& vm, Table* table) {
  int64_t count = 0;
  table->type_word = 0;
  Value key, value;
  for (uint32_t cursor = 0; table_iterate(table, &cursor, &key, &value); ++count) {
    [[maybe_unused]] const Status removed = table_set(vm, table, key, Value::nil());  // which needs no room
  }
  return count;
}

}  // namespace mangata
