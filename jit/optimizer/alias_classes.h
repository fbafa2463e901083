// What a load or store of generated code may touch: of different classes, none is another's. LLVM knows them as types (TBAA).
#pragma once

#include <cstdint>

namespace mangata::jit {

enum class Memory : uint8_t {
  Frame,     ///< registers of frames
  Header,    ///< of frames and of objects: shapes, sizes, pointers to storage
  Integers,  ///< elements of an array of integers
  Floats,    ///< elements of an array of floats
  Values,    ///< properties, elements of any type
  Upvalue,   ///< what a closure refers to
  Machine,   ///< fields of the Vm
  Counts     ///< of profiles
};

}  // namespace mangata::jit
