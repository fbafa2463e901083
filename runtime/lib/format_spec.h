// One conversion specification of string.format, taken apart: "%-08.3f" (Lua 5.4 manual §6.4, C's printf).
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/lib/string_builder.h"

namespace mangata {

struct FormatSpec {
  std::string_view text;  ///< the whole specification from "%" to the conversion letter
  char conversion = '\0';  ///< d, s, q, ...
  bool left = false;         ///< -
  bool plus = false;         ///< +
  bool space = false;        ///< " "
  bool alternative = false;  ///< #
  bool zero = false;         ///< 0
  int width = 0;  ///< 0: none given
  int precision = -1;  ///< -1: none given

  bool has_modifiers() const { return text.size() > 2; }
};

/// The specification that begins at the "%" of `format`; `format` must be followed by a NUL. False when it is
/// too long to be one
/// ("invalid format (too long)"). Only splits: see accepts().
bool parse_format_spec(std::string_view format, FormatSpec* spec);

/// Whether the modifiers fit the conversion: only `flags`, a width and (if `precision`) a precision of at
/// most two digits.
bool format_spec_fits(const FormatSpec& spec, const char* flags, bool precision);

void format_integer(StringBuilder& out, const FormatSpec& spec, int64_t value);  ///< d i u o x X
void format_float(StringBuilder& out, const FormatSpec& spec, double value);     ///< a A e E f g G
void format_text(StringBuilder& out, const FormatSpec& spec,
                 std::string_view text);  ///< s c p: width and precision

}  // namespace mangata
