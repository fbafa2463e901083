#include "jit/build/values.h"

#include <bit>

namespace mangata::jit {

Operand Values::read_slot(FrameSlot slot) {
  if (registers_.is_replaced(slot)) safepoints_.materialize_at(slot);
  return registers_.get(slot);
}

Operand Values::read_rk(int operand) {
  return (operand & kConstantOperand) != 0 ? registers_.constant(operand & kMaxRkConstant) : read(Register{operand});
}

Operand Values::peek(Register reg) {
  const FrameSlot slot = walk_.slot_of(reg);
  return registers_.is_replaced(slot) ? Operand{.kind = Kind::Table, .slot = slot} : read_slot(slot);
}

Operand Values::peek_rk(int operand) {
  return (operand & kConstantOperand) != 0 ? registers_.constant(operand & kMaxRkConstant) : peek(Register{operand});
}

Operand Values::peek_for(Register reg, const InlineCache& cache) {
  const FrameSlot slot = walk_.slot_of(reg);
  if (!registers_.is_replaced(slot)) return read(reg);
  const ReplacedTable& table = registers_.replaced_table(slot);
  const bool fits = cache.kind != InlineCache::kAdd || cache.slot < table.room;
  return table.shape == cache.shape && fits ? peek(reg) : read(reg);
}

bool Values::expect(Operand* operand, Kind kind) {
  if (operand->kind == kind) return true;
  if (operand->kind != Kind::Any) return false;
  guards_.guard(b_.eq(operand->tag, b_.word(static_cast<uint64_t>(tag_of(kind)))));
  operand->kind = kind;
  operand->tag = {};
  if (kind == Kind::Float) operand->payload = b_.float_of_bits(operand->payload);
  const FrameSlot slot = operand->slot;
  if (slot != kNoFrameSlot && registers_.fact(slot).kind == Kind::Any) {
    registers_.fact(slot).kind = kind;
    if (kind == Kind::Float) b_.set(registers_.float_cell(slot), operand->payload);
  }
  return true;
}

bool Values::expect_recorded(Operand* operand, TagMask recorded) {
  if (operand->kind != Kind::Any) return true;
  if (!is_single(recorded)) return false;
  return expect(operand, kind_of_only(recorded));
}

/// The walk of the other kind begins anew at this instruction, of which nothing has happened yet.
void Values::split(const Operand& operand, Kind other) {
  Block goes_on = b_.make_block("kind");
  Block differs = b_.make_block("other_kind");
  b_.branch(b_.eq(operand.tag, b_.word(static_cast<uint64_t>(tag_of(other)))), differs, goes_on);
  b_.set_position(differs);
  State state = walk_.state;
  state.slots[static_cast<size_t>(operand.slot)].kind = other;
  if (other == Kind::Float)
    b_.set(registers_.float_cell(operand.slot), b_.float_of_bits(operand.payload));
  queue_.begin_anew(differs, std::move(state));
  b_.set_position(goes_on);
}

bool Values::expect_number(Operand* operand, TagMask recorded) {
  if (operand->kind != Kind::Any) return is_number(operand->kind);
  constexpr TagMask kInteger = tag_bit(Tag::Integer), kFloat = tag_bit(Tag::Float);
  if (recorded == kInteger) return expect(operand, Kind::Integer);
  if (recorded == kFloat) return expect(operand, Kind::Float);
  if (recorded != (kInteger | kFloat) || operand->slot == kNoFrameSlot || registers_.is_captured(operand->slot)) return false;
  split(*operand, Kind::Float);
  return expect(operand, Kind::Integer);
}

bool Values::expect_index(Operand* operand, TagMask recorded) {
  if (operand->kind == Kind::Any) {
    const bool is_float = recorded == tag_bit(Tag::Float) && !walk_.site().is_unstable;
    if (!is_float && recorded != tag_bit(Tag::Integer)) return false;
    if (!expect(operand, is_float ? Kind::Float : Kind::Integer)) return false;
  }
  if (operand->kind == Kind::Integer) return true;
  if (operand->kind != Kind::Float || walk_.site().is_unstable) return false;
  IrValue number = operand->payload;
  IrValue integer = b_.float_to_integer_saturating(number);
  IrValue is_same = b_.feq(b_.integer_to_float(integer), number);
  guards_.guard(b_.bit_and(is_same, b_.flt(number, b_.f64(0x1p63))));
  *operand = {.kind = Kind::Integer, .payload = integer};
  return true;
}

bool Values::expect_table(Operand* operand) {
  return (operand->kind != Kind::Any || walk_.site().left == tag_bit(Tag::Table)) && expect(operand, Kind::Table);
}

std::optional<Kind> Values::recorded_result() const {
  const TagMask recorded = walk_.site().result;
  return is_single(recorded) && recorded != tag_bit(Tag::Nil) ? std::optional(kind_of_only(recorded)) : std::nullopt;
}

void Values::write_loaded(Register reg, IrValue address, Memory memory, bool nil_needs_no_metatable,
                          IrValue table) {
  const Operand value = b_.load_value(address, memory);
  if (nil_needs_no_metatable && !recorded_result())
    guards_.guard_present(value.tag, table);  // nil in a table with a metatable may call __index
  write_as_recorded(reg, value);
}

void Values::write_as_recorded(Register reg, Operand value) {
  if (const std::optional<Kind> recorded = recorded_result()) expect(&value, *recorded);
  write(reg, value);
}

void Values::copy(FrameSlot to, FrameSlot from) {
  if (registers_.is_replaced(from) && registers_.is_captured(to)) safepoints_.materialize_at(from);
  registers_.copy(to, from);
}

}  // namespace mangata::jit
