// The package library and require (Lua 5.4 manual §6.3). Read next: package_path.h, dynamic_library.h.
#include <string>

#include "runtime/lib/dynamic_library.h"
#include "runtime/lib/libraries.h"
#include "runtime/lib/load_file.h"
#include "runtime/lib/package_path.h"
#include "runtime/lib/string_builder.h"
#include "vm/native.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

namespace {

constexpr std::string_view kConfig = "/\n;\n?\n!\n-\n";

/// The searchers and require know the package table as their only upvalue.
enum PackageUpvalue {
  kPackage
};

Value registry_field(Vm& vm, std::string_view name) { return table_get_string(vm.registry, vm.intern(name)); }

Result<int> package_loadlib(Call& call) {
  const std::string path(TRY(call.check_view(0)));
  const std::string name(TRY(call.check_view(1)));
  const DynamicFunction found = find_dynamic_function(call.vm(), path, name);
  if (found.problem == DynamicFunction::Problem::None) return call.ret(found.function);
  const bool is_open = found.problem == DynamicFunction::Problem::NoFunction;
  return call.ret(Value::nil(), Value::string(TRY(call.vm().new_string(found.message))),
                  call.vm().string_value(is_open ? "init" : "open"));
}

Result<int> package_searchpath(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  const std::string_view path = TRY(call.check_view(1));
  const std::string_view separator = TRY(call.optional_view(2, "."));
  const std::string_view replacement = TRY(call.optional_view(3, "/"));
  std::string file;
  StringBuilder tried(call.vm());
  if (TRY(search_path(call.vm(), name, path, separator, replacement, &file, tried))) return call.ret_string(file);
  return call.ret(Value::nil(), Value::string(TRY(tried.finish())));
}

// --- searchers: each returns a loader and its data, or a text that says why not, or nothing

Result<int> search_preload(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  const Value loader = TRY(get_index(call.vm(), registry_field(call.vm(), "_PRELOAD"), call[0]));
  if (!loader.is_nil()) return call.ret(loader, call.vm().string_value(":preload:"));
  StringBuilder reason(call.vm());
  reason.append("no field package.preload['");
  reason.append(name);
  reason.append("']");
  return call.ret(Value::string(TRY(reason.finish())));
}

/// Looks for `name` along package[path_field]; false with a text in `tried` when it is not there.
Result<bool> find_file(Call& call, std::string_view name, const char* path_field, std::string* file, StringBuilder& tried) {
  Vm& vm = call.vm();
  const Value path = TRY(get_index(vm, call.upvalue(kPackage), vm.string_value(path_field)));
  String* text = TRY(to_string_coercion(vm, path));
  if (text == nullptr) return call.errorf("'package.%s' must be a string", path_field);
  return search_path(vm, name, text->view(), ".", "/", file, tried);
}

Raised raise_loading_error(Call& call, const std::string& file, std::string_view reason) {
  const std::string name(call[0].as_string()->view());
  return call.error("error loading module '" + name + "' from file '" + file + "':\n\t" +
                    std::string(reason));
}

Result<int> search_lua_file(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  std::string file;
  StringBuilder tried(call.vm());
  if (!TRY(find_file(call, name, "path", &file, tried))) return call.ret(Value::string(TRY(tried.finish())));
  const Result<LuaFunction*> loader = load_file(call.vm(), file.c_str(), "bt");
  if (!loader) {
    const Value error = call.vm().error;
    return raise_loading_error(call, file, error.is_string() ? error.as_string()->view() : "");
  }
  call.push(Value::function(loader.value()));
  return TRY(call.ret_string(file))
  +1;
}

Result<int> search_c_library(Call& call) {
  const std::string_view name = TRY(call.check_view(0));
  std::string file;
  StringBuilder tried(call.vm());
  if (!TRY(find_file(call, name, "cpath", &file, tried))) return call.ret(Value::string(TRY(tried.finish())));
  const DynamicFunction found = find_open_function(call.vm(), file, std::string(name));
  if (found.problem != DynamicFunction::Problem::None) return raise_loading_error(call, file, found.message);
  return call.ret(found.function, Value::string(TRY(call.vm().new_string(file))));
}

/// For a.b.c: the library of a, which may hold all its submodules.
Result<int> search_c_root(Call& call) {
  const std::string_view view = TRY(call.check_view(0));
  const size_t dot = view.find('.');
  if (dot == std::string_view::npos) return call.ret();
  std::string file;
  StringBuilder tried(call.vm());
  if (!TRY(find_file(call, view.substr(0, dot), "cpath", &file, tried))) return call.ret(Value::string(TRY(tried.finish())));
  const std::string name(view);
  const DynamicFunction found = find_open_function(call.vm(), file, name);
  if (found.problem == DynamicFunction::Problem::CannotOpen) return raise_loading_error(call, file, found.message);
  if (found.problem == DynamicFunction::Problem::NoFunction) {
    return call.ret_string("no module '" + name + "' in file '" + file + "'");
  }
  return call.ret(found.function, Value::string(TRY(call.vm().new_string(file))));
}

/// Asks the searchers for the module named call[0]; pushes the loader and its data, or raises with all their
/// reasons.
Status push_loader(Call& call) {
  Vm& vm = call.vm();
  const Value searchers = TRY(get_index(vm, call.upvalue(kPackage), vm.string_value("searchers")));
  if (!searchers.is_table()) return call.error("'package.searchers' must be a table");
  call.push(searchers);
  StringBuilder message(vm);
  message.append(where(vm, 1));
  message.append("module '");
  message.append(call[0].as_string()->view());
  message.append("' not found:");
  for (int64_t i = 1;; ++i) {
    const Value searcher = table_get_integer(searchers.as_table(), i);
    if (searcher.is_nil()) return call.raise(Value::string(TRY(message.finish())));
    call.push_function(searcher);
    call.push(call[0]);
    TRY(call.invoke(1, 2));
    const Value result = call.top(2);
    if (result.is_function()) return {};
    if (String* reason = TRY(to_string_coercion(vm, result))) {
      message.append("\n\t");
      message.append(reason->view());
    }
    call.pop(2);
  }
}

Result<int> require(Call& call) {
  TRY(call.check_view(0));
  Vm& vm = call.vm();
  charge_native(vm, 2);
  call.set_count(1);
  const Value name = call[0];
  const Value loaded_table = registry_field(vm, "_LOADED");
  call.push(loaded_table);
  const Value loaded = TRY(get_index(vm, loaded_table, name));
  if (loaded.is_truthy()) return call.ret(loaded);
  TRY(push_loader(call));
  Value* const loader = &call.top(2);
  Value* const data = &call.top(1);
  call.push_function(*loader);
  call.push(name);
  call.push(*data);
  TRY(call.invoke(2, 1));
  if (!call.top(1).is_nil()) TRY(set_index(vm, loaded_table, name, call.top(1)));
  Value module = TRY(get_index(vm, loaded_table, name));
  if (module.is_nil()) {
    module = Value::boolean(true);
    TRY(set_index(vm, loaded_table, name, module));
  }
  return call.ret(module, *data);
}

/// registry[name], made when absent.
Value registry_table(Vm& vm, std::string_view name) {
  Value table = registry_field(vm, name);
  if (!table.is_table()) {
    table = Value::table(table_new(vm));
    set_field(vm, vm.registry, name, table);
  }
  return table;
}

NativeFunction* new_package_function(Vm& vm, NativeCode code, const char* name, Table* package) {
  NativeFunction* function = vm.new_native(code, name, 1);
  function->upvalues[kPackage] = Value::table(package);
  return function;
}

}  // namespace

void open_package(Vm& vm) {
  Table* package = table_new(vm);
  set_functions(vm, package, {{"loadlib", package_loadlib}, {"searchpath", package_searchpath}});
  Table* searchers = table_new(vm, 4);
  const LibraryFunction functions[] = {{"searcher_preload", search_preload},
                                       {"searcher_Lua", search_lua_file},
                                       {"searcher_C", search_c_library},
                                       {"searcher_Croot", search_c_root}};
  for (const LibraryFunction& searcher : functions) {
    // Four elements fit; this cannot fail.
    (void)table_append(vm, searchers,
                       Value::function(new_package_function(vm, searcher.code, searcher.name, package)));
  }
  set_field(vm, package, "searchers", Value::table(searchers));
  const auto set_text = [&](const char* name, const std::string& text) {
    const Result<String*> string = vm.new_string(text);
    set_field(vm, package, name, string ? Value::string(string.value()) : Value::nil());
  };
  set_text("path", initial_package_path(vm));
  set_text("cpath", initial_package_cpath(vm));
  set_text("config", std::string(kConfig));
  register_library(vm, "package", package);
  set_field(vm, package, "loaded", registry_table(vm, "_LOADED"));
  set_field(vm, package, "preload", registry_table(vm, "_PRELOAD"));
  set_field(vm, vm.globals, "require",
            Value::function(new_package_function(vm, require, "require", package)));
}

void preload(Vm& vm, const char* name, NativeFunction* loader) {
  const Value table = table_get_string(vm.registry, vm.intern("_PRELOAD"));
  if (table.is_table()) set_field(vm, table.as_table(), name, Value::function(loader));
}

}  // namespace mangata
