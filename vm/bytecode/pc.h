// The two numberings of a function's instructions, as types: whoever goes from one to the other says so.
//
// A function has one original code, as its source was compiled, and may have versions of it with events in between
// (vm/bytecode/code_version.h). Lines, sites of type feedback, profiles and what is told to users are named by OriginalPc; frames and
// machine code are in a version. Where both may be meant, and in what others call, a pc has its type. A plain `int pc` is inside of
// what is about one code only: a pass over the bytecode, an analysis, the front end.
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
/// Instructions further on in the same code.
constexpr OriginalPc operator+(OriginalPc pc, int further) { return OriginalPc{value_of(pc) + further}; }
constexpr CodePc operator+(CodePc pc, int further) { return CodePc{value_of(pc) + further}; }

}  // namespace mangata
