// Elements of tables by keys that are no indices, or none of an array: calls of the runtime that are no
// safepoints (vm/interpreter/key_access.h).
#include "jit/build/lowering.h"

namespace mangata::jit {
namespace {

/// Long strings take fuel as keys (vm/operations/index.h).
bool may_be_charged(Kind key) { return key == Kind::Any || key == Kind::String; }

}  // namespace

/// R[to] := table[key]. Where the metatable is to be asked, it leaves.
bool Lowering::lower_get_by_key(Register to, const Operand& table, const Operand& key) {
  if (may_be_charged(key.kind)) events_.give_back();
  IrValue value;
  if (key.kind == Kind::Integer) {
    value = b_.call_two_words(b_.address_constant(runtime_.load_integer_key), {b_.pointer(table), b_.payload_bits(key)});
  } else {
    value = b_.call_two_words(b_.address_constant(runtime_.load_key),
                              {b_.vm(), b_.pointer(table), b_.payload_bits(key), b_.tag_value(key)});
  }
  const Operand found{
      .kind = Kind::Any, .payload = value, .tag = b_.second_word(value)};
  guards_.guard(b_.ne(found.tag, b_.word(kNotLoaded)));
  values_.write_as_recorded(to, found);
  return true;
}

/// table[key] := value; what may call a metamethod leaves. The table may get another shape and other
/// elements.
bool Lowering::lower_set_by_key(const Operand& table, const Operand& key, const Operand& value) {
  if (may_be_charged(key.kind)) events_.give_back();
  std::vector<IrValue> arguments{b_.vm(), b_.pointer(table), b_.payload_bits(key)};
  if (key.kind != Kind::Integer) arguments.push_back(b_.tag_value(key));
  arguments.insert(arguments.end(), {b_.payload_bits(value), b_.tag_value(value)});
  const void* store = key.kind == Kind::Integer ? runtime_.store_integer_key : runtime_.store_key;
  IrValue stored = b_.call(IrType::I8, b_.address_constant(store), arguments);
  guards_.exit_unless(b_.ne(stored, b_.i8(0)));
  registers_.forget_tables();
  return true;
}

}  // namespace mangata::jit
