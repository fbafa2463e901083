// Registers as unboxed values; memory.

#include "jit/build/lowering.h"

namespace mangata::jit {

// --- memory

ir::Value Lowering::load(ir::Type type, IrValue address, Memory memory) { return b_.load(type, address, memory); }

void Lowering::store(IrValue value, IrValue address, Memory memory) { b_.store(value, address, memory); }

ir::Value Lowering::at(IrValue pointer, int64_t offset) { return b_.address(pointer, offset); }

ir::Value Lowering::address_constant(const void* address) { return b_.pointer(address); }

ir::Value Lowering::frame_address(FrameSlot slot, int offset) {
  return at(base_, int64_t{value_of(slot)} * static_cast<int64_t>(sizeof(Value)) + offset);
}

// --- cells

Fact& Lowering::fact(FrameSlot slot) {
  if (slot < kFirstField) return state_.slots[static_cast<size_t>(slot)];
  const auto field = static_cast<size_t>(slot - kFirstField);
  return state_.tables[field / ReplacedTable::kMostFields].fields[field % ReplacedTable::kMostFields];
}

bool Lowering::is_captured(FrameSlot slot) const {
  return value_of(slot) < input_.root().register_count && input_.root().captured.test(static_cast<size_t>(slot));
}

ir::Variable Lowering::cell_in(std::map<FrameSlot, ir::Variable>* cells, FrameSlot slot, IrType type) {
  ir::Variable& cell = (*cells)[slot];
  if (!cell) cell = b_.new_variable(type);
  return cell;
}

ir::Variable Lowering::payload_cell(FrameSlot slot) { return cell_in(&payloads_, slot, IrType::I64); }
ir::Variable Lowering::float_cell(FrameSlot slot) { return cell_in(&floats_, slot, IrType::F64); }
ir::Variable Lowering::tag_cell(FrameSlot slot) { return cell_in(&tags_, slot, IrType::I64); }

// --- operands

Lowering::Operand Lowering::read(Register reg) { return read_slot(slot_of(reg)); }

Lowering::Operand Lowering::read_slot(FrameSlot slot) {
  if (is_replaced(slot)) materialize_at(slot);
  Fact& slot_fact = fact(slot);
  Operand operand{.kind = slot_fact.kind, .slot = slot};
  if (slot_fact.kind == Kind::Frame) {
    operand.kind = Kind::Any;
    const Memory memory = is_captured(slot) ? Memory::Upvalue : Memory::Frame;
    operand.payload = load(IrType::I64, frame_address(slot), memory);
    operand.tag = load(IrType::I64, frame_address(slot, offsetof(Value, tag)), memory);
    if (is_captured(slot)) return operand;
    b_.set(payload_cell(slot), operand.payload);
    b_.set(tag_cell(slot), operand.tag);
    slot_fact.kind = Kind::Any;
    slot_fact.dirty = false;
    return operand;
  }
  if (slot_fact.is_constant) {
    operand.payload = word(slot_fact.constant);
  } else if (slot_fact.kind == Kind::Float) {
    operand.payload = b_.get(float_cell(slot));
  } else if (has_payload(slot_fact.kind)) {
    operand.payload = b_.get(payload_cell(slot));
  }
  if (slot_fact.kind == Kind::Any) operand.tag = b_.get(tag_cell(slot));
  return operand;
}

Lowering::Operand Lowering::constant_value(const Value& value) {
  Operand operand{.kind = kind_of(value.tag)};
  if (value.is_float()) {
    operand.payload = b_.f64(value.as_float());
  } else if (has_payload(operand.kind)) {
    operand.payload = word(value.payload);
  }
  return operand;
}

Lowering::Operand Lowering::constant(int index) {
  return constant_value(function().constants[static_cast<size_t>(index)]);
}

Lowering::Operand Lowering::read_rk(int operand) {
  return (operand & kConstantOperand) != 0 ? constant(operand & kMaxRkConstant) : read(Register{operand});
}

bool Lowering::expect(Operand* operand, Kind kind) {
  if (operand->kind == kind) return true;
  if (operand->kind != Kind::Any) return false;
  guard(b_.eq(operand->tag, word(static_cast<uint64_t>(tag_of(kind)))));
  operand->kind = kind;
  operand->tag = {};
  if (kind == Kind::Float) operand->payload = b_.float_of_bits(operand->payload);
  const FrameSlot slot = operand->slot;
  if (slot != kNoFrameSlot && fact(slot).kind == Kind::Any) {
    fact(slot).kind = kind;
    if (kind == Kind::Float) b_.set(float_cell(slot), operand->payload);
  }
  return true;
}

bool Lowering::expect_recorded(Operand* operand, TagMask recorded) {
  if (operand->kind != Kind::Any) return true;
  if (!is_single(recorded)) return false;
  return expect(operand, kind_of(static_cast<Tag>(std::countr_zero(recorded))));
}

/// The walk of the other kind begins anew at this instruction, of which nothing has happened yet.
void Lowering::split(const Operand& operand, Kind other) {
  Block goes_on = make_block("kind");
  Block differs = make_block("other_kind");
  b_.branch(b_.eq(operand.tag, word(static_cast<uint64_t>(tag_of(other)))), differs, goes_on);
  b_.set_position(differs);
  State state = state_;
  state.slots[static_cast<size_t>(operand.slot)].kind = other;
  if (other == Kind::Float)
    b_.set(float_cell(operand.slot), b_.float_of_bits(operand.payload));
  pending_.push_back({differs, std::move(state), pc_, track_});
  b_.set_position(goes_on);
}

bool Lowering::expect_number(Operand* operand, TagMask recorded) {
  if (operand->kind != Kind::Any) return is_number(operand->kind);
  constexpr TagMask kInteger = tag_bit(Tag::Integer), kFloat = tag_bit(Tag::Float);
  if (recorded == kInteger) return expect(operand, Kind::Integer);
  if (recorded == kFloat) return expect(operand, Kind::Float);
  if (recorded != (kInteger | kFloat) || operand->slot == kNoFrameSlot || is_captured(operand->slot)) return false;
  split(*operand, Kind::Float);
  return expect(operand, Kind::Integer);
}

bool Lowering::expect_index(Operand* operand, TagMask recorded) {
  if (operand->kind == Kind::Any) {
    const bool is_float = recorded == tag_bit(Tag::Float) && !site().is_unstable;
    if (!is_float && recorded != tag_bit(Tag::Integer)) return false;
    if (!expect(operand, is_float ? Kind::Float : Kind::Integer)) return false;
  }
  if (operand->kind == Kind::Integer) return true;
  if (operand->kind != Kind::Float || site().is_unstable) return false;
  IrValue number = operand->payload;
  IrValue integer = b_.float_to_integer_saturating(number);
  IrValue is_same = b_.feq(b_.integer_to_float(integer), number);
  guard(b_.bit_and(is_same, b_.flt(number, b_.f64(0x1p63))));
  *operand = {.kind = Kind::Integer, .payload = integer};
  return true;
}

void Lowering::guard_not_nil(const Operand& operand) {
  if (operand.kind == Kind::Any) guard(b_.ne(operand.tag, word(static_cast<uint64_t>(Tag::Nil))));
}

ir::Value Lowering::as_double(const Operand& operand) {
  return operand.kind == Kind::Float ? operand.payload : b_.integer_to_float(operand.payload);
}

ir::Value Lowering::tag_value(const Operand& operand) {
  return operand.kind == Kind::Any ? operand.tag : word(static_cast<uint64_t>(tag_of(operand.kind)));
}

ir::Value Lowering::payload_bits(const Operand& operand) {
  switch (operand.kind) {
    case Kind::Float:
      return b_.bits_of_float(operand.payload);
    case Kind::True:
      return word(1);
    case Kind::Nil:
    case Kind::False:
      return word(0);
    default:
      return operand.payload;
  }
}

ir::Value Lowering::pointer(const Operand& operand) {
  return b_.integer_to_pointer(operand.payload);
}

// --- results

void Lowering::write(Register reg, const Operand& value) { write_slot(slot_of(reg), value); }

void Lowering::write_slot(FrameSlot slot, const Operand& value) {
  Fact& slot_fact = fact(slot);
  if (is_captured(slot)) {
    store(payload_bits(value), frame_address(slot), Memory::Upvalue);
    store(tag_value(value), frame_address(slot, offsetof(Value, tag)), Memory::Upvalue);
    slot_fact = {};
    return;
  }
  slot_fact = {.kind = value.kind, .dirty = true};
  if (value.kind == Kind::Float) {
    b_.set(float_cell(slot), value.payload);
  } else if (has_payload(value.kind)) {
    b_.set(payload_cell(slot), value.payload);
    const auto known = known_word(value.payload);
    if (known && has_known_tag(value.kind) && slot < kFirstField) slot_fact.is_constant = true, slot_fact.constant = *known;
  }
  if (value.kind == Kind::Any) b_.set(tag_cell(slot), value.tag);
}

void Lowering::copy_slot(FrameSlot to, FrameSlot from) {
  if (is_replaced(from) && !is_captured(to)) {
    fact(to) = Fact(fact(from));
    return;
  }
  const Operand value = read_slot(from);
  const Fact known = fact(from);
  write_slot(to, value);
  if (!is_captured(to) && !is_captured(from)) fact(to).know_table_of(known);
}

void Lowering::put(FrameSlot to, const Operand& value) { value.slot != kNoFrameSlot ? copy_slot(to, value.slot) : write_slot(to, value); }

void Lowering::write_frame(Register reg) { fact(slot_of(reg)) = {}; }

ir::Value Lowering::lacks_metatable(IrValue table) {
  return b_.is_null(load(IrType::Pointer, at(table, offsetof(Table, own_metatable)), Memory::Header));
}

/// The table has no metatable, or one that is known to lack the metamethod. Flags of our own stand for the metatable that is not there.
ir::Value Lowering::lacks(IrValue table, AbsentMetamethod metamethod) {
  static const uint8_t kLacking = 0xff;
  IrValue metatable = load(IrType::Pointer, at(table, offsetof(Table, own_metatable)), Memory::Header);
  IrValue flags = b_.select(b_.is_null(metatable), address_constant(&kLacking), at(metatable, offsetof(Table, type_flags)));
  IrValue lacking = b_.bit_and(load(IrType::I8, flags, Memory::Header), b_.i8(metamethod));
  return b_.ne(lacking, b_.i8(0));
}

/// A nil there would ask a metamethod, unless the table is known to have none.
void Lowering::guard_present(IrValue tag, IrValue table, AbsentMetamethod otherwise) {
  Block is_nil = make_block("is_nil");
  Block found = make_block("found");
  set_likely(b_.branch(b_.eq(tag, word(0)), is_nil, found), false);
  b_.set_position(is_nil);
  set_likely(b_.branch(lacks(table, otherwise), found, exit_block()), true);
  b_.set_position(found);
}

Lowering::Operand Lowering::load_value(IrValue address, Memory memory) {
  return {.kind = Kind::Any,
          .payload = load(IrType::I64, address, memory),
          .tag = load(IrType::I64, at(address, offsetof(Value, tag)), memory)};
}

void Lowering::write_loaded(Register reg, IrValue address, Memory memory, bool nil_needs_no_metatable,
                            IrValue table) {
  const Operand value = load_value(address, memory);
  const TagMask recorded = site().result;
  if (nil_needs_no_metatable && !(is_single(recorded) && recorded != tag_bit(Tag::Nil)))
    guard_present(value.tag, table);  // nil in a table with a metatable may call __index
  write_as_recorded(reg, value);
}

/// The value as the kind that was recorded for the instruction's result, if there was one.
void Lowering::write_as_recorded(Register reg, Operand value) {
  const TagMask recorded = site().result;
  if (is_single(recorded) && recorded != tag_bit(Tag::Nil))
    expect(&value, kind_of(static_cast<Tag>(std::countr_zero(recorded))));
  write(reg, value);
}

}  // namespace mangata::jit
