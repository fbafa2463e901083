// How much of a profile a page shows, so that it stays small.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mangata {

struct PageLimits {
  size_t functions = 500;           ///< rows of the table, costliest first
  size_t paths = 40;                ///< of each function
  size_t windows = 60;              ///< of each loop over several iterations
  size_t steps = 400;               ///< of each path
  size_t conditions = 2000;         ///< of each function
  size_t changes = 200;             ///< functions that differ
  size_t source_bytes = 400'000;    ///< of all source lines
  size_t line_bytes = 400;          ///< of each source line
  double flame_percent = 0.02;      ///< calls that took a smaller share are not drawn

  bool can_shrink() const { return functions > 8; }
  /// To about this share of what is shown.
  void shrink(double share) {
    for (size_t* const limit : {&functions, &paths, &windows, &steps, &conditions, &changes, &source_bytes, &line_bytes}) {
      *limit = std::max<size_t>(static_cast<size_t>(static_cast<double>(*limit) * std::sqrt(share)), 4);
    }
    flame_percent /= share;
  }
};

}  // namespace mangata
