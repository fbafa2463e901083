// string.gsub (Lua 5.4 manual §6.4).
//
// The replacement may be a function or a table with __index, so Lua code can run between two matches:
// subject, pattern and replacement stay arguments of the call, and the text built so far is not garbage
// collected.
#include "runtime/lib/match_captures.h"
#include "runtime/lib/pattern_cache.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/string_library.h"
#include "vm/poll.h"

namespace mangata {

namespace {

class Substitution {
 public:
  Substitution(Call& call, const PatternMatcher& matcher, StringBuilder& out)
      : call_(call), matcher_(matcher), out_(out), replacement_(call[2]) {
    is_plain_text_ =
        replacement_.is_string() && replacement_.as_string()->view().find('%') == std::string_view::npos;
  }

  /// Appends what replaces the match [begin, end). False: it stays as it is.
  Result<bool> append(const char* begin, const char* end) {
    if (is_plain_text_) {
      out_.append(replacement_.as_string()->view());
      return true;
    }
    if (replacement_.is_string()) {
      TRY(append_template(replacement_.as_string()->view(), begin, end));
      return true;
    }
    Value value;
    if (replacement_.is_table()) {
      value = TRY(look_up(TRY(capture_value(call_, matcher_, 0, begin, end))));
    } else {
      value = TRY(call_function(begin, end));
    }
    if (value.is_falsy()) {
      out_.append(begin, static_cast<size_t>(end - begin));
      return false;
    }
    if (value.is_string()) {
      out_.append(value.as_string()->view());
    } else if (value.is_number()) {
      out_.append_number(value);
    } else {
      return call_.errorf("invalid replacement value (a %s)", type_name(value));
    }
    return true;
  }

 private:
  Result<Value> look_up(Value key) {
    Table* table = replacement_.as_table();
    if (table->metatable() == nullptr) return table_get(table, key);
    return get_index(call_.vm(), replacement_, key);
  }

  Result<Value> call_function(const char* begin, const char* end) {
    call_.push_function(replacement_);
    const int count = TRY(push_captures(call_, matcher_, begin, end));
    TRY(call_.invoke(count, 1));
    const Value value = call_.top(1);
    call_.pop(1);
    return value;
  }

  /// A replacement string: "%0" the match, "%1".."%9" its captures, "%%" a percent sign.
  Status append_template(std::string_view text, const char* begin, const char* end) {
    while (!text.empty()) {
      const size_t plain = std::min(text.find('%'), text.size());
      out_.append(text.data(), plain);
      text.remove_prefix(plain);
      if (text.empty()) break;
      const char c = text.size() > 1 ? text[1] : '\0';
      if (c == '%') {
        out_.append('%');
      } else if (c == '0') {
        out_.append(begin, static_cast<size_t>(end - begin));
      } else if (c >= '1' && c <= '9') {
        int64_t position;
        const std::string_view piece = TRY(capture_text(call_, matcher_, c - '1', begin, end, &position));
        if (position != 0) {
          out_.append_number(Value::integer(position));
        } else {
          out_.append(piece);
        }
      } else {
        return call_.error("invalid use of '%' in replacement string");
      }
      text.remove_prefix(2);
    }
    return {};
  }

  Call& call_;
  const PatternMatcher& matcher_;
  StringBuilder& out_;
  const Value replacement_;
  bool is_plain_text_;  ///< a string without "%"
};

}  // namespace

Result<int> string_gsub(Call& call) {
  String* const source = TRY(string_argument(call, 0));
  const std::string_view subject = source->view();
  String* const pattern = TRY(string_argument(call, 1));
  const Value replacement = call[2];
  TRY(call.check_type(2, "string/function/table",
                      replacement.is_number() || replacement.is_string() || replacement.is_function() ||
                          replacement.is_table()));
  const int64_t max_count = TRY(call.optional_integer(3, static_cast<int64_t>(subject.size()) + 1));
  if (replacement.is_number()) TRY(call.check_string(2));  // converted in the frame
  constexpr int64_t kWork = 4;  // beside what is matched and copied
  charge_native(call.vm(), kWork);

  CompiledPattern compiled(pattern, true);
  TRY(compiled.finish(call.vm()));
  const bool is_anchored = compiled.is_anchored();
  PatternMatcher matcher(subject, compiled.program());
  watch_matching(call.vm(), matcher);
  StringBuilder out(call.vm());
  Substitution substitution(call, matcher, out);
  const char* const end = matcher.subject_end();
  const char* position = subject.data();
  const char* last_end = nullptr;  // where the last match ended: no empty match there
  bool changed = false;
  int64_t count = 0;
  while (count < max_count) {
    if (!is_anchored) {
      const char* candidate = matcher.next_candidate(position);
      out.append(position, static_cast<size_t>(candidate - position));
      position = candidate;
    }
    const char* match_end = matcher.match(position);
    if (matcher.failed()) {
      TRY(handle_match_failure(call, matcher));
      continue;
    }
    if (match_end != nullptr && match_end != last_end) {
      ++count;
      if (TRY(substitution.append(position, match_end))) changed = true;
      position = last_end = match_end;
    } else if (position < end) {
      out.append(*position++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (!changed) return call.ret(Value::string(source), Value::integer(count));
  out.append(position, static_cast<size_t>(end - position));
  return call.ret(Value::string(TRY(out.finish())), Value::integer(count));
}

}  // namespace mangata
