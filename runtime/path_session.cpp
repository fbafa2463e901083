#include "runtime/path_session.h"

#include "profiler/profiled_function.h"
#include "runtime/exact_counting.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/bytecode/proto_lifecycle.h"

namespace mangata {

void PathSession::proto_created(Proto& proto) {
  if (is_counting_) count_new_function(vm_, *last_, proto);
}

void PathSession::proto_destroyed(Proto& proto) {
  for (const auto& [k, profiler] : profilers_) forget_function(vm_, *profiler, proto);
}

void PathSession::path_cut(Proto& proto, const Value* base) {
  for (const auto& [k, profiler] : profilers_) profiler->path_cut(proto, base);
}

std::string PathSession::obstacle() const {
  if (options_.profile_paths) return "paths are counted for the whole run (--profile-paths)";
  if (options_.profile_edges) return "edges are counted for the whole run (--profile-edges)";
  return {};
}

std::string PathSession::start(unsigned iterations) {
  if (std::string why = obstacle(); !why.empty()) return why;
  if (iterations == 0) iterations = options_.profile.iterations;
  std::unique_ptr<PathProfiler>& profiler = profilers_[iterations];
  if (profiler == nullptr) {
    ProfileOptions profile_options = options_.profile;
    profile_options.iterations = iterations;
    profile_options.from_the_start = false;
    profiler = std::make_unique<PathProfiler>(profile_options);
    limit_numbering(vm_, *profiler);
  }
  if (is_counting_ && last_ == profiler.get()) return {};
  last_ = profiler.get();
  is_counting_ = true;
  tiers_.count_exactly(true);
  bool is_whole = true;
  for_each_proto(vm_, [&](Proto& proto) {
    bool is_counted = false;
    is_whole = is_whole && count_old_function(vm_, *last_, proto, &is_counted);
    if (is_counted) tiers_.version_changed(proto);
  });
  if (!is_whole) {
    (void)stop();
    return "there is not the time or the memory to number all functions";
  }
  for_each_proto(vm_, name_nested_functions);
  return {};
}

std::string PathSession::stop() {
  if (std::string why = obstacle(); !why.empty()) return why;
  if (!is_counting_) return "no paths are being counted";
  is_counting_ = false;
  tiers_.count_exactly(false);
  for_each_proto(vm_, [&](Proto& proto) { tiers_.install_sampled_version(proto); });
  return {};
}

std::string PathSession::reset() {
  if (std::string why = obstacle(); !why.empty()) return why;
  for (const auto& [k, profiler] : profilers_) profiler->reset();
  return {};
}

bool PathSession::snapshot(PathProfile* profile, std::string* problem) const {
  const PathProfiler* profiler = whole_run_ != nullptr ? whole_run_ : last_;
  if (profiler == nullptr) {
    *problem = obstacle();
    if (problem->empty()) *problem = "no paths have been counted: call jit.paths.start()";
    return false;
  }
  *profile = profiler->snapshot();
  return true;
}

}  // namespace mangata
