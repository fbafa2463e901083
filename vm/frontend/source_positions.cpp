#include "vm/frontend/source_positions.h"

#include <algorithm>

#include "vm/frontend/characters.h"

namespace mangata {

SourcePositions::SourcePositions(std::string_view text) {
  line_begins_.push_back(text.data());
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_newline(text[i])) continue;
    const bool is_pair = i + 1 < text.size() && is_newline(text[i + 1]) && text[i + 1] != text[i];
    if (is_pair) ++i;
    line_begins_.push_back(text.data() + i + 1);
  }
}

SourcePositions::Place SourcePositions::place_of(const char* position) const {
  const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), position);
  if (after == line_begins_.begin()) return {};
  const ptrdiff_t column = position - *(after - 1) + 1;
  return {static_cast<int>(after - line_begins_.begin()), static_cast<int>(std::min<ptrdiff_t>(column, INT32_MAX))};
}

void SourcePositions::note(Proto& proto, int pc, int line, std::string_view text) const {
  if (text.data() == nullptr) return;
  const Place place = place_of(text.data());
  if (place.line != line) return;
  proto.branch_positions.push_back({OriginalPc{pc}, place.column, static_cast<int32_t>(std::min<size_t>(text.size(), INT32_MAX))});
}

void SourcePositions::note_function(Proto& proto, const char* keyword) { functions_.emplace_back(place_of(keyword), &proto); }

/// Proto::column_defined says where a function begins only in lines where several do.
void SourcePositions::finish() {
  for (size_t i = 0; i < functions_.size(); ++i) {
    const auto& [place, proto] = functions_[i];
    const bool has_neighbour = (i > 0 && functions_[i - 1].first.line == place.line) ||
                               (i + 1 < functions_.size() && functions_[i + 1].first.line == place.line);
    if (has_neighbour && place.line == proto->line_defined) proto->column_defined = place.column;
  }
}

}  // namespace mangata
