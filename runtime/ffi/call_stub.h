// Machine code for calls, from whoever can make it (jit/foreign_call.h).
#pragma once

#include <string_view>

namespace mangata::ffi {

class CallStubs {
 public:
  virtual ~CallStubs() = default;
  /// The stub for these arguments (jit/foreign_call.h); null: there is none. It lives as long as the machine.
  virtual const void* call_stub(std::string_view arguments) = 0;
};

}  // namespace mangata::ffi
