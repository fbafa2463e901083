#include "runtime/sampling/sampled_stacks.h"

#include <algorithm>
#include <utility>

#include "vm/object/hash_part.h"

namespace mangata {

size_t SampledStacks::Hash::operator()(const Node& node) const {
  const uint64_t place = uint64_t{node.frame.index} << 32 | static_cast<uint32_t>(node.frame.line);
  uint64_t hash = (place ^ static_cast<uint64_t>(node.frame.kind) << 60) * kHashMultiplier;
  hash = (hash ^ hash >> 29 ^ node.parent) * kHashMultiplier;
  return hash ^ hash >> 32;
}

uint32_t SampledStacks::number_of(const SampledStack& stack, size_t most) {
  uint32_t number = kRoot;
  for (const SampledFrame& frame : stack) {
    const Node node{number, frame};
    auto found = numbers_.find(node);
    if (found == numbers_.end()) {
      if (nodes_.size() >= most) return kRoot;
      found = numbers_.emplace(node, static_cast<uint32_t>(nodes_.size())).first;
      nodes_.push_back(&found->first);
      times_.emplace_back();
    }
    number = found->second;
  }
  return number;
}

SampledStack SampledStacks::stack_at(uint32_t number) const {
  SampledStack stack;
  for (; number != kRoot; number = nodes_[number]->parent) stack.push_back(nodes_[number]->frame);
  std::reverse(stack.begin(), stack.end());
  return stack;
}

void SampledStacks::add(const SampledStack& stack, uint64_t nanoseconds) {
  all_.add(nanoseconds);
  uint32_t number = number_of(stack, kMostNodes);
  if (number == kRoot) number = number_of({SampledFrame{}, stack.back()}, SIZE_MAX);
  times_[number].add(nanoseconds);
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
