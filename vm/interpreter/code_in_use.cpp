#include "vm/interpreter/code_in_use.h"

#include "vm/heap/collector.h"
#include "vm/vm.h"

namespace mangata {

namespace {

/// Calls `visit(base)` for each frame of a Lua function.
template <typename Visit>
void for_each_lua_frame(Vm& vm, Visit visit) {
  for (Thread* thread : vm.heap.collector().threads) {
    for (Value* base = thread->base; (frame_of(base)->flags & FrameHeader::kBottom) == 0; base = caller_base(base)) {
      if (!frame_of(base)->is_native()) visit(base);
    }
  }
}

}  // namespace

std::unordered_set<const Instruction*> code_in_use(Vm& vm) {
  std::unordered_set<const Instruction*> starts;
  for_each_lua_frame(vm, [&](Value* base) {
    const Proto& proto = *function_slot(base)->as_lua_function()->proto;
    const CodeVersion* version = proto.version_at(frame_of(base)->saved_pc);
    starts.insert(version == nullptr ? proto.original_code.data() : version->code);
  });
  return starts;
}

std::unordered_set<const Proto*> functions_in_use(Vm& vm) {
  std::unordered_set<const Proto*> functions;
  for_each_lua_frame(vm, [&](Value* base) { functions.insert(function_slot(base)->as_lua_function()->proto); });
  return functions;
}

}  // namespace mangata
