// Allocation, and instructions that make tables and strings. Constructors' elements: emit_constructors.cpp.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// The first word of a new small object.
constexpr int64_t header_of(ObjectType type) {
  static_assert(offsetof(Object, type) == 0);
  return static_cast<int64_t>(type);
}
}  // namespace

/// t0 := a new cell for an object of `size_bytes`; jumps to `full` when the run of its size class is used
/// up. Clobbers t2. An instruction that allocates twice and then has to start anew has allocated for nothing; so where allocations are
/// counted, the runtime makes all.
void BaselineCompiler::emit_allocate(size_t size_bytes, const Label& full) {
  if (vm_.path_allocations != nullptr) masm_.jump(full);
  const int size_class = size_class_of(size_bytes);
  const size_t run =
      offsetof(Vm, heap) + HeapLayout::kRuns + static_cast<size_t>(size_class) * sizeof(BumpRun);
  masm_.load(t0, vm_field(run + offsetof(BumpRun, next)));
  masm_.compare(t0, vm_field(run + offsetof(BumpRun, end)));
  masm_.branch(Condition::Equal, full);
  masm_.load_address(t2, word_at(t0, static_cast<int>(kClassBytes[static_cast<size_t>(size_class)])));
  masm_.store(vm_field(run + offsetof(BumpRun, next)), t2);
}

/// A safepoint after R[a] was made.
void BaselineCompiler::emit_safepoint_below() {
  const Label slow = generic_slow_path(runtime_safepoint_below);
  masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  masm_.branch(Condition::Greater, slow);
}

/// What table_new does.
void BaselineCompiler::emit_NewTable(const Instruction& in) {
  const uint32_t slot_count = std::min<uint32_t>(in.c, kMaxInlineSlots);
  const uint32_t element_count = in.b;
  emit_allocate(sizeof(Table) + slot_count * sizeof(Value), generic_slow_path(runtime_new_table));
  masm_.load(a2, vm_field(offsetof(Vm, empty_shape)));
  masm_.store(word_at(t0), header_of(ObjectType::Table));
  masm_.store(field(t0, offsetof(Table, shape)), a2);
  if (slot_count == 0) {
    masm_.store(field(t0, offsetof(Table, slots)), 0);
  } else {
    masm_.load_address(a2, word_at(t0, sizeof(Table)));
    masm_.store(field(t0, offsetof(Table, slots)), a2);
  }
  masm_.store(field(t0, offsetof(Table, elements)), 0);
  static_assert(offsetof(Table, slot_capacity) == offsetof(Table, element_capacity) + 4);
  masm_.store(short_at(t0, offsetof(Table, element_capacity)), static_cast<int32_t>(element_count));
  masm_.store(short_at(t0, offsetof(Table, slot_capacity)), static_cast<int32_t>(slot_count));
  masm_.store(field(t0, offsetof(Table, hash)), 0);
  masm_.store(field(t0, offsetof(Table, instance_shape)), 0);
  masm_.store(field(t0, offsetof(Table, own_metatable)), 0);
  masm_.store(payload_of(in.ra()), t0);
  store_tag(in.ra(), Tag::Table);
  emit_safepoint_below();
}

void BaselineCompiler::emit_Concat(const Instruction&) { emit_generic(runtime_concat); }

}  // namespace mangata::jit
