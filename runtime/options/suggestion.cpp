#include "runtime/options/suggestion.h"

#include <algorithm>
#include <vector>

#include "runtime/options/option_row.h"

namespace mangata {
namespace {

/// The number of letters to insert, leave out, replace or swap with the next to get from one to the other.
/// [Damerau 1964; the restricted form, in which no letter is touched twice]
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view suggest_option(std::string_view name) {
  constexpr size_t kLongest = 40;
  if (!name.starts_with("--") || name.size() > kLongest) return {};
  std::string_view best;
  size_t least = std::max<size_t>(name.size() / 4, 1) + 1;  // so many slips are no slip any more
  for (const OptionSection& section : option_sections()) {
    for (const OptionRow& row : section.rows) {
      if (row.name.size() <= 2) continue;
      // The first word of a name, or its rest, is often all that is remembered: --profile, --coverage.
      const bool is_part = name.size() > 4 && (row.name.starts_with(name) || row.name.ends_with(name.substr(1)));
      const size_t distance = is_part ? 1 : edit_distance(name, row.name);
      if (distance >= least) continue;
      least = distance;
      best = row.name;
    }
  }
  return best;
}

}  // namespace mangata
