// The command line: options of lua5.4 (manual §7) and of Mangata. Which there are, is in options/table.cpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jit/region/region_settings.h"
#include "profiler/coverage/model/coverage_options.h"
#include "profiler/profile_options.h"
#include "profiler/report_options.h"
#include "runtime/library_set/library_set.h"
#include "runtime/tiering/decision_log.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/stress.h"
#include "runtime/tiering/tier_settings.h"

namespace mangata {

/// What --dump=STAGE prints.
enum class DumpStage : unsigned char {
  None,
  Tokens,
  Bytecode,
  Cfg,
  Numbering,
  Plan,
  Asm,
  Region,
  Ir,
  Passes
};
/// Regions come into being while the script runs; all else is printed instead of running it.
constexpr bool is_of_regions(DumpStage stage) { return stage >= DumpStage::Region; }

/// -e, -l and -W, which act in the order in which they stand.
struct Action {
  enum Kind : unsigned char {
    RunText,
    RequireLibrary,
    WarningsOn
  };
  Kind kind;
  std::string argument;  ///< of the option
};

struct Options {
  std::vector<Action> actions;
  bool interactive = false;         ///< -i
  bool show_lua_version = false;    ///< -v, or -i
  bool ignore_environment = false;  ///< -E
  bool help = false;  ///< --help
  std::string help_topic;           ///< --help TOPIC; empty: all
  bool version = false;  ///< --version
  int script_index = 0;             ///< index in argv of the script name; 0: none
  bool script_is_stdin = false;     ///< the script "name" is -
  DumpStage dump = DumpStage::None;  ///< --dump
  std::string simulate_file;       ///< --simulate: nothing is run; empty: no
  std::string policy_spec = "adaptive";  ///< --policy
  std::shared_ptr<Policy> policy;  ///< not null once parse_options has succeeded, unless only help is wanted
  StressSpec stress;  ///< --stress
  LogOptions log;  ///< --jit-log and the like
  uint64_t seed = 0;                         ///< of math.random, when log.deterministic
  size_t max_code_bytes = size_t{64} << 20;  ///< of machine code
  size_t max_memory_bytes = 0;      ///< 0: no limit
  uint32_t libraries = kAllLibraries;  ///< of the standard library: library_set.h
  bool interruptible = false;       ///< machine code polls at calls, too: recursion can be stopped soon
  bool collect_at_every_safepoint = false;  ///< for tests
  bool opens_libraries = true;      ///< false: hosts open what they want
  bool perf_map = false;            ///< who is told of machine code: jit/observers
  jit::RegionSettings regions;      ///< --opt-paths, --measure-loops, --stress, parameters of policies
  bool jitdump = false;  ///< jitdump.h
  bool gdb = false;  ///< gdb_registry.h
  bool profile_paths = false;  ///< --profile-paths
  bool profile_edges = false;  ///< --profile-edges
  bool profile_sampled = false;  ///< one of the three or coverage at most
  std::string profile_file;      ///< empty: stderr
  std::string stacks_file;       ///< --profile-stacks; empty: none
  double profile_every_seconds = 0;  ///< --profile-every; 0: only at the end
  std::string residual_file;     ///< --profile-residual; empty: none
  coverage::CoverageOptions coverage;
  ProfileOptions profile;  ///< --profile-*: of what is counted
  ReportOptions report;  ///< --profile-*: of what is shown

  /// Something is counted for the whole run, so policies do not count.
  bool profiles() const { return profile_paths || profile_edges || coverage.is_on; }
  /// A profile, or coverage, is written when the program ends.
  bool reports() const { return profiles() || profile_sampled; }
  /// The script is not run.
  bool only_dumps() const { return dump != DumpStage::None && !is_of_regions(dump); }

  /// There is a -e.
  bool runs_text() const {
    for (const Action& action : actions) {
      if (action.kind == Action::RunText) return true;
    }
    return false;
  }
};

struct CommandLine {
  int argc;  ///< as of main()
  char** argv;  ///< as of main()
  const char* environment = nullptr;  ///< MANGATA_OPTIONS; null: there are none, as for hosts
};

/// What is wrong, in the words of lua5.4 where it has that error.
struct OptionError {
  std::string message;  ///< without the name of the program
  std::string hint;  ///< a second line; empty: the command line is not misused
};

bool parse_options(const CommandLine& line, Options* options, OptionError* error);

/// What the options say of tiers: tier_settings.cpp.
TierSettings tier_settings(const Options& options);

}  // namespace mangata
