// Events of loops profiled over several iterations. The steady state is a count and a shift. The first
// iterations of a stay are out of line, and looked up: what they and leaving the loop add to r are tables by
// the digits (vm/interpreter/path_event.h).
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

/// word = r · 2^32 + value
void BaselineCompiler::emit_enter_loop(const PathEventRecord& event) {
  a_.shl(kPath, 32);
  emit_path_add(event.value);
}

/// In the first k iterations of a stay the word is larger than any window, and counts in a slot that stays
/// negative. Where there are no such slots, it is compared.
void BaselineCompiler::emit_window_backedge(const PathEventRecord& event) {
  PathWindow& window = proto_->path_counters->windows[event.index];
  LowArray<uint64_t>& counts = window.counts.array;
  const Label resume = a_.newLabel();
  const Label starting = slow_path([this, &event, resume] { emit_first_iteration(event, resume); });
  emit_path_add(event.value);
  auto counter = window.has_starting_slots() ? low_element_of(counts.data(), kPath, 3, 0) : std::nullopt;
  const bool counts_first = counter.has_value();
  if (!counts_first) {
    a_.cmp(kPath, int32_t{1} << window.window_bits());
    a_.jae(starting);
  }
  if (!counts.empty()) {
    if (!counts_first) counter = element_of(counts.data(), kPath, 3, 0);
    counter->setSize(sizeof(uint64_t));
    a_.inc(*counter);
    if (counts_first) a_.js(starting);
  } else {
    const Label other_slot = slow_path([this, &event, resume] { emit_added_rare_event(event, resume); });
    a_.mov(rax, kPath);
    emit_hashed_increment(window.counts.hash, other_slot);
  }
  if (window.digit_bits != 0) a_.shr(kPath.r32(), window.digit_bits);
  a_.bind(resume);
}

void BaselineCompiler::emit_added_rare_event(const PathEventRecord& event, const Label& resume) {
  emit_path_add(-event.value);
  emit_rare_event(event);
  a_.jmp(resume);
}

/// The value is added already.
void BaselineCompiler::emit_first_iteration(const PathEventRecord& event, const Label& resume) {
  PathCounters& counters = *proto_->path_counters;
  PathWindow& window = counters.windows[event.index];
  if (!make_first_iteration_tables(window)) return emit_added_rare_event(event, resume);
  const int32_t one = int32_t{1} << window.window_bits();  // of the iterations that remain
  const Label last = a_.newLabel();
  const auto table_entry = [&](const auto& table, Gp lower) {
    const auto bytes = static_cast<int64_t>(sizeof(table[0]));
    return element_of(table.data(), lower, bytes == 8 ? 3 : 2, -one * bytes);
  };
  a_.mov(eax, kPath.r32());
  a_.cmp(eax, 2 * one);
  a_.jb(last);
  a_.add(kPath, table_entry(window.steps, rax));
  a_.jmp(resume);
  a_.bind(last);
  const bool hashed = counters.paths.array.empty();
  const Gp lower = hashed ? r9 : rax;
  if (hashed) {
    a_.mov(r8, kPath);
    a_.mov(r9d, eax);
  }
  a_.shr(kPath, 32);
  a_.add(kPath.r32(), table_entry(window.prologues, rax));
  if (hashed) {
    const Label other_slot = slow_path([this, &event, resume] {
      a_.mov(kPath, r8);
      emit_added_rare_event(event, resume);
    });
    a_.mov(rax, kPath);
    emit_hashed_increment(counters.paths.hash, other_slot);
  } else {
    Mem counter = element_of(counters.paths.array.data(), kPath, 3, 0);
    counter.setSize(sizeof(uint64_t));
    a_.inc(counter);
  }
  a_.mov(kPath.r32(), table_entry(window.steps, lower));
  a_.jmp(resume);
}

void BaselineCompiler::emit_leave_loop(const PathEventRecord& event) {
  PathCounters& counters = *proto_->path_counters;
  PathLeave& leave = counters.leaves[event.index];
  const uint32_t* pieces = piece_table(counters, leave);
  if (pieces == nullptr) return emit_rare_event(event);
  const PathWindow& window = counters.windows[leave.window];
  emit_path_add(static_cast<int64_t>(static_cast<uint64_t>(leave.potential)
                                     << (window.window_bits() - window.digit_bits)));
  a_.mov(eax, kPath.r32());
  a_.shr(kPath, 32);
  Mem piece = element_of(pieces, rax, 2, 0);
  piece.setSize(sizeof(uint32_t));
  a_.add(kPath.r32(), piece);
}

}  // namespace mangata::jit
