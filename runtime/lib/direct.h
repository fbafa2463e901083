// Direct forms (DirectCode, vm/object/function.h) of library functions that programs call in their inner
// loops.
//
// Each does what the function of the same name does for arguments of the usual types, and declines anything
// else, above all what would raise, call a metamethod or convert a string: then the function itself is
// called, in a frame of its own, so that messages and tracebacks exist once. Both take the same fuel (vm/poll.h): which of them is called
// differs between tiers.
#pragma once

#include "vm/vm.h"

namespace mangata::direct {

/// Fuel that tonumber takes for a string, in both forms.
inline constexpr int64_t kWorkOfNumeral = 2;
/// And math.fmod, whose quotient may be distant (vm/operations/arithmetic.cpp).
inline constexpr int64_t kWorkOfRemainder = 4;

// base_direct.cpp
int assert_truthy(Vm& vm, Value* function, int argument_count);
int getmetatable(Vm& vm, Value* function, int argument_count);
int ipairs(Vm& vm, Value* function, int argument_count);
int next(Vm& vm, Value* function, int argument_count);
/// table_next, for which fuel is taken where it passes over many places that are empty.
int charged_next(Vm& vm, Table* table, Value key, Value* next_key, Value* next_value);
int pairs(Vm& vm, Value* function, int argument_count);
int rawequal(Vm& vm, Value* function, int argument_count);
int rawget(Vm& vm, Value* function, int argument_count);
int rawlen(Vm& vm, Value* function, int argument_count);
int rawset(Vm& vm, Value* function, int argument_count);
int select(Vm& vm, Value* function, int argument_count);
int setmetatable(Vm& vm, Value* function, int argument_count);
int tonumber(Vm& vm, Value* function, int argument_count);
int tostring(Vm& vm, Value* function, int argument_count);
int type(Vm& vm, Value* function, int argument_count);

// math_direct.cpp
int abs(Vm& vm, Value* function, int argument_count);
int ceil(Vm& vm, Value* function, int argument_count);
int cos(Vm& vm, Value* function, int argument_count);
int exp(Vm& vm, Value* function, int argument_count);
int floor(Vm& vm, Value* function, int argument_count);
int fmod(Vm& vm, Value* function, int argument_count);
int log(Vm& vm, Value* function, int argument_count);
int max(Vm& vm, Value* function, int argument_count);
int min(Vm& vm, Value* function, int argument_count);
int random(Vm& vm, Value* function, int argument_count);
int sin(Vm& vm, Value* function, int argument_count);
int sqrt(Vm& vm, Value* function, int argument_count);
int tan(Vm& vm, Value* function, int argument_count);
int tointeger(Vm& vm, Value* function, int argument_count);

// string_direct.cpp
int byte(Vm& vm, Value* function, int argument_count);
int character(Vm& vm, Value* function, int argument_count);
int length(Vm& vm, Value* function, int argument_count);
int lower(Vm& vm, Value* function, int argument_count);
int repeat(Vm& vm, Value* function, int argument_count);
int reverse(Vm& vm, Value* function, int argument_count);
int sub(Vm& vm, Value* function, int argument_count);
int upper(Vm& vm, Value* function, int argument_count);

// string_search.cpp
int find(Vm& vm, Value* function, int argument_count);
int match(Vm& vm, Value* function, int argument_count);

// table_direct.cpp
int insert(Vm& vm, Value* function, int argument_count);
int remove(Vm& vm, Value* function, int argument_count);
int unpack(Vm& vm, Value* function, int argument_count);

}  // namespace mangata::direct
