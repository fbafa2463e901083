// Samples as counts: how much processor time was spent in which stack, and at which instructions.
//
// Read next: stack_resolver.h (where they come from), time_sampler.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/profiled_function.h"

namespace mangata {

struct SampledFrame {
  enum class Kind : uint8_t {
    Lua,         ///< `index` is the function's, `line` where it is
    Native,      ///< `index` is its name's
    Collector,   ///< on behalf of the frame below
    Compiler,    ///< on the program's thread
    Finalizer,   ///< what lies above runs because an object died
    Coroutine,   ///< what lies above runs in a coroutine that the frame below has resumed
    Unknown,     ///< frames that are missing
  };
  Kind kind = Kind::Unknown;
  uint32_t index = 0;  ///< of the function or name, by Kind
  int32_t line = -1;  ///< that runs; -1: not known
  friend bool operator==(const SampledFrame&, const SampledFrame&) = default;
};

/// The root first. Not empty.
using SampledStack = std::vector<SampledFrame>;

struct SampledTime {
  uint64_t nanoseconds = 0;  ///< that the samples stand for
  uint64_t samples = 0;  ///< taken
  /// One more sample, which stands for so much.
  void add(uint64_t more) {
    nanoseconds += more;
    ++samples;
  }
};

class SampledStacks {
 public:
  /// Of the tree of stacks, some 60 bytes each; stacks that would need more lose their lower frames.
  static constexpr size_t kMostNodes = 200'000;

  /// One sample.
  void add(const SampledStack& stack, uint64_t nanoseconds);
  /// The instruction at `pc` of the original code ran on top.
  void add_place(uint32_t function, int32_t pc, uint64_t nanoseconds) { places_[function][pc] += nanoseconds; }
  void add_invalid(uint64_t nanoseconds) { invalid_.add(nanoseconds); }

  /// The index of a function, by its place in the source.
  uint32_t function(const FunctionIdentity& identity);
  uint32_t native_name(const std::string& name);

  /// Calls visit(stack, time) for each.
  template <class Visit>
  void for_each_stack(Visit visit) const {
    for (const auto& [node, number] : numbers_) {
      if (times_[number].samples != 0) visit(stack_at(number), times_[number]);
    }
  }
  /// By function, by pc: nanoseconds of Lua code itself, as those of stacks that end at the function.
  const std::unordered_map<uint32_t, std::map<int32_t, uint64_t>>& places() const { return places_; }
  const std::vector<FunctionIdentity>& functions() const { return functions_; }
  const std::vector<std::string>& native_names() const { return native_names_; }
  const SampledTime& all() const { return all_; }
  const SampledTime& invalid() const { return invalid_; }

 private:
  static constexpr uint32_t kRoot = UINT32_MAX;
  /// A stack is the path from the root to its last frame: programs that recurse have many stacks, but few frames that are no other's.
  struct Node {
    uint32_t parent = kRoot;  ///< a number
    SampledFrame frame;
    friend bool operator==(const Node&, const Node&) = default;
  };
  struct Hash {
    size_t operator()(const Node& node) const;
  };
  /// kRoot when the tree has grown too large.
  uint32_t number_of(const SampledStack& stack, size_t most);
  SampledStack stack_at(uint32_t number) const;

  std::unordered_map<Node, uint32_t, Hash> numbers_;
  std::vector<const Node*> nodes_;  ///< by number: keys of the map
  std::vector<SampledTime> times_;  ///< of the stacks that end there
  std::unordered_map<uint32_t, std::map<int32_t, uint64_t>> places_;
  std::vector<FunctionIdentity> functions_;
  std::unordered_map<uint64_t, uint32_t> function_indices_;  ///< by FunctionIdentity::key
  std::vector<std::string> native_names_;
  std::unordered_map<std::string, uint32_t> name_indices_;
  SampledTime all_;      ///< of stacks
  SampledTime invalid_;
};

}  // namespace mangata
