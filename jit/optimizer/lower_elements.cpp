// Elements of tables (vm/object/table.h). Read next: lower_fields.cpp.
#include <algorithm>

#include "jit/optimizer/lowering.h"
#include "jit/optimizer/side_walks.h"

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
  if (get_replaced_element(in)) return true;
  Operand table = read(in.b);
  if (!expect_table(&table)) return lower_by_runtime();
  Operand key =
      in.op == Opcode::GetInteger ? Operand{.kind = Kind::Integer, .payload = word(in.c)} : read(in.c);
  uint8_t kind = 0;
  if (!expect_index(&key, site().right)) return lower_get_by_key(in.a, table, key);
  const bool is_known = table.slot >= 0 && fact(table.slot).elements != Fact::kUnknownElements;
  if ((site().is_unstable && !is_known) || !guard_elements(&table, &kind))
    return lower_element_of_kinds(in.a, table, key) || lower_get_by_key(in.a, table, key);
  IrValue* object = pointer(table);
  IrValue* index = b_.CreateSub(key.payload, word(1));
  IrValue* inside = b_.CreateICmpULT(index, array_size(object));
  const bool may_be_nil = (site().result & tag_bit(Tag::Nil)) != 0;
  if (site().outside != 0 || (may_be_nil && kind != kAny)) {
    write_as_recorded(in.a, load_anywhere(object, key, kind, inside));
    return true;
  }
  guard(inside);
  IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {
    IrValue* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4)));
    write_loaded(in.a, address, Memory::Values, true, object);
  } else {
    write(in.a, load_unboxed(elements, index, kind));
  }
  return true;
}

/// Of an array of numbers.
Lowering::Operand Lowering::load_unboxed(IrValue* elements, IrValue* index, uint8_t kind) {
  const bool is_float = kind == kFloats;
  llvm::Type* type = is_float ? b_.getDoubleTy() : b_.getInt64Ty();
  IrValue* value = load(type, b_.CreateInBoundsGEP(type, elements, index), is_float ? Memory::Floats : Memory::Integers);
  return {.kind = is_float ? Kind::Float : Kind::Integer, .payload = value};
}

/// The element, which may as well be in the hash part, or absent; `inside`: it is in the array.
Lowering::Operand Lowering::load_anywhere(IrValue* table, const Operand& key, uint8_t kind, IrValue* inside) {
  const Instruction& in = function().code[static_cast<size_t>(pc_)];
  Block* element = make_block("element");
  Block* beyond = make_block("beyond");
  Block* loaded = make_block("loaded");
  b_.CreateCondBr(inside, element, beyond);

  b_.SetInsertPoint(beyond);
  llvm::Type* word_type = b_.getInt64Ty();
  auto* signature = llvm::FunctionType::get(llvm::StructType::get(word_type, word_type), {b_.getPtrTy(), word_type}, false);
  IrValue* value = b_.CreateCall(signature, address_constant(runtime_.load_beyond), {table, key.payload});
  Operand found{.kind = Kind::Any, .payload = b_.CreateExtractValue(value, 0), .tag = b_.CreateExtractValue(value, 1)};
  if (kind == kAny) {
    exit_unless(b_.CreateICmpNE(found.tag, word(kNotLoaded)));
  } else {
    if ((site().result & tag_bit(Tag::Nil)) != 0) {
      Block* absent = make_block("absent");
      Block* present = make_block("present");
      b_.CreateCondBr(b_.CreateICmpEQ(found.tag, word(static_cast<uint64_t>(Tag::Nil))), absent, present);
      b_.SetInsertPoint(absent);
      beside([&] {
        write(in.a, {.kind = Kind::Nil});
        go_to(pc_ + 1);
      });
      b_.SetInsertPoint(present);
    }
    const Kind wanted = kind == kFloats ? Kind::Float : Kind::Integer;
    exit_unless(b_.CreateICmpEQ(found.tag, word(static_cast<uint64_t>(tag_of(wanted)))));
    if (wanted == Kind::Float) found.payload = b_.CreateBitCast(found.payload, b_.getDoubleTy());
    found = {.kind = wanted, .payload = found.payload};
  }
  Block* from_beyond = b_.GetInsertBlock();
  b_.CreateBr(loaded);

  b_.SetInsertPoint(element);
  IrValue* index = b_.CreateSub(key.payload, word(1));
  IrValue* elements = load(b_.getPtrTy(), at(table, offsetof(Table, elements)), Memory::Header);
  Operand its;
  if (kind == kAny) {
    its = load_value(b_.CreateInBoundsGEP(b_.getInt8Ty(), elements, b_.CreateShl(index, word(4))), Memory::Values);
    guard_present(its.tag, table);
  } else {
    its = load_unboxed(elements, index, kind);
  }
  Block* from_element = b_.GetInsertBlock();
  b_.CreateBr(loaded);

  b_.SetInsertPoint(loaded);
  const auto merge = [&](IrValue* a, IrValue* b) {
    llvm::PHINode* phi = b_.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, from_element);
    phi->addIncoming(b, from_beyond);
    return phi;
  };
  Operand result{.kind = its.kind, .payload = merge(its.payload, found.payload)};
  if (its.kind == Kind::Any) result.tag = merge(its.tag, found.tag);
  return result;
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

/// An element that is not in the array, and has no room behind it; `done` is where it has been stored. Other elements
/// may have followed it from the hash part: then the array may have become one of another kind, which is left.
void Lowering::store_beyond(IrValue* table, const Operand& key, const Operand& value, Block* done) {
  llvm::Type* word_type = b_.getInt64Ty();
  auto* signature = llvm::FunctionType::get(word_type, {b_.getPtrTy(), b_.getPtrTy(), word_type, word_type, word_type}, false);
  IrValue* outcome = b_.CreateCall(signature, address_constant(runtime_.store_beyond),
                                   {vm_, table, key.payload, payload_bits(value), tag_value(value)});
  Block* other = make_block("not_stored");
  Block* changed = make_block("changed");
  set_likely(b_.CreateCondBr(b_.CreateICmpEQ(outcome, word(kStored)), done, other), true);
  b_.SetInsertPoint(other);
  b_.CreateCondBr(b_.CreateICmpEQ(outcome, word(kStoredAsOtherKind)), changed, exit_block());
  b_.SetInsertPoint(changed);
  emit_exit(pc_ + 1, ExitSite::Why::Other);
}

bool Lowering::lower_element_store(const Instruction& in) {
  if (set_replaced_element(in)) return true;
  Operand table = read(in.a);
  if (!expect_table(&table)) return lower_by_runtime();
  Operand key =
      in.op == Opcode::SetInteger ? Operand{.kind = Kind::Integer, .payload = word(in.b)} : read(in.b);
  // New tables are of no kind until their first element is stored.
  if (site().appends && (site().kinds & 1) != 0 && (site().kinds & ~1u) != 0) prefer_slow_path();
  uint8_t kind = 0;
  if (!expect_index(&key, site().right) || !guard_elements(&table, &kind)) return lower_set_by_key(table, key, read_rk(in.c));
  Operand value = read_rk(in.c);
  const Kind wanted = kind == kIntegers ? Kind::Integer : kind == kFloats ? Kind::Float
                                                                          : Kind::Any;
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
    // An append where there is room.
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
    store_beyond(object, key, value, done);
    b_.SetInsertPoint(plain);
    IrValue* elements = load(b_.getPtrTy(), at(object, offsetof(Table, elements)), Memory::Header);
    guard(b_.CreateIsNotNull(elements));
    store_at(elements);
    store(b_.CreateAdd(size32, b_.getInt32(1)), at(object, offsetof(Table, type_word)), Memory::Header);
    b_.CreateBr(done);
    b_.SetInsertPoint(within);
  } else if (site().outside != 0) {
    Block* within = make_block("within");
    Block* beyond = make_block("beyond");
    done = make_block("stored");
    b_.CreateCondBr(inside, within, beyond);
    b_.SetInsertPoint(beyond);
    store_beyond(object, key, value, done);
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
  if (get_replaced_length(in)) return true;
  if (site().is_unstable) return lower_by_runtime();  // it met __len
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

}  // namespace mangata::jit
