// The metamethods of cdata: functions for the one metatable that all of them have.
#pragma once

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

/// The metatable that ffi.metatype gave to the type, or null.
Table* metatable_of(State& state, TypeId id);
/// That of its type, or of what a pointer leads to.
Table* metatable_of(State& state, const CData& data);
/// What it has for the event, or nil.
Value metamethod_of(State& state, const Value& value, Metamethod event);

// --- access.cpp
Result<int> cdata_index(Call& call);  ///< of what State::read does not know
Result<int> cdata_new_index(Call& call);
/// The direct form of that (vm/object/function.h).
int new_index_directly(Vm& vm, Value* function, int argument_count);

// --- operators.cpp
void set_operators(Vm& vm, Table* metatable);

// --- comparisons.cpp
void set_comparisons(Vm& vm, Table* metatable);

// --- metamethods.cpp
Result<int> cdata_call(Call& call);
Result<int> cdata_to_string(Call& call);
Result<int> cdata_finalize(Call& call);
Table* make_metatable(Vm& vm);
/// "5LL", "cdata<int *>: 0x...", "ctype<int>".
std::string text_of_cdata(State& state, const CData& data);

// --- ffi_library.cpp
/// ffi.new, with the type given; arguments from call[first] on.
Result<int> new_object(Call& call, TypeId type, int first);

}  // namespace mangata::ffi
