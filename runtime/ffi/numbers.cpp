// Arithmetic values in memory; see convert.h.
#include <cmath>

#include "runtime/ffi/convert.h"

namespace mangata::ffi {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

/// Floats between 2^63 and 2^64 are taken as unsigned; beyond, and for NaN, the result is the one that x86-64
/// gives.
int64_t truncate(double value) {
  if (value >= kTwoTo63 && value < 2 * kTwoTo63) return static_cast<int64_t>(static_cast<uint64_t>(value));
  if (value >= -kTwoTo63 && value < kTwoTo63) return static_cast<int64_t>(value);
  return INT64_MIN;
}

}  // namespace

int64_t Number::as_integer() const { return kind == Kind::Float ? truncate(real) : integer; }

double Number::as_real() const {
  if (kind == Kind::Float) return real;
  return kind == Kind::Unsigned ? static_cast<double>(static_cast<uint64_t>(integer))
                                : static_cast<double>(integer);
}

bool load_number(const Types& types, TypeId id, const char* address, Number* number) {
  const CType& type = types[id];
  switch (type.kind) {
    case TypeKind::Bool:
      *number = Number::of(int64_t{load_as<uint8_t>(address) != 0});
      return true;
    case TypeKind::Integer:
    case TypeKind::Enum:
      number->kind = type.size == 8 && type.is_unsigned ? Number::Kind::Unsigned : Number::Kind::Signed;
      switch (type.size) {
        case 1:
          number->integer = type.is_unsigned ? load_as<uint8_t>(address) : load_as<int8_t>(address);
          return true;
        case 2:
          number->integer = type.is_unsigned ? load_as<uint16_t>(address) : load_as<int16_t>(address);
          return true;
        case 4:
          number->integer =
              type.is_unsigned ? int64_t{load_as<uint32_t>(address)} : load_as<int32_t>(address);
          return true;
        default:
          number->integer = load_as<int64_t>(address);
          return true;
      }
    case TypeKind::Float:
      if (type.size == 4) {
        *number = Number::of(double{load_as<float>(address)});
      } else if (type.size == 8) {
        *number = Number::of(load_as<double>(address));
      } else {
        *number = Number::of(static_cast<double>(load_as<long double>(address)));
      }
      return true;
    default:
      return false;
  }
}

void store_number(const Types& types, TypeId id, char* address, const Number& number) {
  const CType& type = types[id];
  if (type.kind == TypeKind::Bool) {
    store_as<uint8_t>(address, number.kind == Number::Kind::Float ? number.real != 0 : number.integer != 0);
  } else if (type.kind == TypeKind::Float) {
    if (type.size == 4) {
      store_as(address, static_cast<float>(number.as_real()));
    } else if (type.size == 8) {
      store_as(address, number.as_real());
    } else {
      const long double exact = number.kind == Number::Kind::Float ? static_cast<long double>(number.real)
                                : number.kind == Number::Kind::Unsigned
                                    ? static_cast<long double>(static_cast<uint64_t>(number.integer))
                                    : static_cast<long double>(number.integer);
      store_as(address, exact);
    }
  } else {
    const int64_t integer = number.as_integer();
    __builtin_memcpy(address, &integer, type.size);  // the low bytes come first
  }
}

bool number_of(const State& state, const Value& value, Number* number) {
  if (value.is_integer()) {
    *number = Number::of(value.as_integer());
  } else if (value.is_float()) {
    *number = Number::of(value.as_float());
  } else if (value.is_boolean()) {
    *number = Number::of(int64_t{value.as_boolean()});
  } else {
    const CData* data = cdata_of(value);
    return data != nullptr && load_number(state.types, data->type, data->address, number);
  }
  return true;
}

}  // namespace mangata::ffi
