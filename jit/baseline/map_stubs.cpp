#include "jit/baseline/map_stubs.h"

#include "jit/baseline/cached_access.h"
#include "jit/x64/masm.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/key_access.h"
#include "vm/object/hash_part.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// What the stubs for field names take for the site's cache: one that knows nothing.
const InlineCache kNoCache{};

/// a2 := the shape, a4 := a cache, for the property of a table that is no dictionary; a5 is the key. A
/// dictionary goes to `dictionary`.
void prepare_by_cache(Masm& masm, const Label& dictionary) {
  masm.load(a4, field(a3, offsetof(Table, shape)));
  masm.compare(byte_at(a4, offsetof(Shape, is_dictionary)), 0);
  masm.branch(Condition::NotEqual, dictionary);
  masm.move(a2, a4);
  masm.load_word(a4, address_of(&kNoCache));
}

/// a4 := the hash part, t1 := the number of nodes less one.
void load_hash(Masm& masm, const Label& absent) {
  masm.load(a4, field(a3, offsetof(Table, hash)));
  masm.branch_if_zero(a4, absent);
  masm.load(low(t1), short_at(a4, offsetof(HashPart, type_word)));
  masm.decrement(low(t1));
}

/// t0 := where the chain of an integer starts (integer_position in hash_part.cpp). Clobbers t2.
void find_position_of_integer(Masm& masm) {
  masm.move(t2, a3);
  masm.load_address(low(a3), short_at(t1, 1));
  masm.count_trailing_zeros(low(a3), low(a3));  // to processors without it the bytes are bsf
  masm.move(t0, a5);
  masm.shift_right_by_count(t0);
  masm.load_word(a2, kHashMultiplier);
  masm.multiply(t0, a2);
  masm.negate(low(a3));
  masm.shift_right_by_count(t0);
  masm.add(low(t0), low(a5));
  masm.and_(low(t0), low(t1));
  masm.move(a3, t2);
  masm.load_word(low(a2), static_cast<int>(Tag::Integer));
}

/// t0 := where the chain of an object or a boolean starts (bits_position).
void find_position_of_bits(Masm& masm) {
  masm.move(t0, a5);
  masm.shift_right(t0, 32);
  masm.xor_(t0, a5);
  masm.load_word(t2, kHashMultiplier);
  masm.multiply(t0, t2);
  masm.shift_right(t0, 32);
  masm.and_(low(t0), low(t1));
}

/// a4 := the node of the key, whose chain starts at node t0 of the hash part in a4. Clobbers t0.
void follow_chain(Masm& masm, const Label& absent) {
  static_assert(sizeof(HashNode) == 1 << 5);
  const Label compare = masm.new_label(), next = masm.new_label(), found = masm.new_label();
  masm.shift_left(t0, 5);
  masm.load_address(a4, word_at(a4, t0, 0, offsetof(HashPart, nodes)));
  masm.bind(compare);
  masm.compare(a5, field(a4, offsetof(HashNode, key_payload)));
  masm.branch(Condition::NotEqual, next);
  masm.compare(low(a2), short_at(a4, offsetof(HashNode, key_tag)));
  masm.branch(Condition::Equal, found);
  masm.bind(next);
  masm.sign_extend(t0, short_at(a4, offsetof(HashNode, next)));
  masm.branch_if_zero(low(t0), absent);
  masm.shift_left(t0, 5);
  masm.add(a4, t0);
  masm.jump(compare);
  masm.bind(found);
}

/// a4 := the node of a key in a3 that is no name; a float goes to `is_float`.
void find_node(Masm& masm, const Label& is_float, const Label& absent) {
  const Label integer = masm.new_label(), positioned = masm.new_label();
  masm.compare(low(a2), static_cast<int>(Tag::Float));
  masm.branch(Condition::Equal, is_float);
  load_hash(masm, absent);
  masm.compare(low(a2), static_cast<int>(Tag::Integer));
  masm.branch(Condition::Equal, integer);
  find_position_of_bits(masm);
  masm.jump(positioned);
  masm.bind(integer);
  find_position_of_integer(masm);
  masm.bind(positioned);
  follow_chain(masm, absent);
}

/// a4 := the node of a name in a dictionary.
void find_node_of_name(Masm& masm, const Label& absent) {
  load_hash(masm, absent);
  masm.load(low(t0), short_at(a5, offsetof(String, type_word)));
  masm.and_(low(t0), low(t1));
  follow_chain(masm, absent);
}

void branch_unless_name(Masm& masm, const Label& not_string, const Label& is_long) {
  masm.compare(low(a2), static_cast<int>(Tag::String));
  masm.branch(Condition::NotEqual, not_string);
  masm.branch_unless_bits(byte_at(a5, offsetof(String, type_flags)), String::kShort, is_long);
}

/// a1, a0 := load_key of what the registers say.
void load_by_runtime(Masm& masm, const Label& miss, const std::function<void(uint32_t bytes)>& frame_size) {
  masm.reserve_stack(8);
  frame_size(16);
  masm.move(a0, kVm);
  masm.move(a1, a3);
  masm.move(low(a3), low(a2));
  masm.move(a2, a5);
  masm.call(load_key);
  masm.drop_stack(8);
  frame_size(8);
  masm.move(a1, t0);
  masm.move(a0, a2);
  masm.compare(low(a0), static_cast<int>(kNotLoaded));
  masm.branch(Condition::Equal, miss);
  masm.return_hit();
}

/// store_key of what the registers say.
void store_by_runtime(Masm& masm, const Label& miss,
                      const std::function<void(uint32_t bytes)>& frame_size) {
  static const Value kStored = Value::nil();  // for the caller's barrier, which has nothing left to do
  masm.push(a3);
  frame_size(16);
  masm.move(a4, a1);
  masm.move(t1, a0);
  masm.move(a0, kVm);
  masm.move(a1, a3);
  masm.move(low(a3), low(a2));
  masm.move(a2, a5);
  masm.move(a5, t1);
  masm.call(store_key);
  masm.pop(a3);
  frame_size(8);
  masm.branch_if_zero(low_byte(t0), miss);
  masm.load_word(t0, address_of(&kStored));
  masm.return_hit();
}
}  // namespace

void emit_get_by_key(Masm& masm, const Label& get_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size) {
  const Label not_string = masm.new_label(), dictionary = masm.new_label(), found = masm.new_label(),
              absent = masm.new_label(), by_runtime = masm.new_label(), not_cached = masm.new_label(),
              miss = masm.new_label();
  frame_size(8);
  branch_unless_name(masm, not_string, by_runtime);
  prepare_by_cache(masm, dictionary);
  masm.call(get_by_cache);
  masm.branch_on_miss(not_cached);
  masm.return_hit_as_is();
  masm.bind(not_cached);
  masm.load_word(low(a2), static_cast<int>(Tag::String));
  masm.jump(by_runtime);

  masm.bind(dictionary);
  find_node_of_name(masm, absent);
  masm.bind(found);
  masm.load(a1, field(a4, offsetof(HashNode, value)));
  masm.load(a0, field(a4, offsetof(HashNode, value) + kTagOffset));
  masm.branch_if_zero(low(a0), absent);
  masm.return_hit_as_is();
  masm.bind(absent);
  branch_unless_lacks(masm, kNoIndex, a4, miss);
  masm.clear(a1);
  masm.clear(a0);
  masm.return_hit_as_is();

  masm.bind(not_string);
  find_node(masm, by_runtime, absent);
  masm.jump(found);

  masm.bind(by_runtime);
  load_by_runtime(masm, miss, frame_size);
  masm.bind(miss);
  masm.return_miss();
}

void emit_set_by_key(Masm& masm, const Label& set_by_cache,
                     const std::function<void(uint32_t bytes)>& frame_size) {
  const Label not_string = masm.new_label(), dictionary = masm.new_label(), found = masm.new_label(),
              by_runtime = masm.new_label(), not_cached = masm.new_label(), miss = masm.new_label(),
              is_nil = masm.new_label(), stores = masm.new_label();
  frame_size(8);
  branch_unless_name(masm, not_string, by_runtime);
  prepare_by_cache(masm, dictionary);
  masm.call(set_by_cache);
  masm.branch_on_miss(not_cached);
  masm.return_hit_as_is();
  masm.bind(not_cached);
  masm.load_word(low(a2), static_cast<int>(Tag::String));
  masm.jump(by_runtime);

  masm.bind(dictionary);
  masm.branch_if_bits(byte_at(a5, offsetof(String, type_flags)), String::kMetamethodName, miss);
  find_node_of_name(masm, by_runtime);
  masm.bind(found);
  masm.compare(short_at(a4, offsetof(HashNode, value) + kTagOffset), static_cast<int>(Tag::Nil));
  masm.branch(Condition::Equal, is_nil);
  masm.bind(stores);
  masm.store(word_at(a4, offsetof(HashNode, value)), a1);
  masm.store(word_at(a4, offsetof(HashNode, value) + kTagOffset), a0);
  masm.load_address(t0, word_at(a4, offsetof(HashNode, value)));
  masm.return_hit();

  // A key that was deleted comes back: that is for the runtime where the key has to be marked, __newindex may be asked, or the key may be
  // the next element. Or the node is empty, and the key is nil: an error.
  masm.bind(is_nil);
  masm.branch_if_zero(low(a2), by_runtime);
  masm.compare(low(a2), static_cast<int>(Tag::Integer));
  masm.branch(Condition::Equal, by_runtime);
  branch_unless_lacks(masm, kNoNewIndex, t0, by_runtime);
  masm.compare(byte_at(kVm, offsetof(Vm, heap) + HeapLayout::kMarking), 0);
  masm.branch(Condition::Equal, stores);
  masm.jump(by_runtime);

  masm.bind(not_string);
  find_node(masm, by_runtime, by_runtime);
  masm.jump(found);
  masm.bind(by_runtime);
  store_by_runtime(masm, miss, frame_size);
  masm.bind(miss);
  masm.return_miss();
}

}  // namespace mangata::jit
