// Everything the optimizer is told of the code that it is to compile: an immutable copy, which the compile
// thread may read while the program goes on.
//
// [DESIGN] Objects of the heap appear as addresses only; none is looked at. What compiled code compares with
// or refers to (shapes, strings, holders of methods, prototypes) is pinned by the Proto of the region
// (Proto::pinned) as long as the code lives.
//
// Read next: jit/region/loop_contexts.h, jit/region/README.md.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "jit/abi/compiled_region.h"
#include "jit/abi/region_runtime.h"
#include "jit/observers/code_observer.h"
#include "jit/region/loop_contexts.h"
#include "jit/region/region_code.h"
#include "jit/region/site_types.h"
#include "jit/region/type_recorder.h"
#include "profiler/run_so_far.h"
#include "vm/bytecode/proto.h"
#include "vm/bytecode/register_effects.h"

namespace mangata::jit {

/// What an access of a field finds in tables of one shape.
struct FieldCase {
  InlineCache cache;
  const Proto* method = nullptr;  ///< of the function found there now, if it is one of Lua
};

/// A metamethod that metatables have: of Lua functions `identity` is the prototype, of anything else the payload.
struct Saying {
  uint32_t slot = 0;  ///< of the metatable
  Tag tag = Tag::Nil;
  uint64_t identity = 0;  ///< of what is there: 0 without a tag
};

/// A call of setmetatable that always changed tables of one shape so.
struct MetatableCase {
  Table* metatable = nullptr;              ///< null: it was one of a class each time
  const Shape* metatable_shape = nullptr;  ///< it has no __gc while it has this
  const Shape* from = nullptr;             ///< without a metatable
  const Shape* to = nullptr;  ///< with it
  std::vector<Saying> says;                ///< of a class: all that its members say,
  uint8_t flags = 0;                       ///< their type_flags,
  uint32_t epoch = 0;                      ///< and that of the root
};

/// One function whose code is in the region: that of the loop, or one that is inlined. What is told "per pc" is told by CodePc, of `code`.
struct RegionFunction {
  int index = 0;  ///< among RegionInput::functions
  const Proto* proto = nullptr;
  const Instruction* address = nullptr;  ///< of the code that was copied: what saved pcs are made of
  std::vector<Instruction> code;  ///< a copy
  std::vector<RegionEvent> events;       ///< PathEvent instructions refer to them
  const void* counters = nullptr;        ///< PathCounters that they count in; null: the code has no events
  std::vector<OriginalPc> original_pcs;  ///< per pc
  std::vector<Value> constants;  ///< a copy
  std::vector<bool> is_short_string;  ///< per constant: equal strings are the same object
  std::vector<InlineCache> caches;
  Sites sites;   ///< per pc; of events, nothing
  std::vector<bool> is_optimized;  ///< per pc: a region of its own executes it already
  std::vector<bool> is_leader;    ///< per pc: control arrives from elsewhere, too
  std::vector<RegisterSet> live;  ///< per pc: read later, or a local variable in scope
  RegisterSet captured;           ///< by closures: these registers stay in the frame
  std::vector<const RegionFunction*>
      callees;  ///< per pc: the function that a call there may inline; null: none
  std::map<CodePc, std::vector<FieldCase>> cases;  ///< of sites that met several shapes
  std::map<CodePc, FieldCase> operators;           ///< accesses of properties among them: whose metamethod is always the same function of Lua
  std::map<CodePc, MetatableCase> metatables;      ///< of calls of setmetatable
  int parameter_count = 0;  ///< without `...`
  int register_count = 0;  ///< of a frame
  bool is_inlinable = false;  ///< calls may be replaced by it
};

/// Where a function calls others.
struct CallSite {
  int function = 0;  ///< RegionFunction::index
  CodePc pc{};       ///< of the call
  friend auto operator<=>(const CallSite&, const CallSite&) = default;
};
/// Calls that are not inlined, though they could be.
using KeptCalls = std::set<CallSite>;

/// Whether a loop may be compiled without its contexts first, and with them when it has run for long.
enum class Interim : uint8_t {
  No,
  WhereCheaper,  ///< when contexts are not affordable yet, but the form without them is
  Always         ///< for tests
};

/// What a compiler takes of the processor, in nanoseconds, on an idle machine.
struct CompilerPrice {
  double per_region = 0;       ///< whatever its size
  double per_instruction = 0;  ///< of IR
  bool is_low = false;         ///< regions are tried, for little is lost
};
inline constexpr CompilerPrice kPriceOfLlvm = {2.5e6, 9500};
inline constexpr CompilerPrice kPriceOfQuick = {5e5, 1000, true};

/// The budget (region_budget.h) when a region was asked for, in nanoseconds.
struct RegionFunds {
  double given = std::numeric_limits<double>::infinity();  ///< by the program
  double owed = 0;   ///< what was spent, less what regions have saved
  double ran = std::numeric_limits<double>::infinity();  ///< the program, so far
  double fixed = 0;  ///< what is to be paid besides the region: loading the compiler
  CompilerPrice price = kPriceOfLlvm;  ///< of whatever compiles it first
  double left() const { return given - owed; }
};

/// What a region is likely to save, by what was recorded (region_benefit.h).
struct RegionBenefit {
  RunSoFar so_far;              ///< of the first function
  double events_per_event = 1;  ///< for each of the function's: those in the region and in functions that it walks into
  bool is_leaf = false;         ///< a function that is likely to be inlined where it is called
  size_t places = 0;            ///< instructions that were executed, in each place where they are inlined
  double cycles_per_event = 0;  ///< of baseline code, by what instructions cost, for each of the function's events
  double baseline_cycles = 0;   ///< in the code that would be executed without the region
  double region_cycles = 0;     ///< instead of these, in the region
  std::map<BytecodePlace, double> table_cycles;  ///< of these, by constructor
  RegionFunds funds;            ///< that compiling it may take
  size_t failed_attempts = 0;   ///< regions of the same loop or function that were left too often
  double saved_share() const { return share_without(0); }
  /// If no table were made.
  double most_saved_share() const {
    double tables = 0;
    for (const auto& [place, cycles] : table_cycles) tables += cycles;
    return share_without(tables);
  }
  /// The region makes no tables there.
  void leave_out(const std::vector<BytecodePlace>& constructors) {
    for (const BytecodePlace& place : constructors) region_cycles -= table_cycles[place];
  }
  /// If it had been there from the start. What was measured has other work in it, too: library functions, the collector.
  double saved_nanoseconds() const {
    constexpr double kMostNanosecondsPerCycle = 0.8;
    const double predicted = static_cast<double>(so_far.events) * cycles_per_event * kMostNanosecondsPerCycle;
    return std::min({so_far.nanoseconds * events_per_event, predicted, funds.ran}) * saved_share();
  }

  /// For each call and backedge in the region.
  double saved_per_event() const {
    const double events = static_cast<double>(so_far.events) * events_per_event;
    return events == 0 ? 0 : saved_nanoseconds() / events;
  }

 private:
  double share_without(double cycles) const {
    return baseline_cycles == 0 ? 0 : std::max(1 - (region_cycles - cycles) / baseline_cycles, 0.0);
  }
};

struct RegionInput {
  std::vector<std::unique_ptr<RegionFunction>> functions;  ///< the loop's first
  CodePc entry_pc{};                                       ///< the head of the region's loop, or 0
  bool is_function = false;                                ///< the region is the whole function, from its call to its return
  bool checks_profitability = true;                        ///< what would not pay is refused
  bool runs_passes = true;                                 ///< false: it is code for tests, needed soon
  Interim interim = Interim::No;
  RegionBenefit benefit;
  size_t inlining_level = 0;                               ///< forms in which more calls are inlined are known to be too large (region_benefit.h)
  uint64_t recorded_events = 0;                            ///< of the first function: calls and backedges while it was recorded
  bool knows_edges = true;                                 ///< how often each branch is taken
  bool keeps_ir = false;                                   ///< RegionCode::ir is wanted
  bool keeps_passes = false;                               ///< with what each pass has made of it
  bool keeps_places = false;                               ///< RegionCode::places is wanted, and a frame pointer
  bool counts_events = false;                              ///< calls and backedges are taken off Vm::region_fuel, and at 0 it is left
  uint32_t fail_every = 0;                                 ///< for tests: each check fails once in so many times; 0: it does not
  uint32_t leave_every = 0;                                ///< for tests: the same for backedges, which lead out
  std::vector<bool> in_region;                             ///< per pc of the first function: in that loop
  FrameTags entry_tags = {};                               ///< of the registers at the head
  std::vector<PlacedLoop> loops;                           ///< those inside that get contexts
  std::map<const Proto*, const RegionFunction*> inlinable;  ///< functions that calls may be replaced by
  std::vector<Object*> pinned;  ///< what code and caches refer to
  std::unordered_map<const Shape*, const uint32_t*> epochs;  ///< of the roots of shapes in caches
  const Shape* empty_shape = nullptr;      ///< of new tables
  std::array<const String*, kTagCount> type_names = {};  ///< what type() returns
  const String* number_sign = nullptr;                   ///< "#", as the first argument of select
  const void* call_compiled = nullptr;     ///< jit/abi/thunks.h
  const RegionFunction& root() const { return *functions.front(); }
};

}  // namespace mangata::jit
