#include "runtime/c_boundary/state.h"

namespace mangata::capi {

Value* upvalue_at(Thread& thread, int index) {
  if (index == LUA_REGISTRYINDEX) return nullptr;
  const Value& running = *function_slot(thread.base);
  if ((thread.frame()->flags & FrameHeader::kBottom) != 0 || !running.is_native_function()) return nullptr;
  NativeFunction* function = running.as_native_function();
  const auto number = static_cast<uint32_t>(LUA_REGISTRYINDEX - index);
  return number <= function->upvalue_count() ? &function->upvalues[number - 1] : nullptr;
}

}  // namespace mangata::capi
