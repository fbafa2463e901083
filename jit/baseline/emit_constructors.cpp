// The positional part of a small constructor, as in {x, y}: the elements of a new table, in one go.
//
// Throughout: rcx the table.
#include <algorithm>

#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// Longer lists are worth a call.
constexpr int kMaxInlineElements = 4;

}  // namespace

/// Gives the table storage for `count` elements of a kind, with values from R[first] on, and makes that its
/// elements.
void BaselineCompiler::emit_first_elements(bool any, int first, int count, const Label& slow) {
  const int element_bytes = any ? kSlotBytes : 8;
  emit_allocate(sizeof(Object) + static_cast<size_t>(count * element_bytes), slow);
  a_.mov(qword_ptr(rax), static_cast<int32_t>(any ? ObjectType::Values : ObjectType::Bytes));
  for (int i = 0; i < count; ++i) {
    const int offset = static_cast<int>(sizeof(Object)) + i * element_bytes;
    a_.mov(rsi, payload_of(first + i));
    a_.mov(qword_ptr(rax, offset), rsi);
    if (!any) continue;
    a_.mov(rsi, tag_of(first + i));
    a_.mov(qword_ptr(rax, offset + kTagOffset), rsi);
  }
  a_.add(rax, static_cast<int>(sizeof(Object)));
  a_.mov(field(rcx, offsetof(Table, elements)), rax);
  a_.mov(dword_ptr(rcx, offsetof(Table, element_capacity)), count);
  a_.mov(dword_ptr(rcx, offsetof(Table, type_word)), count);
}

/// Numbers of one subtype become typed elements. A nil at the end, a table that has something, and a
/// collector that is marking are for the runtime.
void BaselineCompiler::emit_SetList(const Instruction& in) {
  const int count = in.b, first = in.a + 1;
  if (count == 0 || count > kMaxInlineElements || in.imm != 0) return emit_generic(runtime_set_list);
  const Label slow = generic_slow_path(runtime_set_list);
  const Label any = a_.newLabel(), done = a_.newLabel();
  a_.mov(rcx, payload_of(in.a));
  a_.cmp(byte_ptr(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  a_.jne(slow);
  a_.mov(rax, field(rcx, offsetof(Table, elements)));
  a_.or_(rax, field(rcx, offsetof(Table, hash)));
  a_.jnz(slow);
  a_.cmp(dword_ptr(rcx, offsetof(Table, element_capacity)), count);
  a_.ja(slow);
  a_.mov(edx, short_tag_of(first));
  for (int i = 1; i < count; ++i) {
    a_.cmp(edx, short_tag_of(first + i));
    a_.jne(any);
  }
  a_.sub(edx, static_cast<int>(Tag::Integer) - static_cast<int>(ElementKind::Integer));
  a_.lea(eax, dword_ptr(rdx, -static_cast<int>(ElementKind::Integer)));
  a_.cmp(eax, static_cast<int>(ElementKind::Float) - static_cast<int>(ElementKind::Integer));
  a_.ja(any);
  emit_first_elements(/*any=*/false, first, count, slow);
  a_.mov(byte_ptr(rcx, offsetof(Table, type_byte)), dl);
  a_.jmp(done);
  a_.bind(any);
  a_.cmp(short_tag_of(first + count - 1), static_cast<int>(tag_bits(Tag::Nil)));
  a_.je(slow);
  emit_first_elements(/*any=*/true, first, count, slow);
  a_.mov(byte_ptr(rcx, offsetof(Table, type_byte)), static_cast<int>(ElementKind::Any));
  a_.bind(done);
  emit_safepoint_below();
}

}  // namespace mangata::jit
