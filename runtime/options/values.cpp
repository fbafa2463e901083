// How the values of options are read.
#include <charconv>
#include <cmath>

#include "runtime/options/option_row.h"
#include "runtime/output/output_name.h"

namespace mangata {
namespace {

template <class Number>
bool parse(std::string_view text, Number* out) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return failure == std::errc{} && end == text.data() + text.size();
}

/// "text or json", "count or bytecodes"
std::string alternatives(std::string_view words) {
  std::vector<std::string_view> all;
  for_each_word(words, [&](std::string_view word) { all.push_back(word); });
  std::string text;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i != 0) text += i + 1 == all.size() ? " or " : ", ";
    text += all[i];
  }
  return text;
}

}  // namespace

bool OptionReading::wrong(std::string_view expected) const {
  *error = "invalid value '" + std::string(value) + "' for option '" + std::string(row.name) + "' (expected " + std::string(expected) + ")";
  return false;
}

bool OptionReading::number(double* out, std::string_view expected) const {
  double found = 0;
  if (!parse(value, &found) || !(found >= 0) || std::isinf(found)) return wrong(expected);
  *out = found;
  return true;
}

bool OptionReading::percentage(double* out) const {
  OptionReading digits = *this;
  if (digits.value.ends_with('%')) digits.value.remove_suffix(1);
  double found = 0;
  if (!digits.number(&found, "a percentage") || found > 100) return wrong("a percentage");
  *out = found;
  return true;
}

bool OptionReading::whole(uint64_t* out, uint64_t least, uint64_t most, std::string_view expected) const {
  uint64_t found = 0;
  if (!parse(value, &found) || found < least || found > most) return wrong(expected);
  *out = found;
  return true;
}

bool OptionReading::size(size_t* out) const {
  constexpr std::string_view kExpected = "bytes, or a number with K, M or G";
  std::string_view digits = value;
  int shift = 0;
  if (!digits.empty()) {
    switch (digits.back()) {
      case 'K':
      case 'k': shift = 10; break;
      case 'M':
      case 'm': shift = 20; break;
      case 'G':
      case 'g': shift = 30; break;
      default: break;
    }
  }
  if (shift != 0) digits.remove_suffix(1);
  size_t count = 0;
  if (!parse(digits, &count) || count == 0 || count > (SIZE_MAX >> shift)) return wrong(kExpected);
  *out = count << shift;
  return true;
}

bool OptionReading::file(std::string* out) const {
  *out = value;
  if (value.empty()) *error = "'" + std::string(row.name) + "=' needs a file name";
  return !value.empty();
}

bool OptionReading::output_file(std::string* out) const {
  if (!file(out)) return false;
  return is_output_name(value) || wrong("a file name, in which %p is the process id and %% is %");
}

std::optional<size_t> OptionReading::choice() const {
  std::optional<size_t> found;
  size_t position = 0;
  for_each_word(row.choices, [&](std::string_view word) {
    if (word == value) found = position;
    ++position;
  });
  if (!found) wrong_word();
  return found;
}

bool OptionReading::wrong_word() const {
  std::string words(row.choices);
  if (row.values != nullptr) {
    for (const OptionValue& possible : row.values()) words += (words.empty() ? "" : " ") + possible.form;
  }
  return wrong(alternatives(words));
}

}  // namespace mangata
