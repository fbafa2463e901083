// [DESIGN] A getter that returns a reference to a container gives a table that is made anew each time, so what a script writes into it
// would be lost. Scripts therefore get an empty table with the copy behind it: __index is the copy, which inline caches see through,
// __len and __pairs are those of the copy, and __newindex is an error. Elements that are objects by value are copies as well; their
// setters refuse (objects.cpp). Containers that a getter returns by value are made for the script, which may do with them what it wants.
#include "runtime/embed/copies.h"

#include "runtime/lib/set_metatable.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

const char kCopyMagic = 0;

// Elements of the metatable.
constexpr int64_t kContents = 1, kMagic = 2;

mangata::Result<int> refuse_element(Call& call) {
  const String* name = TRY(to_display_string(call.vm(), call[1]));
  return call.errorf("cannot set '%s': the table is a copy of a container of the host; assign a table of your own to the member instead",
                     name->data);
}

mangata::Result<int> length_of_copy(Call& call) {
  return call.ret(mangata::Value::integer(table_length(call.upvalue(0).as_table())));
}

mangata::Result<int> next_of_copy(Call& call) {
  mangata::Value key, value;
  const int outcome = table_next(call.upvalue(0).as_table(), call[1], &key, &value);
  if (outcome < 0) return call.error("invalid key to 'next'");
  if (outcome == 0) return call.ret(mangata::Value::nil());
  return call.ret(key, value);
}

NativeFunction* with_contents(Vm& vm, NativeCode code, const char* name, const mangata::Value& contents) {
  NativeFunction* function = vm.new_native(code, name, 1);
  function->upvalues[0] = contents;
  return function;
}

mangata::Result<int> pairs_of_copy(Call& call) {
  return call.ret(mangata::Value::function(with_contents(call.vm(), next_of_copy, "next", call.upvalue(0))), call[0], mangata::Value::nil());
}

Table* sealed(Vm& vm, Table* table);

/// What cannot be changed within the copy, either.
mangata::Value sealed_element(Vm& vm, const mangata::Value& value) {
  if (value.is_table() && value.as_table()->metatable() == nullptr) return mangata::Value::table(sealed(vm, value.as_table()));
  mark_as_copy(value);
  return value;
}

Table* sealed(Vm& vm, Table* table) {
  uint32_t cursor = 0;
  mangata::Value key, value;
  std::vector<std::pair<mangata::Value, mangata::Value>> nested;
  while (table_iterate(table, &cursor, &key, &value)) {
    const mangata::Value element = sealed_element(vm, value);
    if (!element.is_identical(value)) nested.emplace_back(key, element);
  }
  for (const auto& [name, copy] : nested) (void)table_set(vm, table, name, copy);  // present already: nothing grows
  const mangata::Value contents = mangata::Value::table(table);
  Table* metatable = table_new(vm);
  (void)table_set_integer(vm, metatable, kContents, contents);
  (void)table_set_integer(vm, metatable, kMagic, mangata::Value::light_userdata(const_cast<char*>(&kCopyMagic)));
  set_field(vm, metatable, "__index", contents);
  set_field(vm, metatable, "__newindex", mangata::Value::function(vm.new_native(refuse_element, "?")));
  set_field(vm, metatable, "__len", mangata::Value::function(with_contents(vm, length_of_copy, "?", contents)));
  set_field(vm, metatable, "__pairs", mangata::Value::function(with_contents(vm, pairs_of_copy, "pairs", contents)));
  set_field(vm, metatable, "__metatable", mangata::Value::boolean(false));
  Table* view = table_new(vm);
  set_metatable(vm, mangata::Value::table(view), metatable);
  return view;
}

}  // namespace

Table* contents_of(Table* table) {
  Table* metatable = table->metatable();
  if (metatable == nullptr) return table;
  const mangata::Value magic = table_get_integer(metatable, kMagic);
  const bool is_copy = magic.is_light_userdata() && magic.as_light_userdata() == &kCopyMagic;
  return is_copy ? table_get_integer(metatable, kContents).as_table() : table;
}

void seal_copy(Frame& frame, int below) {
  Raw& result = *(*frame.top - 1 - below);
  result = raw_of(sealed_element(*frame.core->vm, value_of(result)));
}

}  // namespace mangata::abi
