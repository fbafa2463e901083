// Events of the code that a region was made from (vm/interpreter/path_event.h): regions count what baseline code would.
//
// [DESIGN] The path register is a value like others here, one for each frame, in a variable. A path begins with a
// constant and goes on by adding constants, so along a context its number is a constant, and a path that ends is one increment of
// one counter. Of paths over several iterations the window is a value that an iteration shifts. Counters alias nothing else, so LLVM
// may keep one in a register as long as nothing is called. Where a frame is left or somebody may look at it, the path register is
// stored in its header.
#include "jit/build/lowering.h"

namespace mangata::jit {

bool Lowering::lower_path_event(const Instruction& in) {
  const RegionEvent& event = walk_.function().events[static_cast<size_t>(in.imm)];
  execute(event);
  go_to(walk_.pc + 1 + event.record.jump);
  return false;
}

void Lowering::execute(const RegionEvent& event) {
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
void Lowering::end_iteration(const RegionEvent& event) {
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

void Lowering::count(const RegionEvent& event, IrValue key) {
  if (event.counts == nullptr) return execute_by_runtime(event);
  IrValue counter = b_.address(b_.address_constant(event.counts), key, 8);
  b_.store(b_.add(b_.load(IrType::I64, counter, Memory::Counts), b_.word(1)), counter, Memory::Counts);
}

/// By a C++ function of the path register. It reads and writes nothing that code here does: an event that is executed so counts in
/// other counters than events that are not.
void Lowering::execute_by_runtime(const RegionEvent& event) {
  ir::Variable cell = registers_.path_cell(walk_.state.top().base);
  IrValue path = b_.get(cell);
  IrValue result = b_.call(IrType::I64, b_.address_constant(runtime_.path_event),
                           {b_.address_constant(walk_.function().counters), b_.address_constant(event.address), path}, ir::CallMemory::Private);
  b_.set(cell, result);
}

}  // namespace mangata::jit
