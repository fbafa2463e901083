// The bytecode that a region is made from: a function's original code, or its version with events, which the region executes
// then like any other instruction. So places are those of that version, everywhere in the region and in its exits, and what was
// recorded or counted by places in the original code is translated once, here.
//
// Read next: region_input.h, vm/interpreter/path_event.h, jit/build/path_events.h.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/path_event.h"

namespace mangata::jit {

/// An event, with all that is fixed of what it counts in.
struct RegionEvent {
  PathEventRecord record;
  const PathEventRecord* address = nullptr;  ///< for run_rare_event()
  uint64_t* counts = nullptr;                ///< array that it counts in; null: there is none
  uint32_t window_bits = 0, digit_bits = 0;  ///< of WindowBackedge
};

/// One version of the code of one function.
class VersionCode {
 public:
  /// `with_events`: the installed version, if that has any. Otherwise the original code.
  VersionCode(const Proto& proto, bool with_events);

  const Instruction* address() const { return code_; }
  int length() const { return length_; }
  CodePc end() const { return CodePc{length_}; }
  bool has_events() const { return counters_ != nullptr; }
  PathCounters* counters() const { return counters_; }
  std::vector<Instruction> instructions() const { return {code_, code_ + length_}; }
  std::vector<RegionEvent> events() const;

  bool is_event(CodePc pc) const { return code_[value_of(pc)].op == Opcode::PathEvent; }
  /// Behind an event: where control goes on. Several follow each other.
  CodePc behind_events(CodePc pc) const;
  /// Of an event: the instruction in front of it.
  OriginalPc original_pc(CodePc pc) const { return to_original_ == nullptr ? OriginalPc(value_of(pc)) : (*to_original_)[static_cast<size_t>(pc)]; }
  /// Where that instruction is.
  CodePc place_of(OriginalPc pc) const { return places_.empty() ? CodePc(value_of(pc)) : places_[static_cast<size_t>(pc)]; }
  const std::vector<OriginalPc>* to_original() const { return to_original_; }

  /// What is told of each instruction of the original code, for this one; of events, what is told of where they lead.
  template <typename T>
  std::vector<T> translate(const std::vector<T>& of_original) const {
    std::vector<T> result(static_cast<size_t>(length_));
    for (CodePc pc{}; pc < end(); pc = pc + 1)
      result[static_cast<size_t>(pc)] = of_original[static_cast<size_t>(original_pc(behind_events(pc)))];
    return result;
  }

 private:
  const Instruction* code_;
  int length_;
  const std::vector<OriginalPc>* to_original_ = nullptr;  ///< null: it is the original code
  PathCounters* counters_ = nullptr;
  std::vector<CodePc> places_;  ///< by OriginalPc
};

}  // namespace mangata::jit
