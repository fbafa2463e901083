// string.format (Lua 5.4 manual §6.4). Read next: format_spec.h.
#include <cctype>
#include <clocale>
#include <cmath>
#include <cstdio>

#include "runtime/lib/format_spec.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/string_library.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// Strings at least this long are not cut to a field that has a width only.
constexpr size_t kLongText = 100;

Raised invalid_specification(Call& call, const FormatSpec& spec) {
  return call.errorf("invalid conversion specification: '%s'", std::string(spec.text).c_str());
}

/// "\\ddd", with three digits only where one follows.
void append_escape(StringBuilder& out, unsigned char c, bool digit_follows) {
  out.append('\\');
  if (digit_follows || c >= 100) out.append(static_cast<char>('0' + c / 100));
  if (digit_follows || c >= 10) out.append(static_cast<char>('0' + c / 10 % 10));
  out.append(static_cast<char>('0' + c % 10));
}

Status append_quoted(Vm& vm, StringBuilder& out, std::string_view text) {
  PolledSteps steps(vm);
  out.append('"');
  for (size_t i = 0; i < text.size(); ++i) {
    TRY(steps.add());
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\' || c == '\n') {
      out.append('\\');
      out.append(static_cast<char>(c));
    } else if (std::iscntrl(c) != 0) {
      const bool digit_follows = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
      append_escape(out, c, digit_follows);
    } else {
      out.append(static_cast<char>(c));
    }
  }
  out.append('"');
  return {};
}

/// A float that the reader turns back into the same float: hexadecimal, with a "." whatever the locale is.
void append_float_literal(StringBuilder& out, double value) {
  if (std::isinf(value)) return out.append(value > 0 ? "1e9999" : "-1e9999");
  if (std::isnan(value)) return out.append("(0/0)");
  char text[64];
  int length = std::snprintf(text, sizeof(text), "%a", value);
  if (std::memchr(text, '.', static_cast<size_t>(length)) == nullptr) {
    const char point = *std::localeconv()->decimal_point;
    if (char* found = static_cast<char*>(std::memchr(text, point, static_cast<size_t>(length)))) *found = '.';
  }
  out.append(text, static_cast<size_t>(length));
}

/// "%q": text that the Lua reader reads back as the same value.
Status append_literal(Call& call, StringBuilder& out, int argument) {
  const Value value = call[argument];
  switch (value.tag) {
    case Tag::String:
      return append_quoted(call.vm(), out, value.as_string()->view());
    case Tag::Float:
      append_float_literal(out, value.as_float());
      return {};
    case Tag::Integer:
      if (value.as_integer() == INT64_MIN) {
        out.append("0x8000000000000000");
      } else {
        out.append_number(value);
      }
      return {};
    case Tag::Nil:
      out.append("nil");
      return {};
    case Tag::False:
    case Tag::True:
      out.append(value.as_boolean() ? "true" : "false");
      return {};
    default:
      return call.bad_argument(argument, "value has no literal form");
  }
}

/// "%s". Nothing can be collected between making the text and appending it.
Status append_string(Call& call, StringBuilder& out, const FormatSpec& spec, int argument) {
  const Value value = call[argument];
  if (!spec.has_modifiers()) {
    if (value.is_string()) {
      out.append(value.as_string()->view());
      return {};
    }
    if (value.is_number()) {
      out.append_number(value);
      return {};
    }
  }
  const std::string_view text = TRY(to_display_string(call.vm(), value))
  ->view();
  if (!spec.has_modifiers()) {
    out.append(text);
    return {};
  }
  if (text.find('\0') != std::string_view::npos) return call.bad_argument(argument, "string contains zeros");
  if (!format_spec_fits(spec, "-", true)) return invalid_specification(call, spec);
  if (spec.precision < 0 && text.size() >= kLongText) {
    out.append(text);
  } else {
    format_text(out, spec, text);
  }
  return {};
}

/// "%p": the address of an object, "(null)" for values that have none.
void append_pointer(StringBuilder& out, const FormatSpec& spec, Value value) {
  if (value.is_collectable() || value.is_light_userdata()) {
    char text[32];
    const int length = std::snprintf(text, sizeof(text), "%p", address_of(value));
    format_text(out, spec, {text, static_cast<size_t>(length)});
  } else {
    format_text(out, spec, "(null)");
  }
}

Status append_integer(Call& call, StringBuilder& out, const FormatSpec& spec, int argument,
                      const char* flags) {
  const int64_t value = TRY(call.check_integer(argument));
  if (!spec.has_modifiers() && spec.conversion == 'd') {
    out.append_number(Value::integer(value));
    return {};
  }
  if (!format_spec_fits(spec, flags, true)) return invalid_specification(call, spec);
  format_integer(out, spec, value);
  return {};
}

Status append_conversion(Call& call, StringBuilder& out, const FormatSpec& spec, int argument) {
  switch (spec.conversion) {
    case 'c': {
      if (!format_spec_fits(spec, "-", false)) return invalid_specification(call, spec);
      const char c = static_cast<char>(TRY(call.check_integer(argument)));
      format_text(out, spec, {&c, 1});
      return {};
    }
    case 'd':
    case 'i':
      return append_integer(call, out, spec, argument, "-+0 ");
    case 'u':
      return append_integer(call, out, spec, argument, "-0");
    case 'o':
    case 'x':
    case 'X':
      return append_integer(call, out, spec, argument, "-#0");
    case 'a':
    case 'A': {
      if (!format_spec_fits(spec, "-+ #0", true)) return invalid_specification(call, spec);
      format_float(out, spec, TRY(call.check_number(argument)));
      return {};
    }
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': {
      const double value = TRY(call.check_number(argument));
      if (!format_spec_fits(spec, "-+ #0", true)) return invalid_specification(call, spec);
      format_float(out, spec, value);
      return {};
    }
    case 'p':
      if (!format_spec_fits(spec, "-", false)) return invalid_specification(call, spec);
      append_pointer(out, spec, call[argument]);
      return {};
    case 'q':
      if (spec.has_modifiers()) return call.error("specifier '%q' cannot have modifiers");
      return append_literal(call, out, argument);
    case 's':
      return append_string(call, out, spec, argument);
    default:
      return call.errorf("invalid conversion '%s' to 'format'", std::string(spec.text).c_str());
  }
}

/// "%s" of a string and "%d" of an integer, which are most of all there are. False: something else.
bool append_plain(StringBuilder& out, std::string_view format, const Value& value) {
  if (format.size() < 2) return false;
  if (format[1] == 's' && value.is_string()) {
    out.append(value.as_string()->view());
    return true;
  }
  if (format[1] == 'd' && value.is_integer()) {
    out.append_number(value);
    return true;
  }
  return false;
}

}  // namespace

Result<int> string_format(Call& call) {
  std::string_view format = TRY(call.check_view(0));
  const int argument_count = call.count();
  StringBuilder out(call.vm());
  int argument = 0;
  constexpr int64_t kWorkOfPlain = 2, kWorkOfConversion = 24;
  PolledSteps steps(call.vm());
  while (!format.empty()) {
    TRY(steps.add(kWorkOfPlain));
    const size_t plain = std::min(format.find('%'), format.size());
    out.append(format.data(), plain);
    format.remove_prefix(plain);
    if (format.empty()) break;
    if (format.size() > 1 && format[1] == '%') {
      out.append('%');
      format.remove_prefix(2);
      continue;
    }
    if (++argument >= argument_count) return call.bad_argument(argument, "no value");
    if (append_plain(out, format, call[argument])) {
      format.remove_prefix(2);
      continue;
    }
    FormatSpec spec;
    if (!parse_format_spec(format, &spec)) return call.error("invalid format (too long)");
    TRY(append_conversion(call, out, spec, argument));
    steps.note(kWorkOfConversion + std::max(spec.precision, 0));
    format.remove_prefix(spec.text.size());
  }
  return call.ret(Value::string(TRY(out.finish())));
}

}  // namespace mangata
