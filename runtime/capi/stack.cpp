// The stack: indices, the top, moving values (Lua 5.4 manual §4.1).
#include "runtime/c_boundary/protect.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

/// Variables marked with lua_toclose at or above `level` are closed.
Status close_above(Thread& thread, Value* level) {
  const auto first = static_cast<uint32_t>(level - thread.stack);
  if (thread.to_be_closed.empty() || thread.to_be_closed.back() < first) return {};
  return close_variables(*thread.vm, thread, level, Value::nil(), false);
}

/// The C function that closes them goes on behind: it cannot be left for a yield meanwhile.
void close_at_once(Thread& thread, Value* level) {
  protect(thread, [&]() -> Status {
    ++thread.non_yieldable;
    const Status closed = close_above(thread, level);
    --thread.non_yieldable;
    return closed;
  });
}

void reverse(Value* first, Value* last) {
  for (; first < last; ++first, --last) {
    const Value kept = *first;
    *first = *last;
    *last = kept;
  }
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

int lua_absindex(lua_State* L, int idx) {
  return idx > 0 || idx <= LUA_REGISTRYINDEX ? idx : lua_gettop(L) + idx + 1;
}

int lua_gettop(lua_State* L) {
  const Thread& thread = thread_of(L);
  return static_cast<int>(thread.top - thread.base);
}

void lua_settop(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  Value* top = idx >= 0 ? thread.base + idx : thread.top + (idx + 1);
  if (top < thread.top && !thread.to_be_closed.empty()) [[unlikely]]
    close_at_once(thread, top);
  while (thread.top < top) push(thread, Value::nil());
  thread.top = top;
}

void lua_pushvalue(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  push(thread, or_nil(value_at(thread, idx)));
}

void lua_rotate(lua_State* L, int idx, int n) {
  Thread& thread = thread_of(L);
  Value* last = thread.top - 1;
  Value* first = idx > 0 ? thread.base + (idx - 1) : thread.top + idx;  // above the top, as hosts do: nothing to rotate
  Value* middle = n >= 0 ? last - n : first - n - 1;
  reverse(first, middle);
  reverse(middle + 1, last);
  reverse(first, last);
}

void lua_copy(lua_State* L, int fromidx, int toidx) {
  Thread& thread = thread_of(L);
  const Value value = or_nil(value_at(thread, fromidx));
  Value* slot = slot_at(thread, toidx);
  if (slot == nullptr) return;
  *slot = value;
  if (toidx < LUA_REGISTRYINDEX) thread.vm->heap.write_barrier(function_slot(thread.base)->as_native_function(), value);
}

int lua_checkstack(lua_State* L, int n) {
  Thread& thread = thread_of(L);
  return make_stack_room(thread, thread.top, n) ? 1 : 0;
}

void lua_xmove(lua_State* from, lua_State* to, int n) {
  if (from == to) return;
  Thread& source = thread_of(from);
  Thread& target = thread_of(to);
  source.top -= n;
  for (int i = 0; i < n; ++i) push(target, source.top[i]);
}

void lua_toclose(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  protect(thread, [&] { return mark_to_be_closed(*thread.vm, slot_at(thread, idx)); });
}

void lua_closeslot(lua_State* L, int idx) {
  Thread& thread = thread_of(L);
  Value* slot = slot_at(thread, idx);
  close_at_once(thread, slot);
  slot->set_nil();
}
