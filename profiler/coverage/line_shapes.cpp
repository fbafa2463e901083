#include "profiler/coverage/line_shapes.h"

#include <algorithm>
#include <bitset>
#include <span>
#include <vector>

namespace mangata::coverage {
namespace {

constexpr std::string_view kNeverCounted[] = {
    "",
    "end<,; )>*",
    "else",
    "repeat",
    "do",
    "if",
    "then",
    "while t do",
    "if t then",         // no code: the condition is a constant
    "local x",
    "local x~=~",
    "local x~,~x<x, >*",
    "local x~,~x<x, >*~=~",
    "local function x",
};

constexpr std::string_view kCountedIfHit[] = {
    // Single values, and what constants are gathered in
    "<ntfx0>",
    "''",
    "{~}",
    "x~<[.>?~<ntfx0'>*~<]>?",
    "<ntfx0',= >+,",
    "{~}~,",
    "<[>?~<ntfx0'>+~<]>?~=~<.>+<,;>",
    "<[>?~<ntfx0'>+~<]>?~=~<( >*'",
    "local x~=~n",
    "local x~=~<( >*'",
    "x~<[.>?~<ntfx0'>*~<]>?~=~<( >*'",
    // Functions, whose code is elsewhere
    "function",
    "return function",
    "local x~=~function",
    "}~,~function",
    "x~<[.>?~<ntfx0'>*~<]>?~=~function",
    "<[>?~<ntfx0'>+~<]>?~=~function",
    // What opens and closes
    "{",
    "}~,",
    "<}>?< )>*",
    "<ntf0'>+~}< )>*",
    "local x~=~~(~<( >*",
    "local x~,~x<x, >*~=~~(~<( >*",
    // Jumps
    "break",
    "goto x",
    "::x::",
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

/// Forms in a row, each with the characters that a shape which fits it can begin with: nearly all forms are out of the question at once.
class FormList {
 public:
  explicit FormList(std::span<const std::string_view> forms) {
    for (const std::string_view form : forms) forms_.push_back({form, first_characters(form)});
  }

  bool fits_any(std::string_view shape) const {
    const size_t start = shape.find_first_not_of(' ');
    const auto first = start == std::string_view::npos ? 0 : static_cast<unsigned char>(shape[start]);
    return std::any_of(forms_.begin(), forms_.end(), [&](const Form& form) { return form.may_begin[first] && fits_form(shape, form.text); });
  }

 private:
  struct Form {
    std::string_view text;
    std::bitset<256> may_begin;  ///< at 0: nothing but blanks fits
  };

  static std::bitset<256> first_characters(std::string_view form) {
    std::bitset<256> characters;
    while (!form.empty()) {
      const Element element = first_of(form);
      if (element.characters == ".") return characters.set();
      for (const char c : element.characters) characters.set(static_cast<unsigned char>(c));
      const bool may_be_blank = element.least == 0 || element.characters.find(' ') != std::string_view::npos;
      if (!may_be_blank) return characters;
      form = element.rest;
    }
    return characters.set(0);
  }

  std::vector<Form> forms_;
};

}  // namespace

bool fits_form(std::string_view shape, std::string_view form) {
  for (;; shape.remove_prefix(1)) {
    if (begins_with_fit(shape, form)) return true;
    if (!shape.starts_with(' ')) return false;
  }
}

bool is_never_counted(std::string_view shape) {
  static const FormList forms(kNeverCounted);
  return forms.fits_any(shape);
}

bool is_counted_if_hit(std::string_view shape) {
  static const FormList forms(kCountedIfHit);
  return forms.fits_any(shape);
}

}  // namespace mangata::coverage
