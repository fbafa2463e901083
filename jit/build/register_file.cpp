#include "jit/build/register_file.h"

#include <cassert>

namespace mangata::jit {

Fact& RegisterFile::fact(FrameSlot slot) {
  if (slot < kFirstField) return walk_.state.slots[static_cast<size_t>(slot)];
  const auto field = static_cast<size_t>(slot - kFirstField);
  return walk_.state.tables[field / ReplacedTable::kMostFields].fields[field % ReplacedTable::kMostFields];
}

void RegisterFile::forget_tables() {
  walk_.state.for_each_fact([](Fact& fact) {
    if (fact.replaced_table < 0) fact.know_table_of({});
  });
}

void RegisterFile::forget_shape(const Shape* shape) {
  walk_.state.for_each_fact([&](Fact& fact) {
    if (fact.shape == shape && fact.replaced_table < 0) fact.shape = nullptr;
  });
}

ir::Variable RegisterFile::cell(FrameSlot slot, Part part) {
  std::vector<Cells>& all = slot < kFirstField ? slots_ : fields_;
  const auto number = static_cast<size_t>(slot < kFirstField ? value_of(slot) : slot - kFirstField);
  if (all.size() <= number) all.resize(number + 1);
  ir::Variable& cell = all[number][static_cast<size_t>(part)];
  if (!cell) cell = b_.new_variable(part == Part::Float ? IrType::F64 : IrType::I64);
  return cell;
}

/// `read_variable` gives what a variable holds.
Operand RegisterFile::read(FrameSlot slot, IrValue (ir::Builder::*read_variable)(ir::Variable)) {
  assert(!is_replaced(slot));
  Fact& slot_fact = fact(slot);
  Operand operand{.kind = slot_fact.kind, .slot = slot};
  if (slot_fact.kind == Kind::Frame) {
    operand = b_.load_value(b_.frame_address(slot), is_captured(slot) ? Memory::Upvalue : Memory::Frame);
    operand.slot = slot;
    if (is_captured(slot)) return operand;
    b_.set(payload_cell(slot), operand.payload);
    b_.set(tag_cell(slot), operand.tag);
    slot_fact.kind = Kind::Any;
    slot_fact.dirty = false;
    return operand;
  }
  if (slot_fact.is_constant) {
    operand.payload = b_.word(slot_fact.constant);
  } else if (slot_fact.kind == Kind::Float) {
    operand.payload = (b_.*read_variable)(float_cell(slot));
  } else if (has_payload(slot_fact.kind)) {
    operand.payload = (b_.*read_variable)(payload_cell(slot));
  }
  if (slot_fact.kind == Kind::Any) operand.tag = (b_.*read_variable)(tag_cell(slot));
  return operand;
}

void RegisterFile::set(FrameSlot slot, const Operand& value) {
  Fact& slot_fact = fact(slot);
  if (is_captured(slot)) {
    b_.store_value(value, b_.frame_address(slot), Memory::Upvalue);
    slot_fact = {};
    return;
  }
  slot_fact = {.kind = value.kind, .dirty = true};
  if (value.kind == Kind::Float) {
    b_.set(float_cell(slot), value.payload);
  } else if (has_payload(value.kind)) {
    b_.set(payload_cell(slot), value.payload);
    const auto known = b_.known_word(value.payload);
    if (known && has_known_tag(value.kind) && slot < kFirstField) slot_fact.know_constant(*known);
  }
  if (value.kind == Kind::Any) b_.set(tag_cell(slot), value.tag);
}

void RegisterFile::copy(FrameSlot to, FrameSlot from) {
  if (is_replaced(from)) {
    fact(to) = Fact(fact(from));
    return;
  }
  const Operand value = get(from);
  const Fact known = fact(from);
  set(to, value);
  if (!is_captured(to) && !is_captured(from)) fact(to).know_table_of(known);
}

void RegisterFile::store(FrameSlot slot) {
  const Operand value = fact(slot).kind == Kind::Float ? get(slot) : held(slot);  // floats are stored as words, which takes an operation
  b_.store_value(value, b_.frame_address(slot), Memory::Frame);
}

}  // namespace mangata::jit
