// Runs scripts with the path profiler (or the edge profiler) and its naive tracer side by side, each in a
// process of its own, and compares.
//
//     path_trace_check [--seconds=N] [--scale=N] [--k=K] [--limit=N] [--hash] [--preferential] [--edges] [--verbose] SCRIPT...
//
// A script that runs longer than N seconds is stopped and its paths up to there are compared. --scale is its
// argument. The others are the members of ProfileOptions; a small limit makes many functions have too many
// paths.
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "runtime/lib/load_file.h"
#include "runtime/library_set/library_set.h"
#include "tests/unit/profiler/tracing_edge_profiler.h"
#include "tests/unit/profiler/tracing_profiler.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

int g_report = -1;  ///< the real stderr
bool g_verbose = false;
bool g_edges = false;
bool g_preferential = false;
ProfileOptions g_options;
Vm* g_vm = nullptr;

void report(const std::string& text) { (void)!write(g_report, text.data(), text.size()); }

template <class Tracer>
class Hooks : public TierHooks {
 public:
  template <class... Arguments>
  explicit Hooks(const Arguments&... arguments) : profiler(arguments...) {}

  Tracer profiler;

  void proto_created(Proto& proto) override { profiler.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { profiler.proto_destroyed(proto); }
  void path_cut(Proto& proto, const Value* base) override {
    profiler.trace_cut(proto, base);
    profiler.path_cut(proto, base);
  }
  void process_exiting(Vm& vm) override {
    for (Thread* thread = vm.current; thread != nullptr; thread = thread->resumer) cut_all_paths(vm, *thread);
    vm.heap.cut_suspended_paths();
    finish();
  }
  [[noreturn]] void finish() {
    const std::string problem = profiler.compare();
    if (!problem.empty()) report("  " + problem + "\n");
    if (g_verbose) {
      report("  " + std::to_string(profiler.traced_edges()) + " edges\n");
    }
    _exit(problem.empty() ? 0 : 1);
  }
};

/// The script ran long enough: an error that it can hardly catch for ever.
Status stop_script(Vm& vm) {
  vm.request_interrupt();
  return raise_message(vm, "enough");
}

template <class Tracer, class... Arguments>
int run(const std::string& script, const char* scale, const Arguments&... arguments) {
  const std::filesystem::path path = std::filesystem::absolute(script);
  std::filesystem::current_path(path.parent_path());
  Hooks<Tracer> hooks(arguments...);
  {
    Vm vm;
    vm.hooks = &hooks;
    g_vm = &vm;
    vm.on_interrupt = stop_script;
    open_libraries(vm);
    Thread& thread = *vm.main_thread;
    const auto chunk = load_file(vm, path.filename().c_str(), "bt");
    if (!chunk.ok()) return 0;  // a syntax error on purpose
    Value* function = thread.top;
    function[0] = Value::function(chunk.value());
    function[1].set_nil();
    function[2].set_nil();
    function[kCallOverheadSlots] = scale == nullptr ? Value::nil() : vm.string_value(scale);
    thread.top = function + kCallOverheadSlots + 1;
    protected_call(vm, function, 1, 0, Value::nil());
    thread.top = function;
  }
  hooks.finish();
}

bool check(const std::string& script, double seconds, const char* scale) {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr ||
        std::freopen("/dev/null", "w", stderr) == nullptr ||
        std::freopen("/dev/null", "r", stdin) == nullptr) {
      _exit(1);
    }
    std::signal(SIGALRM, [](int) { g_vm->request_interrupt(); });
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec)));
    setitimer(ITIMER_REAL, &timer, nullptr);
    _exit(g_edges ? run<TracingEdgeProfiler>(script, scale) : run<TracingProfiler>(script, scale, g_options, g_preferential));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  report(script +
         (WIFSIGNALED(status) ? ": killed by signal " + std::to_string(WTERMSIG(status)) : ": differs") +
         "\n");
  return false;
}

}  // namespace
}  // namespace mangata

int main(int argc, char** argv) {
  mangata::g_report = dup(2);
  double seconds = 20;
  const char* scale = nullptr;
  int checked = 0;
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--seconds=")) {
      seconds = std::atof(argv[i] + std::strlen("--seconds="));
    } else if (argument.starts_with("--scale=")) {
      scale = argv[i] + std::strlen("--scale=");
    } else if (argument.starts_with("--k=")) {
      mangata::g_options.iterations = static_cast<unsigned>(std::atoi(argv[i] + std::strlen("--k=")));
    } else if (argument.starts_with("--limit=")) {
      mangata::g_options.path_limit = static_cast<uint64_t>(std::atoll(argv[i] + std::strlen("--limit=")));
    } else if (argument == "--edges") {
      mangata::g_edges = true;
    } else if (argument == "--preferential") {
      mangata::g_preferential = true;
    } else if (argument == "--hash") {
      mangata::g_options.many_paths = mangata::ManyPaths::Hash;
    } else if (argument == "--verbose") {
      mangata::g_verbose = true;
    } else {
      if (mangata::g_verbose) mangata::report(argument + "\n");
      ++checked;
      if (!mangata::check(argument, seconds, scale)) ++failed;
    }
  }
  mangata::report(std::to_string(checked) + " scripts, " + std::to_string(failed) + " different\n");
  return failed == 0 ? 0 : 1;
}
