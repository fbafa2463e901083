// Allocation, and instructions that make tables and strings. Constructors' elements: emit_constructors.cpp.
#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// The first word of a new small object.
constexpr int64_t header_of(ObjectType type) {
  static_assert(offsetof(Object, type) == 0);
  return static_cast<int64_t>(type);
}
}  // namespace

/// rax := a new cell for an object of `size_bytes`; jumps to `full` when the run of its size class is used
/// up. Clobbers r11. An instruction that allocates twice and then has to start anew has allocated for nothing; so where allocations are
/// counted, the runtime makes all.
void BaselineCompiler::emit_allocate(size_t size_bytes, const Label& full) {
  if (vm_.path_allocations != nullptr) a_.jmp(full);
  const int size_class = size_class_of(size_bytes);
  const size_t run =
      offsetof(Vm, heap) + HeapLayout::kRuns + static_cast<size_t>(size_class) * sizeof(BumpRun);
  a_.mov(rax, vm_field(run + offsetof(BumpRun, next)));
  a_.cmp(rax, vm_field(run + offsetof(BumpRun, end)));
  a_.je(full);
  a_.lea(r11, qword_ptr(rax, static_cast<int>(kClassBytes[static_cast<size_t>(size_class)])));
  a_.mov(vm_field(run + offsetof(BumpRun, next)), r11);
}

/// A safepoint after R[a] was made.
void BaselineCompiler::emit_safepoint_below() {
  const Label slow = generic_slow_path(runtime_safepoint_below);
  a_.cmp(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  a_.jg(slow);
}

/// What table_new does.
void BaselineCompiler::emit_NewTable(const Instruction& in) {
  const uint32_t slot_count = std::min<uint32_t>(in.c, kMaxInlineSlots);
  const uint32_t element_count = in.b;
  emit_allocate(sizeof(Table) + slot_count * sizeof(Value), generic_slow_path(runtime_new_table));
  a_.mov(rdx, vm_field(offsetof(Vm, empty_shape)));
  a_.mov(qword_ptr(rax), header_of(ObjectType::Table));
  a_.mov(field(rax, offsetof(Table, shape)), rdx);
  if (slot_count == 0) {
    a_.mov(field(rax, offsetof(Table, slots)), 0);
  } else {
    a_.lea(rdx, qword_ptr(rax, sizeof(Table)));
    a_.mov(field(rax, offsetof(Table, slots)), rdx);
  }
  a_.mov(field(rax, offsetof(Table, elements)), 0);
  static_assert(offsetof(Table, slot_capacity) == offsetof(Table, element_capacity) + 4);
  a_.mov(dword_ptr(rax, offsetof(Table, element_capacity)), static_cast<int32_t>(element_count));
  a_.mov(dword_ptr(rax, offsetof(Table, slot_capacity)), static_cast<int32_t>(slot_count));
  a_.mov(field(rax, offsetof(Table, hash)), 0);
  a_.mov(field(rax, offsetof(Table, instance_shape)), 0);
  a_.mov(field(rax, offsetof(Table, own_metatable)), 0);
  a_.mov(payload_of(in.a), rax);
  store_tag(in.a, Tag::Table);
  emit_safepoint_below();
}

void BaselineCompiler::emit_Concat(const Instruction&) { emit_generic(runtime_concat); }

}  // namespace mangata::jit
