#include "jit/build/versions.h"

#include <algorithm>

namespace mangata::jit {
namespace {

/// States at one leader of a context that get code of their own.
constexpr size_t kMostVersions = 4;

bool same_kinds(const State& a, const State& b) {
  return std::equal(a.slots.begin(), a.slots.end(), b.slots.begin(), b.slots.end(),
                    [](const Fact& x, const Fact& y) { return x.kind == y.kind; });
}

/// What is dead is forgotten, so that fewer states differ. Arguments and results that were above the frame are dead.
void forget_dead(State* state, int pc) {
  state->slots.resize(static_cast<size_t>(std::max(state->top().end(), state->open_end)));
  std::vector<bool> live(state->slots.size(), false);
  state->for_each_live_slot(pc, [&](FrameSlot slot) { live[static_cast<size_t>(slot)] = true; });
  for (size_t slot = 0; slot < state->slots.size(); ++slot) {
    if (!live[slot]) state->slots[slot] = {};
  }
  drop_unreachable_tables(state);
}

}  // namespace

Versions::Versions(Writer& writer, RunningWalk& walk, RegisterFile& registers, EventCounter& events, Polls& polls, Safepoints& safepoints, const Contexts& contexts,
                   WalkQueue& queue, const Assigned& assigned, size_t most_generic, const Widened& widened)
    : b_(writer),
      walk_(walk),
      registers_(registers),
      events_(events),
      polls_(polls),
      safepoints_(safepoints),
      contexts_(contexts),
      queue_(queue),
      assigned_(assigned),
      most_generic_(most_generic),
      widened_(widened) {}

void Versions::enter(Track track, int pc) {
  if (pc <= walk_.pc) polls_.poll(pc);
  forget_dead(&walk_.state, pc);
  if (pc <= walk_.pc) safepoints_.materialize_for(pc, true);
  contexts_.keep_constants(&track, &walk_.state, pc);
  State wanted = entry_state();
  const Key key{track, walk_.state.frames, pc};
  widen(key, pc, &wanted);
  std::vector<Version>& versions = versions_[key];
  const auto goes_to = [&](Version& version) {
    events_.count(version.state.uncounted_events);
    Block block = entrance(version, pc);
    convert(version.state);
    b_.jump(block);
    walk_.ended = true;
  };
  const auto fitting = [&]() -> Version* {
    for (Version& version : versions) {
      if (same_kinds(version.state, wanted) && all_cover(version.state, wanted)) return &version;
    }
    return nullptr;
  };
  if (Version* found = fitting()) return goes_to(*found);
  if (versions.size() >= (contexts_.merges(track) ? most_generic_ : kMostVersions)) {
    if (!walk_.state.tables.empty()) {
      safepoints_.materialize_for(pc, false);
      wanted = entry_state();
      if (Version* found = fitting()) return goes_to(*found);
    }
    for (Version& version : versions) {
      if (all_cover(version.state, wanted)) return goes_to(version);
    }
    State& last = versions.back().state;
    for (size_t i = 0; i < wanted.slots.size(); ++i) wanted.slots[i] = join(last.slots[i], wanted.slots[i]);
  }
  Block block = b_.make_block(track.is_generic() ? "generic" : "context");
  events_.expect(&wanted, pc);
  versions.push_back({wanted, block});
  const State state = wanted;
  goes_to(versions.back());
  queue_.add(block, state, pc, std::move(track));
}

/// What is known at the leader becomes what every path there is known to bring, if that was found out.
void Versions::widen(const Key& key, int pc, State* wanted) {
  const auto found = widened_.find(key);
  if (found == widened_.end()) return;
  if (!walk_.state.tables.empty()) {
    safepoints_.materialize_for(pc, false);
    *wanted = entry_state();
  }
  for (size_t i = 0; i < wanted->slots.size(); ++i) wanted->slots[i] = join(found->second[i], wanted->slots[i]);
}

/// Where the walk enters it, with its events.
Block Versions::entrance(Version& version, int pc) {
  if (walk_.state.reserved_events >= version.state.reserved_events) return version.block;
  if (pc <= walk_.pc) return polls_.reserve(pc), version.block;
  if (!version.reserves) {
    version.reserves = b_.make_block("reserves");
    State state = std::move(walk_.state);
    walk_.state = version.state;
    b_.write_in(version.reserves, [&] {
      polls_.reserve(pc);
      b_.jump(version.block);
    });
    walk_.state = std::move(state);
  }
  return version.reserves;
}

/// With which the running one is to go on at a leader: in a loop, what it assigns is dirty from the start. (Functions that are inlined
/// assign registers of their own only; when all were dirty there, they and what follows them were generated twice. But where a function
/// calls itself, all are: behind a call they are stored, behind one that was inlined they are not, and both are paths to the next.)
State Versions::entry_state() const {
  State state = walk_.state;
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    Fact& fact = state.slots[slot];
    const bool is_of_callee = walk_.state.is_inlined() && (assigned_.all_of_callees || static_cast<FrameSlot>(slot) >= walk_.state.frames[1].base);
    if (fact.kind != Kind::Frame && (is_of_callee || assigned_.registers.test(slot))) fact.dirty = true;
  }
  return state;
}

/// The values of the running walk, in the form that `to` has.
void Versions::convert(const State& to) {
  for (size_t i = 0; i < to.slots.size(); ++i) {
    const Fact& from = walk_.state.slots[i];
    const Kind wanted = to.slots[i].kind;
    const auto slot = static_cast<FrameSlot>(i);
    if (wanted == Kind::Frame) {
      if (from.dirty) registers_.store(slot);
    } else if (wanted == Kind::Any && from.kind != Kind::Any) {
      const Operand value = registers_.get(slot);
      if (value.kind != Kind::Any) {
        b_.set(registers_.tag_cell(slot), b_.tag_value(value));
        b_.set(registers_.payload_cell(slot), b_.payload_bits(value));
      }
    }
  }
}

void Versions::add_widened(Widened* widened) const {
  for (const auto& [key, versions] : versions_) {
    if (versions.size() < 2 || !contexts_.merges(std::get<Track>(key))) continue;
    std::vector<Fact>& all = widened->try_emplace(key, versions.front().state.slots).first->second;
    for (const Version& version : versions) {
      for (size_t i = 0; i < all.size(); ++i) all[i] = join(all[i], version.state.slots[i]);
    }
  }
}

}  // namespace mangata::jit
