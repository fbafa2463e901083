// table.new and table.clear of LuaJIT, by require 'table.new' and 'table.clear': each is the function, which
// the table library has from then on.
#include <algorithm>
#include <climits>

#include "runtime/lib/libraries.h"
#include "runtime/lib/table_access.h"

namespace mangata {
namespace {

/// Both numbers are advice, as in a constructor.
Result<int> table_new_with_room(Call& call) {
  constexpr int64_t kMostElements = 1 << 26;
  const int64_t elements = TRY(call.check_integer(0));
  const int64_t fields = TRY(call.check_integer(1));
  const auto room = [](int64_t wanted, int64_t most) {
    return static_cast<uint32_t>(std::clamp<int64_t>(wanted, 0, most));
  };
  return call.ret(
      Value::table(table_new(call.vm(), room(elements, kMostElements), room(fields, kMaxInlineSlots))));
}

/// Raw: no metamethod is called. The metatable stays.
Result<int> table_clear_all(Call& call) {
  Table* table = TRY(call.check_table(0));
  charge_if_much(call.vm(), table_clear(call.vm(), table));
  return call.ret();
}

/// The loader, whose upvalues are the table library and the function. Programs call it themselves, too: it needs no argument.
Result<int> load_extension(Call& call) {
  set_field(call.vm(), call.upvalue(0).as_table(), call.upvalue(1).as_native_function()->name, call.upvalue(1));
  return call.ret(call.upvalue(1));
}

}  // namespace

void preload_table_extensions(Vm& vm, Table* library) {
  const auto add = [&](const char* module, NativeCode code, const char* name) {
    NativeFunction* loader = vm.new_native(load_extension, module, 2);
    loader->upvalues[0] = Value::table(library);
    loader->upvalues[1] = Value::function(vm.new_native(code, name));
    preload(vm, module, loader);
  };
  add("table.new", table_new_with_room, "new");
  add("table.clear", table_clear_all, "clear");
}

}  // namespace mangata
