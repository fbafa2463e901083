// Which lines of a text count, by the rules that LuaCov goes by: a line of which nothing would be left but an `end`, a comment, a local
// declaration is never counted; one that often has no code of its own (a constant in a table, the head of a function) only when it was hit.
//
// The rules look at the shape of single lines, in which names, numbers and strings are all the same and the parameters of functions are
// left out. They are those of LuaCov 0.17; its own reports and ours count the same lines, less those that have no code at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mangata::coverage {

enum class Countable : unsigned char {
  Always,
  IfHit,
  Never,
  Disabled,  ///< by -- luacov: disable, which goes for functions and conditions, too
};

/// Reads a text line by line.
class LineScanner {
 public:
  /// Of the next line, which is without \n.
  Countable scan(std::string_view line);

 private:
  enum class Inside : unsigned char {
    Code,
    QuotedString,
    LongBracket,
    Parameters
  };

  bool continue_outside_code();
  void scan_code();
  void scan_blanks();
  void scan_number();
  void scan_name();
  bool scan_bracket_or_comment();
  void scan_punctuation();
  char at(size_t ahead = 0) const { return place_ + ahead < line_.size() ? line_[place_ + ahead] : '\0'; }
  bool at_end() const { return place_ >= line_.size(); }

  bool is_first_ = true;
  bool is_enabled_ = true;
  Inside inside_ = Inside::Code;
  bool is_comment_ = false;           ///< the long bracket is
  bool expects_parameters_ = false;   ///< a `function` was read, its parameters not yet
  char quote_ = 0;
  size_t bracket_level_ = 0;
  std::string_view line_;
  size_t place_ = 0;
  std::string shape_;
};

}  // namespace mangata::coverage
