// Dates: struct tm as a Lua table and back, and strftime with a check of its conversions. See os_date.h.
#include "runtime/lib/os_date.h"

#include <climits>
#include <ctime>

#include "runtime/lib/string_builder.h"
#include "vm/poll.h"

namespace mangata {

namespace {

/// Conversions of C99's strftime: of one letter, and those after %E and %O.
constexpr std::string_view kConversions = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
constexpr std::string_view kEraConversions = "cCxXyY";
constexpr std::string_view kDigitConversions = "deHImMSuUVwWy";
constexpr size_t kMaxItemBytes = 250;

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

/// The length of the conversion at the beginning of `text` (behind the "%"), or 0 when it is none.
size_t conversion_length(std::string_view text) {
  if (text.empty()) return 0;
  if (contains(kConversions, text[0])) return 1;
  if (text.size() < 2) return 0;
  if (text[0] == 'E' && contains(kEraConversions, text[1])) return 2;
  if (text[0] == 'O' && contains(kDigitConversions, text[1])) return 2;
  return 0;
}

/// From a time to a date, or back.
constexpr int64_t kWorkOfCalendar = 250;

Result<int> format_date(Call& call, std::string_view format, const std::tm& date) {
  constexpr int64_t kWorkOfItem = 20;
  StringBuilder out(call.vm());
  PolledSteps steps(call.vm());
  while (!format.empty()) {
    TRY(steps.add(format[0] == '%' ? kWorkOfItem : 1));
    if (format[0] != '%') {
      out.append(format[0]);
      format.remove_prefix(1);
      continue;
    }
    format.remove_prefix(1);
    const size_t length = conversion_length(format);
    if (length == 0) {
      // As a C string, which ends at the first NUL.
      return call.bad_argument(0, "invalid conversion specifier '%" + std::string(format.data()) + "'");
    }
    const char item[] = {'%', format[0], length == 2 ? format[1] : '\0', '\0'};
    if (char* room = out.reserve(kMaxItemBytes)) out.advance(std::strftime(room, kMaxItemBytes, item, &date));
    format.remove_prefix(length);
  }
  return call.ret(Value::string(TRY(out.finish())));
}

/// Stores the fields of `date` in call[0]: a table of the program, which may have metamethods.
Status store_fields(Call& call, Value table, const std::tm& date) {
  Vm& vm = call.vm();
  const auto store = [&](const char* name, int64_t value) {
    return set_index(vm, table, vm.string_value(name), Value::integer(value));
  };
  TRY(store("year", static_cast<int64_t>(date.tm_year) + 1900));
  TRY(store("month", static_cast<int64_t>(date.tm_mon) + 1));
  TRY(store("day", date.tm_mday));
  TRY(store("hour", date.tm_hour));
  TRY(store("min", date.tm_min));
  TRY(store("sec", date.tm_sec));
  TRY(store("yday", static_cast<int64_t>(date.tm_yday) + 1));
  TRY(store("wday", static_cast<int64_t>(date.tm_wday) + 1));
  if (date.tm_isdst < 0) return {};  // not known
  return set_index(vm, table, vm.string_value("isdst"), Value::boolean(date.tm_isdst != 0));
}

constexpr int kRequired = -1;

/// The field `name` of the date table call[0], minus `offset`. `fallback`: what an absent one means, or
/// kRequired.
Result<int> read_field(Call& call, const char* name, int fallback, int offset) {
  const Value field = TRY(get_index(call.vm(), call[0], call.vm().string_value(name)));
  int64_t value;
  if (!to_integer(field, &value)) {
    if (!field.is_nil()) return call.errorf("field '%s' is not an integer", name);
    if (fallback == kRequired) return call.errorf("field '%s' missing in date table", name);
    return fallback;
  }
  const bool fits = value >= 0 ? value - offset <= INT_MAX : value >= static_cast<int64_t>(INT_MIN) + offset;
  if (!fits) return call.errorf("field '%s' is out-of-bound", name);
  return static_cast<int>(value - offset);
}

}  // namespace

Result<int> os_date(Call& call) {
  std::string_view format = TRY(call.optional_view(0, "%c"));
  const std::time_t now = call.is_none_or_nil(1) ? std::time(nullptr) : TRY(call.check_integer(1));
  const bool is_utc = !format.empty() && format[0] == '!';
  if (is_utc) format.remove_prefix(1);
  std::tm date;
  if ((is_utc ? ::gmtime_r(&now, &date) : ::localtime_r(&now, &date)) == nullptr) {
    return call.error("date result cannot be represented in this installation");
  }
  charge_if_much(call.vm(), kWorkOfCalendar);
  if (format != "*t") return format_date(call, format, date);
  const Value table = Value::table(table_new(call.vm(), 0, 9));
  TRY(store_fields(call, table, date));
  return call.ret(table);
}

Result<int> os_time(Call& call) {
  std::time_t time;
  if (call.is_none_or_nil(0)) {
    time = std::time(nullptr);
  } else {
    charge_if_much(call.vm(), kWorkOfCalendar);
    TRY(call.check_table(0));
    std::tm date{};
    date.tm_year = TRY(read_field(call, "year", kRequired, 1900));
    date.tm_mon = TRY(read_field(call, "month", kRequired, 1));
    date.tm_mday = TRY(read_field(call, "day", kRequired, 0));
    date.tm_hour = TRY(read_field(call, "hour", 12, 0));
    date.tm_min = TRY(read_field(call, "min", 0, 0));
    date.tm_sec = TRY(read_field(call, "sec", 0, 0));
    const Value isdst = TRY(get_index(call.vm(), call[0], call.vm().string_value("isdst")));
    date.tm_isdst = isdst.is_nil() ? -1 : isdst.is_truthy();
    time = std::mktime(&date);
    TRY(store_fields(call, call[0], date));
  }
  if (time == static_cast<std::time_t>(-1)) {
    return call.error("time result cannot be represented in this installation");
  }
  return call.ret(Value::integer(time));
}

Result<int> os_difftime(Call& call) {
  const std::time_t later = TRY(call.check_integer(0));
  charge_native(call.vm(), 1);
  return call.ret(Value::number(std::difftime(later, TRY(call.check_integer(1)))));
}

}  // namespace mangata
