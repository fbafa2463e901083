#include "profiler/text_table.h"

#include <algorithm>
#include <cstdio>

namespace mangata {

std::string percent_text(double percent) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f%%", percent);
  return text;
}

std::string tenths_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string plural(uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

TextTable::TextTable(std::vector<std::string> headings, size_t number_columns) : number_columns_(number_columns) {
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string TextTable::text() const {
  std::vector<size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      text += i < number_columns_ ? "  " + padding + row[i] : "  " + row[i] + (i + 1 < row.size() ? padding : "");
    }
    text += '\n';
  }
  return text;
}

}  // namespace mangata
