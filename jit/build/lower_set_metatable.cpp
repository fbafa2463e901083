#include "jit/build/lower_set_metatable.h"

#include "jit/build/lower_calls.h"
#include "jit/build/lower_fields.h"

namespace mangata::jit {
namespace {

void guard_says(const LoweringTools& t, IrValue metatable, const Saying& said) {
  Writer& b = t.b;
  const Operand value = b.load_value(property(b, metatable, said.slot), Memory::Values);
  t.guards.guard(b.eq(value.tag, b.word(static_cast<uint64_t>(said.tag))));
  IrValue identity = value.payload;
  if (said.tag == Tag::LuaFunction) {
    IrValue function = b.integer_to_pointer(value.payload);
    identity = b.load(IrType::I64, b.at(function, offsetof(LuaFunction, proto)), Memory::Header);
  }
  t.guards.guard(b.eq(identity, b.word(said.identity)));
}

/// R[a] := table, with that metatable. The last checks, then the effects.
void give_metatable(const LoweringTools& t, const Instruction& in, const Operand& table, IrValue metatable,
                    const MetatableCase& metatable_case) {
  Writer& b = t.b;
  guard_shape(t, table, metatable_case.from);
  IrValue object = b.pointer(table);
  if (!is_new_with(t, table, 0)) guard_not_relied_on(t, object);
  b.store(b.address_constant(metatable_case.to), b.at(object, offsetof(Table, shape)), Memory::Header);
  b.store(metatable, b.at(object, offsetof(Table, own_metatable)), Memory::Header);
  t.heap.barrier(object, object, t.runtime.barrier_of_shape);
  t.registers.forget_shape(metatable_case.from);
  t.walk.state.for_each_fact([](Fact& other) { other.new_slots = Fact::kNotNew; });
  const uint8_t elements = t.registers.elements_of(table);
  t.values.write(in.ra(), table);
  t.registers.fact(t.walk.slot_of(in.ra())).shape = metatable_case.to;
  t.registers.fact(t.walk.slot_of(in.ra())).elements = elements;
}

/// The metatable says the same as those that were met, and so do still all others of their class.
bool lower_set_metatable_of_class(const LoweringTools& t, const Instruction& in, const MetatableCase& metatable_case) {
  Writer& b = t.b;
  Operand metatable = t.values.read(first_argument(in) + 1);
  Operand table = t.values.read(first_argument(in));
  if (!t.values.expect_table(&table) || !t.values.expect(&metatable, Kind::Table)) return false;
  guard_shape(t, metatable, metatable_case.metatable_shape);
  IrValue object = b.pointer(metatable);
  for (const Saying& said : metatable_case.says) guard_says(t, object, said);
  guard_epoch(t, metatable_case.to, metatable_case.epoch);
  give_metatable(t, in, table, object, metatable_case);
  IrValue flags = b.load(IrType::I8, b.at(object, offsetof(Table, type_flags)), Memory::Header);
  b.store(b.bit_or(flags, b.i8(metatable_case.flags)), b.at(object, offsetof(Table, type_flags)), Memory::Header);
  return true;
}

}  // namespace

bool lower_set_metatable(const LoweringTools& t, const Instruction& in, Operand table) {
  Writer& b = t.b;
  const MetatableCase& metatable_case = t.walk.function().metatables.at(CodePc(t.walk.pc));
  if (t.walk.site().is_unstable || t.registers.is_captured(t.walk.slot_of(in.ra()))) return false;
  if (metatable_case.metatable == nullptr) return lower_set_metatable_of_class(t, in, metatable_case);
  Operand metatable = t.values.read(first_argument(in) + 1);
  const bool stays_replaced = t.registers.is_replaced(table) && t.registers.fact(table.slot).shape == metatable_case.from;
  if (!stays_replaced && !table.payload) table = t.values.read_slot(table.slot);
  if (!t.values.expect_table(&table) || !t.values.expect(&metatable, Kind::Table)) return false;
  t.guards.guard(b.eq(metatable.payload, b.word(reinterpret_cast<uint64_t>(metatable_case.metatable))));
  guard_shape(t, metatable, metatable_case.metatable_shape);
  if (stays_replaced) {
    t.tables.set_metatable(table.slot, metatable_case.to, metatable_case.metatable);
    t.values.copy(t.walk.slot_of(in.ra()), table.slot);
    return true;
  }
  give_metatable(t, in, table, b.address_constant(metatable_case.metatable), metatable_case);
  return true;
}

}  // namespace mangata::jit
