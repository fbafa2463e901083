#include "jit/build/contexts.h"

#include <algorithm>

namespace mangata::jit {
namespace {

std::vector<uint32_t> all_of(const LoopContexts::Context& context) {
  std::vector<uint32_t> all(context.next.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i);
  return all;
}

}  // namespace

Contexts::Contexts(const RegionInput& input, const RunningWalk& walk) : input_(input), walk_(walk) {
  for (const PlacedLoop& loop : input.loops) {
    for (const auto& path : loop.paths) {
      for (const PlacedLoop::Step& step : path) steps_.insert({step.pc, step.taken});
    }
  }
}

bool Contexts::is_seen(bool taken) const {
  const SiteTypes& site_types = walk_.site();
  if (taken ? site_types.taken > 0 : site_types.count > site_types.taken) return true;
  return !walk_.state.is_inlined() && steps_.contains({CodePc(walk_.pc), taken});
}

Track Contexts::track_of(bool taken) const {
  if (merges(walk_.track) || walk_.state.is_inlined()) return walk_.track;
  const PlacedLoop& loop = input_.loops[static_cast<size_t>(walk_.track.loop)];
  Track next = walk_.track;
  next.hot.clear();
  for (const uint32_t candidate : walk_.track.hot) {
    const auto& path = loop.paths[loop.formed.contexts[walk_.track.context].next[candidate].path];
    if (walk_.track.step < path.size() && path[walk_.track.step] == PlacedLoop::Step{CodePc(walk_.pc), taken}) next.hot.push_back(candidate);
  }
  if (next.hot.empty()) {
    if (!is_by_facts(next)) return {};
    next.step = 0;
    return next;
  }
  ++next.step;
  return next;
}

Track Contexts::track_at_head(size_t loop) const {
  return input_.loops[loop].formed.is_by_facts() ? track_by_facts(loop) : track_by_history(loop);
}

/// By histories: the context that follows from the path that was taken.
Track Contexts::track_by_history(size_t index) const {
  const PlacedLoop& loop = input_.loops[index];
  Track next{.loop = static_cast<int>(index)};
  if (walk_.track.loop == static_cast<int>(index)) {
    for (const uint32_t candidate : walk_.track.hot) {
      const LoopContexts::Next& path = loop.formed.contexts[walk_.track.context].next[candidate];
      if (loop.paths[path.path].size() == walk_.track.step) next.context = path.context;
    }
  }
  next.hot = all_of(loop.formed.contexts[next.context]);
  if (next.hot.empty()) next = {};
  return next;
}

/// The values of the followed registers, as far as they are known here. Of a region's own function.
KnownRegisters Contexts::known_at(const LoopContexts& loop) const {
  KnownRegisters known;
  for (size_t reg = 0; reg < static_cast<size_t>(input_.root().register_count); ++reg) {
    if (!loop.followed.test(reg)) continue;
    const Fact& fact = walk_.state.slots[reg];
    if (!has_known_tag(fact.kind) || (has_payload(fact.kind) && !fact.is_constant)) continue;
    const uint64_t payload = fact.kind == Kind::True ? 1 : fact.constant;
    known.set(static_cast<uint16_t>(reg), Value(payload, tag_of(fact.kind)));
  }
  return known;
}

/// By facts: the context that they are those of.
Track Contexts::track_by_facts(size_t index) const {
  const LoopContexts& loop = input_.loops[index].formed;
  const bool is_inside = walk_.track.loop == static_cast<int>(index);
  Track next;
  next.loop = static_cast<int>(index);
  if (!is_inside) return next;
  const KnownRegisters known = known_at(loop);
  next.context = loop.context_of(known);
  for (const uint32_t candidate : walk_.track.hot) {
    const LoopContexts::Next& path = loop.contexts[walk_.track.context].next[candidate];
    if (loop.paths[path.path].size() == walk_.track.step && known.implies(loop.contexts[path.context].facts)) next.context = path.context;
  }
  next.enters_anew = next.context == 0;
  next.hot = hot_paths(loop, next.context);
  return next;
}

std::vector<uint32_t> Contexts::hot_paths(const LoopContexts& loop, uint32_t context) const {
  std::vector<uint32_t> hot;
  if (context == 0) return hot;
  for (uint32_t i = 0; i < loop.contexts[context].next.size(); ++i) {
    if (loop.contexts[context].next[i].is_hot) hot.push_back(i);
  }
  return hot;
}

void Contexts::keep_constants(Track* track, State* state, int pc) const {
  const bool is_by_facts = this->is_by_facts(*track);
  const PlacedLoop* loop = is_by_facts ? &input_.loops[static_cast<size_t>(track->loop)] : nullptr;
  track->known.clear();
  for (size_t slot = 0; slot < state->slots.size(); ++slot) {
    Fact& fact = state->slots[slot];
    const bool is_at_head = is_by_facts && CodePc(pc) == loop->head_pc && !state->is_inlined();
    bool is_followed = is_by_facts && track->context != 0 && slot < static_cast<size_t>(input_.root().register_count) && loop->formed.followed.test(slot);
    if (is_at_head) is_followed = is_followed && loop->formed.contexts[track->context].facts.find(static_cast<uint16_t>(slot)) != nullptr;
    if (!is_followed) {
      fact.forget_constant();
    } else if (has_known_tag(fact.kind) && (!has_payload(fact.kind) || fact.is_constant)) {
      track->known.emplace_back(static_cast<FrameSlot>(slot), fact.kind, fact.constant);
    }
  }
}

bool Contexts::weights(uint32_t* taken, uint32_t* not_taken) const {
  if (!is_by_facts(walk_.track) || walk_.track.context == 0 || walk_.state.is_inlined()) return false;
  const PlacedLoop& loop = input_.loops[static_cast<size_t>(walk_.track.loop)];
  uint64_t counts[2] = {};
  for (const LoopContexts::Next& next : loop.formed.contexts[walk_.track.context].next) {
    for (const PlacedLoop::Step& step : loop.paths[next.path]) {
      if (step.pc == CodePc(walk_.pc)) counts[step.taken ? 1 : 0] += next.count;
    }
  }
  constexpr uint64_t kMost = 1 << 24;
  const uint64_t scale = std::max(counts[0], counts[1]) / kMost + 1;
  *taken = static_cast<uint32_t>(counts[1] / scale);
  *not_taken = static_cast<uint32_t>(counts[0] / scale);
  return counts[0] + counts[1] > 0;
}

}  // namespace mangata::jit
