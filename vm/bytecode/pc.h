// The two numberings of a function's instructions, as types: whoever goes from one to the other says so.
//
// A function has one original code, as its source was compiled, and may have versions of it with events in between
// (vm/bytecode/code_version.h). Lines, sites of type feedback, profiles and what is told to users are named by OriginalPc; frames and
// machine code are in a version. Where a file is about one code only, a plain `int pc` is an index of that.
#pragma once

#include <cstdint>

namespace mangata {

/// An index of Proto::original_code.
enum class OriginalPc : int32_t {
};
/// An index of the code of one version, which may be the original one.
enum class CodePc : int32_t {
};

constexpr int32_t value_of(OriginalPc pc) { return static_cast<int32_t>(pc); }
constexpr int32_t value_of(CodePc pc) { return static_cast<int32_t>(pc); }

}  // namespace mangata
