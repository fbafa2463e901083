// Tables and numbers of the reports for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mangata {

std::string percent_text(double percent);               ///< "12.30%"
std::string tenths_text(double value);                  ///< "12.3"
/// For terminals: control characters as Lua writes them (\\27), tabs as blanks, and cut to so many bytes with "..." at the end.
std::string printable(std::string_view text, size_t most = SIZE_MAX);
std::string milliseconds_text(uint64_t nanoseconds);    ///< "12.3 ms", "4.56 s"
std::string plural(uint64_t count, const char* noun);   ///< "1 path", "2 paths"

/// Rows of text under a heading; what is not printable in them is escaped. The first columns are numbers and align right, the others left; the last is not padded.
class TextTable {
 public:
  /// The first `number_columns` headings are of numbers.
  TextTable(std::vector<std::string> headings, size_t number_columns);
  void add(std::vector<std::string> row);  ///< as many cells as there are headings
  std::string text() const;  ///< with the heading, each line ended by \n

 private:
  size_t number_columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mangata
