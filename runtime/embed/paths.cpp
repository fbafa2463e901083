// state.paths(): the counting that jit.paths does for scripts.
#include "numbering/k_loops.h"
#include "profiler/report.h"
#include "profiler/report_format.h"
#include "profiler/selection.h"
#include "runtime/embed/entry.h"
#include "runtime/path_session.h"

namespace mangata::abi {
namespace {

bool done_or(const std::string& problem, Error* error) {
  if (problem.empty()) return true;
  *error = {ErrorKind::Misuse, problem, {}};
  return false;
}

bool snapshot(Core* core, PathProfile* profile, Error* error) {
  std::string problem;
  if (core->engine->paths().snapshot(profile, &problem)) return true;
  *error = {ErrorKind::Misuse, problem, {}};
  return false;
}

}  // namespace

bool start_paths(Core* core, unsigned iterations, Error* error) {
  if (iterations < 1 || iterations > numbering::kMaxIterations) return done_or("iterations must be 1 to 16", error);
  Entry entry(core, error);
  if (!entry.ok()) return false;
  for (bool again = true;; again = false) {
    const std::string problem = core->engine->paths().start(iterations);
    if (problem.empty()) return true;
    const bool is_stopped = core->vm->interrupt.load(std::memory_order_relaxed);
    core->vm->forget_request();
    if (const ErrorKind requested = core->watched.requested.exchange(ErrorKind::None); requested != ErrorKind::None) {
      *error = {requested, std::string(termination_message(requested)), {}};
      return false;
    }
    if (!is_stopped || !again) return done_or(problem, error);  // else that was about an earlier call
  }
}

bool stop_paths(Core* core, Error* error) {
  Entry entry(core, error);
  return entry.ok() && done_or(core->engine->paths().stop(), error);
}

bool reset_paths(Core* core, Error* error) {
  Entry entry(core, error);
  return entry.ok() && done_or(core->engine->paths().reset(), error);
}

bool top_paths(Core* core, size_t count, void (*visit)(void* context, HotPath&& path), void* context, Error* error) {
  Entry entry(core, error);
  PathProfile profile;
  if (!entry.ok() || !snapshot(core, &profile, error)) return false;
  ReportOptions options;
  options.top = count;
  for (const SelectedPath& selected : select_paths(profile, options, /*default_top=*/0).paths) {
    const FunctionProfile& function = *selected.function;
    visit(context, {function.name, function.file, function.line_defined, describe(selected.path->path), selected.path->path.key,
                    selected.path->count, selected.path->path.bytecodes, selected.percent});
  }
  return true;
}

bool report_paths(Core* core, bool json, std::string* out, Error* error) {
  Entry entry(core, error);
  PathProfile profile;
  if (!entry.ok() || !snapshot(core, &profile, error)) return false;
  ReportOptions options;
  options.format = find_report_format(json ? "json" : "text");
  *out = write_report(profile, options);
  return true;
}

}  // namespace mangata::abi
