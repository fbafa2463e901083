// See namespaces.h.
#include "runtime/ffi/namespaces.h"

#include <dlfcn.h>

#include <fstream>

#include "runtime/ffi/convert.h"

namespace mangata::ffi {
namespace {

/// The functions of a namespace know its library and its table of what was found.
enum NamespaceUpvalue {
  kLibrary,
  kFound,
  kUpvalueCount
};

Result<const Declaration*> find_declaration(Call& call, std::string_view name) {
  const Declaration* declaration = state_of(call.vm()).names.find(name);
  if (declaration == nullptr || declaration->kind == Declaration::Kind::Typedef) {
    return call.error("missing declaration for symbol '" + std::string(name) + "'");
  }
  return declaration;
}

Result<void*> find_symbol(Call& call, std::string_view name, const Declaration& declaration) {
  const std::string symbol = declaration.symbol.empty() ? std::string(name) : declaration.symbol;
  void* address = dlsym(call.upvalue(kLibrary).as_light_userdata(), symbol.c_str());
  if (address != nullptr) return address;
  const char* reason = dlerror();
  return call.error(reason == nullptr ? "undefined symbol: " + symbol : reason);
}

/// The cdata of a function or variable; aggregates and functions as they are, others behind a reference.
Result<int> index_namespace(Call& call) {
  State& state = state_of(call.vm());
  const std::string_view name = TRY(call.check_view(1));
  const Declaration* declaration = TRY(find_declaration(call, name));
  const bool is_function = state.types[declaration->type].kind == TypeKind::Function;
  Value value;
  if (declaration->kind == Declaration::Kind::Constant) {
    value = Value::integer(declaration->value);
  } else {
    void* address = TRY(find_symbol(call, name, *declaration));
    value = to_lua(state, declaration->type, static_cast<char*>(address), Value::nil());
    if (!is_function) return call.ret(value);
  }
  Table* found = call.upvalue(kFound).as_table();
  TRY(table_set_string(call.vm(), found, call[1].as_string(), value, /*computed=*/false));
  return call.ret(value);
}

Result<int> assign_in_namespace(Call& call) {
  State& state = state_of(call.vm());
  const std::string_view name = TRY(call.check_view(1));
  const Declaration* declaration = TRY(find_declaration(call, name));
  const CType& type = state.types[declaration->type];
  if (declaration->kind == Declaration::Kind::Constant || type.kind == TypeKind::Function ||
      (type.qualifiers & kConst) != 0) {
    return call.error("attempt to write to constant location");
  }
  const TypeId id = declaration->type;
  void* address = TRY(find_symbol(call, name, *declaration));
  std::string problem;
  if (!from_lua(state, id, static_cast<char*>(address), state.types.size_of(id), call[2], Mode::Assign,
                &problem))
    return call.error(problem);
  return call.ret();
}

/// A text file in the place of a library, for linkers, names the library in parentheses: GROUP (
/// /lib/libm.so.6 ... )
std::string library_of_script(const std::string& path) {
  std::ifstream file(path);
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  constexpr const char* kBlanks = " \t\r\n";
  size_t command = text.find("GROUP");
  if (command == std::string::npos) command = text.find("INPUT");
  if (command == std::string::npos) return "";
  const size_t open = text.find('(', command);
  const size_t start = open == std::string::npos ? open : text.find_first_not_of(kBlanks, open + 1);
  return start == std::string::npos ? "" : text.substr(start, text.find_first_of(" \t\r\n)", start) - start);
}

void* open_library(const std::string& name, bool is_global, std::string* problem) {
  const int flags = RTLD_LAZY | (is_global ? RTLD_GLOBAL : RTLD_LOCAL);
  void* library = dlopen(name.c_str(), flags);
  if (library != nullptr) return library;
  const char* reason = dlerror();
  *problem = reason == nullptr ? "cannot load '" + name + "'" : reason;
  if (problem->find("invalid ELF header") == std::string::npos &&
      problem->find("file too short") == std::string::npos)
    return nullptr;
  const std::string other = library_of_script(problem->substr(0, problem->find(':')));
  return other.empty() ? nullptr : dlopen(other.c_str(), flags);
}

}  // namespace

Value new_namespace(State& state, void* library) {
  Vm& vm = state.vm;
  Table *metatable = table_new(vm), *found = table_new(vm), *behind = table_new(vm);
  const auto function = [&](NativeCode code, const char* name) {
    NativeFunction* made = vm.new_native(code, name, kUpvalueCount);
    made->upvalues[kLibrary] = Value::light_userdata(library);
    made->upvalues[kFound] = Value::table(found);
    return Value::function(made);
  };
  set_field(vm, behind, "__index", function(index_namespace, "__index"));
  table_set_metatable(vm, found, behind);
  set_field(vm, metatable, "__index", Value::table(found));
  set_field(vm, metatable, "__newindex", function(assign_in_namespace, "__newindex"));
  set_field(vm, metatable, "__metatable", vm.string_value("ffi"));
  Userdata* userdata = vm.new_userdata(0, 0);
  userdata->metatable = metatable;
  metatable->type_flags |= kUsedAsMetatable;
  return Value::userdata(userdata);
}

Result<int> load_library(Call& call) {
  std::string name(TRY(call.check_view(0)));
  if (name.find('/') == std::string::npos) {
    if (name.find('.') == std::string::npos) name += ".so";
    if (!name.starts_with("lib")) name.insert(0, "lib");
  }
  std::string problem;
  void* library = open_library(name, call[1].is_truthy(), &problem);
  if (library == nullptr) return call.error(problem);
  return call.ret(new_namespace(state_of(call.vm()), library));
}

}  // namespace mangata::ffi
