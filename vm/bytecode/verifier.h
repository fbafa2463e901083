// Proves that bytecode from outside cannot harm the machine, before it runs.
//
// [DESIGN] Every tier trusts its bytecode: registers and constants exist, keys of Field opcodes are short
// strings, loops keep their hidden variables to themselves. The compiler guarantees it; for a binary chunk
// the verifier does, in three passes. The first looks at each instruction by itself, also at unreachable
// ones: operands in range and of the needed type, jumps to instructions, the shape of loops (verifier.cpp).
// The second looks at how `for` loops nest, and that nothing jumps into one: what prepares a loop has run
// before all else in it (verifier_loops.cpp). The third follows control flow with a small abstract state per
// register (verifier_flow.cpp): defined or not, since a stale slot may hold half of a frame header, or an
// object that a collection has freed, as allocations take all registers above the new object for dead; a new
// table, for SetList; the hidden variables of a running loop, which only its own instructions may read or
// write; captured by an open upvalue or to be closed, since such a slot must be closed before it becomes part
// of a frame header or dead, and before the function returns; and open results, which exist only between the
// instruction that makes them and the next.
//
// Some effects happen once: PrepareVararg moves the frame, so nothing jumps back to it; a variable is marked
// to be closed while no higher one is, and keeps its value until then.
#pragma once

#include <cstdint>
#include <string>

#include "vm/bytecode/proto.h"

namespace mangata {

struct Vm;

/// Says how much has been verified, and lets interrupts and deadlines stop it. Not where there is no
/// embedder: there an interrupt is an ordinary error, which load() would return as a flaw of the chunk, and
/// waits for Lua code.
class VerifierSteps {
 public:
  explicit VerifierSteps(Vm& vm) : vm_(vm) {}
  VerifierSteps(const VerifierSteps&) = delete;
  VerifierSteps& operator=(const VerifierSteps&) = delete;
  ~VerifierSteps();
  /// False when it was stopped: an error is pending.
  bool add(int64_t steps);
  bool stopped() const { return stopped_; }

 private:
  Vm& vm_;
  int64_t steps_ = 0;
  bool stopped_ = false;
};

/// Empty when `proto` and all functions nested in it are safe, else what is wrong: "pc 5: register out of
/// range". Precondition: opcodes are valid, and constants are nil, booleans, numbers or strings. `steps` may
/// be null; where it is stopped the answer means nothing.
std::string verify(const Proto& proto, VerifierSteps* steps = nullptr);

/// The second and the third pass, on one function that passed those before. Null when safe, else what is
/// wrong at *bad_pc.
const char* verify_loops(const Proto& proto, int* bad_pc);
const char* verify_flow(const Proto& proto, int* bad_pc, VerifierSteps* steps);

}  // namespace mangata
