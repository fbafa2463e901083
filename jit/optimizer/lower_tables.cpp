// Tables (vm/object/table.h, vm/interpreter/inline_cache.h).
#include <algorithm>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {
namespace {

constexpr auto kAny = static_cast<uint8_t>(ElementKind::Any);
constexpr auto kIntegers = static_cast<uint8_t>(ElementKind::Integer);
constexpr auto kFloats = static_cast<uint8_t>(ElementKind::Float);

}  // namespace

/// The operand whose types were recorded as `left`, as a table.
bool Lowering::expect_table(Operand* operand) {
  return (operand->kind != Kind::Any || site().left == tag_bit(Tag::Table)) && expect(operand, Kind::Table);
}

/// The table's kind of elements, checked unless it is known; false: several were met, or none.
bool Lowering::guard_elements(Operand* table, uint8_t* kind) {
  const uint8_t known = table->slot >= 0 ? fact(table->slot).elements : Fact::kUnknownElements;
  if (known != Fact::kUnknownElements) {
    *kind = known;
    return true;
  }
  const unsigned seen = site().kinds & ~1u;  // empty ones apart
  if (seen == 0 || (seen & (seen - 1)) != 0) return false;
  *kind = static_cast<uint8_t>(std::countr_zero(seen));
  IrValue* found = load(b_.getInt8Ty(), at(pointer(*table), offsetof(Table, type_byte)), Memory::Header);
  guard(b_.CreateICmpEQ(found, b_.getInt8(*kind)));
  if (table->slot >= 0 && !is_captured(table->slot)) fact(table->slot).elements = *kind;
  return true;
}

/// As an i64.
llvm::Value* Lowering::array_size(IrValue* table) {
  return b_.CreateZExt(load(b_.getInt32Ty(), at(table, offsetof(Table, type_word)), Memory::Header), b_.getInt64Ty());
}

bool Lowering::lower_element(const Instruction& in) {
  if (get_virtual_element(in)) return true;
  Operand table = read(in.b);
  if (!expect_table(&table)) return lower_by_runtime();
  Operand key =
      in.op == Opcode::GetInteger ? Operand{.kind = Kind::Integer, .payload = word(in.c)} : read(in.c);
  if (key.kind == Kind::Any && site().right != tag_bit(Tag::Integer)) return lower_by_runtime();
  uint8_t kind = 0;
  if (!expect(&key, Kind::Integer)) return lower_by_runtime();
  const bool is_known = table.slot >= 0 && fact(table.slot).elements != Fact::kUnknownElements;
  if ((site().is_unstable && !is_known) || !guard_elements(&table, &kind))
    return lower_element_of_kinds(in.a, table, key) || lower_by_runtime();
  IrValue* object = pointer(table);
  IrValue* index = b_.CreateSub(key.payload, word(1));
  IrValue* inside = b_.CreateICmpULT(index, array_size(object));
  const bool may_be_nil = (site().result & tag_bit(Tag::Nil)) != 0;
  if (may_be_nil && kind != kAny) {
    // Beyond the end is no reason to leave: the runtime finds out.
    Block* element = make_block("element");
    Block* absent = make_block("absent");
    b_.CreateCondBr(inside, element, absent);
    b_.SetInsertPoint(absent);
    by_runtime_aside();
    b_.SetInsertPoint(element);
  } else {
    guard(inside);
  }
  IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kIntegers) {
    write_integer(in.a, load(b_.getInt64Ty(), b_.CreateInBoundsGEP(b_.getInt64Ty(), elements, index),
                             Memory::Integers));
  } else if (kind == kFloats) {
    write_float(in.a, load(b_.getDoubleTy(), b_.CreateInBoundsGEP(b_.getDoubleTy(), elements, index),
                           Memory::Floats));
  } else {
    IrValue* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4)));
    write_loaded(in.a, address, Memory::Values, true, object);
  }
  return true;
}

/// Where tables with several kinds of elements were met: each kind's load, and one value of any kind from all of them. What is
/// absent from a table without metatable and hash part is nil.
bool Lowering::lower_element_of_kinds(int to, const Operand& table, const Operand& key) {
  constexpr unsigned kEachKind = 1u << kAny | 1u << kIntegers | 1u << kFloats;
  const unsigned seen = site().is_unstable ? kEachKind : site().kinds;
  if (std::popcount(seen) < 2) return false;
  IrValue* object = pointer(table);
  IrValue* index = b_.CreateSub(key.payload, word(1));
  struct Arm {
    IrValue* payload;
    IrValue* tag;
    Block* from;
  };
  std::vector<Arm> arms;
  Block* merged = make_block("any_kind");
  const auto arrive = [&](IrValue* payload, IrValue* tag) {
    arms.push_back({payload, tag, b_.GetInsertBlock()});
    b_.CreateBr(merged);
  };
  Block* inside = make_block("element");
  Block* outside = make_block("absent");
  b_.CreateCondBr(b_.CreateICmpULT(index, array_size(object)), inside, outside);
  b_.SetInsertPoint(outside);
  guard(b_.CreateIsNull(load(b_.getPtrTy(), at(object, offsetof(Table, hash)), Memory::Header)));
  guard(lacks_metatable(object));
  arrive(word(0), word(static_cast<uint64_t>(Tag::Nil)));
  b_.SetInsertPoint(inside);
  IrValue* kind = load(b_.getInt8Ty(), at(object, offsetof(Table, type_byte)), Memory::Header);
  IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
  for (const uint8_t its : {kAny, kIntegers, kFloats}) {
    if ((seen >> its & 1) == 0) continue;
    Block* same = make_block("of_kind");
    Block* differs = make_block("of_other_kind");
    b_.CreateCondBr(b_.CreateICmpEQ(kind, b_.getInt8(its)), same, differs);
    b_.SetInsertPoint(same);
    if (its == kAny) {
      IrValue* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4)));
      IrValue* payload = load(b_.getInt64Ty(), address, Memory::Values);
      IrValue* tag = load(b_.getInt64Ty(), at(address, offsetof(Value, tag)), Memory::Values);
      guard_present(tag, object);
      arrive(payload, tag);
    } else {
      IrValue* payload = load(b_.getInt64Ty(), b_.CreateInBoundsGEP(b_.getInt64Ty(), elements, index),
                              its == kIntegers ? Memory::Integers : Memory::Floats);
      arrive(payload, word(static_cast<uint64_t>(its == kIntegers ? Tag::Integer : Tag::Float)));
    }
    b_.SetInsertPoint(differs);
  }
  b_.CreateBr(exit_block());
  b_.SetInsertPoint(merged);
  llvm::PHINode* payload = b_.CreatePHI(b_.getInt64Ty(), 4);
  llvm::PHINode* tag = b_.CreatePHI(b_.getInt64Ty(), 4);
  for (const Arm& arm : arms) {
    payload->addIncoming(arm.payload, arm.from);
    tag->addIncoming(arm.tag, arm.from);
  }
  write_as_recorded(to, {.kind = Kind::Any, .payload = payload, .tag = tag});
  return true;
}

void Lowering::barrier(IrValue* owner, IrValue* location, const Operand& value) {
  if (has_known_tag(value.kind) && tag_of(value.kind) < kFirstCollectableTag) return;
  barrier(owner, location, runtime_.barrier);
}

void Lowering::barrier(IrValue* owner, IrValue* location, const void* function) {
  IrValue* marking =
      load(b_.getInt8Ty(), at(vm_, static_cast<int64_t>(offsetof(Vm, heap) + HeapLayout::kMarking)),
           Memory::Machine);
  Block* tells = make_block("barrier");
  Block* done = make_block("stored");
  set_likely(b_.CreateCondBr(b_.CreateICmpEQ(marking, b_.getInt8(0)), done, tells), true);
  b_.SetInsertPoint(tells);
  auto* signature =
      llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getPtrTy(), b_.getPtrTy()}, false);
  b_.CreateCall(signature, address_constant(function), {vm_, owner, location});
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

bool Lowering::lower_element_store(const Instruction& in) {
  if (set_virtual_element(in)) return true;
  Operand table = read(in.a);
  if (!expect_table(&table)) return lower_by_runtime();
  Operand key =
      in.op == Opcode::SetInteger ? Operand{.kind = Kind::Integer, .payload = word(in.b)} : read(in.b);
  if (key.kind == Kind::Any && site().right != tag_bit(Tag::Integer)) return lower_by_runtime();
  // New tables are of no kind until their first element is stored.
  if (site().appends && (site().kinds & 1) != 0 && (site().kinds & ~1u) != 0) prefer_aside();
  uint8_t kind = 0;
  if (!expect(&key, Kind::Integer) || !guard_elements(&table, &kind)) return lower_by_runtime();
  Operand value = read_rk(in.c);
  const Kind wanted = kind == kIntegers ? Kind::Integer : kind == kFloats ? Kind::Float : Kind::Any;
  if (wanted != Kind::Any) {
    if (!expect(&value, wanted)) return lower_by_runtime();
  } else if (value.kind == Kind::Nil) {
    return lower_by_runtime();
  } else {
    guard_not_nil(value);
  }
  IrValue* object = pointer(table);
  IrValue* index = b_.CreateSub(key.payload, word(1));
  IrValue* size32 = load(b_.getInt32Ty(), at(object, offsetof(Table, type_word)), Memory::Header);
  IrValue* size = b_.CreateZExt(size32, b_.getInt64Ty());
  const auto store_at = [&](IrValue* elements) {
    if (kind == kAny) {
      IrValue* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4)));
      store(payload_bits(value), address, Memory::Values);
      store(tag_value(value), at(address, offsetof(Value, tag)), Memory::Values);
      barrier(object, address, value);
      return;
    }
    llvm::Type* type = kind == kFloats ? b_.getDoubleTy() : b_.getInt64Ty();
    store(value.payload, b_.CreateInBoundsGEP(type, elements, index),
          kind == kFloats ? Memory::Floats : Memory::Integers);
  };
  IrValue* inside = b_.CreateICmpULT(index, size);
  Block* done = nullptr;
  if (site().appends) {
    Block* within = make_block("within");
    Block* behind = make_block("behind");
    done = make_block("stored");
    b_.CreateCondBr(inside, within, behind);
    b_.SetInsertPoint(behind);
    // An append where there is room; what is in the way of that is for baseline code.
    IrValue* capacity = load(b_.getInt32Ty(), at(object, offsetof(Table, element_capacity)), Memory::Header);
    IrValue* fits = b_.CreateAnd(b_.CreateICmpEQ(index, size), b_.CreateICmpULT(size32, capacity));
    IrValue* no_hash =
        b_.CreateIsNull(load(b_.getPtrTy(), at(object, offsetof(Table, hash)), Memory::Header));
    Block* plain = make_block("plain");
    Block* grows = make_block("grows");
    set_likely(b_.CreateCondBr(b_.CreateAnd(b_.CreateAnd(fits, no_hash), lacks_metatable(object)),
                               plain, grows),
               true);
    b_.SetInsertPoint(grows);
    by_runtime_aside();
    b_.SetInsertPoint(plain);
    IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
    guard(b_.CreateIsNotNull(elements));
    store_at(elements);
    store(b_.CreateAdd(size32, b_.getInt32(1)), at(object, offsetof(Table, type_word)), Memory::Header);
    b_.CreateBr(done);
    b_.SetInsertPoint(within);
  } else {
    guard(inside);
  }
  IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {  // a hole may call __newindex
    IrValue* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4)));
    guard_present(load(b_.getInt64Ty(), at(address, offsetof(Value, tag)), Memory::Values), object);
  }
  store_at(elements);
  if (done != nullptr) {
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }
  return true;
}

bool Lowering::lower_length(const Instruction& in) {
  if (get_virtual_length(in)) return true;
  Operand operand = read(in.b);
  if (operand.kind == Kind::Any && !expect_recorded(&operand, site().left)) return lower_by_runtime();
  if (operand.kind == Kind::String) {
    write_integer(in.a,
                  load(b_.getInt64Ty(), at(pointer(operand), offsetof(String, length)), Memory::Header));
    return true;
  }
  if (operand.kind != Kind::Table) return lower_by_runtime();
  guard(lacks_metatable(pointer(operand)));
  write_integer(in.a, array_size(pointer(operand)));
  return true;
}

// --- fields

/// Where the table has that shape, or has been found to have it, the walk goes on.
bool Lowering::guard_shape(const Operand& table, const Shape* shape) {
  if (table.slot >= 0 && fact(table.slot).shape == shape) return true;
  IrValue* found = load(b_.getInt64Ty(), at(pointer(table), offsetof(Table, shape)), Memory::Header);
  guard(b_.CreateICmpEQ(found, word(reinterpret_cast<uint64_t>(shape))));
  if (table.slot >= 0 && !is_captured(table.slot)) fact(table.slot).shape = shape;
  return true;
}

/// What was found along __index still holds (Vm::metatable_epoch).
void Lowering::guard_epoch(const InlineCache& cache) {
  IrValue* now = load(b_.getInt32Ty(), at(vm_, offsetof(Vm, metatable_epoch)), Memory::Machine);
  guard(b_.CreateICmpEQ(now, b_.getInt32(cache.epoch)));
}

/// The table along __index that has the property, which it still has.
llvm::Value* Lowering::guard_holder(const InlineCache& cache) {
  guard_epoch(cache);
  return guard_holder_shape(cache);
}

/// That table, if it still has the shape in which the property was found.
llvm::Value* Lowering::guard_holder_shape(const InlineCache& cache) {
  IrValue* holder = address_constant(cache.holder);
  IrValue* shape = load(b_.getInt64Ty(), at(holder, offsetof(Table, shape)), Memory::Header);
  guard(b_.CreateICmpEQ(shape, word(reinterpret_cast<uint64_t>(cache.holder_shape))));
  return holder;
}

/// Where the table has that property.
llvm::Value* Lowering::property(IrValue* table, uint32_t slot) {
  IrValue* slots = load(b_.getPtrTy(), at(table, offsetof(Table, slots)), Memory::Header);
  return at(slots, int64_t{slot} * static_cast<int64_t>(sizeof(Value)));
}

bool Lowering::get_field(Operand table, const InlineCache& cache, int to) {
  switch (cache.kind) {
    case InlineCache::kOwn: {
      if (is_virtual(table)) return get_virtual_field(table.slot, cache.slot, to), true;
      guard_shape(table, cache.shape);
      IrValue* object = pointer(table);
      write_loaded(to, property(object, cache.slot), Memory::Values, true, object);
      return true;
    }
    case InlineCache::kMetatable: {
      guard_shape(table, cache.shape);
      IrValue* holder = guard_holder(cache);
      write_loaded(to, property(holder, cache.slot), Memory::Values, true, holder);
      return true;
    }
    case InlineCache::kAbsent:
      guard_shape(table, cache.shape);
      guard_epoch(cache);
      write(to, {.kind = Kind::Nil});
      return true;
    default:
      return false;
  }
}

const std::vector<FieldCase>* Lowering::cases() const {
  const auto found = function().cases.find(pc_);
  return found == function().cases.end() || !limits_.cases ? nullptr : &found->second;
}

template <typename Access>
bool Lowering::by_cases(const Operand& table, const std::vector<FieldCase>& cases, Access access) {
  const Shape* known = table.slot >= 0 ? fact(table.slot).shape : nullptr;
  if (known != nullptr) {
    const auto its = std::find_if(cases.begin(), cases.end(),
                                  [&](const FieldCase& one) { return one.cache.shape == known; });
    return its != cases.end() && access(*its) ? true : lower_by_runtime();
  }
  IrValue* shape = load(b_.getInt64Ty(), at(pointer(table), offsetof(Table, shape)), Memory::Header);
  for (const FieldCase& its : cases) {
    Block* same = make_block("shape");
    Block* differs = make_block("other_shape");
    b_.CreateCondBr(b_.CreateICmpEQ(shape, word(reinterpret_cast<uint64_t>(its.cache.shape))), same, differs);
    b_.SetInsertPoint(same);
    beside([&] {
      if (table.slot >= 0 && !is_captured(table.slot)) fact(table.slot).shape = its.cache.shape;
      exit_block_ = nullptr;
      if (!access(its)) lower_by_runtime();
      go_to(pc_ + 1);
    });
    b_.SetInsertPoint(differs);
  }
  exit_block_ = nullptr;
  b_.CreateBr(exit_block());
  finish_walk();
  return false;
}

/// R[a] := object.K[c], R[a+] := object
bool Lowering::get_method(Operand object, const FieldCase& its) {
  const Instruction& in = function().code[static_cast<size_t>(pc_)];
  // R[a] may be the object's register, whose value is in `object`.
  const Fact known = fact(slot_of(in.b));
  const Fact virtual_object = is_virtual(object) ? fact(object.slot) : Fact{};
  if (!get_field(object, its.cache, in.a)) return false;
  if (ended_) return true;
  if (!is_captured(slot_of(in.a))) fact(slot_of(in.a)).method = its.method;
  const int self = slot_of(in.a + kCallOverheadSlots);
  if (virtual_object.virtual_table >= 0 && !is_captured(self)) return fact(self) = virtual_object, true;
  write_slot(self, object);
  if (!is_captured(self)) {
    fact(self).shape = its.cache.shape;
    fact(self).elements = known.elements;
  }
  return true;
}

bool Lowering::lower_field(const Instruction& in) {
  if (in.d == kNoInlineCache) return lower_by_runtime();
  if (const auto* several = cases(); several != nullptr && in.op != Opcode::GetGlobal) {
    Operand object = peek(in.b);
    if (!expect_table(&object)) return lower_by_runtime();
    return by_cases(object, *several, [&](const FieldCase& its) {
      return in.op == Opcode::Self ? get_method(object, its) : get_field(object, its.cache, in.a);
    });
  }
  const InlineCache& cache = function().caches[in.d];
  const bool usable = (cache.kind == InlineCache::kOwn || cache.kind == InlineCache::kMetatable ||
                       cache.kind == InlineCache::kAbsent);
  if (!usable || site().many_shapes || (site().shape != nullptr && site().shape != cache.shape))
    return lower_by_runtime();
  if (in.op == Opcode::GetGlobal) {
    return get_field(environment(in.b), cache, in.a) || lower_by_runtime();
  }
  Operand object = peek_for(in.b, cache);
  if (in.op == Opcode::Self &&
      (object.kind == Kind::String || (object.kind == Kind::Any && site().left == tag_bit(Tag::String)))) {
    if (cache.kind != InlineCache::kMetatable || !expect(&object, Kind::String)) return lower_by_runtime();
    // The shape in the cache is that of the strings' metatable's instances; its epoch and its holder say the
    // rest.
    constexpr size_t kStringMetatable =
        offsetof(Vm, type_metatables) + static_cast<size_t>(Tag::String) * sizeof(Table*);
    IrValue* metatable = load(b_.getPtrTy(), at(vm_, kStringMetatable), Memory::Machine);
    guard(b_.CreateIsNotNull(metatable));
    IrValue* shape = load(b_.getInt64Ty(), at(metatable, offsetof(Table, instance_shape)), Memory::Header);
    guard(b_.CreateICmpEQ(shape, word(reinterpret_cast<uint64_t>(cache.shape))));
    IrValue* address = property(guard_holder(cache), cache.slot);
    const Operand method = load_value(address, Memory::Values);
    guard_not_nil(method);
    copy_slot(slot_of(in.a + kCallOverheadSlots), slot_of(in.b));
    write(in.a, method);
    return true;
  }
  if (!expect_table(&object)) return lower_by_runtime();
  if (in.op != Opcode::Self) return get_field(object, cache, in.a) || lower_by_runtime();
  return get_method(object, {.cache = cache}) || lower_by_runtime();
}

bool Lowering::lower_field_store(const Instruction& in) {
  if (in.d == kNoInlineCache) return lower_by_runtime();
  const InlineCache& cache = function().caches[in.d];
  if (const auto* several = cases(); several != nullptr && in.op != Opcode::SetGlobal) {
    Operand object = peek(in.a);
    if (!expect_table(&object)) return lower_by_runtime();
    const Operand value = is_virtual(object) ? peek_rk(in.c) : read_rk(in.c);
    return by_cases(object, *several, [&](const FieldCase& its) { return set_field(object, its.cache, value); });
  }
  const bool adds = cache.kind == InlineCache::kAdd;
  if (site().many_shapes || (cache.kind != InlineCache::kOwn && !adds) || site().shape != cache.shape)
    return lower_by_runtime();
  Operand table;
  if (in.op == Opcode::SetGlobal) {
    table = environment(in.a);
  } else {
    table = peek_for(in.a, cache);
    if (!expect_table(&table)) return lower_by_runtime();
  }
  Operand value = is_virtual(table) ? peek_rk(in.c) : read_rk(in.c);
  if (adds && value.kind == Kind::Nil) return lower_by_runtime();
  if (is_virtual(table)) return set_virtual_field(table.slot, cache, value), true;
  if (!adds) return set_field(table, cache, value);
  guard_shape(table, cache.shape);
  add_field(table, cache, value);
  return true;
}

/// A property that the table has.
bool Lowering::set_field(const Operand& table, const InlineCache& cache, const Operand& value) {
  if (is_virtual(table)) return set_virtual_field(table.slot, cache, value), true;
  guard_shape(table, cache.shape);
  IrValue* object = pointer(table);
  IrValue* address = property(object, cache.slot);
  // A property that is nil may call __newindex.
  IrValue* old = load(b_.getInt64Ty(), at(address, offsetof(Value, tag)), Memory::Values);
  guard(b_.CreateICmpNE(old, word(0)));
  store(payload_bits(value), address, Memory::Values);
  store(tag_value(value), at(address, offsetof(Value, tag)), Memory::Values);
  barrier(object, address, value);
  return true;
}

/// The table was made here, is nobody's metatable yet, has none itself, and room for that property.
bool Lowering::is_new_with(const Operand& table, uint32_t slot) {
  if (table.slot < 0) return false;
  const uint8_t room = fact(table.slot).new_slots;
  return room != Fact::kNotNew && slot < room;
}

/// No lookup along __index goes through the table.
void Lowering::guard_no_intermediate(IrValue* table) {
  IrValue* flags = load(b_.getInt8Ty(), at(table, offsetof(Table, type_flags)), Memory::Header);
  guard(b_.CreateICmpEQ(b_.CreateAnd(flags, b_.getInt8(kIndexIntermediate)), b_.getInt8(0)));
}

/// A table of that shape has changed, and other registers may hold the same one.
void Lowering::forget_shape(const Shape* shape) {
  state_.for_each_fact([&](Fact& its) {
    if (its.shape == shape && its.virtual_table < 0) its.shape = nullptr;
  });
}

/// A property that the table lacks (cache_set, vm/interpreter/inline_cache.h).
void Lowering::add_field(const Operand& table, const InlineCache& cache, const Operand& value) {
  IrValue* object = pointer(table);
  if (!is_new_with(table, cache.slot)) {
    IrValue* capacity = load(b_.getInt32Ty(), at(object, offsetof(Table, slot_capacity)), Memory::Header);
    guard(b_.CreateICmpUGT(capacity, b_.getInt32(cache.slot)));
    guard_epoch(cache);
    guard_no_intermediate(object);
  }
  guard_not_nil(value);
  IrValue* address = property(object, cache.slot);
  store(address_constant(cache.new_shape), at(object, offsetof(Table, shape)), Memory::Header);
  store(payload_bits(value), address, Memory::Values);
  store(tag_value(value), at(address, offsetof(Value, tag)), Memory::Values);
  // The new shape may be one that the collector has not seen.
  barrier(object, address, runtime_.barrier_of_new_property);
  forget_shape(cache.shape);
  if (table.slot >= 0 && !is_captured(table.slot)) fact(table.slot).shape = cache.new_shape;
}

}  // namespace mangata::jit
