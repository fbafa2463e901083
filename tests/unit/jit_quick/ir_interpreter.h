// Runs functions of the IR, one operation after the other: what backends and passes are compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

/// Words of eight bytes: integers zero-extended, floats by their bits. Memory is the process's.
class Interpreter {
 public:
  /// A function that `call` may name: by address.
  using Callee = uint64_t (*)(std::span<const uint64_t> arguments);
  struct Known {
    uint64_t address;
    Callee callee;
  };

  Interpreter(const Module& module, std::vector<Known> known, uint64_t most_steps = 1000000)
      : module_(module), known_(std::move(known)), steps_left_(most_steps) {}

  /// Empty: too many steps, or nothing that ends.
  std::optional<std::vector<uint64_t>> run(size_t function, std::span<const uint64_t> arguments);
  uint64_t steps_left() const { return steps_left_; }

 private:
  struct Frame;
  bool execute(Frame& frame, Value value);
  bool transfer(Frame& frame, const Operation& operation, uint64_t operand);
  const Module& module_;
  std::vector<Known> known_;
  uint64_t steps_left_;
};

}  // namespace mangata::jit::ir
