// Numbers to and from text (Lua 5.4 manual §3.1, §3.4.3), on <charconv>. Of the locale's say in Lua 5.4, which has printf and strtod do
// it, there is its decimal point: it is written, and read besides '.'.
//
// <charconv> does not take a plus sign, surrounding space or "0x", takes "inf" and "nan" which Lua refuses,
// and says "out of range" where C says infinity or zero. Those differences are handled here and nowhere else.
// Read next: vm/operations/convert.cpp.
#include <langinfo.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "vm/operations/numeral_characters.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr int kFloatDigits = 14;  // "%.14g"

/// Of the C library's current locale. Those of several bytes are not taken up.
char decimal_point() {
  const char* point = nl_langinfo(RADIXCHAR);
  return point[0] != '\0' && point[1] == '\0' ? point[0] : '.';
}

/// A numeral without its surrounding space and its sign.
struct Numeral {
  const char* begin;
  const char* end;
  bool negative = false;
  bool hexadecimal = false;  ///< `begin` is already behind "0x"
};

Numeral split_numeral(std::string_view text) {
  Numeral numeral{text.data(), text.data() + text.size()};
  while (numeral.begin < numeral.end && is_space(*numeral.begin)) ++numeral.begin;
  while (numeral.end > numeral.begin && is_space(numeral.end[-1])) --numeral.end;
  if (numeral.begin < numeral.end && (*numeral.begin == '-' || *numeral.begin == '+')) {
    numeral.negative = *numeral.begin == '-';
    ++numeral.begin;
  }
  if (numeral.end - numeral.begin >= 2 && numeral.begin[0] == '0' && (numeral.begin[1] | 0x20) == 'x') {
    numeral.hexadecimal = true;
    numeral.begin += 2;
  }
  return numeral;
}

Value signed_integer(uint64_t magnitude, bool negative) {
  return Value::integer(static_cast<int64_t>(negative ? 0 - magnitude : magnitude));
}

/// Hexadecimal integers wrap around modulo 2^64 (manual §3.1).
Value parse_hexadecimal_integer(const Numeral& numeral) {
  uint64_t magnitude = 0;
  for (const char* p = numeral.begin; p < numeral.end; ++p) {
    const int digit = hex_value(*p);
    if (digit < 0) return Value::nil();
    magnitude = magnitude * 16 + static_cast<uint64_t>(digit);
  }
  return signed_integer(magnitude, numeral.negative);
}

/// Decimal integers that do not fit are no integers, but floats.
Value parse_decimal_integer(const Numeral& numeral) {
  constexpr uint64_t kMaxMagnitude = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  const uint64_t limit = kMaxMagnitude + (numeral.negative ? 1 : 0);
  uint64_t magnitude = 0;
  for (const char* p = numeral.begin; p < numeral.end; ++p) {
    if (!is_digit(*p)) return Value::nil();
    const uint64_t digit = static_cast<uint64_t>(*p - '0');
    if (magnitude > (limit - digit) / 10) return Value::nil();
    magnitude = magnitude * 10 + digit;
  }
  return signed_integer(magnitude, numeral.negative);
}

/// For a well-formed numeral that no double can hold: is it too large (as opposed to too small)?
bool is_too_large(const Numeral& numeral) {
  const char exponent_letter = numeral.hexadecimal ? 'p' : 'e';
  const int64_t exponent_per_digit = numeral.hexadecimal ? 4 : 1;
  int64_t order = 0;  // of the first significant digit, relative to the radix point
  bool significant = false, after_point = false;
  const char* p = numeral.begin;
  for (; p < numeral.end && (*p | 0x20) != exponent_letter; ++p) {
    if (*p == '.') {
      after_point = true;
      continue;
    }
    if (*p != '0') significant = true;
    if (!after_point && significant) order += exponent_per_digit;
    if (after_point && !significant) order -= exponent_per_digit;
  }
  if (p >= numeral.end) return order > 0;
  ++p;
  const bool negative_exponent = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  int64_t exponent = 0;
  constexpr int64_t kHugeExponent = int64_t{1} << 56;  // beyond any length of digits, and safe to add
  for (; p < numeral.end; ++p) exponent = exponent < kHugeExponent ? exponent * 10 + (*p - '0') : exponent;
  return order + (negative_exponent ? -exponent : exponent) > 0;
}

Value parse_float(const Numeral& numeral) {
  const char* begin = numeral.begin;
  // Refuses a second sign, "inf" and "nan", which from_chars would take.
  if (*begin != '.' && !(numeral.hexadecimal ? hex_value(*begin) >= 0 : is_digit(*begin)))
    return Value::nil();
  // libstdc++ takes "0x1p+-2".
  if (std::string_view(begin, numeral.end).find("+-") != std::string_view::npos) return Value::nil();
  const auto format = numeral.hexadecimal ? std::chars_format::hex : std::chars_format::general;
  double magnitude = 0;
  const auto [end, error] = std::from_chars(begin, numeral.end, magnitude, format);
  if (error == std::errc::invalid_argument || end != numeral.end) return Value::nil();
  if (error == std::errc::result_out_of_range) {
    magnitude = is_too_large(numeral) ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return Value::number(numeral.negative ? -magnitude : magnitude);
}

/// The numeral has the locale's decimal point. Nil: it does not, or is as long as numerals never are.
Value parse_float_of_locale(std::string_view text) {
  const char point = decimal_point();
  char copy[200];
  const size_t at = point == '.' ? text.npos : text.find(point);
  if (at == text.npos || text.size() > sizeof copy || text.find('.') != text.npos) return Value::nil();
  std::memcpy(copy, text.data(), text.size());
  copy[at] = '.';
  const Numeral numeral = split_numeral({copy, text.size()});
  return numeral.begin == numeral.end ? Value::nil() : parse_float(numeral);
}

/// Most numerals that programs convert are a few digits. Nil: not one of these.
Value parse_digits(std::string_view text) {
  constexpr size_t kMaxDigits = 18;  // fit whatever they are
  if (text.empty() || text.size() > kMaxDigits) return Value::nil();
  int64_t value = 0;
  for (const char c : text) {
    const unsigned digit = static_cast<unsigned char>(c) - '0';
    if (digit > 9) return Value::nil();
    value = value * 10 + digit;
  }
  return Value::integer(value);
}

}  // namespace

Value string_to_number(std::string_view text) {
  if (const Value digits = parse_digits(text); !digits.is_nil()) return digits;
  const Numeral numeral = split_numeral(text);
  if (numeral.begin == numeral.end) return Value::nil();
  const Value integer =
      numeral.hexadecimal ? parse_hexadecimal_integer(numeral) : parse_decimal_integer(numeral);
  if (!integer.is_nil()) return integer;
  const Value number = parse_float(numeral);
  return number.is_nil() ? parse_float_of_locale(text) : number;
}

int print_number(Value number, char out[64]) {
  if (number.is_integer())
    return static_cast<int>(std::to_chars(out, out + 64, number.as_integer()).ptr - out);
  const double value = number.as_float();
  if (!std::isfinite(value)) {
    const char* text = std::isnan(value) ? "-nan" : "-inf";
    if (!std::signbit(value)) ++text;
    const size_t length = std::strlen(text);
    std::memcpy(out, text, length);
    return static_cast<int>(length);
  }
  char* end = std::to_chars(out, out + 64, value, std::chars_format::general, kFloatDigits).ptr;
  if (const char point = decimal_point(); point != '.') std::replace(out, end, '.', point);
  return static_cast<int>(end - out);
}

int format_number(Value number, char out[64]) {
  const int length = print_number(number, out);
  if (number.is_integer()) return length;
  for (const char* p = out; p < out + length; ++p) {
    if (!is_digit(*p) && *p != '-') return length;
  }
  out[length] = decimal_point();  // a float that looks like an integer keeps its subtype visible
  out[length + 1] = '0';
  return length + 2;
}

}  // namespace mangata
