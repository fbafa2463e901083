// Tables and numbers of the reports for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mangata {

std::string percent_text(double percent);               ///< "12.30%"
std::string tenths_text(double value);                  ///< "12.3"
std::string plural(uint64_t count, const char* noun);   ///< "1 path", "2 paths"

/// Rows of text under a heading. The first columns are numbers and align right, the others left; the last is not padded.
class TextTable {
 public:
  TextTable(std::vector<std::string> headings, size_t number_columns);
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  size_t number_columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace mangata
