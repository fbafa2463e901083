#include "profiler/coverage/countable_lines.h"

#include <algorithm>
#include <array>
#include <span>

#include "profiler/coverage/line_shapes.h"

namespace mangata::coverage {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// What a comment asks for: "enable", "disable", or nothing.
std::string_view request_of(std::string_view comment) {
  constexpr std::string_view kName = "luacov:";
  comment = without_blanks(comment);
  return comment.starts_with(kName) ? without_blanks(comment.substr(kName.size())) : std::string_view();
}

/// How a name appears in the shape of its line.
std::string_view shape_of_name(std::string_view name) {
  static constexpr std::array<std::string_view, 19> kKeywords = {
      "and", "break", "do", "else", "elseif", "end", "for", "function", "goto", "if",
      "in", "local", "not", "or", "repeat", "return", "then", "until", "while"};
  if (name == "nil") return "n";
  if (name == "true") return "t";
  if (name == "false") return "f";
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end() ? name : "x";
}

}  // namespace

Countable LineScanner::scan(std::string_view line) {
  const bool is_script_line = is_first_ && line.starts_with("#!");
  is_first_ = false;
  if (is_script_line) return Countable::Never;
  line_ = line;
  place_ = 0;
  shape_.clear();
  while (!at_end()) {
    if (inside_ == Inside::Code) {
      scan_code();
    } else if (!continue_outside_code()) {
      break;
    }
  }
  if (!is_enabled_) return Countable::Disabled;
  if (is_never_counted(shape_)) return Countable::Never;
  return is_counted_if_hit(shape_) ? Countable::IfHit : Countable::Always;
}

/// In what began before: goes behind its end. False: that is on a later line.
bool LineScanner::continue_outside_code() {
  size_t end = std::string_view::npos;
  if (inside_ == Inside::Parameters) {
    end = line_.find(')', place_);
    if (end != std::string_view::npos) place_ = end + 1;
  } else if (inside_ == Inside::LongBracket) {
    const std::string close = "]" + std::string(bracket_level_, '=') + "]";
    end = line_.find(close, place_);
    if (end != std::string_view::npos) place_ = end + close.size();
    if (end != std::string_view::npos && !is_comment_) shape_ += '\'';
    if (end != std::string_view::npos) is_comment_ = false;
  } else {
    for (size_t i = place_; i < line_.size() && end == std::string_view::npos; ++i) {
      if (line_[i] == quote_) end = i;
      if (line_[i] == '\\') ++i;
    }
    if (end != std::string_view::npos) {
      place_ = end + 1;
      shape_ += '\'';
    }
  }
  if (end == std::string_view::npos) return false;
  inside_ = Inside::Code;
  return true;
}

void LineScanner::scan_code() {
  scan_blanks();
  if (at_end()) return;
  if (at() == '.' && is_digit(at(1))) ++place_;
  if (is_digit(at())) {
    scan_number();
  } else if (is_letter(at())) {
    scan_name();
  } else if (!scan_bracket_or_comment()) {
    scan_punctuation();
  }
}

void LineScanner::scan_blanks() {
  const size_t start = place_;
  while (!at_end() && is_blank(at())) ++place_;
  if (place_ != start) shape_ += ' ';
}

void LineScanner::scan_number() {
  const auto skip_digits = [this] {
    while (is_hexadecimal(at()) || at() == '.') ++place_;
  };
  if (at() == '0' && (at(1) == 'x' || at(1) == 'X')) place_ += 2;
  skip_digits();
  const bool has_exponent = at() == 'p' || at() == 'P';  // e is a digit
  if (has_exponent && (at(1) == '+' || at(1) == '-')) {
    place_ += 2;
    skip_digits();
  }
  while (at() == 'i' || at() == 'u' || at() == 'l') ++place_;  // of LuaJIT's numbers
  shape_ += '0';
}

void LineScanner::scan_name() {
  const size_t start = place_;
  while (is_letter(at()) || is_digit(at())) ++place_;
  const std::string_view shape = shape_of_name(line_.substr(start, place_ - start));
  shape_ += shape;
  if (shape == "function") expects_parameters_ = true;
}

/// A long string, a long comment, or a comment to the end of the line.
bool LineScanner::scan_bracket_or_comment() {
  const bool is_comment = at() == '-' && at(1) == '-';
  if (is_comment) place_ += 2;
  size_t level = 0;
  while (at() == '[' && at(1 + level) == '=') ++level;
  if (at() == '[' && at(1 + level) == '[') {
    place_ += level + 2;
    inside_ = Inside::LongBracket;
    bracket_level_ = level;
    is_comment_ = is_comment;
    if (!is_comment) shape_ += '\'';
    return true;
  }
  if (!is_comment) return false;
  const std::string_view request = request_of(line_.substr(place_));
  if (request == "enable") is_enabled_ = true;
  if (request == "disable") is_enabled_ = false;
  place_ = line_.size();
  return true;
}

void LineScanner::scan_punctuation() {
  const char c = at();
  ++place_;
  if (c == '\'' || c == '"') {
    shape_ += '\'';
    quote_ = c;
    inside_ = Inside::QuotedString;
  } else if (c == '(' && expects_parameters_) {
    expects_parameters_ = false;
    inside_ = Inside::Parameters;
  } else {
    shape_ += c;
    while (c == '.' && at() == '.') {  // not the start of a number
      shape_ += '.';
      ++place_;
    }
  }
}

}  // namespace mangata::coverage
