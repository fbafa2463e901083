#include "jit/baseline/map_stubs.h"

#include "jit/x64/registers.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/key_access.h"
#include "vm/object/hash_part.h"

namespace mangata::jit {

using namespace asmjit::x86;

namespace {

/// What the stubs for field names take for the site's cache: one that knows nothing.
const InlineCache kNoCache{};

/// rdx := the shape, r8 := a cache, for the property of a table that is no dictionary; r9 is the key. A
/// dictionary goes to `dictionary`.
void prepare_by_cache(Assembler& a, const Label& dictionary) {
  a.mov(r8, field(rcx, offsetof(Table, shape)));
  a.cmp(byte_ptr(r8, offsetof(Shape, is_dictionary)), 0);
  a.jne(dictionary);
  a.mov(rdx, r8);
  a.mov(r8, address_of(&kNoCache));
}

/// r8 := the hash part, r10d := the number of nodes less one.
void load_hash(Assembler& a, const Label& absent) {
  a.mov(r8, field(rcx, offsetof(Table, hash)));
  a.test(r8, r8);
  a.jz(absent);
  a.mov(r10d, dword_ptr(r8, offsetof(HashPart, type_word)));
  a.dec(r10d);
}

/// eax := where the chain of an integer starts (integer_position in hash_part.cpp). Clobbers r11.
void find_position_of_integer(Assembler& a) {
  a.mov(r11, rcx);
  a.lea(ecx, dword_ptr(r10, 1));
  a.tzcnt(ecx, ecx);  // to processors without it the bytes are bsf
  a.mov(rax, r9);
  a.shr(rax, cl);
  a.mov(rdx, kHashMultiplier);
  a.imul(rax, rdx);
  a.neg(ecx);
  a.shr(rax, cl);
  a.add(eax, r9d);
  a.and_(eax, r10d);
  a.mov(rcx, r11);
  a.mov(edx, static_cast<int>(Tag::Integer));
}

/// eax := where the chain of an object or a boolean starts (bits_position).
void find_position_of_bits(Assembler& a) {
  a.mov(rax, r9);
  a.shr(rax, 32);
  a.xor_(rax, r9);
  a.mov(r11, kHashMultiplier);
  a.imul(rax, r11);
  a.shr(rax, 32);
  a.and_(eax, r10d);
}

/// r8 := the node of the key, whose chain starts at node eax of the hash part in r8. Clobbers rax.
void follow_chain(Assembler& a, const Label& absent) {
  static_assert(sizeof(HashNode) == 1 << 5);
  const Label compare = a.newLabel(), next = a.newLabel(), found = a.newLabel();
  a.shl(rax, 5);
  a.lea(r8, qword_ptr(r8, rax, 0, offsetof(HashPart, nodes)));
  a.bind(compare);
  a.cmp(r9, field(r8, offsetof(HashNode, key_payload)));
  a.jne(next);
  a.cmp(edx, dword_ptr(r8, offsetof(HashNode, key_tag)));
  a.je(found);
  a.bind(next);
  a.movsxd(rax, dword_ptr(r8, offsetof(HashNode, next)));
  a.test(eax, eax);
  a.jz(absent);
  a.shl(rax, 5);
  a.add(r8, rax);
  a.jmp(compare);
  a.bind(found);
}

/// r8 := the node of a key in rcx that is no name; a float goes to `is_float`.
void find_node(Assembler& a, const Label& is_float, const Label& absent) {
  const Label integer = a.newLabel(), positioned = a.newLabel();
  a.cmp(edx, static_cast<int>(Tag::Float));
  a.je(is_float);
  load_hash(a, absent);
  a.cmp(edx, static_cast<int>(Tag::Integer));
  a.je(integer);
  find_position_of_bits(a);
  a.jmp(positioned);
  a.bind(integer);
  find_position_of_integer(a);
  a.bind(positioned);
  follow_chain(a, absent);
}

/// r8 := the node of a name in a dictionary.
void find_node_of_name(Assembler& a, const Label& absent) {
  load_hash(a, absent);
  a.mov(eax, dword_ptr(r9, offsetof(String, type_word)));
  a.and_(eax, r10d);
  follow_chain(a, absent);
}

/// The table has a metatable that may have __index.
void branch_if_may_index(Assembler& a, const Label& target) {
  const Label plain = a.newLabel();
  a.mov(r8, field(rcx, offsetof(Table, own_metatable)));
  a.test(r8, r8);
  a.jz(plain);
  a.test(byte_ptr(r8, offsetof(Table, type_flags)), kNoIndex);
  a.jz(target);
  a.bind(plain);
}

void branch_unless_name(Assembler& a, const Label& not_string, const Label& is_long) {
  a.cmp(edx, static_cast<int>(Tag::String));
  a.jne(not_string);
  a.test(byte_ptr(r9, offsetof(String, type_flags)), String::kShort);
  a.jz(is_long);
}

/// rsi, rdi := load_key of what the registers say.
void load_by_runtime(Assembler& a, const Label& miss, const std::function<void(uint32_t bytes)>& frame_size) {
  a.sub(rsp, 8);
  frame_size(16);
  a.mov(rdi, kVm);
  a.mov(rsi, rcx);
  a.mov(ecx, edx);
  a.mov(rdx, r9);
  a.call(asmjit::imm(reinterpret_cast<uint64_t>(&load_key)));
  a.add(rsp, 8);
  frame_size(8);
  a.mov(rsi, rax);
  a.mov(rdi, rdx);
  a.cmp(edi, static_cast<int>(kNotLoaded));
  a.je(miss);
  a.clc();
  a.ret();
}

/// store_key of what the registers say.
void store_by_runtime(Assembler& a, const Label& miss,
                      const std::function<void(uint32_t bytes)>& frame_size) {
  static const Value kStored = Value::nil();  // for the caller's barrier, which has nothing left to do
  a.push(rcx);
  frame_size(16);
  a.mov(r8, rsi);
  a.mov(r10, rdi);
  a.mov(rdi, kVm);
  a.mov(rsi, rcx);
  a.mov(ecx, edx);
  a.mov(rdx, r9);
  a.mov(r9, r10);
  a.call(asmjit::imm(reinterpret_cast<uint64_t>(&store_key)));
  a.pop(rcx);
  frame_size(8);
  a.test(al, al);
  a.jz(miss);
  a.mov(rax, address_of(&kStored));
  a.clc();
  a.ret();
}
}  // namespace

void emit_get_by_key(Assembler& a, const Label& get_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size) {
  const Label not_string = a.newLabel(), dictionary = a.newLabel(), found = a.newLabel(),
              absent = a.newLabel(), by_runtime = a.newLabel(), not_cached = a.newLabel(),
              miss = a.newLabel();
  frame_size(8);
  branch_unless_name(a, not_string, by_runtime);
  prepare_by_cache(a, dictionary);
  a.call(get_by_cache);
  a.jc(not_cached);
  a.ret();
  a.bind(not_cached);
  a.mov(edx, static_cast<int>(Tag::String));
  a.jmp(by_runtime);

  a.bind(dictionary);
  find_node_of_name(a, absent);
  a.bind(found);
  a.mov(rsi, field(r8, offsetof(HashNode, value)));
  a.mov(rdi, field(r8, offsetof(HashNode, value) + kTagOffset));
  a.test(edi, edi);
  a.jz(absent);
  a.ret();  // the carry flag is clear
  a.bind(absent);
  branch_if_may_index(a, miss);
  a.xor_(esi, esi);
  a.xor_(edi, edi);
  a.ret();

  a.bind(not_string);
  find_node(a, by_runtime, absent);
  a.jmp(found);

  a.bind(by_runtime);
  load_by_runtime(a, miss, frame_size);
  a.bind(miss);
  a.stc();
  a.ret();
}

void emit_set_by_key(Assembler& a, const Label& set_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size) {
  const Label not_string = a.newLabel(), dictionary = a.newLabel(), found = a.newLabel(),
              by_runtime = a.newLabel(), not_cached = a.newLabel(), miss = a.newLabel(),
              is_nil = a.newLabel(), stores = a.newLabel();
  frame_size(8);
  branch_unless_name(a, not_string, by_runtime);
  prepare_by_cache(a, dictionary);
  a.call(set_by_cache);
  a.jc(not_cached);
  a.ret();
  a.bind(not_cached);
  a.mov(edx, static_cast<int>(Tag::String));
  a.jmp(by_runtime);

  a.bind(dictionary);
  a.test(byte_ptr(r9, offsetof(String, type_flags)), String::kMetamethodName);
  a.jnz(miss);
  find_node_of_name(a, by_runtime);
  a.bind(found);
  a.cmp(dword_ptr(r8, offsetof(HashNode, value) + kTagOffset), static_cast<int>(Tag::Nil));
  a.je(is_nil);
  a.bind(stores);
  a.mov(qword_ptr(r8, offsetof(HashNode, value)), rsi);
  a.mov(qword_ptr(r8, offsetof(HashNode, value) + kTagOffset), rdi);
  a.lea(rax, qword_ptr(r8, offsetof(HashNode, value)));
  a.clc();
  a.ret();

  // A key that was deleted comes back: that is for the runtime where the key has to be marked, __newindex may be asked, or the key may be
  // the next element.
  a.bind(is_nil);
  a.cmp(edx, static_cast<int>(Tag::Integer));
  a.je(by_runtime);
  a.cmp(field(rcx, offsetof(Table, own_metatable)), 0);
  a.jne(by_runtime);
  a.cmp(byte_ptr(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  a.je(stores);
  a.jmp(by_runtime);

  a.bind(not_string);
  find_node(a, by_runtime, by_runtime);
  a.jmp(found);
  a.bind(by_runtime);
  store_by_runtime(a, miss, frame_size);
  a.bind(miss);
  a.stc();
  a.ret();
}

}  // namespace mangata::jit
