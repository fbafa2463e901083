// load: a chunk, text or binary, as a function (lua_load).
#include "vm/bytecode/chunk.h"
#include "vm/bytecode/proto.h"
#include "vm/frontend/compile.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

Result<LuaFunction*> load(Vm& vm, std::string_view bytes, std::string_view chunk_name,
                          std::string_view mode) {
  const bool is_binary = !bytes.empty() && bytes[0] == kChunkSignature[0];
  if (mode.find(is_binary ? 'b' : 't') == std::string_view::npos) {
    return raise_plain(vm, std::string("attempt to load a ") + (is_binary ? "binary" : "text") +
                               " chunk (mode is '" + std::string(mode) + "')");
  }
  if (is_binary) charge_if_much(vm, static_cast<int64_t>(bytes.size()));  // text: the lexer does
  Proto* const proto = is_binary ? TRY(load_chunk(vm, bytes, chunk_name)) : TRY(compile(vm, bytes, chunk_name));
  LuaFunction* const function = vm.new_lua_function(proto);
  for (uint32_t i = 0; i < function->upvalue_count(); i++) {
    function->upvalues[i] = vm.new_closed_upvalue(i == 0 ? Value::table(vm.globals) : Value::nil());
  }
  return function;
}

}  // namespace mangata
