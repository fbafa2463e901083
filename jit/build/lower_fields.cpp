// Properties of tables: accesses whose shapes were recorded (vm/interpreter/inline_cache.h).
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {

/// Where the table has that shape, or has been found to have it, the walk goes on.
bool Lowering::guard_shape(const Operand& table, const Shape* shape) {
  if (table.slot != kNoFrameSlot && registers_.fact(table.slot).shape == shape) return true;
  IrValue found = b_.load(IrType::I64, b_.at(b_.pointer(table), offsetof(Table, shape)), Memory::Header);
  guards_.guard(b_.eq(found, b_.word(reinterpret_cast<uint64_t>(shape))));
  if (table.slot != kNoFrameSlot && !registers_.is_captured(table.slot)) registers_.fact(table.slot).shape = shape;
  return true;
}

/// What was found beyond tables of that shape still holds.
void Lowering::guard_epoch(const Shape* shape, uint32_t epoch) {
  IrValue now = b_.load(IrType::I32, b_.address_constant(input_.epochs.at(shape)), Memory::Machine);
  guards_.guard(b_.eq(now, b_.i32(epoch)));
}

void Lowering::guard_epoch(const InlineCache& cache) { guard_epoch(cache.shape, cache.epoch); }

/// The table along __index that has the property, which it still has.
ir::Value Lowering::guard_holder(const InlineCache& cache) {
  guard_epoch(cache);
  return guard_holder_shape(cache);
}

/// That table, if it still has the shape in which the property was found.
ir::Value Lowering::guard_holder_shape(const InlineCache& cache) {
  IrValue holder = b_.address_constant(cache.holder);
  IrValue shape = b_.load(IrType::I64, b_.at(holder, offsetof(Table, shape)), Memory::Header);
  guards_.guard(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  return holder;
}

bool Lowering::get_field(Operand table, const InlineCache& cache, Register to) {
  switch (cache.kind) {
    case InlineCache::kOwn: {
      // What is nil in the table may be somewhere else, unless the cache knows better.
      const bool nil_is_nil = cache.epoch != 0 && (walk_.site().result & tag_bit(Tag::Nil)) != 0;
      if (registers_.is_replaced(table)) return get_replaced_field(table.slot, cache.slot, to, nil_is_nil ? &cache : nullptr), true;
      guard_shape(table, cache.shape);
      IrValue object = b_.pointer(table);
      if (nil_is_nil) guard_epoch(cache);
      values_.write_loaded(to, property(b_, object, cache.slot), Memory::Values, !nil_is_nil, object);
      return true;
    }
    case InlineCache::kMetatable: {
      guard_shape(table, cache.shape);
      IrValue holder = guard_holder(cache);
      values_.write_loaded(to, property(b_, holder, cache.slot), Memory::Values, true, holder);
      return true;
    }
    case InlineCache::kAbsent:
      guard_shape(table, cache.shape);
      guard_epoch(cache);
      values_.write(to, {.kind = Kind::Nil});
      return true;
    default:
      return false;
  }
}

/// R[a] := object.K[c], R[a+] := object
bool Lowering::get_method(Operand object, const FieldCase& field_case) {
  const Instruction& in = walk_.instruction();
  // R[a] may be the object's register, whose value is in `object`.
  const Fact known = registers_.fact(walk_.slot_of(in.rb()));
  const Fact replaced_object = registers_.is_replaced(object) ? registers_.fact(object.slot) : Fact{};
  if (!get_field(object, field_case.cache, in.ra())) return false;
  if (walk_.ended) return true;
  if (!registers_.is_captured(walk_.slot_of(in.ra()))) registers_.fact(walk_.slot_of(in.ra())).method = field_case.method;
  const FrameSlot self = walk_.slot_of(in.ra() + kCallOverheadSlots);
  if (replaced_object.replaced_table >= 0 && !registers_.is_captured(self)) return registers_.fact(self) = replaced_object, true;
  registers_.set(self, object);
  if (!registers_.is_captured(self)) {
    registers_.fact(self).shape = field_case.cache.shape;
    registers_.fact(self).elements = known.elements;
  }
  return true;
}

bool Lowering::lower_field(const Instruction& in) {
  if (in.d == kNoInlineCache) return calls_.do_instruction();
  if (inline_handler(in)) return false;
  const InlineCache& cache = walk_.function().caches[in.d];
  const bool usable = (cache.kind == InlineCache::kOwn || cache.kind == InlineCache::kMetatable ||
                       cache.kind == InlineCache::kAbsent);
  if (!usable || walk_.site().many_shapes || cases() != nullptr || (walk_.site().shape != nullptr && walk_.site().shape != cache.shape)) return lower_field_of_shapes(in);
  if (in.op == Opcode::GetGlobal) {
    return get_field(environment(in.b), cache, in.ra()) || calls_.do_instruction();
  }
  Operand object = values_.peek_for(in.rb(), cache);
  if (in.op == Opcode::Self &&
      (object.kind == Kind::String || (object.kind == Kind::Any && walk_.site().left == tag_bit(Tag::String)))) {
    if (cache.kind != InlineCache::kMetatable || !values_.expect(&object, Kind::String)) return calls_.do_instruction();
    // The shape in the cache is that of the strings' metatable's instances; its epoch and its holder say the
    // rest.
    constexpr size_t kStringMetatable =
        offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    IrValue metatable = b_.load(IrType::Pointer, b_.at(b_.vm(), kStringMetatable), Memory::Machine);
    guards_.guard(b_.is_not_null(metatable));
    IrValue shape = b_.load(IrType::I64, b_.at(metatable, offsetof(Table, instance_shape)), Memory::Header);
    guards_.guard(b_.eq(shape, b_.word(reinterpret_cast<uint64_t>(cache.shape))));
    IrValue address = property(b_, guard_holder(cache), cache.slot);
    const Operand method = b_.load_value(address, Memory::Values);
    guards_.guard_not_nil(method);
    values_.copy(walk_.slot_of(in.ra() + kCallOverheadSlots), walk_.slot_of(in.rb()));
    values_.write(in.ra(), method);
    return true;
  }
  if (!values_.expect_table(&object)) return calls_.do_instruction();
  if (in.op != Opcode::Self) return get_field(object, cache, in.ra()) || calls_.do_instruction();
  return get_method(object, {.cache = cache}) || calls_.do_instruction();
}

bool Lowering::lower_field_store(const Instruction& in) {
  if (in.d == kNoInlineCache) return calls_.do_instruction();
  const InlineCache& cache = walk_.function().caches[in.d];
  if (inline_handler(in)) return false;
  const bool adds = cache.kind == InlineCache::kAdd;
  if (walk_.site().many_shapes || (cache.kind != InlineCache::kOwn && !adds) || walk_.site().shape != cache.shape) return lower_field_store_of_shapes(in);
  Operand table;
  if (in.op == Opcode::SetGlobal) {
    table = environment(in.a);
  } else {
    table = values_.peek_for(in.ra(), cache);
    if (!values_.expect_table(&table)) return calls_.do_instruction();
  }
  Operand value = registers_.is_replaced(table) ? values_.peek_rk(in.c) : values_.read_rk(in.c);
  const bool has_no_metatable = registers_.is_replaced(table) ? registers_.replaced_table(table.slot).metatable == nullptr : is_new_with(table, cache.slot);
  if (adds && value.kind == Kind::Nil && !has_no_metatable) return calls_.do_instruction();
  if (registers_.is_replaced(table)) return set_replaced_field(table.slot, cache, value), true;
  if (!adds) return set_field(table, cache, value);
  guard_shape(table, cache.shape);
  add_field(table, cache, value);
  return true;
}

/// A property that is nil may call __newindex, unless there is no metatable, or it is known to lack that.
void Lowering::guard_may_store(IrValue old_tag, IrValue table) {
  Block is_nil = b_.make_block("is_nil");
  Block has_metatable = b_.make_block("has_metatable");
  Block stores = b_.make_block("stores");
  b_.set_likely(b_.branch(b_.ne(old_tag, b_.word(0)), stores, is_nil), true);
  b_.set_position(is_nil);
  IrValue metatable = b_.load(IrType::Pointer, b_.at(table, offsetof(Table, own_metatable)), Memory::Header);
  b_.branch(b_.is_null(metatable), stores, has_metatable);
  b_.set_position(has_metatable);
  IrValue flags = b_.load(IrType::I8, b_.at(metatable, offsetof(Table, type_flags)), Memory::Header);
  guards_.guard(b_.ne(b_.bit_and(flags, b_.i8(kNoNewIndex)), b_.i8(0)));
  b_.jump(stores);
  b_.set_position(stores);
}

/// A property that the table has.
bool Lowering::set_field(const Operand& table, const InlineCache& cache, const Operand& value) {
  if (registers_.is_replaced(table)) return set_replaced_field(table.slot, cache, value), true;
  guard_shape(table, cache.shape);
  IrValue object = b_.pointer(table);
  IrValue address = property(b_, object, cache.slot);
  guard_may_store(b_.load(IrType::I64, b_.at(address, offsetof(Value, tag)), Memory::Values), object);
  b_.store(b_.payload_bits(value), address, Memory::Values);
  b_.store(b_.tag_value(value), b_.at(address, offsetof(Value, tag)), Memory::Values);
  heap_.barrier(object, address, value);
  return true;
}

/// The table was made here, is nobody's metatable yet, has none itself, and room for that property.
bool Lowering::is_new_with(const Operand& table, uint32_t slot) {
  if (table.slot == kNoFrameSlot) return false;
  const uint8_t room = registers_.fact(table.slot).new_slots;
  return room != Fact::kNotNew && slot < room;
}

/// Nobody relies on what keys the table has and lacks.
void Lowering::guard_not_relied_on(IrValue table) {
  IrValue flags = b_.load(IrType::I8, b_.at(table, offsetof(Table, type_flags)), Memory::Header);
  guards_.guard(b_.eq(flags, b_.i8(0)));
}

/// A property that the table lacks (cache_set, vm/interpreter/inline_cache.h).
/// There is a slot for the property that is to be added. Making one has no effect that a program could see.
void Lowering::make_slot(IrValue table, const InlineCache& cache) {
  IrValue capacity = b_.load(IrType::I32, b_.at(table, offsetof(Table, slot_capacity)), Memory::Header);
  Block grows = b_.make_block("grows");
  Block fits = b_.make_block("fits");
  b_.set_likely(b_.branch(b_.ugt(capacity, b_.i32(cache.slot)), fits, grows), true);
  b_.set_position(grows);
  IrValue made = b_.call(IrType::I8, b_.address_constant(runtime_.make_slot), {b_.vm(), table, b_.address_constant(cache.new_shape)});
  b_.set_likely(b_.branch(b_.ne(made, b_.i8(0)), fits, guards_.exit_block()), true);
  b_.set_position(fits);
}

void Lowering::add_field(const Operand& table, const InlineCache& cache, const Operand& value) {
  IrValue object = b_.pointer(table);
  const bool is_new = is_new_with(table, cache.slot);
  if (!is_new) {
    guard_epoch(cache);
    guard_not_relied_on(object);
  }
  if (!is_new) {
    guards_.guard_not_nil(value);
    make_slot(object, cache);
  }
  IrValue address = property(b_, object, cache.slot);
  b_.store(b_.address_constant(cache.new_shape), b_.at(object, offsetof(Table, shape)), Memory::Header);
  b_.store(b_.payload_bits(value), address, Memory::Values);
  b_.store(b_.tag_value(value), b_.at(address, offsetof(Value, tag)), Memory::Values);
  // The new shape may be one that the collector has not seen.
  heap_.barrier(object, address, runtime_.barrier_of_new_property);
  registers_.forget_shape(cache.shape);
  if (table.slot != kNoFrameSlot && !registers_.is_captured(table.slot)) registers_.fact(table.slot).shape = cache.new_shape;
}

}  // namespace mangata::jit
