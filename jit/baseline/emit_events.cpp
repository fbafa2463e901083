// Profiling events (vm/interpreter/path_event.h) as machine code. Counter tables and tables of lookups are
// embedded by address, as displacements where they lie low enough (vm/interpreter/low_memory.h). Where the
// path register is: path_locations.h. Read next: emit_window_events.cpp.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

void BaselineCompiler::emit_PathEvent(const Instruction& in) {
  const PathEventRecord& event = proto_->path_counters->events[static_cast<size_t>(in.imm)];
  emit_event(event);
  if (event.jump != 0) masm_.jump(labels_[static_cast<size_t>(pc_ + 1 + event.jump)]);
}

/// Jumps where `in` does. Events on the way are executed here, so that there is only one jump; their
/// instructions behind the last block remain as places to resume at, and for conditional jumps.
void BaselineCompiler::emit_jump(const Instruction& in) {
  const int jump_pc = pc_;
  PathLocation behind_events;
  for (pc_ = jump_pc + 1 + in.imm; proto_->code[pc_].op == Opcode::PathEvent;) {
    const PathEventRecord& event = proto_->path_counters->events[static_cast<size_t>(proto_->code[pc_].imm)];
    emit_event(event);
    behind_events = path_locations_->behind_event(pc_);
    pc_ += 1 + event.jump;
  }
  if (pc_ != jump_pc + 1 + in.imm && is_backedge(in)) emit_region_entry(CodePc(pc_), behind_events);
  masm_.jump(labels_[static_cast<size_t>(pc_)]);
  pc_ = jump_pc;
}

/// By a C++ function of the word. It looks at no frame, so nothing is published.
void BaselineCompiler::emit_rare_event(const PathEventRecord& event) {
  load_immediate(a0, address_of(proto_->path_counters));
  load_immediate(a1, address_of(&event));
  masm_.move(a2, kPath);
  masm_.call(run_rare_event);
  masm_.move(kPath, t0);
}

/// By a C++ function, too, which wants to know whose word it is.
void BaselineCompiler::emit_allocation_event(const PathEventRecord& event) {
  const PathLocation& location = path_location();
  if (location.is_known) {
    load_immediate(a2, location.value);
  } else {
    load_path(location);
    masm_.move(a2, kPath);
  }
  load_immediate(a0, address_of(proto_->path_counters));
  load_immediate(a1, address_of(&event));
  masm_.load_address(a3, word_at(kBase, kHeaderOffset));
  masm_.call(run_allocation_event);
}

/// The whole event out of line.
Label BaselineCompiler::rare_event_slow_path(const PathEventRecord& event, const Label& resume) {
  return slow_path([this, &event, resume] {
    emit_rare_event(event);
    masm_.jump(resume);
  });
}

/// word += value
void BaselineCompiler::emit_path_add(int64_t value) {
  if (value == 0) return;
  if (value == static_cast<int32_t>(value)) {
    masm_.add(kPath, static_cast<int32_t>(value));
  } else {
    load_immediate(t0, static_cast<uint64_t>(value));
    masm_.add(kPath, t0);
  }
}

/// array[index << shift + offset]. Clobbers a3 where the array does not lie low.
Mem BaselineCompiler::element_of(const void* array, Gp index, unsigned shift,
                                 int64_t offset_bytes) {
  const int64_t address = static_cast<int64_t>(address_of(array)) + offset_bytes;
  if (address == static_cast<int32_t>(address)) return element_at(static_cast<uint64_t>(address), index, shift);
  load_immediate(a3, static_cast<uint64_t>(address));
  return element_at(a3, index, shift);
}

/// One counter, whichever it is.
void BaselineCompiler::emit_increment(const uint64_t* counter) {
  const auto address = static_cast<int64_t>(address_of(counter));
  if (address == static_cast<int32_t>(address)) {
    masm_.increment(word_at(static_cast<uint64_t>(address)));
  } else {
    load_immediate(a3, static_cast<uint64_t>(address));
    masm_.increment(word_at(a3));
  }
}

/// array[index << shift + offset], with a sum of 32 bits, if the array lies low; what is added to `index` may
/// be in `offset`.
std::optional<Mem> BaselineCompiler::low_element_of(const void* array, Gp index, unsigned shift,
                                                    int64_t offset_bytes) {
  const int64_t address = static_cast<int64_t>(address_of(array)) + offset_bytes;
  if (address < 0 || address > INT32_MAX) return std::nullopt;
  return element_at(static_cast<uint64_t>(address), low(index), shift);
}

/// count[word + value]++, with a sum of 64 bits, or of 32 in functions with windows.
void BaselineCompiler::emit_count(const PathEventRecord& event) {
  const bool packed =
      event.kind == PathEventKind::CountPacked || event.kind == PathEventKind::CountPackedAndStart;
  CountTable& table = proto_->path_counters->paths;
  if (table.array.empty()) return emit_count_of_hash(event, table.hash, packed);
  Mem counter;
  if (const auto lies_low =
          low_element_of(table.array.data(), kPath, 3, int64_t{8} * static_cast<int32_t>(event.value));
      packed && lies_low) {
    counter = *lies_low;
  } else if (packed && event.value != 0) {
    masm_.load_address(low(t0), word_at(kPath, static_cast<int32_t>(event.value)));
    counter = element_of(table.array.data(), t0, 3, 0);
  } else {
    counter = element_of(table.array.data(), kPath, 3, event.value * int64_t{sizeof(uint64_t)});
  }
  masm_.increment(counter);
}

/// The same in a hash table.
void BaselineCompiler::emit_count_of_hash(const PathEventRecord& event, HashedCounts& counts, bool packed) {
  const Label resume = masm_.new_label();
  load_immediate(t0, static_cast<uint64_t>(event.value));
  packed ? masm_.add(low(t0), low(kPath)) : masm_.add(t0, kPath);
  emit_hashed_increment(counts, rare_event_slow_path(event, resume));
  masm_.bind(resume);
}

/// Of the key in t0, if its first slot has it.
void BaselineCompiler::emit_hashed_increment(HashedCounts& counts, const Label& other_slot) {
  load_immediate(a3, address_of(&counts));
  masm_.multiply(a2, t0, HashedCounts::kMultiplier);
  masm_.shift_right(a2, HashedCounts::kShift);
  masm_.and_(a2, word_at(a3, HashedCountsLayout::kOffsetMask));
  masm_.add(a2, word_at(a3, HashedCountsLayout::kFirst));
  masm_.compare(word_at(a2, offsetof(HashedCounts::Slot, key)), t0);
  masm_.branch(Condition::NotEqual, other_slot);
  masm_.increment(word_at(a2, offsetof(HashedCounts::Slot, count)));
}

/// The compact table of paths that were expected; all others out of line.
void BaselineCompiler::emit_preferred_count(const PathEventRecord& event) {
  const PathCounters& counters = *proto_->path_counters;
  const Label resume = masm_.new_label();
  const Label residual = rare_event_slow_path(event, resume);
  Gp number = low(kPath);
  if (event.value != 0) {
    load_immediate(t0, static_cast<uint64_t>(event.value));
    masm_.add(t0, kPath);
    masm_.move(low(a2), low(t0));
    number = low(a2);
  } else {
    masm_.move(t0, kPath);
  }
  masm_.shift_right(t0, 32);
  masm_.compare(low(t0), static_cast<uint32_t>(counters.preferred.size()));
  masm_.branch(Condition::AboveEqual, residual);
  Mem expected = element_of(counters.preferred.data(), t0, 2, 0);
  masm_.compare(expected, number);
  masm_.branch(Condition::NotEqual, residual);
  Mem counter = element_of(counters.paths.array.data(), t0, 3, 0);
  masm_.increment(counter);
  masm_.bind(resume);
}

/// An event on a word that is known: it is known behind it, too, so only counts are left to be done. False:
/// the event needs the word in kPath.
bool BaselineCompiler::emit_known_event(const PathEventRecord& event, uint64_t word) {
  PathCounters& counters = *proto_->path_counters;
  const uint64_t sum = word + static_cast<uint64_t>(event.value);
  switch (event.kind) {
    case PathEventKind::Add:
    case PathEventKind::AddPacked:
    case PathEventKind::WindowAdd:
    case PathEventKind::EnterLoop:
    case PathEventKind::LeaveLoop:
      return true;
    case PathEventKind::Count:
    case PathEventKind::CountAndStart:
      if (counters.paths.array.empty()) return false;
      emit_increment(&counters.paths.array[sum]);
      return true;
    case PathEventKind::CountPacked:
    case PathEventKind::CountPackedAndStart:
      if (counters.paths.array.empty()) return false;
      emit_increment(&counters.paths.array[sum & UINT32_MAX]);
      return true;
    default:
      return false;
  }
}

void BaselineCompiler::emit_event(const PathEventRecord& event) {
  const PathLocation& location = path_location();
  const bool is_done = location.is_known && emit_known_event(event, location.value);
  if (!is_done) emit_event_on_register(event);
  if (path_locations_->loads_register_at(pc_)) load_path(path_locations_->behind_event(pc_));
}

void BaselineCompiler::emit_event_on_register(const PathEventRecord& event) {
  switch (event.kind) {
    case PathEventKind::Start:
      return;  // what follows knows it
    case PathEventKind::CountEdge:
      return emit_increment(&proto_->path_counters->paths.array[static_cast<size_t>(event.value)]);
    case PathEventKind::AllocationEntry:
    case PathEventKind::AllocationPath:
    case PathEventKind::AllocationExit:
      return emit_allocation_event(event);
    case PathEventKind::Trace:
      return emit_runtime_call(runtime_path_event);
    default:
      break;
  }
  load_path(path_location());
  switch (event.kind) {
    case PathEventKind::Add:
    case PathEventKind::WindowAdd:
      return emit_path_add(event.value);
    case PathEventKind::AddPacked:
      masm_.add(low(kPath), static_cast<int32_t>(event.value));
      return;
    case PathEventKind::Count:
    case PathEventKind::CountAndStart:
    case PathEventKind::CountPacked:
    case PathEventKind::CountPackedAndStart:
      return emit_count(event);
    case PathEventKind::CountPreferred:
    case PathEventKind::CountPreferredAndStart:
      return emit_preferred_count(event);
    case PathEventKind::EnterLoop:
      return emit_enter_loop(event);
    case PathEventKind::WindowBackedge:
      return emit_window_backedge(event);
    case PathEventKind::LeaveLoop:
      return emit_leave_loop(event);
    default:
      return emit_rare_event(event);
  }
}

}  // namespace mangata::jit
