// From which instructions of the bytecode machine code was made, for profilers.
//
// [DESIGN] LLVM carries debug locations through all passes, and merges or drops them where code from different places becomes one. So
// a place is a line: each different stack of instructions (that of the region's frame, and those inlined there) gets a number, which is
// the line in the one function that the debugger would see. Only the table of lines is made of it, and read back from the object; it is
// never linked. Code without a place stays the region's as a whole.
#pragma once

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <string>
#include <vector>

#include "jit/region/region_input.h"

namespace mangata::jit {

/// The places in the code of the object, which is not linked yet, by offset in its text.
std::vector<CodePlace> read_places(const llvm::object::ObjectFile& object);

/// Where the function is in the text of the object.
uint64_t offset_of(const llvm::object::ObjectFile& object, const std::string& name);

}  // namespace mangata::jit
