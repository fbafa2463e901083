// Every stage as text, one line per thing, in a fixed order: the surface of --dump and of the golden tests.
// Read next: path_plan.h.
#pragma once

#include <string>

#include "numbering/path_plan.h"

namespace mangata::numbering {

std::string dump(const FlowGraph& graph);
std::string dump(const FlowGraph& graph, const LoopForest& forest);
/// The edges of the DAG with their values and increments.
std::string dump(const PathDag& dag, const PathNumbering& numbering, const Chords& chords);
/// `edge 3 1→4: r += 2`, only edges with events.
std::string dump(const FlowGraph& graph, const EventPlan& plan);
/// All of the above, headed by the name of each stage.
std::string dump(const FlowGraph& graph, const PathPlan& plan);

/// One event as a statement: `count[r + 2]++; r = 1`.
std::string describe(const Event& event);

}  // namespace mangata::numbering
