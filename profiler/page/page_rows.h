// Which functions are on the page, and where: tables, stacks and differences refer to them by index.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "profiler/page/page_limits.h"
#include "profiler/report_functions.h"

namespace mangata {

using PageJson = nlohmann::ordered_json;

struct PageRow {
  FunctionRow row;
  bool is_listed = true;  ///< false: it is only drawn in stacks
};

/// The functions of the page, costliest first, and the tree of calls among them.
///
/// Not all functions are listed, and not all calls are drawn (PageLimits); a function that is drawn is on the page though it be not listed.
class PageRows {
 public:
  /// The screen must outlive it.
  PageRows(const FunctionScreen& screen, const PageLimits& limits);

  const std::vector<PageRow>& rows() const { return rows_; }
  /// Nodes [parent (-1: none), row, nanoseconds with what it called], each behind its parent; empty without samples.
  const PageJson& calls() const { return calls_; }
  /// Functions with a cost that are not listed, and what they cost.
  size_t unlisted() const { return unlisted_; }
  uint64_t unlisted_value() const { return unlisted_value_; }
  /// Time of stacks that are not drawn, as they are too thin.
  uint64_t undrawn_ns() const { return undrawn_ns_; }

 private:
  struct CallNode;
  static std::vector<CallNode> call_tree(const TimeProfile& time, const std::vector<size_t>& row_of_symbol);
  /// Fills rows_. `is_drawn` and the result are by index into `all`; of the result SIZE_MAX says that it is not on the page.
  std::vector<size_t> take_rows(const FunctionScreen& screen, const PageLimits& limits, const std::vector<FunctionRow>& all, const std::vector<bool>& is_drawn);
  void take_calls(const std::vector<CallNode>& nodes, const std::vector<size_t>& place, uint64_t least_ns);

  std::vector<PageRow> rows_;
  PageJson calls_ = PageJson::array();
  size_t unlisted_ = 0;
  uint64_t unlisted_value_ = 0;
  uint64_t undrawn_ns_ = 0;
};

}  // namespace mangata
