// Conversion specifications as printf writes them, on <charconv>; see format_spec.h.
#include "runtime/lib/format_spec.h"

#include <langinfo.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

namespace mangata {

namespace {

/// Longest specification PUC Lua copies to its buffer, without the "%".
constexpr size_t kMaxSpecLength = 22;
/// "%99.99f" of the largest double.
constexpr size_t kMaxFloatLength = 512;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_modifier(char c) { return is_digit(c) || c == '-' || c == '.' || c == '+' || c == ' ' || c == '#'; }

/// Reads a number of any length, clamped: format_spec_fits() refuses more than two digits by looking at the
/// text.
int read_number(std::string_view text, size_t* at) {
  int value = 0;
  for (; *at < text.size() && is_digit(text[*at]); ++*at)
    value = std::min(value * 10 + (text[*at] - '0'), 1000);
  return value;
}

/// sign + padding + prefix and digits, in the field of `spec`. `zero_fill`: the "0" flag applies.
void append_field(StringBuilder& out, const FormatSpec& spec, std::string_view prefix,
                  std::string_view digits, size_t leading_zeros, bool zero_fill) {
  const size_t width = static_cast<size_t>(spec.width);
  const size_t length = prefix.size() + leading_zeros + digits.size();
  const size_t padding = width > length ? width - length : 0;
  if (padding > 0 && !spec.left && !zero_fill) out.append(padding, ' ');
  out.append(prefix);
  if (leading_zeros > 0) out.append(leading_zeros, '0');
  if (padding > 0 && !spec.left && zero_fill) out.append(padding, '0');
  out.append(digits);
  if (padding > 0 && spec.left) out.append(padding, ' ');
}

void format_float_with_printf(StringBuilder& out, const FormatSpec& spec, double value) {
  char format[32];
  std::memcpy(format, spec.text.data(), spec.text.size());
  format[spec.text.size()] = '\0';
  if (char* room = out.reserve(kMaxFloatLength)) {
    out.advance(static_cast<size_t>(std::snprintf(room, kMaxFloatLength, format, value)));
  }
}

bool locale_has_decimal_dot() {
  const char* point = nl_langinfo(RADIXCHAR);
  return point[0] == '.' && point[1] == '\0';
}

std::string_view sign_text(const FormatSpec& spec, bool negative) {
  if (negative) return "-";
  if (spec.plus) return "+";
  return spec.space ? " " : "";
}

}  // namespace

bool parse_format_spec(std::string_view format, FormatSpec* spec) {
  size_t end = 1;
  while (end < format.size() && is_modifier(format[end])) ++end;
  if (end >= kMaxSpecLength) return false;
  spec->conversion = end < format.size() ? format[end] : '\0';
  spec->text = format.substr(0, end < format.size() ? end + 1 : end);
  size_t at = 1;
  for (bool more = true; more && at < end;) {
    switch (format[at]) {
      case '-':
        spec->left = true;
        break;
      case '+':
        spec->plus = true;
        break;
      case ' ':
        spec->space = true;
        break;
      case '#':
        spec->alternative = true;
        break;
      case '0':
        spec->zero = true;
        break;
      default:
        more = false;
        continue;
    }
    ++at;
  }
  spec->width = read_number(format.substr(0, end), &at);
  if (at < end && format[at] == '.') {
    ++at;
    spec->precision = read_number(format.substr(0, end), &at);
  }
  return true;
}

bool format_spec_fits(const FormatSpec& spec, const char* flags, bool precision) {
  const std::string_view text = spec.text;
  size_t at = 1;
  const auto skip_two_digits = [&] {
    for (int i = 0; i < 2 && at < text.size() && is_digit(text[at]); ++i) ++at;
  };
  if (at < text.size() && !(text[at] >= '1' && text[at] <= '9')) {
    while (at < text.size() && std::strchr(flags, text[at]) != nullptr) ++at;
  }
  if (at < text.size() && text[at] != '0') {  // a width cannot begin with 0
    skip_two_digits();
    if (at < text.size() && text[at] == '.' && precision) {
      ++at;
      skip_two_digits();
    }
  }
  return at + 1 == text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
}

void format_integer(StringBuilder& out, const FormatSpec& spec, int64_t value) {
  char digits[24];
  char* end;
  std::string_view prefix;
  const bool is_signed = spec.conversion == 'd' || spec.conversion == 'i';
  if (is_signed) {
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    end = std::to_chars(digits, digits + sizeof(digits), magnitude).ptr;
    prefix = sign_text(spec, value < 0);
  } else {
    const int base = spec.conversion == 'u' ? 10 : spec.conversion == 'o' ? 8
                                                                          : 16;
    end = std::to_chars(digits, digits + sizeof(digits), static_cast<uint64_t>(value), base).ptr;
    if (spec.conversion == 'X') std::transform(digits, end, digits, [](char c) { return std::toupper(c); });
    if (spec.alternative && base == 16 && value != 0) prefix = spec.conversion == 'X' ? "0X" : "0x";
  }
  size_t length = static_cast<size_t>(end - digits);
  if (spec.precision == 0 && value == 0) length = 0;
  size_t leading_zeros = 0;
  if (spec.precision > static_cast<int>(length)) leading_zeros = static_cast<size_t>(spec.precision) - length;
  const bool is_octal_alternative = spec.alternative && spec.conversion == 'o';
  if (is_octal_alternative && leading_zeros == 0 && (length == 0 || digits[0] != '0')) leading_zeros = 1;
  append_field(out, spec, prefix, {digits, length}, leading_zeros, spec.zero && spec.precision < 0);
}

void format_float(StringBuilder& out, const FormatSpec& spec, double value) {
  std::chars_format style;
  switch (spec.conversion) {
    case 'e':
      style = std::chars_format::scientific;
      break;
    case 'f':
      style = std::chars_format::fixed;
      break;
    case 'g':
      style = std::chars_format::general;
      break;
    default:
      return format_float_with_printf(out, spec, value);
  }
  if (spec.alternative || !locale_has_decimal_dot()) return format_float_with_printf(out, spec, value);
  char digits[kMaxFloatLength];
  const int precision = spec.precision < 0 ? 6 : spec.precision;
  const auto end = std::to_chars(digits, digits + sizeof(digits), std::fabs(value), style, precision).ptr;
  const bool zero_fill = spec.zero && std::isfinite(value);
  append_field(out, spec, sign_text(spec, std::signbit(value)), {digits, static_cast<size_t>(end - digits)},
               0, zero_fill);
}

void format_text(StringBuilder& out, const FormatSpec& spec, std::string_view text) {
  if (spec.precision >= 0) text = text.substr(0, static_cast<size_t>(spec.precision));
  append_field(out, spec, "", text, 0, false);
}

}  // namespace mangata
