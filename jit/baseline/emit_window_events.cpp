// Events of loops profiled over several iterations. The steady state is a count and a shift. The first
// iterations of a stay are out of line, and looked up: what they and leaving the loop add to r are tables by
// the digits (vm/interpreter/path_event.h).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// word = r · 2^32 + value
void BaselineCompiler::emit_enter_loop(const PathEventRecord& event) {
  masm_.shift_left(kPath, 32);
  emit_path_add(event.value);
}

/// In the first k iterations of a stay the word is larger than any window, and counts in a slot that stays
/// negative. Where there are no such slots, it is compared.
void BaselineCompiler::emit_window_backedge(const PathEventRecord& event) {
  PathWindow& window = proto_->path_counters->windows[event.index];
  LowArray<uint64_t>& counts = window.counts.array;
  const Label resume = masm_.new_label();
  const Label starting = slow_path([this, &event, resume] { emit_first_iteration(event, resume); });
  emit_path_add(event.value);
  auto counter = window.has_starting_slots() ? low_element_of(counts.data(), kPath, 3, 0) : std::nullopt;
  const bool counts_first = counter.has_value();
  if (!counts_first) {
    masm_.compare(kPath, int32_t{1} << window.window_bits());
    masm_.branch(Condition::AboveEqual, starting);
  }
  if (!counts.empty()) {
    if (!counts_first) counter = element_of(counts.data(), kPath, 3, 0);
    counts_first ? masm_.count_up(*counter, starting) : masm_.increment(*counter);
  } else {
    const Label other_slot = slow_path([this, &event, resume] { emit_added_rare_event(event, resume); });
    masm_.move(t0, kPath);
    emit_hashed_increment(window.counts.hash, other_slot);
  }
  if (window.digit_bits != 0) masm_.shift_right(low(kPath), window.digit_bits);
  masm_.bind(resume);
}

void BaselineCompiler::emit_added_rare_event(const PathEventRecord& event, const Label& resume) {
  emit_path_add(-event.value);
  emit_rare_event(event);
  masm_.jump(resume);
}

/// The value is added already.
void BaselineCompiler::emit_first_iteration(const PathEventRecord& event, const Label& resume) {
  PathCounters& counters = *proto_->path_counters;
  PathWindow& window = counters.windows[event.index];
  if (!make_first_iteration_tables(window)) return emit_added_rare_event(event, resume);
  const int32_t one = int32_t{1} << window.window_bits();  // of the iterations that remain
  const Label last = masm_.new_label();
  const auto table_entry = [&](const auto& table, Gp lower) {
    const auto bytes = static_cast<int64_t>(sizeof(table[0]));
    return element_of(table.data(), lower, bytes == 8 ? 3 : 2, -one * bytes);
  };
  masm_.move(low(t0), low(kPath));
  masm_.compare(low(t0), 2 * one);
  masm_.branch(Condition::Below, last);
  masm_.add(kPath, table_entry(window.steps, t0));
  masm_.jump(resume);
  masm_.bind(last);
  const bool hashed = counters.paths.array.empty();
  const Gp lower = hashed ? a5 : t0;
  if (hashed) {
    masm_.move(a4, kPath);
    masm_.move(low(a5), low(t0));
  }
  masm_.shift_right(kPath, 32);
  masm_.add(low(kPath), table_entry(window.prologues, t0));
  if (hashed) {
    const Label other_slot = slow_path([this, &event, resume] {
      masm_.move(kPath, a4);
      emit_added_rare_event(event, resume);
    });
    masm_.move(t0, kPath);
    emit_hashed_increment(counters.paths.hash, other_slot);
  } else {
    Mem counter = element_of(counters.paths.array.data(), kPath, 3, 0);
    masm_.increment(counter);
  }
  masm_.load(low(kPath), table_entry(window.steps, lower));
  masm_.jump(resume);
}

void BaselineCompiler::emit_leave_loop(const PathEventRecord& event) {
  PathCounters& counters = *proto_->path_counters;
  PathLeave& leave = counters.leaves[event.index];
  const uint32_t* pieces = piece_table(counters, leave);
  if (pieces == nullptr) return emit_rare_event(event);
  const PathWindow& window = counters.windows[leave.window];
  emit_path_add(static_cast<int64_t>(static_cast<uint64_t>(leave.potential)
                                     << (window.window_bits() - window.digit_bits)));
  masm_.move(low(t0), low(kPath));
  masm_.shift_right(kPath, 32);
  Mem piece = element_of(pieces, t0, 2, 0);
  masm_.add(low(kPath), piece);
}

}  // namespace mangata::jit
