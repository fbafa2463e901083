#include "runtime/sampling/sampled_stacks.h"

#include <utility>

namespace mangata {

size_t SampledStacks::Hash::operator()(const SampledStack& stack) const {
  uint64_t hash = stack.size();
  for (const SampledFrame& frame : stack) {
    const uint64_t place = uint64_t{frame.index} << 32 | static_cast<uint32_t>(frame.line);
    hash = (hash ^ place ^ static_cast<uint64_t>(frame.kind) << 60) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

void SampledStacks::add(SampledStack stack, uint64_t nanoseconds) {
  all_.add(nanoseconds);
  const auto found = stacks_.find(stack);
  if (found != stacks_.end()) return found->second.add(nanoseconds);
  if (stacks_.size() >= kMostStacks && stack.size() > 1) stack = {SampledFrame{}, stack.back()};
  stacks_[std::move(stack)].add(nanoseconds);
}

uint32_t SampledStacks::function(const FunctionIdentity& identity) {
  const auto [place, is_new] = function_indices_.try_emplace(identity.key, static_cast<uint32_t>(functions_.size()));
  if (is_new) functions_.push_back(identity);
  return place->second;
}

uint32_t SampledStacks::native_name(const std::string& name) {
  const auto [place, is_new] = name_indices_.try_emplace(name, static_cast<uint32_t>(native_names_.size()));
  if (is_new) native_names_.push_back(name);
  return place->second;
}

}  // namespace mangata
