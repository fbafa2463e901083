// The library `bit` of LuaJIT, by require 'bit': operators on 32 bits, whose results are signed integers.
//
// Numbers are taken modulo 2^32. Floats are first rounded to the nearest integer, by the addition that LuaJIT
// makes, and so as there beyond 2^51, too; integers of any size are exact. Baseline code has all functions
// but tohex inline (vm/intrinsics.def).
#include <bit>
#include <cstdio>

#include "runtime/lib/libraries.h"
#include "vm/native.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

uint32_t bits_of(const Value& number) {
  if (number.is_integer()) return static_cast<uint32_t>(number.payload);
  return static_cast<uint32_t>(Value::number(number.as_float() + kRoundsToBits).payload);
}

Value result_of(uint32_t bits) { return Value::integer(static_cast<int32_t>(bits)); }

Result<uint32_t> check_bits(Call& call, int i) {
  Value value = call[i];
  if (value.is_string()) value = string_to_number(value.as_string()->view());
  if (!value.is_number()) return call.type_error(i, "number");
  return bits_of(value);
}

// --- functions of one, two, and any number of arguments, each with its direct form (direct.h)

template <uint32_t (*kOperator)(uint32_t)>
Result<int> unary(Call& call) {
  return call.ret(result_of(kOperator(TRY(check_bits(call, 0)))));
}

template <uint32_t (*kOperator)(uint32_t)>
int unary_direct(Vm&, Value* function, int argument_count) {
  const Value& x = function[kCallOverheadSlots];
  if (argument_count == 0 || !x.is_number()) return kNotDirect;
  function[0] = result_of(kOperator(bits_of(x)));
  return 1;
}

template <uint32_t (*kOperator)(uint32_t, uint32_t)>
Result<int> shift(Call& call) {
  const uint32_t bits = TRY(check_bits(call, 0));
  return call.ret(result_of(kOperator(bits, TRY(check_bits(call, 1)) & 31)));
}

template <uint32_t (*kOperator)(uint32_t, uint32_t)>
int shift_direct(Vm&, Value* function, int argument_count) {
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count < 2 || !arguments[0].is_number() || !arguments[1].is_number()) return kNotDirect;
  function[0] = result_of(kOperator(bits_of(arguments[0]), bits_of(arguments[1]) & 31));
  return 1;
}

template <uint32_t (*kOperator)(uint32_t, uint32_t)>
Result<int> fold(Call& call) {
  uint32_t bits = TRY(check_bits(call, 0));
  const int count = call.count();
  for (int i = 1; i < count; ++i) bits = kOperator(bits, TRY(check_bits(call, i)));
  charge_if_much(call.vm(), count);
  return call.ret(result_of(bits));
}

template <uint32_t (*kOperator)(uint32_t, uint32_t)>
int fold_direct(Vm&, Value* function, int argument_count) {
  constexpr int kFew = 8;
  const Value* arguments = function + kCallOverheadSlots;
  if (argument_count == 0 || argument_count > kFew || !arguments[0].is_number()) return kNotDirect;
  uint32_t bits = bits_of(arguments[0]);
  for (int i = 1; i < argument_count; ++i) {
    if (!arguments[i].is_number()) return kNotDirect;
    bits = kOperator(bits, bits_of(arguments[i]));
  }
  function[0] = result_of(bits);
  return 1;
}

uint32_t same(uint32_t x) { return x; }
uint32_t complement(uint32_t x) { return ~x; }
uint32_t swap_bytes(uint32_t x) { return __builtin_bswap32(x); }
uint32_t conjunction(uint32_t x, uint32_t y) { return x & y; }
uint32_t disjunction(uint32_t x, uint32_t y) { return x | y; }
uint32_t difference(uint32_t x, uint32_t y) { return x ^ y; }
uint32_t to_left(uint32_t x, uint32_t count) { return x << count; }
uint32_t to_right(uint32_t x, uint32_t count) { return x >> count; }
uint32_t to_right_signed(uint32_t x, uint32_t count) {
  return static_cast<uint32_t>(static_cast<int32_t>(x) >> count);
}
uint32_t rotate_left(uint32_t x, uint32_t count) { return std::rotl(x, static_cast<int>(count)); }
uint32_t rotate_right(uint32_t x, uint32_t count) { return std::rotr(x, static_cast<int>(count)); }

/// The last digits; negative numbers of digits ask for capitals.
Result<int> bit_tohex(Call& call) {
  constexpr uint32_t kMostDigits = 254;  // LuaJIT's
  uint32_t bits = TRY(check_bits(call, 0));
  const auto wanted = call.is_none(1) ? 8 : static_cast<int32_t>(TRY(check_bits(call, 1)));
  const uint32_t size = wanted < 0 ? 0 - static_cast<uint32_t>(wanted) : static_cast<uint32_t>(wanted);
  const uint32_t digits = size < kMostDigits ? size : kMostDigits;
  if (digits < 8) bits &= (uint32_t{1} << 4 * digits) - 1;
  char text[kMostDigits + 1];
  const int length =
      std::snprintf(text, sizeof text, wanted < 0 ? "%.*X" : "%.*x", static_cast<int>(digits), bits);
  return call.ret_string({text, static_cast<size_t>(length)});
}

Result<int> load_bit(Call& call) {
  Table* library = table_new(call.vm());
  set_functions(call.vm(), library,
                {{"tobit", unary<same>, NativeId::BitToBit, unary_direct<same>},
                 {"bnot", unary<complement>, NativeId::BitNot, unary_direct<complement>},
                 {"bswap", unary<swap_bytes>, NativeId::BitSwap, unary_direct<swap_bytes>},
                 {"band", fold<conjunction>, NativeId::BitAnd, fold_direct<conjunction>},
                 {"bor", fold<disjunction>, NativeId::BitOr, fold_direct<disjunction>},
                 {"bxor", fold<difference>, NativeId::BitXor, fold_direct<difference>},
                 {"lshift", shift<to_left>, NativeId::BitShiftLeft, shift_direct<to_left>},
                 {"rshift", shift<to_right>, NativeId::BitShiftRight, shift_direct<to_right>},
                 {"arshift", shift<to_right_signed>, NativeId::BitShiftSigned, shift_direct<to_right_signed>},
                 {"rol", shift<rotate_left>, NativeId::BitRotateLeft, shift_direct<rotate_left>},
                 {"ror", shift<rotate_right>, NativeId::BitRotateRight, shift_direct<rotate_right>},
                 {"tohex", bit_tohex}});
  return call.ret(Value::table(library));
}

}  // namespace

void preload_bit(Vm& vm) { preload(vm, "bit", vm.new_native(load_bit, "bit")); }

}  // namespace mangata
