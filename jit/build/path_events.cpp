#include "jit/build/path_events.h"

namespace mangata::jit {

void PathEvents::execute(const RegionEvent& event) {
  const PathEventRecord& record = event.record;
  ir::Variable cell = registers_.path_cell(walk_.state.top().base);
  const auto set = [&](IrValue path) { b_.set(cell, path); };
  IrValue start = b_.word(static_cast<uint64_t>(record.start));
  if (record.kind == PathEventKind::Start) return set(start);
  if (record.kind == PathEventKind::CountEdge) return count(event, b_.word(static_cast<uint64_t>(record.value)));
  IrValue path = b_.get(cell);
  if (record.kind == PathEventKind::EnterLoop) path = b_.shl(path, 32);
  IrValue sum = b_.add(path, b_.word(static_cast<uint64_t>(record.value)));
  const auto packed_sum = [&] { return b_.bit_and(sum, b_.word(UINT32_MAX)); };
  switch (record.kind) {
    case PathEventKind::Add:
    case PathEventKind::WindowAdd:
    case PathEventKind::EnterLoop:
      return set(sum);
    case PathEventKind::AddPacked:
      return set(packed_sum());
    case PathEventKind::Count:
      return count(event, sum);
    case PathEventKind::CountPacked:
      return count(event, packed_sum());
    case PathEventKind::CountAndStart:
      count(event, sum);
      return set(start);
    case PathEventKind::CountPackedAndStart:
      count(event, packed_sum());
      return set(start);
    case PathEventKind::WindowBackedge:
      return end_iteration(event);
    default:
      return execute_by_runtime(event);
  }
}

/// In steady state; the first iterations of a stay in the loop are rare.
void PathEvents::end_iteration(const RegionEvent& event) {
  if (event.counts == nullptr) return execute_by_runtime(event);
  ir::Variable cell = registers_.path_cell(walk_.state.top().base);
  Block steady = b_.make_block("steady");
  Block starting = b_.make_block("starting");
  Block ends = b_.make_block("iteration_ends");
  IrValue window = b_.add(b_.get(cell), b_.word(static_cast<uint64_t>(event.record.value)));
  IrValue is_steady = b_.ult(window, b_.word(uint64_t{1} << event.window_bits));
  b_.set_likely(b_.branch(is_steady, steady, starting), true);
  b_.set_position(starting);
  execute_by_runtime(event);
  b_.jump(ends);
  b_.set_position(steady);
  count(event, window);
  b_.set(cell, b_.lshr(window, event.digit_bits));
  b_.jump(ends);
  b_.set_position(ends);
}

void PathEvents::count(const RegionEvent& event, IrValue key) {
  if (event.counts == nullptr) return execute_by_runtime(event);
  IrValue counter = b_.address(b_.address_constant(event.counts), key, 8);
  b_.store(b_.add(b_.load(IrType::I64, counter, Memory::Counts), b_.word(1)), counter, Memory::Counts);
}

/// By a C++ function of the path register. It reads and writes nothing that code here does: an event that is executed so counts in
/// other counters than events that are not.
void PathEvents::execute_by_runtime(const RegionEvent& event) {
  ir::Variable cell = registers_.path_cell(walk_.state.top().base);
  IrValue path = b_.get(cell);
  IrValue result = b_.call(IrType::I64, b_.address_constant(runtime_.path_event),
                           {b_.address_constant(walk_.function().counters), b_.address_constant(event.address), path}, ir::CallMemory::Private);
  b_.set(cell, result);
}

}  // namespace mangata::jit
