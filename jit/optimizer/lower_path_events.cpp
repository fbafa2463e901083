// Events of the code that a region was made from (vm/interpreter/path_event.h): regions count what baseline code would.
//
// [DESIGN] The path register is a value like others here, one for each frame, in an alloca that SROA dissolves. A path begins with a
// constant and goes on by adding constants, so along a context its number is a constant, and a path that ends is one increment of
// one counter. Of paths over several iterations the window is a value that an iteration shifts. Counters alias nothing else, so LLVM
// may keep one in a register as long as nothing is called. Where a frame is left or somebody may look at it, the path register is
// stored in its header.
#include "jit/optimizer/lowering.h"

namespace mangata::jit {

llvm::AllocaInst* Lowering::path_cell(int base) {
  llvm::AllocaInst*& cell = paths_[base];
  if (cell == nullptr) cell = llvm::IRBuilder<>(entry_, entry_->begin()).CreateAlloca(b_.getInt64Ty());
  return cell;
}

bool Lowering::lower_path_event(const Instruction& in) {
  const RegionEvent& event = function().events[static_cast<size_t>(in.imm)];
  execute(event);
  go_to(pc_ + 1 + event.its.jump);
  return false;
}

void Lowering::execute(const RegionEvent& event) {
  const PathEventRecord& its = event.its;
  llvm::AllocaInst* cell = path_cell(state_.top().base);
  const auto set = [&](IrValue* path) { b_.CreateStore(path, cell); };
  IrValue* start = word(static_cast<uint64_t>(its.start));
  if (its.kind == PathEventKind::Start) return set(start);
  if (its.kind == PathEventKind::CountEdge) return count(event, word(static_cast<uint64_t>(its.value)));
  IrValue* path = b_.CreateLoad(b_.getInt64Ty(), cell);
  if (its.kind == PathEventKind::EnterLoop) path = b_.CreateShl(path, 32);
  IrValue* sum = b_.CreateAdd(path, word(static_cast<uint64_t>(its.value)));
  const auto packed_sum = [&] { return b_.CreateAnd(sum, word(UINT32_MAX)); };
  switch (its.kind) {
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
  llvm::AllocaInst* cell = path_cell(state_.top().base);
  Block* steady = make_block("steady");
  Block* starting = make_block("starting");
  Block* ends = make_block("iteration_ends");
  IrValue* window = b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), cell), word(static_cast<uint64_t>(event.its.value)));
  IrValue* is_steady = b_.CreateICmpULT(window, word(uint64_t{1} << event.window_bits));
  set_likely(b_.CreateCondBr(is_steady, steady, starting), true);
  b_.SetInsertPoint(starting);
  execute_by_runtime(event);
  b_.CreateBr(ends);
  b_.SetInsertPoint(steady);
  count(event, window);
  b_.CreateStore(b_.CreateLShr(window, event.digit_bits), cell);
  b_.CreateBr(ends);
  b_.SetInsertPoint(ends);
}

void Lowering::count(const RegionEvent& event, IrValue* key) {
  if (event.counts == nullptr) return execute_by_runtime(event);
  IrValue* counter = b_.CreateInBoundsGEP(b_.getInt64Ty(), address_constant(event.counts), key);
  store(b_.CreateAdd(load(b_.getInt64Ty(), counter, Memory::Counts), word(1)), counter, Memory::Counts);
}

/// By a C++ function of the path register. It reads and writes nothing that code here does: an event that is executed so counts in
/// other counters than events that are not.
void Lowering::execute_by_runtime(const RegionEvent& event) {
  auto* signature = llvm::FunctionType::get(b_.getInt64Ty(), {b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty()}, false);
  llvm::AllocaInst* cell = path_cell(state_.top().base);
  IrValue* path = b_.CreateLoad(b_.getInt64Ty(), cell);
  llvm::CallInst* result = b_.CreateCall(signature, address_constant(runtime_.path_event),
                                         {address_constant(function().counters), address_constant(event.record), path});
  result->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  result->setDoesNotThrow();
  result->addFnAttr(llvm::Attribute::WillReturn);
  b_.CreateStore(result, cell);
}

}  // namespace mangata::jit
