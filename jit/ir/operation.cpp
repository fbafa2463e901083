#include "jit/ir/operation.h"

namespace mangata::jit::ir {

const char* name_of(Type type) {
  static constexpr const char* kNames[kTypes] = {"none", "bool", "i8", "i16", "i32", "i64", "f64", "pointer"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace mangata::jit::ir
