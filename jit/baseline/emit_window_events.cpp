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

/// In the first k iterations of a stay the word is larger than any window.
void BaselineCompiler::emit_window_backedge(const PathEventRecord& event) {
  PathWindow& window = proto_->path_counters->windows[event.index];
  const Label resume = a_.newLabel();
  const Label starting = slow_path([this, &event, resume] { emit_first_iteration(event, resume); });
  emit_path_add(event.value);
  a_.cmp(kPath, int32_t{1} << window.window_bits());
  a_.jae(starting);
  if (!window.counts.array.empty()) {
    Mem counter = element_of(window.counts.array.data(), kPath, 3, 0);
    counter.setSize(sizeof(uint64_t));
    a_.inc(counter);
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
  const uint32_t* prologues = prologue_table(counters.windows[event.index]);
  if (prologues == nullptr) return emit_added_rare_event(event, resume);
  const PathWindow& window = counters.windows[event.index];
  const int32_t one = int32_t{1} << window.window_bits();  // of the iterations that remain
  const Label last = a_.newLabel();
  a_.mov(eax, kPath.r32());
  a_.cmp(eax, 2 * one);
  a_.jb(last);
  if (window.digit_bits != 0) {
    a_.and_(eax, one - 1);
    a_.sub(kPath, rax);
    a_.shr(eax, window.digit_bits);
    a_.lea(kPath, ptr(kPath, rax, 0, -one));
  } else {
    a_.sub(kPath, one);
  }
  a_.jmp(resume);
  a_.bind(last);
  const bool hashed = counters.paths.array.empty();
  if (hashed) {
    a_.mov(r8, kPath);
    a_.mov(r9d, eax);
  }
  a_.shr(kPath, 32);
  Mem prologue = element_of(prologues, rax, 2, -int64_t{one} * static_cast<int64_t>(sizeof(uint32_t)));
  prologue.setSize(sizeof(uint32_t));
  a_.add(kPath.r32(), prologue);
  if (hashed) {
    const Label other_slot = slow_path([this, &event, resume] {
      a_.mov(kPath, r8);
      emit_added_rare_event(event, resume);
    });
    a_.mov(rax, kPath);
    emit_hashed_increment(counters.paths.hash, other_slot);
    a_.mov(eax, r9d);
  } else {
    Mem counter = element_of(counters.paths.array.data(), kPath, 3, 0);
    counter.setSize(sizeof(uint64_t));
    a_.inc(counter);
  }
  a_.sub(eax, one);
  if (window.digit_bits != 0) a_.shr(eax, window.digit_bits);
  a_.mov(kPath.r32(), eax);
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
