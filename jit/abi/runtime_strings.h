// Operations on strings that compiled code in every tier calls without publishing anything: none is a
// safepoint, or raises.
#pragma once

#include <cstdint>

namespace mangata {
struct String;
struct Vm;
}  // namespace mangata

namespace mangata::jit {

/// Negative, zero or positive as `a` comes before `b`, equals it, or comes behind it.
int64_t order_of_strings(Vm* vm, const String* a, const String* b);

}  // namespace mangata::jit
