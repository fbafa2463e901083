// See cdata.h.
#include "runtime/ffi/cdata.h"

#include <cstring>

namespace mangata::ffi {
namespace {

constexpr size_t kHeaderBytes = (sizeof(CData) + 15) / 16 * 16;
constexpr uint32_t kPayloadAlign = 16;

Userdata* allocate(State& state, TypeId type, size_t bytes, bool is_reference, uint32_t user_values) {
  Userdata* userdata = state.vm.new_userdata(bytes, user_values);
  if (userdata == nullptr) return nullptr;
  userdata->type_byte = static_cast<uint8_t>(UserdataKind::Foreign);
  userdata->metatable = state.metatable;
  auto* data = reinterpret_cast<CData*>(userdata->payload);
  data->type = type;
  data->is_reference = is_reference;
  data->extra = 0;
  return userdata;
}

}  // namespace

Userdata* new_cdata(State& state, TypeId type, uint64_t bytes, uint64_t extra) {
  const uint32_t align = state.types.align_of(type);
  const size_t slack = align > kPayloadAlign ? align - kPayloadAlign : 0;
  Userdata* userdata = allocate(state, type, kHeaderBytes + bytes + slack, false, 0);
  if (userdata == nullptr) return nullptr;
  auto* data = reinterpret_cast<CData*>(userdata->payload);
  auto start = reinterpret_cast<uintptr_t>(userdata->payload + kHeaderBytes);
  if (slack != 0) start = (start + align - 1) & ~uintptr_t{align - 1};
  data->address = reinterpret_cast<char*>(start);
  data->extra = extra;
  std::memset(data->address, 0, bytes);
  return userdata;
}

Userdata* new_reference(State& state, TypeId type, void* address, Value owner) {
  Userdata* userdata = allocate(state, type, sizeof(CData), true, owner.is_nil() ? 0 : 1);
  reinterpret_cast<CData*>(userdata->payload)->address = static_cast<char*>(address);
  if (!owner.is_nil()) userdata->user_values[0] = owner;  // a new object is white
  return userdata;
}

Value new_pointer(State& state, TypeId type, void* address) {
  Userdata* userdata = new_cdata(state, type, sizeof(void*));
  store_as(reinterpret_cast<CData*>(userdata->payload)->address, address);
  return Value::userdata(userdata);
}

Value new_type_object(State& state, TypeId type) {
  Userdata* userdata = new_cdata(state, builtin::kTypeObject, sizeof(uint64_t));
  store_as(reinterpret_cast<CData*>(userdata->payload)->address, static_cast<uint64_t>(index_of(type)));
  return Value::userdata(userdata);
}

uint64_t size_of_cdata(const State& state, const CData& data) {
  if (state.types.has_variable_size(data.type)) return state.types.size_with(data.type, data.extra);
  return state.types.size_of(data.type);
}

TypeId type_meant_by(const State& state, const CData& data) {
  if (state.types[data.type].kind != TypeKind::TypeObject) return data.type;
  return static_cast<TypeId>(load_as<uint64_t>(data.address));
}

}  // namespace mangata::ffi
