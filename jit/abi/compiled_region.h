// Optimized code of a loop or a function, and the places where it is left.
//
// Who makes it: jit/optimizer. Who enters it: baseline code (jit/baseline/emit_region_entry.cpp, function_region_stub.h). What
// happens where it is left: complete_exit() (jit/abi/region_runtime.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jit/abi/frame_slot.h"
#include "jit/abi/region_runtime.h"
#include "jit/abi/tag_mask.h"
#include "jit/observers/code_observer.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// Regions that count events look whether there is fuel for so many, not for each. With less than that they are left.
inline constexpr int kReservedEvents = 32;

using BytecodePlace = std::pair<const Proto*, OriginalPc>;

/// A place where the region is left for baseline code.
struct ExitSite {
  enum class Why : uint8_t {
#define EXIT_REASON(name, ...) name,
#include "jit/abi/exit_reasons.def"
  };
  struct SlotTag {
    FrameSlot slot{};  ///< that has it
    Tag tag = Tag::Nil;
  };
  /// A table that existed only in the region. Its properties, or its elements, have been stored from the slot `fields_at` on.
  struct NewTable {
    const Shape* shape = nullptr;
    uint32_t room = 0;      ///< for properties; 0: it has elements
    uint32_t expected = 0;  ///< of these
    FrameSlot fields_at{};  ///< the first of them
    uint32_t field_count = 0;  ///< properties or elements that were stored
    std::vector<FrameSlot> slots;  ///< that get it; among them properties of other new tables
  };
  Why why = Why::Guard;
  CodePc region_pc{};             ///< where the region's own frame goes on, in the code that it was made from
  OriginalPc resumed_at{};        ///< where the innermost frame goes on
  OriginalPc left_at{};           ///< the instruction that left
  bool jumped = false;            ///< it is a branch, which jumped
  const Proto* proto = nullptr;   ///< of the innermost frame
  std::vector<SlotTag> tags;      ///< of the values whose payloads the region has stored
  std::vector<NewTable> tables;   ///< to be made
  bool counts_call = false;       ///< of a function, at its start: the call is to be counted in machine code yet
  FrameSlot open_end = kNoFrameSlot;   ///< of open results, which that frame consumes next: the slot behind the last
  uint32_t events = 0;            ///< to be taken off Vm::region_fuel yet
  std::vector<ExitFrame> frames;  ///< the region's, and those that are to be made; empty: only the region's

  /// All is in the frame, and machine code goes on without complete_exit(): where loops end, and before tail calls.
  bool is_plain() const {
    return why == Why::Loop && tags.empty() && tables.empty() && !counts_call && open_end == kNoFrameSlot && events == 0 && frames.empty();
  }
};

/// What the region is told of the outcome of a compilation; all but `error` is empty when it failed.
struct RegionCode {
  /// Returns an index of `exits`, or kRegionRaised, or kRegionLeaves.
  using Entry = int64_t (*)(Thread* thread, Value* base, Vm* vm);
  enum class Backend : uint8_t {
    Llvm,
    Quick
  };
  Entry entry = nullptr;
  Backend backend = Backend::Llvm;  ///< that has made the code
  size_t code_bytes = 0;
  const uint8_t* code = nullptr;                            ///< where they begin
  std::vector<CodePlace> places;                            ///< if they are kept: CodeDescription
  std::vector<std::vector<const Instruction*>> inlined;     ///< likewise
  size_t ir_instructions = 0;
  int stack_slots = 0;  ///< from the frame's base: the region is entered when there is room for so many
  double milliseconds = 0;
  double processor_milliseconds = 0;  ///< of these, on the compile thread
  double saved_per_event = 0;         ///< nanoseconds, by prediction
  std::vector<ExitSite> exits;        ///< by what the code returns
  std::vector<uint64_t> exit_counts;  ///< how often each was taken
  std::vector<ExitSite::Why> reasons;  ///< of each, close together: they are added up often
  std::vector<int32_t> plain_pcs;     ///< ExitSite::region_pc of plain exits; negative: of others
  // What machine code reads of these two
  uint64_t* counts_of_exits = nullptr;
  const int32_t* plain_pc_of_exits = nullptr;
  std::vector<TagMask> refused_tags;  ///< of the registers, when the entry was refused
  const Instruction* address = nullptr;  ///< of the bytecode that it was made from
  std::unique_ptr<RegionCode*> self;     ///< that it refers to: where the owner has put it
  std::unique_ptr<uint64_t> iterations;   ///< that the code counts: backedges and, of a function, calls
  size_t full_instructions = 0;       ///< it is an interim form, without contexts: of IR that it would have with them; 0: it is no such form
  std::unique_ptr<uint64_t> upgrade_at;  ///< of an interim form of a loop: it is left at so many `iterations`, and then every few
  uint64_t cycles = 0;                ///< between entries of its loop and exits, where baseline code measures them
  std::deque<uint32_t> countdowns;    ///< that the code refers to: RegionInput::fail_every
  std::vector<BytecodePlace> replaced_tables;  ///< constructors whose tables are made only where they are needed
  std::string restricted;             ///< what was left out to keep it small; empty: nothing
  std::string ir;                     ///< of LLVM, as generated and after the passes, also of what failed behind them
  std::string error;
  bool is_for_llvm = false;  ///< there is something in it of which only LLVM makes code
  double saved_share = 0;    ///< of the time in baseline code, as predicted
  size_t inlining_level = 0;  ///< forms in which more calls are inlined were too large
  uint64_t profitable_after = 0;  ///< not 0: compiling would pay, but only after so many calls and backedges of the function

  /// Once it has all its exits, and stays where it is.
  void publish_exits() {
    exit_counts.resize(exits.size());
    reasons.clear();
    plain_pcs.clear();
    for (const ExitSite& exit : exits) {
      reasons.push_back(exit.why);
      plain_pcs.push_back(exit.is_plain() ? value_of(exit.region_pc) : -1);
    }
    counts_of_exits = exit_counts.data();
    plain_pc_of_exits = plain_pcs.data();
  }
};

}  // namespace mangata::jit
