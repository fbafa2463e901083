// Elements of tables (vm/object/table.h). Read next: lower_fields.cpp.
#include <algorithm>

#include "jit/build/lowering.h"

namespace mangata::jit {
namespace {

constexpr auto kAny = static_cast<uint8_t>(ElementKind::Any);
constexpr auto kIntegers = static_cast<uint8_t>(ElementKind::Integer);
constexpr auto kFloats = static_cast<uint8_t>(ElementKind::Float);

}  // namespace

/// The table's kind of elements, checked unless it is known; false: several were met, or none.
bool Lowering::guard_elements(Operand* table, uint8_t* kind) {
  const uint8_t known = table->slot != kNoFrameSlot ? registers_.fact(table->slot).elements : Fact::kUnknownElements;
  if (known != Fact::kUnknownElements) {
    *kind = known;
    return true;
  }
  const unsigned seen = walk_.site().kinds & ~1u;  // empty ones apart
  if (seen == 0 || (seen & (seen - 1)) != 0) return false;
  *kind = static_cast<uint8_t>(std::countr_zero(seen));
  IrValue found = b_.load(IrType::I8, b_.at(b_.pointer(*table), offsetof(Table, type_byte)), Memory::Header);
  guards_.guard(b_.eq(found, b_.i8(*kind)));
  if (table->slot != kNoFrameSlot && !registers_.is_captured(table->slot)) registers_.fact(table->slot).elements = *kind;
  return true;
}

bool Lowering::lower_element(const Instruction& in) {
  if (get_replaced_element(in)) return true;
  Operand table = values_.read(in.rb());
  if (!values_.expect_table(&table)) return calls_.do_instruction();
  Operand key =
      in.op == Opcode::GetInteger ? Operand{.kind = Kind::Integer, .payload = b_.word(in.c)} : values_.read(in.rc());
  uint8_t kind = 0;
  if (!values_.expect_index(&key, walk_.site().right)) return lower_get_by_key(in.ra(), table, key);
  const bool is_known = table.slot != kNoFrameSlot && registers_.fact(table.slot).elements != Fact::kUnknownElements;
  if ((walk_.site().is_unstable && !is_known) || !guard_elements(&table, &kind))
    return lower_element_of_kinds(in.ra(), table, key) || lower_get_by_key(in.ra(), table, key);
  IrValue object = b_.pointer(table);
  IrValue index = b_.sub(key.payload, b_.word(1));
  IrValue inside = b_.ult(index, array_size(b_, object));
  const bool may_be_nil = (walk_.site().result & tag_bit(Tag::Nil)) != 0;
  if (walk_.site().outside != 0 || (may_be_nil && kind != kAny)) {
    values_.write_as_recorded(in.ra(), load_anywhere(object, key, kind, inside));
    return true;
  }
  guards_.guard(inside);
  IrValue elements = b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {
    IrValue address = b_.address(elements, b_.shl(index, b_.word(4)), 1);
    values_.write_loaded(in.ra(), address, Memory::Values, true, object);
  } else {
    values_.write(in.ra(), load_unboxed(elements, index, kind));
  }
  return true;
}

/// Of an array of numbers.
Operand Lowering::load_unboxed(IrValue elements, IrValue index, uint8_t kind) {
  const bool is_float = kind == kFloats;
  IrType type = is_float ? IrType::F64 : IrType::I64;
  IrValue value = b_.load(type, b_.address(elements, index, 8), is_float ? Memory::Floats : Memory::Integers);
  return {.kind = is_float ? Kind::Float : Kind::Integer, .payload = value};
}

/// The element, which may as well be in the hash part, or absent; `inside`: it is in the array.
Operand Lowering::load_anywhere(IrValue table, const Operand& key, uint8_t kind, IrValue inside) {
  const Instruction& in = walk_.instruction();
  Block element = b_.make_block("element");
  Block beyond = b_.make_block("beyond");
  Block loaded = b_.make_block("loaded");
  Operand result{.kind = kind == kAny ? Kind::Any : kind == kFloats ? Kind::Float
                                                                    : Kind::Integer};
  result.payload = b_.add_parameter(loaded, kind == kFloats ? IrType::F64 : IrType::I64);
  if (kind == kAny) result.tag = b_.add_parameter(loaded, IrType::I64);
  const auto arrive = [&](const Operand& operand) { kind == kAny ? b_.jump(loaded, {operand.payload, operand.tag}) : b_.jump(loaded, {operand.payload}); };
  b_.branch(inside, element, beyond);

  b_.set_position(beyond);
  IrValue value = b_.call_two_words(b_.address_constant(runtime_.load_beyond), {table, key.payload});
  Operand found{.kind = Kind::Any, .payload = value, .tag = b_.second_word(value)};
  if (kind == kAny) {
    guards_.exit_unless(b_.ne(found.tag, b_.word(kNotLoaded)));
  } else {
    if ((walk_.site().result & tag_bit(Tag::Nil)) != 0) {
      Block absent = b_.make_block("absent");
      Block present = b_.make_block("present");
      b_.branch(b_.eq(found.tag, b_.word(static_cast<uint64_t>(Tag::Nil))), absent, present);
      b_.set_position(absent);
      queue_.beside([&] {
        values_.write(in.ra(), {.kind = Kind::Nil});
        branches_.go_to(walk_.pc + 1);
      });
      b_.set_position(present);
    }
    const Kind wanted = kind == kFloats ? Kind::Float : Kind::Integer;
    guards_.exit_unless(b_.eq(found.tag, b_.word(static_cast<uint64_t>(tag_of(wanted)))));
    if (wanted == Kind::Float) found.payload = b_.float_of_bits(found.payload);
    found = {.kind = wanted, .payload = found.payload};
  }
  arrive(found);

  b_.set_position(element);
  IrValue index = b_.sub(key.payload, b_.word(1));
  IrValue elements = b_.load(IrType::Pointer, b_.at(table, offsetof(Table, elements)), Memory::Header);
  Operand in_array;
  if (kind == kAny) {
    in_array = b_.load_value(b_.address(elements, b_.shl(index, b_.word(4)), 1), Memory::Values);
    guards_.guard_present(in_array.tag, table);
  } else {
    in_array = load_unboxed(elements, index, kind);
  }
  arrive(in_array);

  b_.set_position(loaded);
  return result;
}

/// Where tables with several kinds of elements were met: each kind's load, and one value of any kind from all of them. What is
/// absent from a table without metatable and hash part is nil.
bool Lowering::lower_element_of_kinds(Register to, const Operand& table, const Operand& key) {
  constexpr unsigned kEachKind = 1u << kAny | 1u << kIntegers | 1u << kFloats;
  const unsigned seen = walk_.site().is_unstable ? kEachKind : walk_.site().kinds;
  if (std::popcount(seen) < 2) return false;
  IrValue object = b_.pointer(table);
  IrValue index = b_.sub(key.payload, b_.word(1));
  Block merged = b_.make_block("any_kind");
  IrValue merged_payload = b_.add_parameter(merged, IrType::I64);
  IrValue merged_tag = b_.add_parameter(merged, IrType::I64);
  const auto arrive = [&](IrValue payload, IrValue tag) { b_.jump(merged, {payload, tag}); };
  Block inside = b_.make_block("element");
  Block outside = b_.make_block("absent");
  b_.branch(b_.ult(index, array_size(b_, object)), inside, outside);
  b_.set_position(outside);
  guards_.guard(b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, hash)), Memory::Header)));
  guards_.guard(lacks(b_, object, kNoIndex));
  arrive(b_.word(0), b_.word(static_cast<uint64_t>(Tag::Nil)));
  b_.set_position(inside);
  IrValue kind = b_.load(IrType::I8, b_.at(object, offsetof(Table, type_byte)), Memory::Header);
  IrValue elements = b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header);
  for (const uint8_t element_kind : {kAny, kIntegers, kFloats}) {
    if ((seen >> element_kind & 1) == 0) continue;
    Block same = b_.make_block("of_kind");
    Block differs = b_.make_block("of_other_kind");
    b_.branch(b_.eq(kind, b_.i8(element_kind)), same, differs);
    b_.set_position(same);
    if (element_kind == kAny) {
      IrValue address = b_.address(elements, b_.shl(index, b_.word(4)), 1);
      IrValue payload = b_.load(IrType::I64, address, Memory::Values);
      IrValue tag = b_.load(IrType::I64, b_.at(address, offsetof(Value, tag)), Memory::Values);
      guards_.guard_present(tag, object);
      arrive(payload, tag);
    } else {
      IrValue payload = b_.load(IrType::I64, b_.address(elements, index, 8),
                                element_kind == kIntegers ? Memory::Integers : Memory::Floats);
      arrive(payload, b_.word(static_cast<uint64_t>(element_kind == kIntegers ? Tag::Integer : Tag::Float)));
    }
    b_.set_position(differs);
  }
  b_.jump(guards_.exit_block());
  b_.set_position(merged);
  values_.write_as_recorded(to, {.kind = Kind::Any, .payload = merged_payload, .tag = merged_tag});
  return true;
}

/// An element that is not in the array, and has no room behind it; `done` is where it has been stored. Other elements
/// may have followed it from the hash part: then the array may have become one of another kind, which is left.
void Lowering::store_beyond(IrValue table, const Operand& key, const Operand& value, Block done) {
  IrValue outcome = b_.call(IrType::I64, b_.address_constant(runtime_.store_beyond),
                            {b_.vm(), table, key.payload, b_.payload_bits(value), b_.tag_value(value)});
  Block other = b_.make_block("not_stored");
  Block changed = b_.make_block("changed");
  b_.set_likely(b_.branch(b_.eq(outcome, b_.word(kStored)), done, other), true);
  b_.set_position(other);
  b_.branch(b_.eq(outcome, b_.word(kStoredAsOtherKind)), changed, guards_.exit_block());
  b_.set_position(changed);
  exits_.emit(walk_.pc + 1, ExitSite::Why::Other);
}

bool Lowering::lower_element_store(const Instruction& in) {
  if (set_replaced_element(in)) return true;
  Operand table = values_.read(in.ra());
  if (!values_.expect_table(&table)) return calls_.do_instruction();
  Operand key =
      in.op == Opcode::SetInteger ? Operand{.kind = Kind::Integer, .payload = b_.word(in.b)} : values_.read(in.rb());
  // New tables are of no kind until their first element is stored.
  if (walk_.site().appends && (walk_.site().kinds & 1) != 0 && (walk_.site().kinds & ~1u) != 0) guards_.prefer_slow_path();
  uint8_t kind = 0;
  if (!values_.expect_index(&key, walk_.site().right) || !guard_elements(&table, &kind)) return lower_set_by_key(table, key, values_.read_rk(in.c));
  Operand value = values_.read_rk(in.c);
  const Kind wanted = kind == kIntegers ? Kind::Integer : kind == kFloats ? Kind::Float
                                                                          : Kind::Any;
  if (wanted != Kind::Any) {
    if (!values_.expect(&value, wanted)) return calls_.do_instruction();
  } else if (value.kind == Kind::Nil) {
    return calls_.do_instruction();
  } else {
    guards_.guard_not_nil(value);
  }
  IrValue object = b_.pointer(table);
  IrValue index = b_.sub(key.payload, b_.word(1));
  IrValue size32 = b_.load(IrType::I32, b_.at(object, offsetof(Table, type_word)), Memory::Header);
  IrValue size = b_.zext(size32, IrType::I64);
  const auto store_at = [&](IrValue elements) {
    if (kind == kAny) {
      IrValue address = b_.address(elements, b_.shl(index, b_.word(4)), 1);
      b_.store(b_.payload_bits(value), address, Memory::Values);
      b_.store(b_.tag_value(value), b_.at(address, offsetof(Value, tag)), Memory::Values);
      heap_.barrier(object, address, value);
      return;
    }
    b_.store(value.payload, b_.address(elements, index, 8),
             kind == kFloats ? Memory::Floats : Memory::Integers);
  };
  IrValue inside = b_.ult(index, size);
  Block done;
  if (walk_.site().appends) {
    Block within = b_.make_block("within");
    Block behind = b_.make_block("behind");
    done = b_.make_block("stored");
    b_.branch(inside, within, behind);
    b_.set_position(behind);
    // An append where there is room.
    IrValue capacity = b_.load(IrType::I32, b_.at(object, offsetof(Table, element_capacity)), Memory::Header);
    IrValue fits = b_.bit_and(b_.eq(index, size), b_.ult(size32, capacity));
    IrValue no_hash =
        b_.is_null(b_.load(IrType::Pointer, b_.at(object, offsetof(Table, hash)), Memory::Header));
    Block plain = b_.make_block("plain");
    Block grows = b_.make_block("grows");
    IrValue is_plain = walk_.site().has_metatable ? lacks(b_, object, kNoNewIndex) : lacks_metatable(b_, object);
    b_.set_likely(b_.branch(b_.bit_and(b_.bit_and(fits, no_hash), is_plain), plain, grows), true);
    b_.set_position(grows);
    store_beyond(object, key, value, done);
    b_.set_position(plain);
    IrValue elements = b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header);
    guards_.guard(b_.is_not_null(elements));
    store_at(elements);
    b_.store(b_.add(size32, b_.i32(1)), b_.at(object, offsetof(Table, type_word)), Memory::Header);
    b_.jump(done);
    b_.set_position(within);
  } else if (walk_.site().outside != 0) {
    Block within = b_.make_block("within");
    Block beyond = b_.make_block("beyond");
    done = b_.make_block("stored");
    b_.branch(inside, within, beyond);
    b_.set_position(beyond);
    store_beyond(object, key, value, done);
    b_.set_position(within);
  } else {
    guards_.guard(inside);
  }
  IrValue elements = b_.load(IrType::Pointer, b_.at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {  // a hole may call __newindex
    IrValue address = b_.address(elements, b_.shl(index, b_.word(4)), 1);
    guards_.guard_present(b_.load(IrType::I64, b_.at(address, offsetof(Value, tag)), Memory::Values), object, kNoNewIndex);
  }
  store_at(elements);
  if (done) {
    b_.jump(done);
    b_.set_position(done);
  }
  return true;
}

bool Lowering::lower_length(const Instruction& in) {
  if (get_replaced_length(in)) return true;
  if (walk_.site().is_unstable) return calls_.do_instruction();  // it met __len
  Operand operand = values_.read(in.rb());
  if (operand.kind == Kind::Any && !values_.expect_recorded(&operand, walk_.site().left)) return calls_.do_instruction();
  if (operand.kind == Kind::String) {
    values_.write_integer(in.ra(),
                          b_.load(IrType::I64, b_.at(b_.pointer(operand), offsetof(String, length)), Memory::Header));
    return true;
  }
  if (operand.kind != Kind::Table) return calls_.do_instruction();
  guards_.guard(walk_.site().has_metatable ? lacks(b_, b_.pointer(operand), kNoLength) : lacks_metatable(b_, b_.pointer(operand)));
  values_.write_integer(in.ra(), array_size(b_, b_.pointer(operand)));
  return true;
}

}  // namespace mangata::jit
