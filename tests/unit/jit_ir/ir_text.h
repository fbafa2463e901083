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

/// The text, with what the passes make of its first function; each is given that.
template <typename... Pass>
std::string text_after(const std::string& text, Pass... passes) {
  Module module = read_or_fail(text);
  EXPECT_EQ(verify(module), "");
  [[maybe_unused]] const auto run = [&](auto& pass) {
    pass(&module.functions.front());
    EXPECT_EQ(verify(module), "");
  };
  (run(passes), ...);
  return to_text(module);
}

}  // namespace mangata::jit::ir
