// Names for functions of C++ and C, as programs call them: "string.rep".
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "vm/vm.h"

namespace mangata {

class NativeNames {
 public:
  /// Takes up what the loaded libraries (package.loaded) have. A function that is in two has the longer way to write it: `_G` is last.
  void read_libraries(Vm& vm);

  /// Of a function with a frame: its code, and its name or the C function behind it (RawFrame).
  std::string of_frame(const void* code, const void* name) const;
  /// Of a function of C++ that was called without a frame; empty: it is none that programs know.
  const std::string* of_direct(const void* code) const;

 private:
  void add(Table* library, const std::string& prefix);

  std::unordered_map<const void*, std::string> names_;  ///< by any of the addresses of a function
};

}  // namespace mangata
