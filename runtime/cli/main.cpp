// The executable `mangata`: a drop-in for lua5.4 (manual §7) with path profiles.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "profiler/baseline_profile.h"
#include "profiler/reader/reader.h"
#include "runtime/cli/c_heap.h"
#include "runtime/cli/dump.h"
#include "runtime/cli/interrupts.h"
#include "runtime/cli/program.h"
#include "runtime/cli/snapshot_timer.h"
#include "runtime/engine.h"
#include "runtime/options/help.h"
#include "runtime/options/options.h"
#include "runtime/output/output_name.h"
#include "runtime/output/whole_file.h"
#include "runtime/tiering/simulator.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/operations/operations.h"
#include "vm/operations/warning.h"

namespace mangata {

std::string_view version_line() { return "Lua 5.4 (Mangata " MANGATA_VERSION ")"; }

namespace {

/// What the main native function needs; its address is an upvalue.
struct Session {
  const Options& options;
  int argc;
  char** argv;
  Engine& engine;
};

/// Writes the engine's profile when a signal comes.
class EngineProfile : public ProfileWriter {
 public:
  explicit EngineProfile(Engine& engine) : engine_(engine) {}
  void write_at_end() override { engine_.process_exiting(engine_.vm()); }
  void write_snapshot() override {
    engine_.write_snapshot();
    if (timer_ != nullptr) timer_->written();
  }
  /// What asks for snapshots; null: nobody but signals.
  void is_asked_by(SnapshotTimer* timer) { timer_ = timer; }

 private:
  Engine& engine_;
  SnapshotTimer* timer_ = nullptr;
};

void print_version() { std::printf("%.*s\n", static_cast<int>(version_line().size()), version_line().data()); }

/// The global `arg`: the script at 0, its arguments above, everything before it below.
Status create_argument_table(Vm& vm, const Session& session) {
  Table* table = table_new(vm);
  set_field(vm, vm.globals, "arg", Value::table(table));
  for (int i = 0; i < session.argc; ++i) {
    const Value text = Value::string(TRY(vm.new_string(session.argv[i])));
    TRY(table_set_integer(vm, table, i - session.options.script_index, text));
  }
  return {};
}

bool run_init_variable(Program& program) {
  const char* name = "=LUA_INIT_5_4";
  const char* init = std::getenv(name + 1);
  if (init == nullptr) {
    name = "=LUA_INIT";
    init = std::getenv(name + 1);
  }
  if (init == nullptr) return true;
  return init[0] == '@' ? program.run_file(init + 1) : program.run_text(init, name);
}

bool run_actions(Program& program, const Options& options) {
  for (const Action& action : options.actions) {
    switch (action.kind) {
      case Action::RunText:
        if (!program.run_text(action.argument, "=(command line)")) return false;
        break;
      case Action::RequireLibrary:
        if (!program.require_library(action.argument)) return false;
        break;
      case Action::WarningsOn: warn(program.vm(), "@on", false); break;
    }
  }
  return true;
}

bool run_session(Program& program, const Session& session) {
  const Options& options = session.options;
  const char* script = options.script_index > 0 && !options.script_is_stdin ? session.argv[options.script_index] : nullptr;
  if (options.only_dumps()) return dump_script(program, session.engine, options, script);
  if (is_of_regions(options.dump) && !session.engine.tiers().forms_regions()) {
    program.report("there are no regions: with this policy, while samples or allocations are counted, or on this machine");
    return false;
  }
  if (!options.ignore_environment && !run_init_variable(program)) return false;
  if (!run_actions(program, options)) return false;
  if (options.script_index > 0 && !program.run_script(script)) return false;
  if (options.interactive) {
    run_repl(program);
  } else if (options.script_index == 0 && !options.runs_text() && !options.show_lua_version) {
    if (isatty(STDIN_FILENO) != 0) {
      print_version();
      run_repl(program);
    } else {
      program.run_file(nullptr);  // as in lua5.4, an error in it does not change the exit code
    }
  }
  return true;
}

/// Everything runs inside this native function, as in lua.c, so that tracebacks end in "[C]: in ?".
Result<int> main_function(Call& call) {
  const auto& session = *static_cast<const Session*>(call.upvalue(0).as_light_userdata());
  TRY(create_argument_table(call.vm(), session));
  Program program(call, session.argv[0]);
  return call.ret(Value::boolean(run_session(program, session)));
}

RunInfo describe(const Options& options, int argc, char** argv) {
  RunInfo run;
  run.command_line.assign(argv, argv + argc);
  run.version = MANGATA_VERSION;
  run.policy = options.policy_spec;
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  if (gmtime_r(&now, &parts) != nullptr && std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0) run.date = text;
  return run;
}

int run(const Options& options, int argc, char** argv) {
  Engine engine(options);
  if (!engine.are_whole()) return EXIT_FAILURE;  // before the program runs for nothing
  engine.describe_run(describe(options, argc, argv));
  EngineProfile profile(engine);
  const Session session{options, argc, argv, engine};
  Vm& vm = engine.vm();
  install_interrupt_handlers(vm, options.reports() ? &profile : nullptr);
  SnapshotTimer timer(options.profile_every_seconds);
  profile.is_asked_by(&timer);
  NativeFunction* function = vm.new_native(main_function, "main", 1);
  function->upvalues[0] = Value::light_userdata(const_cast<Session*>(&session));
  Value* slot = vm.current->top;
  slot[0] = Value::function(function);
  vm.current->top = slot + kCallOverheadSlots;
  slot[1].set_nil();
  slot[2].set_nil();
  const bool called = protected_call(vm, slot, 0, 1, Value::nil());
  const bool ok = called && slot[0].is_truthy();
  if (!called) {
    std::fprintf(stderr, "%s: %s\n", argv[0], slot[0].is_string() ? slot[0].as_string()->data : "error");
  }
  vm.current->top = slot;
  forget_machine();
  engine.ends_with(ok ? EXIT_SUCCESS : EXIT_FAILURE);
  engine.close();
  end_by_signal();
  return engine.exit_code(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}

/// For what the options ask for instead of a program. The exit code.
int print(std::string_view text) {
  OutputErrors errors;
  OutputFile::standard("standard output", stdout, errors).write(text);
  return errors.any() ? EXIT_FAILURE : EXIT_SUCCESS;
}

int tell(const OptionError& error, const char* program_name) {
  std::fprintf(stderr, "%s: %s\n", program_name, error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "%s\n", error.hint.c_str());
  return EXIT_FAILURE;
}

/// --help, and --help TOPIC: the exit code.
int print_help(const std::string& topic, const char* program_name) {
  if (topic.empty()) return print(help_text(program_name));
  std::string text = topic == "man" ? man_page() : completions(topic);
  if (text.empty()) text = help_on(topic, program_name);
  if (!text.empty()) return print(text);
  return tell({"no help on '" + topic + "'", "The topics are " + help_topics() + "; and the options."}, program_name);
}

/// Standard streams that the caller has closed stay unusable: else a log that is opened gets the program's
/// output.
void occupy_closed_streams() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (fcntl(file, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Fails early when a report could not be written at the end.
bool can_write(const char* what, const std::string& file_name, const char* program_name) {
  const int failure = file_name.empty() ? 0 : error_of_writing(file_name);
  if (failure == 0) return true;
  std::fprintf(stderr, "%s: cannot open %s '%s': %s\n", program_name, what, output_name(file_name).c_str(), std::strerror(failure));
  return false;
}

/// --simulate: the exit code.
int run_simulation(const Options& options, const char* program_name) {
  DecisionRecord record;
  std::string error;
  if (!read_record(options.simulate_file, &record, &error)) {
    std::fprintf(stderr, "%s: %s\n", program_name, error.c_str());
    return EXIT_FAILURE;
  }
  const std::string text = simulate(record, *options.policy, options.log);
  const int code = print(text);
  return options.log.errors->any() ? EXIT_FAILURE : code;
}

/// Reads the profile to compare with, if there is one.
bool read_residual_baseline(Options* options, BaselineProfile* baseline, const char* program_name) {
  if (options->residual_file.empty()) return true;
  std::string error;
  if (!read_baseline(options->residual_file, baseline, &error)) {
    std::fprintf(stderr, "%s: %s\n", program_name, error.c_str());
    return false;
  }
  if (baseline->iterations != options->profile.iterations) {
    std::fprintf(stderr, "%s: %s: /k: a profile with --profile-k=%u can only be compared with such a one\n", program_name,
                 options->residual_file.c_str(), baseline->iterations);
    return false;
  }
  options->profile.baseline = baseline;
  return true;
}

}  // namespace
}  // namespace mangata

int main(int argc, char** argv) {
  using namespace mangata;
  prepare_c_heap();
  occupy_closed_streams();
  if (argc > 1 && std::string_view(argv[1]) == "--report") return run_reader(argc - 1, argv + 1, "mangata --report");
  const char* program_name = argc > 0 && argv[0][0] != '\0' ? argv[0] : "mangata";
  Options options;
  OptionError error;
  if (!parse_options({argc, argv, std::getenv("MANGATA_OPTIONS")}, &options, &error)) return tell(error, program_name);
  if (options.help) return print_help(options.help_topic, program_name);
  if (options.version) return print("Mangata " MANGATA_VERSION "\n");
  if (!options.simulate_file.empty()) return run_simulation(options, program_name);
  BaselineProfile baseline;
  if (!read_residual_baseline(&options, &baseline, program_name)) return EXIT_FAILURE;
  if (!can_write("profile", options.profile_file, program_name)) return EXIT_FAILURE;
  if (!can_write("coverage", options.coverage.file, program_name)) return EXIT_FAILURE;
  if (options.show_lua_version) {
    std::printf("%.*s\n", static_cast<int>(version_line().size()), version_line().data());
    std::fflush(stdout);
  }
  try {
    return run(options, argc, argv);
  } catch (const std::bad_alloc&) {  // while the machine is made, or reports
    std::fprintf(stderr, "%s: not enough memory\n", program_name);
    return EXIT_FAILURE;
  }
}
