// The DWARF sections of one region of compiled code: how to unwind it, and which source lines it comes from.
#pragma once

#include <cstdint>
#include <vector>

#include "jit/observers/code_observer.h"

namespace mangata {

/// .eh_frame: one CIE, one FDE with the rows of code.frame, absolute addresses. [LSB 5.0 core, §10.6; DWARF
/// 4, §6.4]
std::vector<uint8_t> make_eh_frame(const CodeDescription& code);

/// The same with addresses relative to where they stand, and its .eh_frame_hdr behind it: for a reader that puts them
/// into a file, behind the code and aligned to 8 bytes.
struct RelocatableFrames {
  std::vector<uint8_t> bytes;  ///< .eh_frame, and .eh_frame_hdr behind it
  size_t header_bytes;  ///< of .eh_frame_hdr, at the end
};
RelocatableFrames make_relocatable_frames(const CodeDescription& code);

/// The sections that give gdb a source line for each address. [DWARF 4]
struct DebugSections {
  std::vector<uint8_t> abbrev;  ///< .debug_abbrev
  std::vector<uint8_t> info;    ///< .debug_info: one compilation unit with one subprogram
  std::vector<uint8_t> line;    ///< .debug_line: code.lines
};
DebugSections make_debug_sections(const CodeDescription& code);

}  // namespace mangata
