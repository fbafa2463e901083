// Finding metamethods (Lua 5.4 manual §2.4), and remembering that they are absent.
//
// Read next: vm/object/table_store.cpp (what makes the memory invalid).
#include "vm/object/table_inline.h"
#include "vm/vm.h"

namespace mangata {

namespace {

/// The AbsentMetamethod bit of an event, or 0.
uint8_t absence_bit(Metamethod event) {
  if (event > Metamethod::Mode || event == Metamethod::Call) return 0;
  return static_cast<uint8_t>(1u << static_cast<int>(event));
}

static_assert(kNoIndex == 1 << static_cast<int>(Metamethod::Index));
static_assert(kNoNewIndex == 1 << static_cast<int>(Metamethod::NewIndex));
static_assert(kNoEqual == 1 << static_cast<int>(Metamethod::Equal));
static_assert(kNoLength == 1 << static_cast<int>(Metamethod::Length));
static_assert(kNoGc == 1 << static_cast<int>(Metamethod::Gc));
static_assert(kNoMode == 1 << static_cast<int>(Metamethod::Mode));

}  // namespace

Value find_metamethod(Vm& vm, Table* metatable, Metamethod event) {
  if (metatable == nullptr) return Value::nil();
  const uint8_t bit = absence_bit(event);
  if ((metatable->type_flags & bit) != 0) return Value::nil();
  const Value found = table_get_short_string(metatable, vm.name_of(event));
  if (found.is_nil()) metatable->type_flags |= bit;
  return found;
}

Value Vm::metamethod(const Value& value, Metamethod event) const {
  return find_metamethod(const_cast<Vm&>(*this), metatable_of(value), event);
}

}  // namespace mangata
