#include "jit/build/lower_keys.h"

namespace mangata::jit {
namespace {

/// Long strings take fuel as keys (vm/operations/index.h).
bool may_be_charged(Kind key) { return key == Kind::Any || key == Kind::String; }

}  // namespace

bool lower_get_by_key(const LoweringTools& t, Register to, const Operand& table, const Operand& key) {
  Writer& b = t.b;
  if (may_be_charged(key.kind)) t.events.give_back();
  IrValue value;
  if (key.kind == Kind::Integer) {
    value = b.call_two_words(b.address_constant(t.runtime.load_integer_key), {b.pointer(table), b.payload_bits(key)});
  } else {
    value = b.call_two_words(b.address_constant(t.runtime.load_key),
                             {b.vm(), b.pointer(table), b.payload_bits(key), b.tag_value(key)});
  }
  const Operand found{
      .kind = Kind::Any, .payload = value, .tag = b.second_word(value)};
  t.guards.guard(b.ne(found.tag, b.word(kNotLoaded)));
  t.values.write_as_recorded(to, found);
  return true;
}

bool lower_set_by_key(const LoweringTools& t, const Operand& table, const Operand& key, const Operand& value) {
  Writer& b = t.b;
  if (may_be_charged(key.kind)) t.events.give_back();
  std::vector<IrValue> arguments{b.vm(), b.pointer(table), b.payload_bits(key)};
  if (key.kind != Kind::Integer) arguments.push_back(b.tag_value(key));
  arguments.insert(arguments.end(), {b.payload_bits(value), b.tag_value(value)});
  const void* store = key.kind == Kind::Integer ? t.runtime.store_integer_key : t.runtime.store_key;
  IrValue stored = b.call(IrType::I8, b.address_constant(store), arguments);
  t.guards.exit_unless(b.ne(stored, b.i8(0)));
  t.registers.forget_tables();
  return true;
}

}  // namespace mangata::jit
