#include "jit/build/lower_fields.h"

#include <algorithm>

#include "jit/build/lower_fields_of_shapes.h"
#include "jit/build/lower_frames.h"
#include "jit/build/lower_upvalues.h"
#include "jit/build/scalar_replacement.h"

namespace mangata::jit {
namespace {

/// The table along __index that has the property, which it still has.
IrValue guard_holder(const LoweringTools& t, const InlineCache& cache) {
  guard_epoch(t, cache);
  return guard_holder_shape(t, cache);
}

/// A property that is nil may call __newindex, unless there is no metatable, or it is known to lack that.
void guard_may_store(const LoweringTools& t, IrValue old_tag, IrValue table) {
  Writer& b = t.b;
  Block is_nil = b.make_block("is_nil");
  Block has_metatable = b.make_block("has_metatable");
  Block stores = b.make_block("stores");
  b.set_likely(b.branch(b.ne(old_tag, b.word(0)), stores, is_nil), true);
  b.set_position(is_nil);
  IrValue metatable = b.load(IrType::Pointer, b.at(table, offsetof(Table, own_metatable)), Memory::Header);
  b.branch(b.is_null(metatable), stores, has_metatable);
  b.set_position(has_metatable);
  IrValue flags = b.load(IrType::I8, b.at(metatable, offsetof(Table, type_flags)), Memory::Header);
  t.guards.guard(b.ne(b.bit_and(flags, b.i8(kNoNewIndex)), b.i8(0)));
  b.jump(stores);
  b.set_position(stores);
}

/// There is a slot for the property that is to be added. Making one has no effect that a program could see.
void make_slot(const LoweringTools& t, IrValue table, const InlineCache& cache) {
  Writer& b = t.b;
  IrValue capacity = b.load(IrType::I32, b.at(table, offsetof(Table, slot_capacity)), Memory::Header);
  Block grows = b.make_block("grows");
  Block fits = b.make_block("fits");
  b.set_likely(b.branch(b.ugt(capacity, b.i32(cache.slot)), fits, grows), true);
  b.set_position(grows);
  IrValue made = b.call(IrType::I8, b.address_constant(t.runtime.make_slot), {b.vm(), table, b.address_constant(cache.new_shape)});
  b.set_likely(b.branch(b.ne(made, b.i8(0)), fits, t.guards.exit_block()), true);
  b.set_position(fits);
}

/// A property that the table lacks (cache_set, vm/interpreter/inline_cache.h).
void add_field(const LoweringTools& t, const Operand& table, const InlineCache& cache, const Operand& value) {
  Writer& b = t.b;
  IrValue object = b.pointer(table);
  const bool is_new = is_new_with(t, table, cache.slot);
  if (!is_new) {
    guard_epoch(t, cache);
    guard_not_relied_on(t, object);
  }
  if (!is_new) {
    t.guards.guard_not_nil(value);
    make_slot(t, object, cache);
  }
  IrValue address = property(b, object, cache.slot);
  b.store(b.address_constant(cache.new_shape), b.at(object, offsetof(Table, shape)), Memory::Header);
  b.store_value(value, address, Memory::Values);
  // The new shape may be one that the collector has not seen.
  t.heap.barrier(object, address, t.runtime.barrier_of_new_property);
  t.registers.forget_shape(cache.shape);
  t.registers.know_shape(table, cache.new_shape);
}

}  // namespace

void guard_shape(const LoweringTools& t, const Operand& table, const Shape* shape) {
  Writer& b = t.b;
  if (table.slot != kNoFrameSlot && t.registers.fact(table.slot).shape == shape) return;
  IrValue found = b.load(IrType::I64, b.at(b.pointer(table), offsetof(Table, shape)), Memory::Header);
  t.guards.guard(b.eq(found, b.word(reinterpret_cast<uint64_t>(shape))));
  t.registers.know_shape(table, shape);
}

void guard_epoch(const LoweringTools& t, const Shape* shape, uint32_t epoch) {
  Writer& b = t.b;
  IrValue now = b.load(IrType::I32, b.address_constant(t.input.epochs.at(shape)), Memory::Machine);
  t.guards.guard(b.eq(now, b.i32(epoch)));
}

void guard_epoch(const LoweringTools& t, const InlineCache& cache) { guard_epoch(t, cache.shape, cache.epoch); }

IrValue guard_holder_shape(const LoweringTools& t, const InlineCache& cache) {
  Writer& b = t.b;
  IrValue holder = b.address_constant(cache.holder);
  IrValue shape = b.load(IrType::I64, b.at(holder, offsetof(Table, shape)), Memory::Header);
  t.guards.guard(b.eq(shape, b.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  return holder;
}

bool get_field(const LoweringTools& t, Operand table, const InlineCache& cache, Register to) {
  Writer& b = t.b;
  switch (cache.kind) {
    case InlineCache::kOwn: {
      // What is nil in the table may be somewhere else, unless the cache knows better.
      const bool nil_is_nil = cache.epoch != 0 && (t.walk.site().result & tag_bit(Tag::Nil)) != 0;
      if (t.registers.is_replaced(table)) return get_replaced_field(t, table.slot, cache.slot, to, nil_is_nil ? &cache : nullptr), true;
      guard_shape(t, table, cache.shape);
      IrValue object = b.pointer(table);
      if (nil_is_nil) guard_epoch(t, cache);
      t.values.write_loaded(to, property(b, object, cache.slot), Memory::Values, !nil_is_nil, object);
      return true;
    }
    case InlineCache::kMetatable: {
      guard_shape(t, table, cache.shape);
      IrValue holder = guard_holder(t, cache);
      t.values.write_loaded(to, property(b, holder, cache.slot), Memory::Values, true, holder);
      return true;
    }
    case InlineCache::kAbsent:
      guard_shape(t, table, cache.shape);
      guard_epoch(t, cache);
      t.values.write(to, {.kind = Kind::Nil});
      return true;
    default:
      return false;
  }
}

bool get_method(const LoweringTools& t, Operand object, const FieldCase& field_case) {
  const Instruction& in = t.walk.instruction();
  // R[a] may be the object's register, whose value is in `object`.
  const Fact known = t.registers.fact(t.walk.slot_of(in.rb()));
  const Fact replaced_object = t.registers.is_replaced(object) ? t.registers.fact(object.slot) : Fact{};
  if (!get_field(t, object, field_case.cache, in.ra())) return false;
  if (t.walk.ended) return true;
  if (!t.registers.is_captured(t.walk.slot_of(in.ra()))) t.registers.fact(t.walk.slot_of(in.ra())).method = field_case.method;
  const FrameSlot self = t.walk.slot_of(in.ra() + kCallOverheadSlots);
  if (replaced_object.replaced_table >= 0 && !t.registers.is_captured(self)) return t.registers.fact(self) = replaced_object, true;
  t.registers.set(self, object);
  if (!t.registers.is_captured(self)) {
    t.registers.fact(self).shape = field_case.cache.shape;
    t.registers.fact(self).elements = known.elements;
  }
  return true;
}

bool lower_field(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (in.d == kNoInlineCache) return t.calls.do_instruction();
  if (inline_handler(t, in)) return false;
  const InlineCache& cache = t.walk.function().caches[in.d];
  const bool usable = (cache.kind == InlineCache::kOwn || cache.kind == InlineCache::kMetatable ||
                       cache.kind == InlineCache::kAbsent);
  if (!usable || t.walk.site().many_shapes || cases(t) != nullptr || (t.walk.site().shape != nullptr && t.walk.site().shape != cache.shape)) return lower_field_of_shapes(t, in);
  if (in.op == Opcode::GetGlobal) {
    return get_field(t, environment(t, in.b), cache, in.ra()) || t.calls.do_instruction();
  }
  Operand object = t.values.peek_for(in.rb(), cache);
  if (in.op == Opcode::Self &&
      (object.kind == Kind::String || (object.kind == Kind::Any && t.walk.site().left == tag_bit(Tag::String)))) {
    if (cache.kind != InlineCache::kMetatable || !t.values.expect(&object, Kind::String)) return t.calls.do_instruction();
    // The shape in the cache is that of the strings' metatable's instances; its epoch and its holder say the
    // rest.
    constexpr size_t kStringMetatable =
        offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    IrValue metatable = b.load(IrType::Pointer, b.at(b.vm(), kStringMetatable), Memory::Machine);
    t.guards.guard(b.is_not_null(metatable));
    IrValue shape = b.load(IrType::I64, b.at(metatable, offsetof(Table, instance_shape)), Memory::Header);
    t.guards.guard(b.eq(shape, b.word(reinterpret_cast<uint64_t>(cache.shape))));
    IrValue address = property(b, guard_holder(t, cache), cache.slot);
    const Operand method = b.load_value(address, Memory::Values);
    t.guards.guard_not_nil(method);
    t.values.copy(t.walk.slot_of(in.ra() + kCallOverheadSlots), t.walk.slot_of(in.rb()));
    t.values.write(in.ra(), method);
    return true;
  }
  if (!t.values.expect_table(&object)) return t.calls.do_instruction();
  if (in.op != Opcode::Self) return get_field(t, object, cache, in.ra()) || t.calls.do_instruction();
  return get_method(t, object, {.cache = cache}) || t.calls.do_instruction();
}

bool lower_field_store(const LoweringTools& t, const Instruction& in) {
  if (in.d == kNoInlineCache) return t.calls.do_instruction();
  const InlineCache& cache = t.walk.function().caches[in.d];
  if (inline_handler(t, in)) return false;
  const bool adds = cache.kind == InlineCache::kAdd;
  if (t.walk.site().many_shapes || (cache.kind != InlineCache::kOwn && !adds) || t.walk.site().shape != cache.shape) return lower_field_store_of_shapes(t, in);
  Operand table;
  if (in.op == Opcode::SetGlobal) {
    table = environment(t, in.a);
  } else {
    table = t.values.peek_for(in.ra(), cache);
    if (!t.values.expect_table(&table)) return t.calls.do_instruction();
  }
  Operand value = t.registers.is_replaced(table) ? t.values.peek_rk(in.c) : t.values.read_rk(in.c);
  const bool has_no_metatable = t.registers.is_replaced(table) ? t.registers.replaced_table(table.slot).metatable == nullptr : is_new_with(t, table, cache.slot);
  if (adds && value.kind == Kind::Nil && !has_no_metatable) return t.calls.do_instruction();
  if (t.registers.is_replaced(table)) return set_replaced_field(t, table.slot, cache, value), true;
  if (!adds) return set_field(t, table, cache, value);
  guard_shape(t, table, cache.shape);
  add_field(t, table, cache, value);
  return true;
}

bool set_field(const LoweringTools& t, const Operand& table, const InlineCache& cache, const Operand& value) {
  Writer& b = t.b;
  if (t.registers.is_replaced(table)) return set_replaced_field(t, table.slot, cache, value), true;
  guard_shape(t, table, cache.shape);
  IrValue object = b.pointer(table);
  IrValue address = property(b, object, cache.slot);
  guard_may_store(t, b.load(IrType::I64, b.at(address, offsetof(Value, tag)), Memory::Values), object);
  b.store_value(value, address, Memory::Values);
  t.heap.barrier(object, address, value);
  return true;
}

bool is_new_with(const LoweringTools& t, const Operand& table, uint32_t slot) {
  if (table.slot == kNoFrameSlot) return false;
  const uint8_t room = t.registers.fact(table.slot).new_slots;
  return room != Fact::kNotNew && slot < room;
}

void guard_not_relied_on(const LoweringTools& t, IrValue table) {
  Writer& b = t.b;
  IrValue flags = b.load(IrType::I8, b.at(table, offsetof(Table, type_flags)), Memory::Header);
  t.guards.guard(b.eq(flags, b.i8(0)));
}

}  // namespace mangata::jit
