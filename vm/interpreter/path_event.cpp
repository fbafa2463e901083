// The rarer path events: what happens once per stay in a loop, and hashed ids.
#include "vm/interpreter/path_event.h"

#include <algorithm>
#include <optional>

#include "vm/interpreter/path_allocations.h"

namespace mangata {
namespace {

/// Entries of a table by the lower half of the word.
uint64_t lookup_size(const PathWindow& window) { return uint64_t{window.k + 1} << window.window_bits(); }
bool has_small_lookups(const PathWindow& window) { return lookup_size(window) <= uint64_t{1} << 15; }
/// There are such tables, and not where counts are hashed.
bool has_lookups(const PathWindow& window) { return !window.counts.array.empty() && has_small_lookups(window); }

/// Digits first..last-1 of w as one number to the base B, the oldest (lowest) place first.
uint64_t dense_number(const PathWindow& window, uint64_t w, uint32_t first, uint32_t last) {
  const uint64_t mask = (uint64_t{1} << window.digit_bits) - 1;
  uint64_t number = 0;
  for (uint32_t place = first; place < last; ++place) {
    number = number * window.body_paths + (w >> (place * window.digit_bits) & mask);
  }
  return number;
}

/// 1 + B + ... + B^(completed-1): the ways to have completed fewer iterations.
uint64_t paths_with_fewer(const PathWindow& window, uint32_t completed) {
  uint64_t ways = 0;
  for (uint32_t i = 0; i < completed; ++i) ways = ways * window.body_paths + 1;
  return ways;
}

/// The window in the lower half of a word.
uint64_t w_of(const PathWindow& window, uint64_t lower) {
  return lower & ((uint64_t{1} << window.window_bits()) - 1);
}

/// The lower half of the word behind one of the first k iterations.
uint64_t next_first_iteration(const PathWindow& window, uint64_t lower) {
  const uint64_t w = w_of(window, lower);
  return lower - w + (w >> window.digit_bits) - (uint64_t{1} << window.window_bits());
}

/// What the path that enters a loop adds to r when it has completed k iterations with the digits w.
uint64_t prologue_of(const PathWindow& window, uint64_t w) {
  return static_cast<uint64_t>(window.prologue) + dense_number(window, w, 0, window.k);
}

/// What a stay adds to r when it ends with `lower`, the lower half of the word with the potential added.
uint64_t piece_of(const PathWindow& window, const PathLeave& leave, uint64_t lower) {
  const uint32_t bits = window.window_bits();
  const uint32_t older_bits = bits - window.digit_bits;
  const uint64_t w = w_of(window, lower);
  const auto remaining = static_cast<uint32_t>(lower >> bits);
  const bool restarted = remaining == 0;
  const uint32_t completed = std::min(window.k - remaining, window.k - 1);
  uint64_t rank = w >> older_bits;
  if (!leave.ranks.empty()) {
    rank = static_cast<uint64_t>(std::lower_bound(leave.ranks.begin(), leave.ranks.end(), rank) -
                                 leave.ranks.begin());
  }
  uint64_t before = dense_number(window, w, window.k - 1 - completed, window.k - 1);
  if (!restarted) before += paths_with_fewer(window, completed);
  const uint64_t piece = (before * leave.rank_count + rank) * leave.scale;
  return piece + static_cast<uint64_t>(restarted ? leave.restarted : leave.entered);
}

/// The id after `word` by the constant of a HashStep.
uint64_t hashed(const PathCounters& counters, uint64_t word, int64_t value) {
  constexpr uint64_t kModulus = (uint64_t{1} << 61) - 1;
  const auto product = static_cast<unsigned __int128>(word) * counters.hash_multiplier + static_cast<uint64_t>(value);
  const uint64_t id = static_cast<uint64_t>(product & kModulus) + static_cast<uint64_t>(product >> 61);
  return id >= kModulus ? id - kModulus : id;
}

/// What the event that completes the last of the first k iterations of a stay counts, its value already added to the word.
uint64_t entered_path(const PathWindow& window, uint64_t word) {
  return ((word >> 32) + prologue_of(window, w_of(window, word))) & UINT32_MAX;
}

/// The key of the path that an event counts, and the table that it is a key of.
struct EndedPath {
  AllocationCounts* counts;
  uint64_t key;
};

/// Empty: the event ends no path.
std::optional<EndedPath> path_ended_by(PathCounters& counters, const PathEventRecord& event, uint64_t word) {
  const uint64_t sum = word + static_cast<uint64_t>(event.value);
  switch (event.kind) {
    case PathEventKind::CountPacked:
    case PathEventKind::CountPackedAndStart:
    case PathEventKind::CountPreferred:  // the lower half is the number
    case PathEventKind::CountPreferredAndStart: return EndedPath{&counters.allocated, sum & UINT32_MAX};
    case PathEventKind::HashCount: return EndedPath{&counters.allocated, hashed(counters, word, event.value)};
    case PathEventKind::WindowBackedge: {
      PathWindow& window = counters.windows[event.index];
      const uint64_t remaining = (sum & UINT32_MAX) >> window.window_bits();
      if (sum >> window.window_bits() == 0) return EndedPath{&window.allocated, sum};
      if (remaining != 1) return {};
      return EndedPath{&counters.allocated, entered_path(window, sum)};
    }
    default: return EndedPath{&counters.allocated, sum};
  }
}

}  // namespace

void run_allocation_event(PathCounters& counters, const PathEventRecord& event, uint64_t word, const FrameHeader* frame) {
  PathAllocations& allocations = *counters.allocations;
  if (event.kind == PathEventKind::AllocationEntry) return allocations.push(frame);
  const std::optional<EndedPath> ended = path_ended_by(counters, (&event)[1], word);
  if (!ended) return;
  const Allocated allocated = allocations.take(frame);
  if (allocated.objects != 0) {
    ended->counts->bytes.counter(ended->key) += allocated.bytes;
    ended->counts->objects.counter(ended->key) += allocated.objects;
  }
  if (event.kind == PathEventKind::AllocationExit) allocations.pop();
}

uint64_t complete_first_iteration(PathCounters& counters, const PathWindow& window, uint64_t word) {
  const uint64_t lower = word & UINT32_MAX;
  const uint64_t next = next_first_iteration(window, lower);
  const bool is_last = lower >> window.window_bits() == 1;
  if (!is_last) return word - lower + next;
  counters.paths.add(entered_path(window, word));
  return next;
}

uint64_t leave_loop(const PathCounters& counters, uint64_t word, const PathLeave& leave) {
  const PathWindow& window = counters.windows[leave.window];
  word += static_cast<uint64_t>(leave.potential) << (window.window_bits() - window.digit_bits);
  return ((word >> 32) + piece_of(window, leave, word & UINT32_MAX)) & UINT32_MAX;
}

void allocate_window_counts(PathWindow& window) {
  const uint64_t count = uint64_t{1} << window.window_bits();
  const uint64_t starting = has_small_lookups(window) ? window.k * count : 0;
  window.counts.array = LowArray<uint64_t>(count, starting);
  std::fill_n(window.counts.array.end(), starting, uint64_t{1} << 63);
}

bool make_first_iteration_tables(PathWindow& window) {
  if (!has_lookups(window)) return false;
  if (!window.steps.empty()) return true;
  const uint64_t count = uint64_t{1} << window.window_bits();
  window.prologues = LowArray<uint32_t>(count);
  for (uint64_t w = 0; w < count; ++w) window.prologues[w] = static_cast<uint32_t>(prologue_of(window, w));
  window.steps = LowArray<int64_t>(window.k * count);
  for (uint64_t lower = count; lower < (window.k + 1) * count; ++lower) {
    const uint64_t next = next_first_iteration(window, lower);
    window.steps[lower - count] = static_cast<int64_t>(lower < 2 * count ? next : next - lower);
  }
  return true;
}

const uint32_t* piece_table(PathCounters& counters, PathLeave& leave) {
  const PathWindow& window = counters.windows[leave.window];
  if (!has_lookups(window)) return nullptr;
  if (leave.pieces.empty()) {
    const uint64_t size = lookup_size(window);
    leave.pieces = LowArray<uint32_t>(size);
    for (uint64_t lower = 0; lower < size; ++lower) {
      leave.pieces[lower] = static_cast<uint32_t>(piece_of(window, leave, lower));
    }
  }
  return leave.pieces.data();
}

uint64_t hash_step(PathCounters& counters, uint64_t word, const PathEventRecord& event) {
  const uint64_t id = hashed(counters, word, event.value);
  const HashLink link{word, event.index,
                      event.kind == PathEventKind::HashCount ? HashLink::Kind::End : HashLink::Kind::Step};
  const auto [known, is_new] = counters.hash_links.try_emplace(id, link);
  if (!is_new && known->second != link) ++counters.hash_collisions;
  return id;
}

uint64_t run_rare_event(PathCounters& counters, const PathEventRecord& event, uint64_t word) {
  const uint64_t sum = word + static_cast<uint64_t>(event.value);
  const auto start = static_cast<uint64_t>(event.start);
  switch (event.kind) {
    case PathEventKind::Add:
    case PathEventKind::AddPacked:
    case PathEventKind::WindowAdd:
    case PathEventKind::EnterLoop: return add_to_word(event, word);
    case PathEventKind::Start: return start;
    case PathEventKind::Count: counters.paths.add(sum); return word;
    case PathEventKind::CountAndStart: counters.paths.add(sum); return start;
    case PathEventKind::CountPacked: counters.paths.add(sum & UINT32_MAX); return word;
    case PathEventKind::CountPackedAndStart: counters.paths.add(sum & UINT32_MAX); return start;
    case PathEventKind::CountPreferred: ++counters.preferred_counter(sum); return word;
    case PathEventKind::CountPreferredAndStart: ++counters.preferred_counter(sum); return start;
    case PathEventKind::CountEdge: ++counters.paths.array[static_cast<size_t>(event.value)]; return word;
    case PathEventKind::WindowBackedge: return complete_iteration(counters, word, event);
    case PathEventKind::LeaveLoop: return leave_loop(counters, word, counters.leaves[event.index]);
    case PathEventKind::HashStep: return hash_step(counters, word, event);
    case PathEventKind::HashCount: {
      const uint64_t id = hash_step(counters, word, event);
      counters.paths.add(id);
      return event.index == PathEventRecord::kNoLoop ? id : start;
    }
    case PathEventKind::AllocationEntry:
    case PathEventKind::AllocationPath:
    case PathEventKind::AllocationExit:
    case PathEventKind::Trace: break;
  }
  return word;
}

}  // namespace mangata
