// The machine code of one function, and how to enter it at any instruction.
//
// Invariant: it belongs to one array of bytecode (plain or instrumented) of one Proto, which points to it while calls are to
// enter it. Read next: jit/baseline/compiler.h (who makes it), jit/jit.h (who owns it).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "jit/code_cache.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/low_memory.h"

namespace mangata {

namespace jit {
struct RegionCode;
}

/// Where a loop of compiled code can go on in optimized code. Machine code tests and calls `entry` at the loop's backedges.
struct RegionEntry {
  const void* entry = nullptr;             ///< jit/region/region_input.h, RegionCode::Entry; null: there is none
  jit::RegionCode* region = nullptr;
  const uint32_t* resume_offsets = nullptr;  ///< of the code that calls it
  const uint8_t* code = nullptr;
  uint64_t rounds = 0;  ///< backedges that baseline code has taken to the loop, where they are counted (--measure-loops)
};

struct CompiledCode {
  CodeRegion region;
  size_t code_bytes = 0;
  const Instruction* bytecode = nullptr;   ///< what it was compiled from
  std::array<uint32_t, kNativeEntries> entry_offsets = {};  ///< where compiled callers enter: Proto::native_entries
  std::vector<uint32_t> resume_offsets;    ///< per pc of `bytecode`: where a complete frame goes on
  LowArray<RegionEntry> region_entries;    ///< of the loops that optimized code may take over
  RegionEntry function_entry;              ///< the same for the whole function
  std::vector<int32_t> region_heads;       ///< the pc of each in `bytecode`
  uint32_t slow_paths_offset = 0;          ///< what is behind it belongs to no instruction in particular

  std::span<const uint8_t> machine_code() const { return {region.rx, code_bytes}; }
  /// What it costs the heap's account.
  size_t memory_bytes() const {
    return sizeof(CompiledCode) + region.size_bytes + resume_offsets.capacity() * sizeof(uint32_t);
  }
  const void* entry(int argument_count) const {
    return region.rx + entry_offsets[static_cast<size_t>(argument_count)];
  }
  const void* resume_address(const Instruction* pc) const {
    return region.rx + resume_offsets[static_cast<size_t>(pc - bytecode)];
  }
};

}  // namespace mangata
