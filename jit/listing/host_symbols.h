// Names of the functions of this executable, for disassemblies: what compiled code calls.
#pragma once

#include <cstdint>
#include <string>

namespace mangata {

/// The name of the function that starts at `address`, without its scope and parameters: "runtime_step".
/// Empty: there is none, or the executable was stripped of its symbols.
std::string host_symbol(uint64_t address);

}  // namespace mangata
