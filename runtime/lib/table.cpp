// The table library (Lua 5.4 manual §6.6). Read next: table_access.h, table_sort.cpp.
//
// Lists are tables, or anything with __index, __newindex and __len. Plain tables take the fast ways: their
// length is array_size, and elements move as blocks of memory.
#include <climits>

#include "runtime/lib/direct.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/table_access.h"
#include "runtime/lib/table_sort.h"

namespace mangata {

Status check_list(Call& call, int i, int uses) {
  if (call[i].is_table()) return {};
  Vm& vm = call.vm();
  Table* metatable = vm.metatable_of(call[i]);
  const auto has = [&](Metamethod event) { return !find_metamethod(vm, metatable, event).is_nil(); };
  const bool fits = metatable != nullptr && ((uses & kReadList) == 0 || has(Metamethod::Index)) &&
                    ((uses & kWriteList) == 0 || has(Metamethod::NewIndex)) &&
                    ((uses & kMeasureList) == 0 || has(Metamethod::Length));
  return call.check_type(i, "table", fits);
}

namespace {

/// `#object` as an integer (luaL_len).
Result<int64_t> integer_length(Call& call, Value object) {
  if (Table* table = raw_table(object)) return table_length(table);
  const Value result = TRY(length(call.vm(), object));
  int64_t n;
  if (!to_integer(result, &n)) return call.error("object length is not an integer");
  return n;
}

/// Inserts in the middle of a plain table: appends, then shifts. Precondition: 1 <= position <= array_size,
/// value not nil. False, having appended only, when the growing table moved its elements to the hash part,
/// because most were holes.
Result<bool> insert_element(Vm& vm, Table* table, uint32_t position, Value value) {
  const uint32_t size = table->array_size();
  if (!table_set_element(vm, table, static_cast<int64_t>(size) + 1, value))
    TRY(table_append(vm, table, value));
  if (table->array_size() <= size) return false;
  shift_elements(vm, table, position, position - 1, size - position + 1);
  TRY(table_set_integer(vm, table, position, value));
  return true;
}

Result<int> table_insert(Call& call) {
  const int64_t end = static_cast<int64_t>(
      static_cast<uint64_t>(TRY(check_list_length(call, 0, kReadList | kWriteList | kMeasureList))) + 1);
  Vm& vm = call.vm();
  const int count = call.count();
  if (count == 2) {
    TRY(set_at(vm, call[0], end, call[1]));
    charge_native(vm, 1);
    return call.ret();
  }
  if (count != 3) return call.error("wrong number of arguments to 'insert'");
  const int64_t position = TRY(call.check_integer(1));
  if (static_cast<uint64_t>(position) - 1 >= static_cast<uint64_t>(end)) {
    return call.bad_argument(1, "position out of bounds");
  }
  Table* table = raw_table(call[0]);
  if (table != nullptr && position < end && !call[2].is_nil()) {
    if (TRY(insert_element(vm, table, static_cast<uint32_t>(position), call[2]))) return call.ret();
  }
  PolledSteps steps(vm);
  for (int64_t i = end; i > position; --i) {
    TRY(steps.add());
    call.push(TRY(get_at(vm, call[0], i - 1)));
    TRY(set_at(vm, call[0], i, call.top(1)));
    call.pop(1);
  }
  TRY(set_at(vm, call[0], position, call[2]));
  return call.ret();
}

Result<int> table_remove(Call& call) {
  const int64_t size = TRY(check_list_length(call, 0, kReadList | kWriteList | kMeasureList));
  int64_t position = TRY(call.optional_integer(1, size));
  if (position != size && static_cast<uint64_t>(position) - 1 > static_cast<uint64_t>(size)) {
    return call.bad_argument(1, "position out of bounds");
  }
  Vm& vm = call.vm();
  call.push(TRY(get_at(vm, call[0], position)));
  Value* const result = &call.top(1);
  if (Table* table = raw_table(call[0]); table != nullptr && position >= 1 && position < size) {
    const uint32_t at = static_cast<uint32_t>(position);
    shift_elements(vm, table, at - 1, at, static_cast<uint32_t>(size) - at);
    position = size;
  }
  PolledSteps steps(vm);
  for (; position < size; ++position) {
    TRY(steps.add());
    call.push(TRY(get_at(vm, call[0], position + 1)));
    TRY(set_at(vm, call[0], position, call.top(1)));
    call.pop(1);
  }
  TRY(set_at(vm, call[0], position, Value::nil()));
  charge_native(vm, 1);
  return call.ret(*result);
}

/// Copies 1[first..last] to to[target...]: upwards when that does not overwrite what is still to be copied.
Status move_elements(Call& call, int from, int to, int64_t first, int64_t last, int64_t target,
                     bool upwards) {
  Vm& vm = call.vm();
  const int64_t count = last - first + 1;
  PolledSteps steps(vm);
  for (int64_t n = 0; n < count; ++n) {
    const int64_t i = upwards ? n : count - 1 - n;
    TRY(steps.add());
    call.push(TRY(get_at(vm, call[from], first + i)));
    TRY(set_at(vm, call[to], target + i, call.top(1)));
    call.pop(1);
  }
  return {};
}

Result<int> table_move(Call& call) {
  const int64_t first = TRY(call.check_integer(1));
  const int64_t last = TRY(call.check_integer(2));
  const int64_t target = TRY(call.check_integer(3));
  const int to = call.is_none_or_nil(4) ? 0 : 4;
  TRY(check_list(call, 0, kReadList));
  TRY(check_list(call, to, kWriteList));
  if (last >= first) {
    if (first <= 0 && last >= INT64_MAX + first) return call.bad_argument(2, "too many elements to move");
    if (target > INT64_MAX - (last - first + 1) + 1) return call.bad_argument(3, "destination wrap around");
    bool upwards = target > last || target <= first;
    if (!upwards && to != 0) upwards = !TRY(equals(call.vm(), call[0], call[to]));
    TRY(move_elements(call, 0, to, first, last, target, upwards));
  }
  return call.ret(call[to]);
}

/// Appends element `i` of the list: a string or a number.
Status append_element(Call& call, StringBuilder& out, int64_t i) {
  const Value value = TRY(get_at(call.vm(), call[0], i));
  if (value.is_string()) {
    out.append(value.as_string()->view());
  } else if (value.is_number()) {
    out.append_number(value);
  } else {
    return call.errorf("invalid value (%s) at index %lld in table for 'concat'", type_name(value),
                       static_cast<long long>(i));
  }
  return {};
}

Result<int> table_concat(Call& call) {
  const int64_t length = TRY(check_list_length(call, 0, kReadList | kMeasureList));
  const std::string_view separator = TRY(call.optional_view(1, ""));
  int64_t i = TRY(call.optional_integer(2, 1));
  const int64_t last = TRY(call.optional_integer(3, length));
  StringBuilder out(call.vm());
  const Table* const plain = raw_table(call[0]);
  const auto append = [&](std::string_view text) { text.size() == 1 ? out.append(text[0]) : out.append(text); };
  PolledSteps steps(call.vm());
  for (; i < last; ++i) {
    TRY(steps.add());
    Value value;
    if (plain != nullptr && table_get_element(plain, i, &value) && value.is_string()) [[likely]] {
      append(value.as_string()->view());
    } else {
      TRY(append_element(call, out, i));
    }
    if (!separator.empty()) append(separator);
    if (out.failed()) break;
  }
  if (i == last) TRY(append_element(call, out, i));
  return call.ret(Value::string(TRY(out.finish())));
}

Result<int> table_pack(Call& call) {
  const int count = call.count();
  Vm& vm = call.vm();
  Table* table = table_new(vm, static_cast<uint32_t>(count), 1);
  for (int i = 0; i < count; ++i) {
    if (!call[i].is_nil()) TRY(set_at(vm, Value::table(table), i + 1, call[i]));
  }
  charge_native(vm, count + 1);
  set_field(vm, table, "n", Value::integer(count));
  return call.ret(Value::table(table));
}

Result<int> table_unpack(Call& call) {
  int64_t first = TRY(call.optional_integer(1, 1));
  const int64_t last = call.is_none_or_nil(2) ? TRY(integer_length(call, call[0])) : TRY(call.check_integer(2));
  if (first > last) return call.ret();
  const uint64_t count = static_cast<uint64_t>(last) - static_cast<uint64_t>(first) + 1;
  if (count == 0 || count > INT_MAX || !call.make_room(static_cast<int>(count))) {
    return call.error("too many results to unpack");
  }
  charge_if_much(call.vm(), static_cast<int64_t>(count));
  for (uint64_t n = 0; n < count; ++n) {
    call.push(TRY(get_at(call.vm(), call[0], static_cast<int64_t>(static_cast<uint64_t>(first) + n))));
  }
  return static_cast<int>(count);
}

Result<int> table_sort(Call& call) {
  const int64_t size = TRY(check_list_length(call, 0, kReadList | kWriteList | kMeasureList));
  if (size > 1) {
    if (size >= INT_MAX) return call.bad_argument(0, "array too big");
    if (!call.is_none_or_nil(1)) TRY(call.check_function(1));
    call.set_count(2);
    TRY(sort_list(call, static_cast<uint32_t>(size)));
  }
  return 0;
}

}  // namespace

Result<int64_t> check_list_length(Call& call, int i, int uses) {
  TRY(check_list(call, i, uses));
  return integer_length(call, call[i]);
}

void open_table(Vm& vm) {
  Table* library = table_new(vm);
  set_functions(vm, library,
                {{"concat", table_concat},
                 {"insert", table_insert, NativeId::None, direct::insert},
                 {"move", table_move},
                 {"pack", table_pack},
                 {"remove", table_remove, NativeId::None, direct::remove},
                 {"sort", table_sort},
                 {"unpack", table_unpack, NativeId::None, direct::unpack}});
  register_library(vm, "table", library);
  preload_table_extensions(vm, library);
}

}  // namespace mangata
