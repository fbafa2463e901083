// What a load or store of generated code may touch: of different classes, none is another's. LLVM knows them as types (TBAA).
#pragma once

#include <cstddef>
#include <cstdint>

namespace mangata::jit::ir {

enum class Memory : uint8_t {
  Frame,     ///< registers of frames
  Header,    ///< of frames and of objects: shapes, sizes, pointers to storage
  Integers,  ///< elements of an array of integers
  Floats,    ///< elements of an array of floats
  Values,    ///< properties, elements of any type
  Upvalue,   ///< what a closure refers to
  Machine,   ///< fields of the Vm
  Counts,    ///< of profiles
  Any        ///< might be each of them
};

inline constexpr size_t kMemoryClasses = 9;
inline constexpr const char* kMemoryNames[kMemoryClasses] = {"frame", "header", "integers", "floats", "values", "upvalue", "machine", "counts", "any"};

constexpr bool may_alias(Memory a, Memory b) { return a == b || a == Memory::Any || b == Memory::Any; }

}  // namespace mangata::jit::ir
