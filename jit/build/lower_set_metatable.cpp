// setmetatable: tables that had no metatable get one without a finalizer, so that their shape changes and
// nothing else (table_set_metatable()). The metatable is always the same, or one of a class
// (vm/object/metatable_class.h).
#include "jit/build/lowering.h"

namespace mangata::jit {

bool Lowering::lower_set_metatable(const Instruction& in, Operand table) {
  const MetatableCase& metatable_case = walk_.function().metatables.at(CodePc(walk_.pc));
  if (walk_.site().is_unstable || registers_.is_captured(walk_.slot_of(in.ra()))) return false;
  if (metatable_case.metatable == nullptr) return lower_set_metatable_of_class(in, metatable_case);
  Operand metatable = values_.read(first_argument(in) + 1);
  const bool stays_replaced = registers_.is_replaced(table) && registers_.fact(table.slot).shape == metatable_case.from;
  if (!stays_replaced && !table.payload) table = values_.read_slot(table.slot);
  if (!values_.expect_table(&table) || !values_.expect(&metatable, Kind::Table)) return false;
  guards_.guard(b_.eq(metatable.payload, b_.word(reinterpret_cast<uint64_t>(metatable_case.metatable))));
  guard_shape(metatable, metatable_case.metatable_shape);
  if (stays_replaced) {
    tables_.set_metatable(table.slot, metatable_case.to, metatable_case.metatable);
    values_.copy(walk_.slot_of(in.ra()), table.slot);
    return true;
  }
  give_metatable(in, table, b_.address_constant(metatable_case.metatable), metatable_case);
  return true;
}

/// The metatable says the same as those that were met, and so do still all others of their class.
bool Lowering::lower_set_metatable_of_class(const Instruction& in, const MetatableCase& metatable_case) {
  Operand metatable = values_.read(first_argument(in) + 1);
  Operand table = values_.read(first_argument(in));
  if (!values_.expect_table(&table) || !values_.expect(&metatable, Kind::Table)) return false;
  guard_shape(metatable, metatable_case.metatable_shape);
  IrValue object = b_.pointer(metatable);
  for (const Saying& said : metatable_case.says) guard_says(object, said);
  guard_epoch(metatable_case.to, metatable_case.epoch);
  give_metatable(in, table, object, metatable_case);
  IrValue flags = b_.load(IrType::I8, b_.at(object, offsetof(Table, type_flags)), Memory::Header);
  b_.store(b_.bit_or(flags, b_.i8(metatable_case.flags)), b_.at(object, offsetof(Table, type_flags)), Memory::Header);
  return true;
}

void Lowering::guard_says(IrValue metatable, const Saying& said) {
  const Operand value = b_.load_value(property(b_, metatable, said.slot), Memory::Values);
  guards_.guard(b_.eq(value.tag, b_.word(static_cast<uint64_t>(said.tag))));
  IrValue identity = value.payload;
  if (said.tag == Tag::LuaFunction) {
    IrValue function = b_.integer_to_pointer(value.payload);
    identity = b_.load(IrType::I64, b_.at(function, offsetof(LuaFunction, proto)), Memory::Header);
  }
  guards_.guard(b_.eq(identity, b_.word(said.identity)));
}

/// R[a] := table, with that metatable. The last checks, then the effects.
void Lowering::give_metatable(const Instruction& in, const Operand& table, IrValue metatable,
                              const MetatableCase& metatable_case) {
  guard_shape(table, metatable_case.from);
  IrValue object = b_.pointer(table);
  if (!is_new_with(table, 0)) guard_not_relied_on(object);
  b_.store(b_.address_constant(metatable_case.to), b_.at(object, offsetof(Table, shape)), Memory::Header);
  b_.store(metatable, b_.at(object, offsetof(Table, own_metatable)), Memory::Header);
  heap_.barrier(object, object, runtime_.barrier_of_shape);
  registers_.forget_shape(metatable_case.from);
  walk_.state.for_each_fact([](Fact& other) { other.new_slots = Fact::kNotNew; });
  const uint8_t elements = table.slot != kNoFrameSlot ? registers_.fact(table.slot).elements : Fact::kUnknownElements;
  values_.write(in.ra(), table);
  registers_.fact(walk_.slot_of(in.ra())).shape = metatable_case.to;
  registers_.fact(walk_.slot_of(in.ra())).elements = elements;
}

}  // namespace mangata::jit
