// Machine code that calls C functions with scalar arguments, for the library ffi.
//
// A stub knows where the arguments of a signature go (System V ABI for x86-64, §3.2.3); it takes them from an
// array and leaves the result of the function in its register. Converting values is the caller's business.
#pragma once

#include <optional>
#include <string_view>

#include "jit/code_memory/code_cache.h"

namespace mangata::jit {

/// `arguments`: a letter for each: i for integers and pointers, d for doubles, f for floats. The stub is
/// called as result (*)(const uint64_t* words, const void* function), with an argument in each word, integers
/// extended to 64 bits. Empty: no room.
std::optional<CodeRegion> emit_foreign_call(CodeCache& cache, std::string_view arguments);

}  // namespace mangata::jit
