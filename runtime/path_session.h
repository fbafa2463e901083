// jit.paths: exact counts of paths while a script asks for them.
//
// [DESIGN] start() installs versions of the bytecode with exact counters, of all functions that exist,
// and later ones get theirs when they are made; stop() puts back what was installed. Calls begun in between
// are counted from their first path to their last. Frames that are under way change over where a loop goes
// back to its start (vm/interpreter/version_change.h): a stay in a loop over several iterations is then taken
// up as if it began there, and what the frame was on when counting stopped is in no counter. Each k has a
// profiler of its own, whose counters go on where they stopped.
//
// Read next: profiler/path_profiler.h, runtime/tiering/tier_control.cpp.
#pragma once

#include <map>
#include <memory>

#include "profiler/path_profiler.h"
#include "runtime/lib/jit_library.h"
#include "runtime/options/options.h"

namespace mangata {

class TierManager;

class PathSession : public PathControl {
 public:
  /// @param whole_run  of --profile-paths; else null
  PathSession(Vm& vm, TierManager& tiers, const Options& options, const PathProfiler* whole_run)
      : vm_(vm), tiers_(tiers), options_(options), whole_run_(whole_run) {}

  // What TierHooks reports
  void proto_created(Proto& proto);
  void proto_destroyed(Proto& proto);
  void path_cut(Proto& proto, const Value* base);

  // PathControl
  std::string start(unsigned iterations) override;
  std::string stop() override;
  std::string reset() override;
  bool snapshot(PathProfile* profile, std::string* problem) const override;
  const ReportOptions& report_options() const override { return options_.report; }

 private:
  /// Empty, or why there can be no session.
  std::string obstacle() const;

  Vm& vm_;
  TierManager& tiers_;
  const Options& options_;
  const PathProfiler* whole_run_;
  std::map<unsigned, std::unique_ptr<PathProfiler>> profilers_;  ///< by k
  PathProfiler* last_ = nullptr;                                 ///< that of the last start
  bool is_counting_ = false;
};

}  // namespace mangata
