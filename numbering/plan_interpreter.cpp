#include "numbering/plan_interpreter.h"

#include <algorithm>

namespace mangata::numbering {
namespace {

int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

uint64_t digit(const Window& window, int64_t digits, unsigned place) {
  return (static_cast<uint64_t>(digits) >> (place * window.digit_bits)) &
         ((uint64_t{1} << window.digit_bits) - 1);
}

// Digits at the places first..last-1 as one number to the base B, the oldest (lowest) place first.
uint64_t dense(const Window& window, int64_t digits, unsigned first, unsigned last) {
  uint64_t number = 0;
  for (unsigned place = first; place < last; ++place)
    number = number * window.body_paths + digit(window, digits, place);
  return number;
}

}  // namespace

void PlanCounters::add(Table& table, uint64_t key, uint64_t amount) {
  uint64_t& counter = table[key];
  if (__builtin_add_overflow(counter, amount, &counter)) {
    counter = UINT64_MAX;
    saturated = true;
  }
}

PlanInterpreter::PlanInterpreter(const EventPlan& plan, PlanCounters& counters)
    : plan_(plan), counters_(counters) {
  counters_.windows.resize(plan.windows.size());
  execute(plan.at_entry);
}

void PlanInterpreter::take(EdgeId edge) {
  if (plan_.hash_multiplier != 0) trail_.edges.push_back(edge);
  execute(plan_.on_edge(edge));
}

void PlanInterpreter::step_hash(const Event& event) {
  state_.path = static_cast<int64_t>(hash_step(static_cast<uint64_t>(state_.path), plan_.hash_multiplier,
                                               static_cast<uint64_t>(event.value)));
  operations_.additions += 2;  // a multiplication and an addition
}

void PlanInterpreter::count_hash(const Event& event) {
  step_hash(event);
  const auto key = static_cast<uint64_t>(state_.path);
  const LoopId loop = event.index == Event::kNoLoop ? LoopId::none() : LoopId(size_t{event.index});
  if (!loop.is_none()) trail_.edges.pop_back();  // the backedge is no part of the path
  trail_.finish_loop = loop;
  const auto [witness, is_new] = counters_.witnesses.try_emplace(key, trail_);
  if (!is_new && !(witness->second == trail_)) ++counters_.collisions;
  counters_.add(counters_.paths, key);
  ++operations_.counts;
  trail_ = PathWitness{.begin_loop = loop, .edges = {}, .finish_loop = {}};
  state_.path = event.start;
  ++operations_.moves;
}

void PlanInterpreter::count_path(int64_t constant) {
  auto key = static_cast<uint64_t>(add(state_.path, constant));
  if (plan_.paths.kind == TableKind::Preferential) {
    const uint64_t identifier = key >> 32;
    key &= UINT32_MAX;
    const bool preferred = identifier < plan_.paths.size && plan_.preferred[identifier] == key;
    ++(preferred ? counters_.preferred : counters_.residual);
  }
  counters_.add(counters_.paths, key);
  ++operations_.counts;
}

void PlanInterpreter::execute(std::span<const Event> events) {
  for (const Event& event : events) {
    switch (event.kind) {
      case EventKind::Start:
        state_.path = event.start;
        ++operations_.moves;
        break;
      case EventKind::Add:
        state_.path = add(state_.path, event.value);
        ++operations_.additions;
        break;
      case EventKind::Count:
        count_path(event.value);
        break;
      case EventKind::CountAndStart:
        count_path(event.value);
        state_.path = event.start;
        ++operations_.moves;
        break;
      case EventKind::EnterLoop:
        state_.window = 0;
        state_.completed = 0;
        ++operations_.moves;
        break;
      case EventKind::WindowAdd:
        state_.window = add(state_.window, event.value);
        ++operations_.additions;
        break;
      case EventKind::WindowBackedge:
        complete_iteration(event);
        break;
      case EventKind::HashStep:
        step_hash(event);
        break;
      case EventKind::HashCount:
        count_hash(event);
        break;
      case EventKind::LeaveLoop:
        leave(plan_.leaves[event.index]);
        break;
    }
  }
}

void PlanInterpreter::complete_iteration(const Event& event) {
  const Window& window = plan_.windows[event.index];
  if (event.value != 0) {
    state_.window = add(state_.window, event.value);
    ++operations_.additions;
  }
  ++operations_.branches;
  if (state_.completed == window.k) {
    counters_.add(counters_.windows[event.index], static_cast<uint64_t>(state_.window));
    ++operations_.counts;
  } else if (++state_.completed == window.k) {
    count_path(add(window.prologue, static_cast<int64_t>(dense(window, state_.window, 0, window.k))));
  }
  state_.window >>= window.digit_bits;
  ++operations_.shifts;
}

void PlanInterpreter::leave(const Leave& leave) {
  const Window& window = plan_.windows[leave.window];
  const unsigned k = window.k;
  const unsigned completed = std::min(state_.completed, k - 1);
  const auto sum =
      static_cast<uint64_t>(add(state_.window >> (window.digit_bits * (k - 1)), leave.potential));
  uint64_t rank = sum;
  if (leave.rank_table != Leave::kNoRanks) {
    const auto& sums = plan_.rank_tables[leave.rank_table];
    rank = static_cast<uint64_t>(std::lower_bound(sums.begin(), sums.end(), sum) - sums.begin());
  }
  uint64_t before = dense(window, state_.window, k - 1 - completed, k - 1);
  const bool restarted = state_.completed == k;
  if (!restarted) {
    uint64_t fewer = 0;
    for (unsigned i = 0; i < completed; ++i) fewer = fewer * window.body_paths + 1;
    before += fewer;
  }
  const auto offset = static_cast<int64_t>((before * leave.rank_count + rank) * leave.scale);
  state_.path = restarted ? add(leave.restarted, offset) : add(state_.path, add(leave.entered, offset));
  ++operations_.leaving;
}

}  // namespace mangata::numbering
