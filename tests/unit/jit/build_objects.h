// The objects of jit/build up to Branches, each of which knows some of those before it, as Lowering has them.
#pragma once

#include <memory>

#include "jit/build/branches.h"
#include "jit/build/contexts.h"
#include "jit/build/event_counter.h"
#include "jit/build/exits.h"
#include "jit/build/forced_failures.h"
#include "jit/build/guards.h"
#include "jit/build/heap_writer.h"
#include "jit/build/instruction_tally.h"
#include "jit/build/polls.h"
#include "jit/build/replaced_tables.h"
#include "jit/build/runtime_calls.h"
#include "jit/build/safepoints.h"
#include "jit/build/versions.h"
#include "jit/build/walk_queue.h"
#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {

/// A region of one function.
inline RegionInput region_of_one(int register_count, bool counts_events) {
  RegionInput input;
  input.counts_events = counts_events;
  input.functions.emplace_back(std::make_unique<RegionFunction>())->register_count = register_count;
  return input;
}

struct BuildObjects {
  /// The walk is in a function of two instructions. `most_generic`: versions of generic code for one leader.
  BuildObjects(Vm& vm, int register_count, bool counts_events = false, size_t most_generic_versions = 2)
      : BuildObjects(vm, region_of_one(register_count, counts_events), 2, most_generic_versions) {}
  /// The same, of that region, and of so many instructions.
  BuildObjects(Vm& vm, RegionInput region, size_t instruction_count, size_t most_generic_versions = 2)
      : code(vm, region.root().register_count), input(std::move(region)), most_generic(most_generic_versions) {
    make_code(&code.root, instruction_count);
    code.root.sites = Sites(instruction_count);
    code.root.is_leader.resize(instruction_count + 1);
    events.begin();
  }

  GeneratedCode code;
  const RegionInput input;
  const size_t most_generic;
  EventCounter events{code.b, code.walk, input, false};
  HeapWriter heap{code.b, code.runtime};
  ReplacedTables tables{code.b, code.walk, code.registers, heap};
  Exits exits{code.b, code.walk, code.registers, events};
  InstructionTally tally{input};
  RuntimeCalls calls{code.b, code.walk, code.registers, events, tables, exits, tally, code.runtime};
  ForcedFailures failures{code.b};
  Contexts contexts{input, code.walk};
  WalkQueue queue{code.b, code.walk};
  Safepoints safepoints{code.b, code.walk, code.registers, tables, exits, calls, queue, code.runtime};
  Polls polls{code.b, code.walk, events, exits, failures, input};
  Versions::Assigned assigned;
  Versions::Widened widened;
  Versions versions{code.b, code.walk, code.registers, events, polls, safepoints, contexts, queue, assigned, most_generic, widened};
  Guards guards{code.b, code.walk, exits, calls, versions, queue, failures, input};
  Branches branches{code.b, code.walk, code.registers, exits, tally, contexts, versions, queue, input, true};
};

}  // namespace mangata::jit
