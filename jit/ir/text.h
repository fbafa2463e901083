// The IR as text, one operation a line: what --dump=ir prints, and what tests are written in (README.md has the form).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

std::string to_text(const Function& function);
std::string to_text(const Module& module);
/// `%3`, or a constant with its type. For messages about values of a function as it was read: numbers are those of to_text() only
/// where it has been written just as it was made.
std::string operand_text(const Function& function, Value value);

/// errors  nothing is returned, and `error` says what is wrong in which line
std::optional<Module> read_module(std::string_view text, std::string* error);

}  // namespace mangata::jit::ir
