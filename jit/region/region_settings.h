// How regions come into being: what the user, tests and the rest of the engine want of them. All layers share it: options fill it in,
// tiering adds what the run wants, and the region builder reads it.
#pragma once

#include <cstdint>

namespace mangata::jit {

/// Which compilers make regions (--opt-compiler).
enum class Compilers : uint8_t {
  Both,
  Quick,
  Llvm
};

struct RegionSettings {
  // What regions are made from (--opt-paths)
  unsigned most_iterations = 8;  ///< that contexts look back; 1: acyclic paths, 0: no paths at all
  bool knows_edges = true;       ///< how often each branch is taken
  bool uses_facts = true;        ///< contexts by what paths leave in registers (loop_facts.h), where that decides something
  uint64_t recorded = 6000;     ///< instructions that are watched in the interpreter first

  Compilers compilers = Compilers::Both;  ///< where it is Both, RegionBuilder::choose_compiler may narrow it for a function

  // When
  bool checks_profitability = true;  ///< regions that would not pay are refused
  bool waits = false;       ///< for each compilation, so that regions are installed at the same place in every run
  bool with_events = false; ///< regions execute the events of the installed code: what is counted stays exact

  // What is told of them
  bool has_text = false;        ///< reports say in full what was formed
  bool keeps_ir = false;        ///< with the IR of it
  bool keeps_passes = false;    ///< behind each pass, too
  bool measures_loops = false;  ///< regions count their iterations, baseline code measures the cycles in them

  // For tests
  bool runs_passes = true;   ///< false: code is generated as fast as LLVM can
  uint32_t fail_every = 0;   ///< each check fails once in so many times; 0: only when it does
  uint32_t leave_every = 0;  ///< each backedge leads out of the region once in so many times
  uint32_t interim_for = 0;  ///< regions with contexts have an interim form for so many iterations; 0: where it pays, for as long as it does
};

}  // namespace mangata::jit
