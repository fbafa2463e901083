// One form of a function's bytecode: as compiled from source, or a copy with profiling events.
//
// [DESIGN] A function may change its version while frames of it are alive. New calls start in the installed version; a frame
// goes on in the version that it is in, and can change over where a backedge leads: there one path ends and the next begins, so
// no state of the old version's path is needed, and the values are in the same registers in every version. Everything that
// belongs to a version is therefore found by the pc. Versions live as long as their Proto; there are few, because one that is
// wanted again is installed again.
//
// Read next: vm/bytecode/proto.h, vm/interpreter/version_change.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vm/bytecode/instruction.h"
#include "vm/bytecode/pc.h"

namespace mangata {

struct CompiledCode;
struct PathCounters;
struct Proto;

struct CodeVersion {
  /// Where a frame can take up this version.
  struct LoopStart {
    OriginalPc original_pc{};   ///< the first instruction of a loop's head
    CodePc pc{};                ///< the same in this version
    int64_t path_register = 0;  ///< as behind the events of the backedge
  };

  std::vector<Instruction> instrumented;  ///< empty: the code as compiled from source
  std::vector<OriginalPc> to_original;    ///< by CodePc, an index of `instrumented`
  std::vector<LoopStart> loop_starts;     ///< of an instrumented version; the original code can be taken up anywhere
  PathCounters* counters = nullptr;       ///< what its PathEvents refer to; owned by the profiler
  CompiledCode* compiled = nullptr;       ///< of this version, while it is not installed: Proto::compiled is that of the installed one
  const Instruction* code = nullptr;  ///< `instrumented`, or Proto::original_code; what frames have as their pc points into it
  int32_t length = 0;  ///< instructions at `code`

  /// True for a saved pc, too, which is one past the instruction that runs.
  bool contains(const Instruction* pc) const { return pc >= code && pc <= code + length; }
};

/// Adds an instrumented version, not yet installed.
/// @param version  with `instrumented`, `to_original`, `loop_starts` and `counters` filled in
CodeVersion& add_version(Proto& proto, CodeVersion version);

/// The version as compiled from source, once there is another.
CodeVersion& original_version(Proto& proto);

/// New calls of `proto` run `version`. Whoever has machine code must then renew Proto::native_entry.
void install_version(Proto& proto, CodeVersion& version);

}  // namespace mangata
