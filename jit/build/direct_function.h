// Functions that call themselves: machine code calls machine code, with arguments and results in registers.
//
// [DESIGN] Of such a function there are two functions in the module: the *direct* one, which takes unboxed parameters and returns an unboxed
// result, and around it the region that baseline code enters, which reads the parameters from the frame and puts the result there. A
// call of itself then needs neither the thunk, nor the checks of an entry from baseline code, nor the frame slots of its arguments.
// What remains is what somebody who looks at the stack in the middle of it must find: the caller's live values, the headers, and the
// callee's function. Parameters and registers of the callee count as dirty from its start.
//
// An activation that does not end with a return (a side exit, an error, or the refusal to begin, where stacks are full or attention was
// asked for) has left its frame complete, and finish_call() runs it to its end in other tiers: its result is in the frame then.
#pragma once

#include <string>
#include <vector>

#include "jit/abi/region_runtime.h"
#include "jit/build/writer.h"
#include "jit/region/region_input.h"

namespace mangata::jit {

class DirectFunction {
 public:
  DirectFunction(Writer& writer, const RegionInput& input) : b_(writer), input_(input) {}

  /// Whether the region is a function that has a direct form, and uses it.
  static bool is_wanted(const RegionInput& input);
  /// { status, payload, tag } (thread, base, vm, path register, parameters), with room for so many operations.
  void make(ir::Module* module, const std::string& name, size_t room);
  bool is_made() const { return is_made_; }

  /// Any: its tag is a parameter, too.
  Kind parameter_kind(Register reg) const;
  /// Of the generated function.
  std::vector<Operand> parameters() const;
  /// The path register at its start.
  IrValue path() const { return b_.function().parameters()[kFirstParameter - 1]; }
  /// It refuses to begin: it stores its parameters for whoever does.
  void refuse();
  /// With or without a result.
  IrValue has_returned(IrValue status);
  IrValue call(const std::vector<IrValue>& arguments) { return b_.call_function(kDirect, arguments); }
  /// Writes the region: checks the types of the parameters in the frame, and puts the result where the caller wants it (emit_returns.cpp).
  void wrap(ir::Function* region);

 private:
  static constexpr size_t kFirstParameter = 4;
  static constexpr uint32_t kDirect = 1;  ///< the direct function, in the module
  void deliver_result(IrValue call);

  Writer& b_;
  const RegionInput& input_;
  bool is_made_ = false;
};

}  // namespace mangata::jit
