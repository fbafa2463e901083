#include "profiler/coverage/line_shapes.h"

#include <algorithm>

namespace mangata::coverage {
namespace {

constexpr std::string_view kNeverCounted[] = {
    "", "end<,; )>*", "else", "repeat", "do", "if", "then",
    "while t do", "if t then",         // no code: the condition is a constant
    "local x", "local x~=~", "local x~,~x<x, >*", "local x~,~x<x, >*~=~", "local function x",
};

constexpr std::string_view kCountedIfHit[] = {
    // Single values, and what constants are gathered in
    "<ntfx0>", "''", "{~}", "x~<[.>?~<ntfx0'>*~<]>?", "<ntfx0',= >+,", "{~}~,",
    "<[>?~<ntfx0'>+~<]>?~=~<.>+<,;>", "<[>?~<ntfx0'>+~<]>?~=~<( >*'",
    "local x~=~n", "local x~=~<( >*'", "x~<[.>?~<ntfx0'>*~<]>?~=~<( >*'",
    // Functions, whose code is elsewhere
    "function", "return function", "local x~=~function", "}~,~function",
    "x~<[.>?~<ntfx0'>*~<]>?~=~function", "<[>?~<ntfx0'>+~<]>?~=~function",
    // What opens and closes
    "{", "}~,", "<}>?< )>*", "<ntf0'>+~}< )>*", "local x~=~~(~<( >*", "local x~,~x<x, >*~=~~(~<( >*",
    // Jumps
    "break", "goto x", "::x::",
};

/// One element of a form and what is behind it.
struct Element {
  std::string_view characters;  ///< any of these
  size_t least = 1, most = 1;
  std::string_view rest;
};

Element first_of(std::string_view form) {
  if (form[0] == '~') return {.characters = " ", .least = 0, .most = 1, .rest = form.substr(1)};
  if (form[0] != '<') return {.characters = form.substr(0, 1), .rest = form.substr(1)};
  const size_t end = form.find('>');
  Element element{.characters = form.substr(1, end - 1), .rest = form.substr(end + 1)};
  const char repeat = element.rest.empty() ? '\0' : element.rest[0];
  if (repeat == '+' || repeat == '*') element.most = std::string_view::npos;
  if (repeat == '*' || repeat == '?') element.least = 0;
  if (repeat == '+' || repeat == '*' || repeat == '?') element.rest.remove_prefix(1);
  return element;
}

/// Whether the shape begins with what fits the form, and has only blanks behind it.
bool begins_with_fit(std::string_view shape, std::string_view form) {
  if (form.empty()) return shape.find_first_not_of(' ') == std::string_view::npos;
  const Element element = first_of(form);
  const bool is_any = element.characters == ".";
  size_t length = 0;
  while (length < std::min(element.most, shape.size()) &&
         (is_any || element.characters.find(shape[length]) != std::string_view::npos)) {
    ++length;
  }
  for (size_t taken = length + 1; taken-- > element.least;) {
    if (begins_with_fit(shape.substr(taken), element.rest)) return true;
  }
  return false;
}

template <class Forms>
bool fits_any(std::string_view shape, const Forms& forms) {
  return std::any_of(std::begin(forms), std::end(forms), [&](std::string_view form) { return fits_form(shape, form); });
}

}  // namespace

bool fits_form(std::string_view shape, std::string_view form) {
  for (;; shape.remove_prefix(1)) {
    if (begins_with_fit(shape, form)) return true;
    if (!shape.starts_with(' ')) return false;
  }
}

bool is_never_counted(std::string_view shape) { return fits_any(shape, kNeverCounted); }

bool is_counted_if_hit(std::string_view shape) { return fits_any(shape, kCountedIfHit); }

}  // namespace mangata::coverage
