// The auxiliary library: buffers (Lua 5.4 manual §5, luaL_Buffer).
//
// A buffer holds one slot of the stack from its initialisation on: a placeholder while its bytes are in the buffer itself, then
// a userdata whose block holds them. Compiled code knows the fields of the buffer (lauxlib.h), so a block that grows is
// replaced by another one.
#include <cstring>

#include "runtime/c_boundary/protect.h"

namespace mangata::capi {
namespace {

size_t grown_size(luaL_Buffer* buffer, size_t wanted) {
  if (SIZE_MAX - wanted < buffer->n) luaL_error(buffer->L, "buffer too large");
  const size_t larger = buffer->size / 2 * 3;
  return larger < buffer->n + wanted ? buffer->n + wanted : larger;
}

/// Room for `wanted` more bytes; `slot` is the index of the buffer's slot.
char* make_room(luaL_Buffer* buffer, size_t wanted, int slot) {
  if (buffer->size - buffer->n >= wanted) return buffer->b + buffer->n;
  const size_t size = grown_size(buffer, wanted);
  Thread& thread = thread_of(buffer->L);
  Userdata* block = thread.vm->new_userdata(size, 0);
  if (block == nullptr) luaL_error(buffer->L, "not enough memory");
  std::memcpy(block->payload, buffer->b, buffer->n);
  *slot_at(thread, slot) = Value::userdata(block);
  buffer->b = block->payload;
  buffer->size = size;
  safepoint(thread);
  return buffer->b + buffer->n;
}

void add(luaL_Buffer* buffer, const char* bytes, size_t length, int slot) {
  if (length == 0) return;
  std::memcpy(make_room(buffer, length, slot), bytes, length);
  buffer->n += length;
}

}  // namespace
}  // namespace mangata::capi

using namespace mangata;
using namespace mangata::capi;

void luaL_buffinit(lua_State* L, luaL_Buffer* B) {
  B->L = L;
  B->b = B->init.b;
  B->n = 0;
  B->size = LUAL_BUFFERSIZE;
  lua_pushlightuserdata(L, B);
}

char* luaL_buffinitsize(lua_State* L, luaL_Buffer* B, size_t sz) {
  luaL_buffinit(L, B);
  return make_room(B, sz, -1);
}

char* luaL_prepbuffsize(luaL_Buffer* B, size_t sz) { return make_room(B, sz, -1); }
void luaL_addlstring(luaL_Buffer* B, const char* s, size_t l) { add(B, s, l, -1); }
void luaL_addstring(luaL_Buffer* B, const char* s) { add(B, s, std::strlen(s), -1); }

void luaL_addvalue(luaL_Buffer* B) {
  size_t length;
  const char* text = lua_tolstring(B->L, -1, &length);
  add(B, text, length, -2);
  lua_pop(B->L, 1);
}

void luaL_pushresult(luaL_Buffer* B) {
  lua_pushlstring(B->L, B->b, B->n);
  lua_remove(B->L, -2);
}

void luaL_pushresultsize(luaL_Buffer* B, size_t sz) {
  luaL_addsize(B, sz);
  luaL_pushresult(B);
}

void luaL_addgsub(luaL_Buffer* b, const char* s, const char* p, const char* r) {
  const size_t length = std::strlen(p);
  while (const char* found = std::strstr(s, p)) {
    luaL_addlstring(b, s, static_cast<size_t>(found - s));
    luaL_addstring(b, r);
    s = found + length;
  }
  luaL_addstring(b, s);
}

const char* luaL_gsub(lua_State* L, const char* s, const char* p, const char* r) {
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addgsub(&buffer, s, p, r);
  luaL_pushresult(&buffer);
  return lua_tostring(L, -1);
}
