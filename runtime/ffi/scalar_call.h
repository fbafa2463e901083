// Calls of functions whose arguments and result are scalars, through stubs of machine code.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

inline constexpr size_t kMostStubArguments = 32;

/// Gives the plan a stub, if it allows one and there is a JIT (jit/x64/foreign_call.h).
void give_stub(State& state, CallPlan& plan);

/// An argument as a stub takes it. False: *problem says why it does not convert.
bool word_from_lua(State& state, const CallPlan::Argument& argument, const Value& value, uint64_t* word,
                   std::string* problem);

union ScalarResult {
  uint64_t integer;  ///< also addresses and booleans
  double real;  ///< double
  float single;  ///< float
};
/// Precondition: the plan has a stub.
ScalarResult call_by_stub(State& state, const CallPlan& plan, const void* code, const uint64_t* words);
/// Precondition: the result is not void.
Value value_of_result(State& state, const CallPlan& plan, const ScalarResult& result);

}  // namespace mangata::ffi
