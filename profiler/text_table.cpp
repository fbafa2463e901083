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

std::string printable(std::string_view text, size_t most) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    std::string next(1, text[i]);
    if (byte == '\t') {
      next = "  ";
    } else if (byte < 0x20 || byte == 0x7F) {
      next = "\\" + std::to_string(byte);
    } else if (is_c1) {
      next = "\\194\\" + std::to_string(static_cast<unsigned char>(text[++i]));
    }
    if (shown.size() + next.size() > most) {
      size_t end = most - std::min<size_t>(most, 3);
      end = std::min(end, shown.size());
      while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) --end;  // whole characters of UTF-8
      return shown.substr(0, end) + "...";
    }
    shown += next;
  }
  return shown;
}

std::string milliseconds_text(uint64_t nanoseconds) {
  char text[32];
  const double milliseconds = static_cast<double>(nanoseconds) / 1e6;
  if (milliseconds >= 10'000) {
    std::snprintf(text, sizeof text, "%.2f s", milliseconds / 1000);
  } else {
    std::snprintf(text, sizeof text, "%.1f ms", milliseconds);
  }
  return text;
}

std::string plural(uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

TextTable::TextTable(std::vector<std::string> headings, size_t number_columns) : number_columns_(number_columns) {
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell);
  rows_.push_back(std::move(row));
}

namespace {

/// In characters of UTF-8.
size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

}  // namespace

std::string TextTable::text() const {
  std::vector<size_t> widths(rows_[0].size(), 0);
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width_of(row[i]), ' ');
      text += i < number_columns_ ? "  " + padding + row[i] : "  " + row[i] + (i + 1 < row.size() ? padding : "");
    }
    text.erase(text.find_last_not_of(' ') + 1);  // a last cell that is empty leaves no spaces
    text += '\n';
  }
  return text;
}

}  // namespace mangata
