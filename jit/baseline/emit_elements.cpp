// Access by integer key: elements of all three kinds, and appending where there is room; table_inline.h by
// machine code. Other keys: emit_keys.cpp. Holes under a metatable and growth are runtime calls.
//
// Throughout: rcx the table, rax the index (key - 1).
#include "jit/abi/runtime_metamethods.h"
#include "jit/baseline/compiler.h"
#include "vm/object/hash_part.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {
Mem short_field(const Gp& object, size_t offset) { return dword_ptr(object, static_cast<int>(offset)); }

/// An element kind of numbers and the tag of its elements.
constexpr int kKindToTag = static_cast<int>(Tag::Integer) - static_cast<int>(ElementKind::Integer);
static_assert(static_cast<int>(Tag::Float) - static_cast<int>(ElementKind::Float) == kKindToTag);
constexpr int kAny = static_cast<int>(ElementKind::Any);
}  // namespace

/// rsi := the elements, edx := their kind.
void BaselineCompiler::load_elements() {
  a_.movzx(edx, byte_ptr(rcx, offsetof(Table, type_byte)));
  a_.mov(rsi, field(rcx, offsetof(Table, elements)));
}

void BaselineCompiler::branch_if_metatable(const Label& target) {
  a_.cmp(field(rcx, offsetof(Table, own_metatable)), 0);
  a_.jne(target);
}

/// R[to] := the element at the index.
void BaselineCompiler::emit_get_element(int to, const Label& slow) {
  const Label any = a_.newLabel(), done = a_.newLabel(), found = a_.newLabel();
  const Label is_nil = slow_path([this, slow, found] {
    branch_if_metatable(slow);
    a_.jmp(found);
  });
  a_.mov(edx, short_field(rcx, offsetof(Table, type_word)));
  a_.cmp(rax, rdx);
  a_.jae(slow);
  load_elements();
  a_.cmp(edx, kAny);
  a_.je(any);
  a_.mov(rax, qword_ptr(rsi, rax, 3));
  a_.add(edx, kKindToTag);
  a_.mov(payload_of(to), rax);
  a_.mov(tag_of(to), rdx);
  a_.jmp(done);
  a_.bind(any);
  a_.add(rax, rax);
  a_.mov(rdi, qword_ptr(rsi, rax, 3, kTagOffset));
  a_.mov(rsi, qword_ptr(rsi, rax, 3));
  a_.test(edi, edi);
  a_.jz(is_nil);
  a_.bind(found);
  a_.mov(payload_of(to), rsi);
  a_.mov(tag_of(to), rdi);
  a_.bind(done);
}

/// Elements of a kind of numbers at rsi: the one at the index := operand, if that has the kind in edx.
void BaselineCompiler::emit_store_number(int operand, const Label& slow) {
  if ((operand & kConstantOperand) != 0) {
    const Value& k = proto_->constants[static_cast<size_t>(operand & kMaxRkConstant)];
    if (!k.is_number()) return static_cast<void>(a_.jmp(slow));
    a_.cmp(edx, static_cast<int>(tag_bits(k.tag)) - kKindToTag);
    a_.jne(slow);
    load_immediate(rdi, k.payload);
  } else {
    a_.add(edx, kKindToTag);
    a_.cmp(edx, short_tag_of(operand));
    a_.jne(slow);
    a_.mov(rdi, payload_of(operand));
  }
  a_.mov(qword_ptr(rsi, rax, 3), rdi);
}

/// Elements of any kind at rsi: the one at the index := rdi, rdx, which come from operand.
void BaselineCompiler::emit_store_any(int operand) {
  a_.mov(qword_ptr(rsi), rdi);
  a_.mov(qword_ptr(rsi, kTagOffset), rdx);
  if (may_be_collectable(operand)) emit_barrier(rcx, rsi, barrier_of_value);
}

/// Loads the operand for emit_store_any; nil is not for here.
void BaselineCompiler::emit_prepare_store_any(int operand, const Label& slow) {
  a_.shl(rax, 4);
  a_.add(rsi, rax);
  load_operand(rdi, rdx, operand);
  a_.test(edx, edx);
  a_.jz(slow);
}

/// The new last element := operand, in a plain table that has room; other indices go to `by_key`.
void BaselineCompiler::emit_append(int operand, const Label& by_key, const Label& slow) {
  const Label any = a_.newLabel(), done = a_.newLabel();
  a_.jne(by_key);  // the index is not the size
  a_.cmp(eax, short_field(rcx, offsetof(Table, element_capacity)));
  a_.jae(slow);
  a_.cmp(field(rcx, offsetof(Table, hash)), 0);
  a_.jne(slow);
  branch_if_metatable(slow);
  load_elements();
  a_.test(rsi, rsi);  // the capacity of a table without storage is a wish
  a_.jz(slow);
  a_.lea(r10d, dword_ptr(rax, 1));
  a_.cmp(edx, kAny);
  a_.je(any);
  emit_store_number(operand, slow);
  a_.mov(short_field(rcx, offsetof(Table, type_word)), r10d);
  a_.jmp(done);
  a_.bind(any);
  emit_prepare_store_any(operand, slow);
  a_.mov(short_field(rcx, offsetof(Table, type_word)), r10d);
  emit_store_any(operand);
  a_.bind(done);
}

/// The element at the index := operand; what is neither there nor next to the last one goes to `by_key`.
void BaselineCompiler::emit_set_element(int operand, const Label& by_key, const Label& slow) {
  const Label any = a_.newLabel(), store = a_.newLabel(), done = a_.newLabel();
  const Label append = slow_path([this, operand, by_key, slow, done] {
    emit_append(operand, by_key, slow);
    a_.jmp(done);
  });
  const Label has_metatable = slow_path([this, slow, store] {  // a hole may call __newindex
    a_.cmp(dword_ptr(rsi, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
    a_.je(slow);
    a_.jmp(store);
  });
  a_.mov(edx, short_field(rcx, offsetof(Table, type_word)));
  a_.cmp(rax, rdx);
  a_.jae(append);
  load_elements();
  a_.cmp(edx, kAny);
  a_.je(any);
  emit_store_number(operand, slow);
  a_.jmp(done);
  a_.bind(any);
  emit_prepare_store_any(operand, slow);
  branch_if_metatable(has_metatable);
  a_.bind(store);
  emit_store_any(operand);
  a_.bind(done);
}

void BaselineCompiler::emit_GetIndex(const Instruction& in) {
  const Label slow = index_slow_path(get_index_or_metamethod, HandlerAccess::GetIndex);
  const Label by_key = get_by_key_slow_path(in, slow);
  branch_unless_tag(in.b, Tag::Table, slow);
  emit_element_index(in.c, by_key);
  a_.mov(rcx, payload_of(in.b));
  emit_get_element(in.a, by_key);
}

void BaselineCompiler::emit_GetInteger(const Instruction& in) {
  const Label slow = metamethod_slow_path(get_integer_or_metamethod);
  branch_unless_tag(in.b, Tag::Table, slow);
  a_.mov(rcx, payload_of(in.b));
  a_.mov(rax, static_cast<int64_t>(in.c) - 1);
  emit_get_element(in.a, get_by_key_slow_path(in, slow));
}

void BaselineCompiler::emit_SetIndex(const Instruction& in) {
  const Label slow = index_slow_path(set_index_or_metamethod, HandlerAccess::SetIndex, in.c);
  const Label by_key = set_by_key_slow_path(in, slow);
  branch_unless_tag(in.a, Tag::Table, slow);
  emit_element_index(in.b, by_key);
  a_.mov(rcx, payload_of(in.a));
  emit_set_element(in.c, by_key, slow);
}

void BaselineCompiler::emit_SetInteger(const Instruction& in) {
  const Label slow = metamethod_slow_path(set_integer_or_metamethod, MetamethodResult::None);
  branch_unless_tag(in.a, Tag::Table, slow);
  a_.mov(rcx, payload_of(in.a));
  a_.mov(rax, static_cast<int64_t>(in.b) - 1);
  emit_set_element(in.c, set_by_key_slow_path(in, slow), slow);
}

void BaselineCompiler::emit_Length(const Instruction& in) {
  const Label slow = metamethod_slow_path(length_or_metamethod);
  const Label store = a_.newLabel();
  const Label not_table = slow_path([this, in, slow, store] {
    branch_unless_tag(in.b, Tag::String, slow);
    a_.mov(rax, field(rcx, offsetof(String, length)));
    a_.jmp(store);
  });
  a_.mov(rcx, payload_of(in.b));
  branch_unless_tag(in.b, Tag::Table, not_table);
  branch_if_metatable(slow);
  a_.mov(eax, short_field(rcx, offsetof(Table, type_word)));
  a_.bind(store);
  a_.mov(payload_of(in.a), rax);
  store_tag(in.a, Tag::Integer);
}

}  // namespace mangata::jit
