// From addresses to functions, lines and names.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/sampling/code_map.h"
#include "runtime/sampling/native_names.h"
#include "runtime/sampling/raw_sample.h"
#include "runtime/sampling/sampled_stacks.h"

namespace mangata {

class StackResolver {
 public:
  explicit StackResolver(SampledStacks& stacks) : stacks_(stacks) {}

  CodeMap& code() { return code_; }
  NativeNames& names() { return names_; }
  /// As TierHooks has it.
  void proto_created(const Proto& proto) { bytecode_.add(proto); }
  /// As TierHooks has it.
  void proto_destroyed(const Proto& proto);

  /// While everything that it points to is alive.
  void add(const RawSample& sample, const RawFrame* frames);

 private:
  std::vector<BytecodePlace> innermost_places(const RawSample& sample, const RawFrame& frame, const RawFrame* caller_frame) const;
  BytecodePlace interpreted_place(const RawSample& sample, const RawFrame& frame) const;
  BytecodePlace saved_place(const RawFrame& frame) const;
  void push_frames(const RawSample& sample, const RawFrame* frames, SampledStack* stack, BytecodePlace* top);
  void push_lua(const BytecodePlace& place, SampledStack* stack);
  void push_native(const RawFrame& frame, SampledStack* stack);
  uint32_t function_of(const Proto& proto);

  SampledStacks& stacks_;
  CodeMap code_;
  BytecodeMap bytecode_;
  NativeNames names_;
  std::unordered_map<const Proto*, uint32_t> functions_;
};

}  // namespace mangata
