// For tests: checks that seem to fail now and then (--stress=deopt).
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "jit/build/writer.h"

namespace mangata::jit {

class ForcedFailures {
 public:
  explicit ForcedFailures(Writer& writer) : b_(writer) {}

  /// The condition, which seems not to hold once in `period` times; 0: as it is.
  IrValue now_and_then(IrValue condition, uint32_t period);
  /// The code refers to them: they stay where they are.
  std::deque<uint32_t> take_countdowns() { return std::move(countdowns_); }

 private:
  Writer& b_;
  std::deque<uint32_t> countdowns_;
};

}  // namespace mangata::jit
