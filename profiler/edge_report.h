// Edge profiles for people (text) and programs (JSON; its schema is in profiler/JSON.md). Of the options,
// `weight` does not apply: edges are ranked by count.
//
// Read next: profiler/edge_profile.h.
#pragma once

#include <string>
#include <vector>

#include "profiler/edge_profile.h"
#include "profiler/report_options.h"

namespace mangata {

/// In the format that the options name, which must have a writer of edges.
std::string write_edge_report(const EdgeProfile& profile, const ReportOptions& options);

std::string write_edge_text_report(const EdgeProfile& profile, const ReportOptions& options);
std::string write_edge_json_report(const EdgeProfile& profile, const ReportOptions& options);

struct SelectedEdge {
  const FunctionEdgeProfile* function;  ///< that it is in
  const EdgeCount* edge;  ///< one of its `edges`
  double percent;        ///< of all edges of the profile
  double share_percent;  ///< of the edges out of the same block
};

struct EdgeSelection {
  std::vector<const FunctionEdgeProfile*>
      functions;                    ///< that pass the filters, most bytecodes executed first
  std::vector<SelectedEdge> edges;  ///< of these, most frequent first
  uint64_t calls = 0;               ///< of the whole profile, as are the other totals
  uint64_t left = 0;  ///< calls that never returned
  uint64_t total = 0;  ///< edges taken
  size_t counted_edges = 0, all_edges = 0;  ///< edges with a counter of their own, and edges
  double shown_percent = 0;  ///< of `total`, by the edges listed
};

/// `branches_only`: outcomes of branches, which say everything to readers, and not the edges between; totals
/// are of both. `default_top` is used when the options do not say how many; 0 is all.
EdgeSelection select_edges(const EdgeProfile& profile, const ReportOptions& options, bool branches_only,
                           size_t default_top);

}  // namespace mangata
