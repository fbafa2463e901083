// [DESIGN] Read-only globals: scripts get views, empty tables whose __index is the real table and whose
// __newindex refuses. Their metatables are hidden, rawset refuses them, next and rawget look into the real
// table, and pairs gives an iterator that keeps it to itself. So nothing in the machine has to know of tables
// that cannot be written, and inline caches see through the views as through any __index. The host has the
// real table of globals. Views are made once: tables that the host puts into globals later can be written.
#include "runtime/embed/sandbox.h"

#include <algorithm>
#include <vector>

#include "runtime/lib/set_metatable.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

/// What upvalue 0, a function without upvalues, does with the arguments of this call. In this call's frame,
/// so that errors name it.
mangata::Result<int> call_original(Call& call) { return call.upvalue(0).as_native_function()->code(call); }

/// load(): whatever mode is asked for, text only.
mangata::Result<int> load_text(Call& call) {
  if (call.count() == 0) return call_original(call);
  call.set_count(std::max(call.count(), 3));
  call.base()[2] = call.vm().string_value("t");
  return call_original(call);
}

mangata::Result<int> refuse_assignment(Call& call) {
  const String* name = TRY(to_display_string(call.vm(), call[1]));
  return call.errorf("cannot set '%s': the table is read-only", name->data);
}

bool is_view(Vm& vm, const mangata::Value& value) {
  if (!value.is_table() || value.as_table()->metatable() == nullptr) return false;
  const mangata::Value method = find_metamethod(vm, value.as_table()->metatable(), Metamethod::NewIndex);
  return method.is_native_function() && method.as_native_function()->code == refuse_assignment;
}

mangata::Result<int> set_raw(Call& call) {
  if (is_view(call.vm(), call[0])) return refuse_assignment(call);
  return call_original(call);
}

/// The table behind a view; any other table as it is.
Table* behind(Vm& vm, const mangata::Value& value) {
  if (!is_view(vm, value)) return value.as_table();
  return find_metamethod(vm, value.as_table()->metatable(), Metamethod::Index).as_table();
}

mangata::Result<int> get_raw(Call& call) {
  TRY(call.check_table(0));
  TRY(call.check_any(1));
  return call.ret(table_get(behind(call.vm(), call[0]), call[1]));
}

mangata::Result<int> next_in(Call& call, Table* table) {
  mangata::Value key, value;
  const int outcome = table_next(table, call[1], &key, &value);
  if (outcome < 0) return raise_message(call.vm(), "invalid key to 'next'");
  if (outcome == 0) return call.ret(mangata::Value::nil());
  return call.ret(key, value);
}

mangata::Result<int> next_of_any(Call& call) {
  TRY(call.check_table(0));
  return next_in(call, behind(call.vm(), call[0]));
}

mangata::Result<int> next_pair(Call& call) { return next_in(call, call.upvalue(0).as_table()); }

/// warn(): what it would write, and when, is not for scripts to say.
mangata::Result<int> ignore_warning(Call& call) {
  for (int i = 0; i < std::max(call.count(), 1); ++i) TRY(call.check_string(i));
  return 0;
}

mangata::Result<int> pairs_of_view(Call& call) {
  NativeFunction* iterator = call.vm().new_native(next_pair, "next", 1);
  iterator->upvalues[0] = call.upvalue(0);
  return call.ret(mangata::Value::function(iterator), call[0], mangata::Value::nil());
}

Table* make_view(Vm& vm, Table* table) {
  NativeFunction* pairs = vm.new_native(pairs_of_view, "pairs", 1);
  pairs->upvalues[0] = mangata::Value::table(table);
  Table* metatable = table_new(vm);
  set_field(vm, metatable, "__index", mangata::Value::table(table));
  set_field(vm, metatable, "__newindex", mangata::Value::function(vm.new_native(refuse_assignment, "?")));
  set_field(vm, metatable, "__pairs", mangata::Value::function(pairs));
  set_field(vm, metatable, "__metatable", mangata::Value::boolean(false));
  Table* view = table_new(vm);
  set_metatable(vm, mangata::Value::table(view), metatable);
  return view;
}

/// globals[name] = code, with the function that was there as its upvalue.
void wrap(Vm& vm, const char* name, NativeCode code) {
  const mangata::Value original = table_get_string(vm.globals, vm.intern(name));
  if (original.is_nil()) return;
  NativeFunction* wrapper = vm.new_native(code, name, 1);
  wrapper->upvalues[0] = original;
  set_field(vm, vm.globals, name, mangata::Value::function(wrapper));
}

void make_read_only(Vm& vm) {
  wrap(vm, "rawset", set_raw);
  wrap(vm, "rawget", get_raw);
  wrap(vm, "next", next_of_any);
  std::vector<std::pair<mangata::Value, Table*>> tables;
  uint32_t cursor = 0;
  mangata::Value key, value;
  while (table_iterate(vm.globals, &cursor, &key, &value)) {
    if (value.is_table() && value.as_table() != vm.globals) tables.emplace_back(key, value.as_table());
  }
  Table* globals = make_view(vm, vm.globals);
  const mangata::Value loaded = table_get_string(vm.registry, vm.intern("_LOADED"));
  const auto replace = [&](const mangata::Value& name, Table* view) {
    set_field(vm, vm.globals, name.as_string()->view(), mangata::Value::table(view));
    if (loaded.is_table()) set_field(vm, loaded.as_table(), name.as_string()->view(), mangata::Value::table(view));
  };
  for (const auto& [name, table] : tables) {
    if (name.is_string()) replace(name, make_view(vm, table));
  }
  replace(vm.string_value("_G"), globals);
  // ("").upper leads to the real table of strings.
  Table* strings = vm.type_metatables[static_cast<int>(Tag::String)];
  if (strings != nullptr) set_field(vm, strings, "__metatable", mangata::Value::boolean(false));
  vm.globals = globals;
  (void)table_set_integer(vm, vm.registry, 2, mangata::Value::table(globals));
}

}  // namespace

void apply_sandbox(Core& core, const Sandbox& sandbox) {
  Vm& vm = *core.vm;
  if (sandbox.no_files_and_binaries) {
    for (const char* name : {"dofile", "loadfile"}) set_field(vm, vm.globals, name, mangata::Value::nil());
    wrap(vm, "load", load_text);
  }
  if (sandbox.no_warnings) wrap(vm, "warn", ignore_warning);
  if (sandbox.read_only_globals) make_read_only(vm);
}

}  // namespace mangata::abi
