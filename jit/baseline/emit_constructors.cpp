// The positional part of a small constructor, as in {x, y}: the elements of a new table, in one go.
//
// Throughout: a3 the table.
#include <algorithm>

#include "jit/abi/runtime_calls_tables.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// Longer lists are worth a call.
constexpr int kMaxInlineElements = 4;

}  // namespace

/// Gives the table storage for `count` elements of a kind, with values from R[first] on, and makes that its
/// elements.
void BaselineCompiler::emit_first_elements(bool any, Register first, int count, const Label& slow) {
  const int element_bytes = any ? kSlotBytes : 8;
  emit_allocate(sizeof(Object) + static_cast<size_t>(count * element_bytes), slow);
  masm_.store(word_at(t0), static_cast<int32_t>(any ? ObjectType::Values : ObjectType::Bytes));
  for (int i = 0; i < count; ++i) {
    const int offset = static_cast<int>(sizeof(Object)) + i * element_bytes;
    masm_.load(a1, payload_of(first + i));
    masm_.store(word_at(t0, offset), a1);
    if (!any) continue;
    masm_.load(a1, tag_of(first + i));
    masm_.store(word_at(t0, offset + kTagOffset), a1);
  }
  masm_.add(t0, static_cast<int>(sizeof(Object)));
  masm_.store(field(a3, offsetof(Table, elements)), t0);
  masm_.store(short_at(a3, offsetof(Table, element_capacity)), count);
  masm_.store(short_at(a3, offsetof(Table, type_word)), count);
}

/// Numbers of one subtype become typed elements. A nil at the end, a table that has something, and a
/// collector that is marking are for the runtime.
void BaselineCompiler::emit_SetList(const Instruction& in) {
  const int count = in.b;
  const Register first = in.ra() + 1;
  if (count == 0 || count > kMaxInlineElements || in.imm != 0) return emit_generic(runtime_set_list);
  const Label slow = generic_slow_path(runtime_set_list);
  const Label any = masm_.new_label(), done = masm_.new_label();
  masm_.load(a3, payload_of(in.ra()));
  masm_.compare(byte_at(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  masm_.branch(Condition::NotEqual, slow);
  masm_.load(t0, field(a3, offsetof(Table, elements)));
  masm_.or_and_branch_if_not_zero(t0, field(a3, offsetof(Table, hash)), slow);
  masm_.compare(short_at(a3, offsetof(Table, element_capacity)), count);
  masm_.branch(Condition::Above, slow);
  masm_.load(low(a2), short_tag_of(first));
  for (int i = 1; i < count; ++i) {
    masm_.compare(low(a2), short_tag_of(first + i));
    masm_.branch(Condition::NotEqual, any);
  }
  masm_.subtract(low(a2), static_cast<int>(Tag::Integer) - static_cast<int>(ElementKind::Integer));
  masm_.load_address(low(t0), short_at(a2, -static_cast<int>(ElementKind::Integer)));
  masm_.compare(low(t0), static_cast<int>(ElementKind::Float) - static_cast<int>(ElementKind::Integer));
  masm_.branch(Condition::Above, any);
  emit_first_elements(/*any=*/false, first, count, slow);
  masm_.store(byte_at(a3, offsetof(Table, type_byte)), low_byte(a2));
  masm_.jump(done);
  masm_.bind(any);
  masm_.compare(short_tag_of(first + (count - 1)), static_cast<int>(tag_bits(Tag::Nil)));
  masm_.branch(Condition::Equal, slow);
  emit_first_elements(/*any=*/true, first, count, slow);
  masm_.store(byte_at(a3, offsetof(Table, type_byte)), static_cast<int>(ElementKind::Any));
  masm_.bind(done);
  emit_safepoint_below();
}

}  // namespace mangata::jit
