// setmetatable: tables that had no metatable get one without a finalizer, so that their shape changes and
// nothing else (table_set_metatable()). The metatable is always the same, or one of a class
// (vm/object/metatable_class.h).
#include "jit/build/lowering.h"

namespace mangata::jit {

bool Lowering::lower_set_metatable(const Instruction& in, Operand table) {
  const MetatableCase& metatable_case = function().metatables.at(CodePc(pc_));
  if (site().is_unstable || is_captured(slot_of(in.ra()))) return false;
  if (metatable_case.metatable == nullptr) return lower_set_metatable_of_class(in, metatable_case);
  Operand metatable = read(first_argument(in) + 1);
  const bool stays_replaced = is_replaced(table) && fact(table.slot).shape == metatable_case.from;
  if (!stays_replaced && !table.payload) table = read_slot(table.slot);
  if (!expect_table(&table) || !expect(&metatable, Kind::Table)) return false;
  guard(b_.eq(metatable.payload, word(reinterpret_cast<uint64_t>(metatable_case.metatable))));
  guard_shape(metatable, metatable_case.metatable_shape);
  if (stays_replaced) {
    set_replaced_metatable(table.slot, metatable_case.to, metatable_case.metatable);
    copy_slot(slot_of(in.ra()), table.slot);
    return true;
  }
  give_metatable(in, table, address_constant(metatable_case.metatable), metatable_case);
  return true;
}

/// The metatable says the same as those that were met, and so do still all others of their class.
bool Lowering::lower_set_metatable_of_class(const Instruction& in, const MetatableCase& metatable_case) {
  Operand metatable = read(first_argument(in) + 1);
  Operand table = read(first_argument(in));
  if (!expect_table(&table) || !expect(&metatable, Kind::Table)) return false;
  guard_shape(metatable, metatable_case.metatable_shape);
  IrValue object = pointer(metatable);
  for (const Saying& said : metatable_case.says) guard_says(object, said);
  guard_epoch(metatable_case.to, metatable_case.epoch);
  give_metatable(in, table, object, metatable_case);
  IrValue flags = load(IrType::I8, at(object, offsetof(Table, type_flags)), Memory::Header);
  store(b_.bit_or(flags, b_.i8(metatable_case.flags)), at(object, offsetof(Table, type_flags)), Memory::Header);
  return true;
}

void Lowering::guard_says(IrValue metatable, const Saying& said) {
  const Operand value = load_value(property(metatable, said.slot), Memory::Values);
  guard(b_.eq(value.tag, word(static_cast<uint64_t>(said.tag))));
  IrValue identity = value.payload;
  if (said.tag == Tag::LuaFunction) {
    IrValue function = b_.integer_to_pointer(value.payload);
    identity = load(IrType::I64, at(function, offsetof(LuaFunction, proto)), Memory::Header);
  }
  guard(b_.eq(identity, word(said.identity)));
}

/// R[a] := table, with that metatable. The last checks, then the effects.
void Lowering::give_metatable(const Instruction& in, const Operand& table, IrValue metatable,
                              const MetatableCase& metatable_case) {
  guard_shape(table, metatable_case.from);
  IrValue object = pointer(table);
  if (!is_new_with(table, 0)) guard_not_relied_on(object);
  store(address_constant(metatable_case.to), at(object, offsetof(Table, shape)), Memory::Header);
  store(metatable, at(object, offsetof(Table, own_metatable)), Memory::Header);
  barrier(object, object, runtime_.barrier_of_shape);
  forget_shape(metatable_case.from);
  state_.for_each_fact([](Fact& other) { other.new_slots = Fact::kNotNew; });
  const uint8_t elements = table.slot != kNoFrameSlot ? fact(table.slot).elements : Fact::kUnknownElements;
  write(in.ra(), table);
  fact(slot_of(in.ra())).shape = metatable_case.to;
  fact(slot_of(in.ra())).elements = elements;
}

}  // namespace mangata::jit
