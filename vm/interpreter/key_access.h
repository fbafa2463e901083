// Access by computed key, t[k], beyond the elements: strings, objects, sparse integers. What compiled code in
// every tier calls where the way to the value is too long to be inline, and the interpreter on its way to
// vm/operations/index.cpp.
//
// [DESIGN] Properties under computed names are found in the SharedPropertyCache by shape and name, as those
// of sites with many shapes are: what was found once there is found by machine code the next time. Names that
// are absent from tables without a metatable are not noted: a set of words that is asked for thousands of
// others would push everything else out. None of these functions is a safepoint, raises, or runs Lua code.
#pragma once

#include "vm/object/table.h"
#include "vm/value/value.h"

namespace mangata {

struct Vm;

/// The tag of what load_key returns where the value is absent and the metatable has to be asked.
inline constexpr uint64_t kNotLoaded = 0xff;

/// table[key], any key; or kNotLoaded.
Value load_key(Vm* vm, Table* table, uint64_t key_payload, uint64_t key_tag);

/// The same where the key is known to be an integer.
Value load_integer_key(Table* table, int64_t key);

/// table[key] := value where the key has a value that is not nil, so that the store is nothing but a store;
/// false: nothing was done.
bool replace_at_key(Vm& vm, Table* table, Value key, Value value);

/// table[key] := value, any of both, where no metamethod can be involved; false: nothing was done, or there
/// was no memory. What is known of the table's shape and elements may not hold any longer.
bool store_key(Vm* vm, Table* table, uint64_t key_payload, uint64_t key_tag, uint64_t payload, uint64_t tag);
bool store_integer_key(Vm* vm, Table* table, int64_t key, uint64_t payload, uint64_t tag);

}  // namespace mangata
