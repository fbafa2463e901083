// The library `ffi`, as users of LuaJIT know it: README.md.
#pragma once

#include "vm/vm.h"

namespace mangata {

namespace ffi {

class CallStubs;  // call_stub.h

/// tonumber() of a userdata: the value of arithmetic cdata, nil of anything else.
Value number_in_cdata(Vm& vm, const Value& userdata);

}  // namespace ffi

/// package.preload.ffi: the library is made when it is required. Precondition: the package library is open, or nothing happens.
/// `stubs`: null, or what makes machine code for its calls.
void preload_ffi(Vm& vm, ffi::CallStubs* stubs);

}  // namespace mangata
