// jit.on, off, flush and status. Named after LuaJIT's, so that scripts written for it find what they expect.
#include "runtime/lib/jit_library.h"

#include "runtime/lib/libraries.h"
#include "runtime/lib/platform.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

/// What the library was asked to do something with: everything, or some functions.
struct Target {
  Proto* proto = nullptr;  ///< null: everything
  bool itself = true;
  bool nested = false;  ///< and all functions in it
};

/// The arguments [func|true [, true|false]]. `true` is the function that calls.
Result<Target> target_of(Call& call) {
  Target target;
  if (call.is_none_or_nil(0)) return target;
  Value function = call[0];
  if (function.is_boolean() && function.is_truthy()) {
    Value* caller = caller_base(call.base());
    if (frame_of(caller)->is_lua()) function = *function_slot(caller);
  }
  TRY(call.check_type(0, "Lua function", function.is_lua_function()));
  target.proto = function.as_lua_function()->proto;
  if (!call.is_none_or_nil(1)) {
    target.nested = true;
    target.itself = call[1].is_truthy();
  }
  return target;
}

template <class Visit>
void for_nested(const Proto& proto, Visit visit) {
  for (Proto* nested : proto.nested) {
    visit(*nested);
    for_nested(*nested, visit);
  }
}

template <class Visit>
void for_each(const Target& target, Visit visit) {
  if (target.itself) visit(*target.proto);
  if (target.nested) for_nested(*target.proto, visit);
}

Result<int> turn(Call& call, bool on) {
  auto& tiers = control_of<TierControl>(call);
  const Target target = TRY(target_of(call));
  if (target.proto == nullptr) {
    tiers.turn(on);
  } else {
    for_each(target, [&](Proto& proto) { tiers.turn(proto, on); });
  }
  return call.ret();
}

Result<int> jit_on(Call& call) { return turn(call, true); }
Result<int> jit_off(Call& call) { return turn(call, false); }

Result<int> jit_flush(Call& call) {
  auto& tiers = control_of<TierControl>(call);
  const Target target = TRY(target_of(call));
  if (target.proto == nullptr) {
    tiers.flush();
  } else {
    for_each(target, [&](Proto& proto) { tiers.flush(proto); });
  }
  return call.ret();
}

Result<int> jit_status(Call& call) {
  auto& tiers = control_of<TierControl>(call);
  call.push(Value::boolean(tiers.is_on()));
  int count = 1;
  for (const std::string_view name : tiers.features()) {
    call.push(call.vm().string_value(name));
    ++count;
  }
  return count;
}

/// Makes the library with its parts, and enters all of them in `loaded`, which is package.loaded.
Table* make_jit(Vm& vm, Table* loaded, TierControl& tiers, PathControl& paths) {
  Table* library = table_new(vm);
  set_field(vm, loaded, "jit", Value::table(library));
  set_control_function(vm, library, "on", jit_on, &tiers);
  set_control_function(vm, library, "off", jit_off, &tiers);
  set_control_function(vm, library, "flush", jit_flush, &tiers);
  set_control_function(vm, library, "status", jit_status, &tiers);
  set_field(vm, library, "version", vm.string_value("Mangata " MANGATA_VERSION));
  set_field(vm, library, "version_num", Value::integer(MANGATA_VERSION_NUMBER));
  set_field(vm, library, "os", vm.string_value(kOperatingSystem));
  set_field(vm, library, "arch", vm.string_value(kArchitecture));
  for (const auto& [name, part] :
       {std::pair("paths", make_jit_paths(vm, paths)), {"util", make_jit_util(vm, tiers)}}) {
    set_field(vm, library, name, Value::table(part));
    set_field(vm, loaded, std::string("jit.") + name, Value::table(part));
  }
  return library;
}

/// The loader of 'jit', 'jit.util' and 'jit.paths', which of them is its name: the first call makes all three.
Result<int> load_jit(Call& call) {
  Vm& vm = call.vm();
  const std::string_view name = call.callee()->name;
  Table* loaded = table_get_string(vm.registry, vm.intern("_LOADED")).as_table();
  const Value made = table_get_string(loaded, vm.intern("jit"));
  auto* tiers = static_cast<TierControl*>(call.upvalue(0).as_light_userdata());
  auto* paths = static_cast<PathControl*>(call.upvalue(1).as_light_userdata());
  Table* library = made.is_table() ? made.as_table() : make_jit(vm, loaded, *tiers, *paths);
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return call.ret(Value::table(library));
  return call.ret(table_get_string(library, vm.intern(name.substr(dot + 1))));
}

}  // namespace

void set_control_function(Vm& vm, Table* library, const char* name, NativeCode code, void* control) {
  NativeFunction* function = vm.new_native(code, name, 1);
  function->upvalues[0] = Value::light_userdata(control);
  set_field(vm, library, name, Value::function(function));
}

void preload_jit(Vm& vm, TierControl& tiers, PathControl& paths) {
  for (const char* name : {"jit", "jit.util", "jit.paths"}) {
    NativeFunction* loader = vm.new_native(load_jit, name, 2);
    loader->upvalues[0] = Value::light_userdata(&tiers);
    loader->upvalues[1] = Value::light_userdata(&paths);
    preload(vm, name, loader);
  }
}

}  // namespace mangata
