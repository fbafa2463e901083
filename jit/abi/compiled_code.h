// The machine code of one function, and how to enter it at any instruction.
//
// A function that is too large to be compiled whole because of a loop has machine code for its hot loops only (`loops`): the rest of it
// goes on in the interpreter, and calls enter it there.
//
// Invariant: it belongs to one array of bytecode (plain or instrumented) of one Proto, which points to it while calls are to
// enter it. Read next: jit/baseline/compiler.h (who makes it), jit/driver/jit.h (who owns it).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jit/code_memory/code_cache.h"
#include "jit/observers/code_observer.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/low_memory.h"

namespace mangata {

namespace jit {
struct RegionCode;
}

/// Where a loop of compiled code can go on in optimized code. Machine code tests and calls `entry` at the loop's backedges.
struct RegionEntry {
  const void* entry = nullptr;             ///< jit/abi/compiled_region.h, RegionCode::Entry; null: there is none
  jit::RegionCode* region = nullptr;  ///< what `entry` is the code of; null: there is none
  const uint32_t* resume_offsets = nullptr;  ///< of the code that calls it
  const uint8_t* code = nullptr;             ///< what these are relative to
  uint64_t iterations = 0;  ///< backedges that baseline code has taken to the loop, where they are counted (--measure-loops)
};

struct CompiledCode {
  CodeRegion region;
  size_t code_bytes = 0;  ///< used of `region`
  const Instruction* bytecode = nullptr;   ///< what it was compiled from; of a loop: its first instruction
  std::array<uint32_t, kNativeEntries> entry_offsets = {};  ///< where compiled callers enter: Proto::native_entries
  std::vector<uint32_t> resume_offsets;    ///< per instruction from `bytecode` on: where a complete frame goes on
  LowArray<RegionEntry> region_entries;    ///< of the loops that optimized code may take over
  RegionEntry function_entry;              ///< the same for the whole function
  std::vector<CodePc> region_heads;        ///< where each is in `bytecode`
  uint32_t slow_paths_offset = 0;          ///< what is behind it is run rarely
  /// Where the instructions whose `resume_offsets` are out of line have their code (jit/baseline/emit_held_float.cpp).
  std::vector<CodePlace> deferred;
  std::vector<CodePlace> slow_places;      ///< of which instructions that is; empty once the observers know
  std::vector<CodeFrameRow> slow_frames;   ///< where more is on the native stack than elsewhere; empty once the observers know
  /// Of a function whose loops only were compiled; when it is compiled whole later, they stay for the frames in them.
  std::vector<std::unique_ptr<CompiledCode>> loops;
  /// Not null: only `loops` were compiled. Where a frame goes on at all other instructions, with its saved pc: in the interpreter.
  const uint8_t* outside = nullptr;

  bool is_whole() const { return outside == nullptr; }
  std::span<const uint8_t> machine_code() const { return {region.rx, code_bytes}; }
  /// What it costs the heap's account.
  size_t memory_bytes() const {
    size_t bytes = sizeof(CompiledCode) + region.size_bytes + resume_offsets.capacity() * sizeof(uint32_t) +
                   deferred.capacity() * sizeof(CodePlace);
    for (const auto& loop : loops) bytes += loop->memory_bytes();
    return bytes;
  }
  /// Where the code of each instruction begins, as `resume_offsets`, in ascending order.
  std::vector<uint32_t> instruction_offsets() const {
    std::vector<uint32_t> offsets = resume_offsets;
    for (const CodePlace& place : deferred) offsets[place.index] = place.offset;
    return offsets;
  }
  const void* entry(int argument_count) const {
    return region.rx + entry_offsets[static_cast<size_t>(argument_count)];
  }
  /// The loop that has the instruction; null: none.
  const CompiledCode* loop_at(const Instruction* pc) const {
    const auto found = std::find_if(loops.begin(), loops.end(), [pc](const auto& loop) {
      return static_cast<size_t>(pc - loop->bytecode) < loop->resume_offsets.size();
    });
    return found == loops.end() ? nullptr : found->get();
  }
  /// Precondition unless is_whole(): `pc` is the frame's saved pc.
  const void* resume_address(const Instruction* pc) const {
    if (!is_whole()) [[unlikely]] {
      const CompiledCode* loop = loop_at(pc);
      return loop == nullptr ? outside : loop->resume_address(pc);
    }
    return region.rx + resume_offsets[static_cast<size_t>(pc - bytecode)];
  }
};

}  // namespace mangata
