// What is said of a compiled function to debuggers and profilers, and between the lines of its disassembly.
//
// Everything follows from where each bytecode instruction starts in the machine code: `instruction_offsets`, per
// pc of Proto::code, with the prologue before the first one and the slow paths behind the last one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "jit/listing/disassembler.h"
#include "jit/observers/code_observer.h"
#include "vm/bytecode/proto.h"

namespace mangata {

/// The names of functions, which only the function around them tells: made when that one is, needed when they
/// are compiled.
class CodeNames {
 public:
  /// `proto` was made, and so were the functions in it.
  void add(const Proto& proto);
  void remove(const Proto& proto) { names_.erase(&proto); }
  /// "f", "M.f", "main chunk" or "function".
  std::string name_of(const Proto& proto) const;

 private:
  std::unordered_map<const Proto*, std::string> names_;
};

/// For the observers. The lines of the slow paths are not known: they count as the line of the definition.
/// slow_paths_offset: where the code of the last instruction ends. loop_pc: the first pc, of the code of a loop.
CodeDescription describe_function(const Proto& proto, std::string name, std::span<const uint8_t> code,
                                  std::span<const uint32_t> instruction_offsets, uint32_t slow_paths_offset, std::optional<CodePc> loop_pc = {});
/// The same of a region. Lines are those of its own frame: of a call that is inlined, the call's. Frames are those of code that begins
/// with push rbp; mov rbp, rsp, as that of both compilers does; where LLVM has put something in front of it, they are not known.
CodeDescription describe_region(const Proto& proto, std::string name, std::span<const uint8_t> code, std::vector<CodePlace> places,
                                std::vector<std::vector<const Instruction*>> inlined);
/// From which instructions code was made, for the same.
std::vector<CodePlace> places_of(std::span<const uint32_t> instruction_offsets, std::span<const CodePlace> slow_places);

/// For the disassembler: each bytecode instruction as `pc [line] text` where it starts. Events are texts of
/// `event_text(pc)`.
std::vector<CodeComment> bytecode_comments(const Proto& proto, std::span<const uint32_t> instruction_offsets,
                                           const std::function<std::string(CodePc pc)>& event_text);

}  // namespace mangata
