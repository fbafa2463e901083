// IR as text, for tests: read and verified.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "jit/ir/text.h"
#include "jit/ir/verifier.h"

namespace mangata::jit::ir {

inline Module read_or_fail(const std::string& text) {
  std::string error;
  std::optional<Module> module = read_module(text, &error);
  EXPECT_TRUE(module) << error;
  return module ? std::move(*module) : Module{};
}

/// What the verifier says of the text.
inline std::string problem_in(const std::string& text) { return verify(read_or_fail(text)); }

}  // namespace mangata::jit::ir
