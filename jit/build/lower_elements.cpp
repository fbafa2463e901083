#include "jit/build/lower_elements.h"

#include <algorithm>

#include "jit/build/lower_keys.h"
#include "jit/build/scalar_replacement.h"

namespace mangata::jit {
namespace {

constexpr auto kEmpty = static_cast<uint8_t>(ElementKind::Empty);
constexpr auto kAny = static_cast<uint8_t>(ElementKind::Any);
constexpr auto kIntegers = static_cast<uint8_t>(ElementKind::Integer);
constexpr auto kFloats = static_cast<uint8_t>(ElementKind::Float);

/// The element, which may as well be in the hash part, or absent; `inside`: it is in the array.
Operand load_anywhere(const LoweringTools& t, IrValue table, const Operand& key, uint8_t kind, IrValue inside) {
  Writer& b = t.b;
  const Instruction& in = t.walk.instruction();
  Block element = b.make_block("element");
  Block beyond = b.make_block("beyond");
  Block loaded = b.make_block("loaded");
  Operand result{.kind = kind == kAny ? Kind::Any : kind == kFloats ? Kind::Float
                                                                    : Kind::Integer};
  result.payload = b.add_parameter(loaded, kind == kFloats ? IrType::F64 : IrType::I64);
  if (kind == kAny) result.tag = b.add_parameter(loaded, IrType::I64);
  const auto arrive = [&](const Operand& operand) { kind == kAny ? b.jump(loaded, {operand.payload, operand.tag}) : b.jump(loaded, {operand.payload}); };
  b.branch(inside, element, beyond);

  b.set_position(beyond);
  IrValue value = b.call_two_words(b.address_constant(t.runtime.load_beyond), {table, key.payload});
  Operand found{.kind = Kind::Any, .payload = value, .tag = b.second_word(value)};
  if (kind == kAny) {
    t.guards.exit_unless(b.ne(found.tag, b.word(kNotLoaded)));
  } else {
    if ((t.walk.site().result & tag_bit(Tag::Nil)) != 0) {
      Block absent = b.make_block("absent");
      Block present = b.make_block("present");
      b.branch(b.eq(found.tag, b.word(static_cast<uint64_t>(Tag::Nil))), absent, present);
      b.set_position(absent);
      t.queue.beside([&] {
        t.values.write(in.ra(), {.kind = Kind::Nil});
        t.branches.go_to(t.walk.pc + 1);
      });
      b.set_position(present);
    }
    const Kind wanted = kind == kFloats ? Kind::Float : Kind::Integer;
    t.guards.exit_unless(b.eq(found.tag, b.word(static_cast<uint64_t>(tag_of(wanted)))));
    if (wanted == Kind::Float) found.payload = b.float_of_bits(found.payload);
    found = {.kind = wanted, .payload = found.payload};
  }
  arrive(found);

  b.set_position(element);
  IrValue index = b.sub(key.payload, b.word(1));
  IrValue elements = b.load(IrType::Pointer, b.at(table, offsetof(Table, elements)), Memory::Header);
  const Operand in_array = load_of_kind(t, elements, index, kind);
  if (kind == kAny) t.guards.guard_present(in_array.tag, table);
  arrive(in_array);

  b.set_position(loaded);
  return result;
}

/// Tables without an array were met.
bool met_empty(const SiteTypes& site) { return (site.kinds & 1u << kEmpty) != 0; }
/// They often were: some have their elements in the hash part, as those that are filled from behind.
bool may_be_without_array(const SiteTypes& site) { return met_empty(site) && 4 * site.outside > site.count; }

/// The element that is not in the array: nil, where the table has nothing else, or what is in its hash part.
Operand load_absent(const LoweringTools& t, IrValue table, const Operand& key) {
  Writer& b = t.b;
  const Operand nil{.kind = Kind::Any, .payload = b.word(0), .tag = b.word(static_cast<uint64_t>(Tag::Nil))};
  IrValue is_plain = b.bit_and(b.is_null(b.load(IrType::Pointer, b.at(table, offsetof(Table, hash)), Memory::Header)), lacks(b, table, kNoIndex));
  if (t.walk.site().outside == 0 && !t.walk.site().is_unstable) return t.guards.guard(is_plain), nil;
  Block beyond = b.make_block("beyond");
  Block absent = b.make_block("absent");
  IrValue payload = b.add_parameter(absent, IrType::I64);
  IrValue tag = b.add_parameter(absent, IrType::I64);
  Block plain = b.make_block("plain");
  b.branch(is_plain, plain, beyond);
  b.set_position(plain);
  b.jump(absent, {nil.payload, nil.tag});
  b.set_position(beyond);
  IrValue found = b.call_two_words(b.address_constant(t.runtime.load_beyond), {table, key.payload});
  IrValue found_tag = b.second_word(found);
  t.guards.exit_unless(b.ne(found_tag, b.word(kNotLoaded)));
  b.jump(absent, {found, found_tag});
  b.set_position(absent);
  return {.kind = Kind::Any, .payload = payload, .tag = tag};
}

/// Where tables with several kinds of elements were met: each kind's load, and one value of any kind from all of them.
bool lower_element_of_kinds(const LoweringTools& t, Register to, const Operand& table, const Operand& key) {
  Writer& b = t.b;
  const unsigned seen = t.walk.site().is_unstable ? kEachKind : t.walk.site().kinds;
  if (std::popcount(seen) < 2) return false;
  IrValue object = b.pointer(table);
  IrValue index = b.sub(key.payload, b.word(1));
  Block merged = b.make_block("any_kind");
  IrValue merged_payload = b.add_parameter(merged, IrType::I64);
  IrValue merged_tag = b.add_parameter(merged, IrType::I64);
  const auto arrive = [&](IrValue payload, IrValue tag) { b.jump(merged, {payload, tag}); };
  Block inside = b.make_block("element");
  Block outside = b.make_block("absent");
  b.branch(b.ult(index, array_size(b, object)), inside, outside);
  b.set_position(outside);
  const Operand absent = load_absent(t, object, key);
  arrive(absent.payload, absent.tag);
  b.set_position(inside);
  const Operand element = load_of_kinds(t, object, index, seen);
  t.guards.guard_present(element.tag, object);
  arrive(element.payload, element.tag);
  b.set_position(merged);
  t.values.write_as_recorded(to, {.kind = Kind::Any, .payload = merged_payload, .tag = merged_tag});
  return true;
}

/// An element that is not in the array, and has no room behind it; `done` is where it has been stored. Other elements
/// may have followed it from the hash part: then the array may have become one of another kind, which is left.
void store_beyond(const LoweringTools& t, IrValue table, const Operand& key, const Operand& value, Block done) {
  Writer& b = t.b;
  IrValue outcome = b.call(IrType::I64, b.address_constant(t.runtime.store_beyond),
                           {b.vm(), table, key.payload, b.payload_bits(value), b.tag_value(value)});
  Block other = b.make_block("not_stored");
  Block changed = b.make_block("changed");
  b.set_likely(b.branch(b.eq(outcome, b.word(kStored)), done, other), true);
  b.set_position(other);
  b.branch(b.eq(outcome, b.word(kStoredAsOtherKind)), changed, t.guards.exit_block());
  b.set_position(changed);
  t.exits.emit(t.walk.pc + 1, ExitSite::Why::Other);
}

/// Where an element is stored.
struct ElementPlace {
  IrValue object;  ///< the table
  IrValue index;   ///< from 0 on
  uint8_t kind;    ///< ElementKind of the table
};

/// The array has room for it.
void store_element(const LoweringTools& t, const ElementPlace& place, IrValue elements, const Operand& value) {
  Writer& b = t.b;
  if (place.kind == kAny) {
    IrValue address = b.address(elements, b.shl(place.index, b.word(4)), 1);
    b.store_value(value, address, Memory::Values);
    t.heap.barrier(place.object, address, value);
    return;
  }
  b.store(value.payload, b.address(elements, place.index, 8), place.kind == kFloats ? Memory::Floats : Memory::Integers);
}

/// Behind the array of that size: an append where there is room, or else whatever the runtime makes of it. Goes to `done`.
void append(const LoweringTools& t, const ElementPlace& place, IrValue size32, IrValue size, const Operand& key, const Operand& value, Block done) {
  Writer& b = t.b;
  IrValue object = place.object;
  IrValue capacity = b.load(IrType::I32, b.at(object, offsetof(Table, element_capacity)), Memory::Header);
  IrValue fits = b.bit_and(b.eq(place.index, size), b.ult(size32, capacity));
  IrValue no_hash = b.is_null(b.load(IrType::Pointer, b.at(object, offsetof(Table, hash)), Memory::Header));
  Block plain = b.make_block("plain");
  Block grows = b.make_block("grows");
  IrValue is_plain = t.walk.site().has_metatable ? lacks(b, object, kNoNewIndex) : lacks_metatable(b, object);
  b.set_likely(b.branch(b.bit_and(b.bit_and(fits, no_hash), is_plain), plain, grows), true);
  b.set_position(grows);
  store_beyond(t, object, key, value, done);
  b.set_position(plain);
  IrValue elements = b.load(IrType::Pointer, b.at(object, offsetof(Table, elements)), Memory::Header);
  t.guards.guard(b.is_not_null(elements));
  store_element(t, place, elements, value);
  b.store(b.add(size32, b.i32(1)), b.at(object, offsetof(Table, type_word)), Memory::Header);
  b.jump(done);
}

}  // namespace

Operand load_of_kinds(const LoweringTools& t, IrValue table, IrValue index, unsigned kinds) {
  Writer& b = t.b;
  Block loaded = b.make_block("of_any_kind");
  const Operand result{.kind = Kind::Any, .payload = b.add_parameter(loaded, IrType::I64), .tag = b.add_parameter(loaded, IrType::I64)};
  IrValue kind = b.load(IrType::I8, b.at(table, offsetof(Table, type_byte)), Memory::Header);
  IrValue elements = b.load(IrType::Pointer, b.at(table, offsetof(Table, elements)), Memory::Header);
  for (const uint8_t element_kind : {kAny, kIntegers, kFloats}) {
    if ((kinds >> element_kind & 1) == 0) continue;
    Block same = b.make_block("of_kind");
    Block differs = b.make_block("of_other_kind");
    b.branch(b.eq(kind, b.i8(element_kind)), same, differs);
    b.set_position(same);
    if (element_kind == kAny) {
      const Operand value = load_of_kind(t, elements, index, kAny);
      b.jump(loaded, {value.payload, value.tag});
    } else {
      IrValue payload = b.load(IrType::I64, b.address(elements, index, 8),
                               element_kind == kIntegers ? Memory::Integers : Memory::Floats);
      b.jump(loaded, {payload, b.word(static_cast<uint64_t>(element_kind == kIntegers ? Tag::Integer : Tag::Float))});
    }
    b.set_position(differs);
  }
  b.jump(t.guards.exit_block());
  b.set_position(loaded);
  return result;
}

bool guard_elements(const LoweringTools& t, Operand* table, uint8_t* kind) {
  Writer& b = t.b;
  const uint8_t known = t.registers.elements_of(*table);
  if (known != Fact::kUnknownElements) {
    *kind = known;
    return true;
  }
  const unsigned seen = t.walk.site().kinds & kEachKind;
  if (!std::has_single_bit(seen)) return false;
  *kind = static_cast<uint8_t>(std::countr_zero(seen));
  IrValue found = b.load(IrType::I8, b.at(b.pointer(*table), offsetof(Table, type_byte)), Memory::Header);
  t.guards.guard(b.eq(found, b.i8(*kind)));
  t.registers.know_elements(*table, *kind);
  return true;
}

bool lower_element(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (get_replaced_element(t, in)) return true;
  Operand table = t.values.read(in.rb());
  if (!t.values.expect_table(&table)) return t.calls.do_instruction();
  Operand key =
      in.op == Opcode::GetInteger ? Operand{.kind = Kind::Integer, .payload = b.word(in.c)} : t.values.read(in.rc());
  uint8_t kind = 0;
  if (!t.values.expect_index(&key, t.walk.site().right)) return lower_get_by_key(t, in.ra(), table, key);
  const bool is_known = t.registers.elements_of(table) != Fact::kUnknownElements;
  if (((t.walk.site().is_unstable || may_be_without_array(t.walk.site())) && !is_known) || !guard_elements(t, &table, &kind))
    return lower_element_of_kinds(t, in.ra(), table, key) || lower_get_by_key(t, in.ra(), table, key);
  IrValue object = b.pointer(table);
  IrValue index = b.sub(key.payload, b.word(1));
  IrValue inside = b.ult(index, array_size(b, object));
  const bool may_be_nil = (t.walk.site().result & tag_bit(Tag::Nil)) != 0;
  if (t.walk.site().outside != 0 || (may_be_nil && kind != kAny)) {
    t.values.write_as_recorded(in.ra(), load_anywhere(t, object, key, kind, inside));
    return true;
  }
  t.guards.guard(inside);
  IrValue elements = b.load(IrType::Pointer, b.at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {
    IrValue address = b.address(elements, b.shl(index, b.word(4)), 1);
    t.values.write_loaded(in.ra(), address, Memory::Values, true, object);
  } else {
    t.values.write(in.ra(), load_of_kind(t, elements, index, kind));
  }
  return true;
}

Operand load_of_kind(const LoweringTools& t, IrValue elements, IrValue index, uint8_t kind) {
  Writer& b = t.b;
  if (kind == kAny) return b.load_value(b.address(elements, b.shl(index, b.word(4)), 1), Memory::Values);
  const bool is_float = kind == kFloats;
  IrType type = is_float ? IrType::F64 : IrType::I64;
  IrValue value = b.load(type, b.address(elements, index, 8), is_float ? Memory::Floats : Memory::Integers);
  return {.kind = is_float ? Kind::Float : Kind::Integer, .payload = value};
}

bool lower_length(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (get_replaced_length(t, in)) return true;
  if (t.walk.site().is_unstable) return t.calls.do_instruction();  // it met __len
  Operand operand = t.values.read(in.rb());
  if (operand.kind == Kind::Any && !t.values.expect_recorded(&operand, t.walk.site().left)) return t.calls.do_instruction();
  if (operand.kind == Kind::String) {
    t.values.write_integer(in.ra(),
                           b.load(IrType::I64, b.at(b.pointer(operand), offsetof(String, length)), Memory::Header));
    return true;
  }
  if (operand.kind != Kind::Table) return t.calls.do_instruction();
  t.guards.guard(t.walk.site().has_metatable ? lacks(b, b.pointer(operand), kNoLength) : lacks_metatable(b, b.pointer(operand)));
  t.values.write_integer(in.ra(), array_size(b, b.pointer(operand)));
  return true;
}

bool lower_element_store(const LoweringTools& t, const Instruction& in) {
  Writer& b = t.b;
  if (set_replaced_element(t, in)) return true;
  Operand table = t.values.read(in.ra());
  if (!t.values.expect_table(&table)) return t.calls.do_instruction();
  Operand key =
      in.op == Opcode::SetInteger ? Operand{.kind = Kind::Integer, .payload = b.word(in.b)} : t.values.read(in.rb());
  // New tables are of no kind until their first element is stored.
  const SiteTypes& site = t.walk.site();
  if (site.appends && met_empty(site) && (site.kinds & kEachKind) != 0) t.guards.prefer_slow_path();
  const bool is_sparse = may_be_without_array(site) && !site.appends && t.registers.elements_of(table) == Fact::kUnknownElements;
  uint8_t kind = 0;
  if (!t.values.expect_index(&key, t.walk.site().right) || is_sparse || !guard_elements(t, &table, &kind)) return lower_set_by_key(t, table, key, t.values.read_rk(in.c));
  Operand value = t.values.read_rk(in.c);
  const Kind wanted = kind == kIntegers ? Kind::Integer : kind == kFloats ? Kind::Float
                                                                          : Kind::Any;
  if (wanted != Kind::Any) {
    if (!t.values.expect(&value, wanted)) return t.calls.do_instruction();
  } else if (value.kind == Kind::Nil) {
    return t.calls.do_instruction();
  } else {
    t.guards.guard_not_nil(value);
  }
  IrValue object = b.pointer(table);
  const ElementPlace place{.object = object, .index = b.sub(key.payload, b.word(1)), .kind = kind};
  IrValue size32 = b.load(IrType::I32, b.at(object, offsetof(Table, type_word)), Memory::Header);
  IrValue size = b.zext(size32, IrType::I64);
  IrValue inside = b.ult(place.index, size);
  Block done;
  if (t.walk.site().appends) {
    Block within = b.make_block("within");
    Block behind = b.make_block("behind");
    done = b.make_block("stored");
    b.branch(inside, within, behind);
    b.set_position(behind);
    append(t, place, size32, size, key, value, done);
    b.set_position(within);
  } else if (t.walk.site().outside != 0) {
    Block within = b.make_block("within");
    Block beyond = b.make_block("beyond");
    done = b.make_block("stored");
    b.branch(inside, within, beyond);
    b.set_position(beyond);
    store_beyond(t, object, key, value, done);
    b.set_position(within);
  } else {
    t.guards.guard(inside);
  }
  IrValue elements = b.load(IrType::Pointer, b.at(object, offsetof(Table, elements)), Memory::Header);
  if (kind == kAny) {  // a hole may call __newindex
    IrValue address = b.address(elements, b.shl(place.index, b.word(4)), 1);
    t.guards.guard_present(b.load(IrType::I64, b.at(address, offsetof(Value, tag)), Memory::Values), object, kNoNewIndex);
  }
  store_element(t, place, elements, value);
  if (done) {
    b.jump(done);
    b.set_position(done);
  }
  return true;
}

}  // namespace mangata::jit
