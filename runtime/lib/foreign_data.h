// What other libraries ask of the library ffi, which stands above them.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// Vm::foreign_data.
struct ForeignData : HostData {
  /// What tonumber() gives for `userdata`: the value of arithmetic C data, nil for anything else.
  virtual Value number_in(const Value& userdata) = 0;
};

/// Null: the library is not open, and there are no C data.
inline ForeignData* foreign_data_of(Vm& vm) { return static_cast<ForeignData*>(vm.foreign_data.get()); }

}  // namespace mangata
