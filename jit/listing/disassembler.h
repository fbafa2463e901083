// Machine code as text, for --dump=asm: labels instead of addresses, names instead of helpers, and the
// bytecode between.
//
// Zydis decodes. Its library (Debian: libzydis4.0) is loaded at the first call: linked, it would cost every
// run of the engine the start-up of a shared library that only a dump needs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mangata {

/// A line of its own before the instruction at `offset`: a bytecode instruction, or the event of a plan.
struct CodeComment {
  uint32_t offset;  ///< from the start of the code
  std::string text;  ///< without line ends
};

struct Listing {
  std::span<const uint8_t> code;           ///< where it runs: targets are relative to it
  std::vector<CodeComment> comments = {};  ///< ascending offsets; several may have the same
  /// Names an address outside of the code: a target of a call, or a constant. Empty: no name.
  std::function<std::string(uint64_t)> symbol = {};
};

/// One line for each instruction: `  offset  instruction`, with a line `L1:` before each target of a jump.
/// The text does not depend on where the code lies, as long as the addresses in it have names. Empty: *error
/// says why.
std::optional<std::string> disassemble(const Listing& listing, std::string* error);

}  // namespace mangata
