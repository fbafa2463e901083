// All options: a row each. What its fields mean: options/option_row.h.
#include "numbering/k_loops.h"
#include "profiler/report_format.h"
#include "runtime/options/option_row.h"
#include "runtime/options/options.h"

namespace mangata {
namespace {

using In = const OptionReading&;

template <bool Options::* flag>
bool set(In in) {
  return in.options.*flag = true;
}

template <Action::Kind kind>
bool add_action(In in) {
  in.options.actions.push_back({kind, std::string(in.value)});
  return true;
}

/// One of the options that ask for a profile; they exclude each other.
template <bool Options::* kind>
bool ask_for_profile(In in) {
  in.options.*kind = true;
  return !in.has_value || in.output_file(&in.options.profile_file);
}

/// Of --profile-time.
bool read_time(In in) {
  in.options.profile.time = in.value != "off";
  if (in.value == "on" || in.value == "off") return true;
  uint64_t rate = 0;
  if (!in.whole(&rate, 1, 100000, "on, off, or a number of samples a second, 1 to 100000")) return false;
  in.options.profile.samples_per_second = static_cast<uint32_t>(rate);
  return true;
}

std::vector<OptionValue> policies() {
  std::vector<OptionValue> values;
  for (const PolicyForm& policy : describe_policies()) values.push_back({policy.form, policy.description});
  return values;
}

std::vector<OptionValue> formats() {
  std::vector<OptionValue> values;
  for (const ReportFormat& format : report_formats()) {
    values.push_back({std::string(format.name), std::string(format.description) + "; files that end in " + std::string(format.extensions)});
  }
  return values;
}

std::vector<OptionValue> coverage_formats() {
  std::vector<OptionValue> values;
  for (const coverage::CoverageFormat& format : coverage::coverage_formats()) {
    values.push_back({std::string(format.name), std::string(format.description) + "; files that end in " + std::string(format.extensions)});
  }
  return values;
}

bool has_jit_library(const Options& options) {
  for (const Action& action : options.actions) {
    if (action.kind == Action::RequireLibrary && action.argument.ends_with("jit")) return true;
  }
  return false;
}

constexpr OptionNeed kPaths{[](const Options& o) { return o.profile_paths; }, "'--profile-paths'"};
constexpr OptionNeed kProfile{[](const Options& o) { return (o.reports() && !o.coverage.is_on) || has_jit_library(o); },
                              "'--profile-paths', '--profile-edges' or '--profile-sampled'"};
constexpr OptionNeed kProfileFile{[](const Options& o) { return o.reports() && !o.profile_file.empty(); },
                                  "a file: '--profile-paths=FILE', or another profile"};
constexpr OptionNeed kRanking{[](const Options& o) { return o.profile_paths || o.profile_sampled || has_jit_library(o); },
                              "'--profile-paths' or '--profile-sampled'"};
constexpr OptionNeed kNumbering{[](const Options& o) { return o.profile_paths || has_jit_library(o) || o.only_dumps(); }, "'--profile-paths'"};
constexpr OptionNeed kCovered{[](const Options& o) { return o.coverage.is_on; }, "'--coverage'"};
constexpr OptionNeed kCode{[](const Options& o) { return o.policy->compiles(); }, "a policy that compiles"};
constexpr OptionNeed kLog{[](const Options& o) { return o.log.log; }, "'--jit-log'"};

constexpr OptionRow kLua[] = {
    {.name = "-e", .argument = " stat", .help = "execute string 'stat'", .read = add_action<Action::RunText>},
    {.name = "-i",
     .help = "enter interactive mode after executing 'script'",
     .read = [](In in) { return in.options.interactive = in.options.show_lua_version = true; },
     .is_of_this_run = true},
    {.name = "-l", .argument = " mod", .help = "require library 'mod' into global 'mod'", .read = add_action<Action::RequireLibrary>},
    {.name = "-l", .argument = " g=mod", .help = "require library 'mod' into global 'g'"},
    {.name = "-v", .help = "show version information", .read = set<&Options::show_lua_version>, .is_of_this_run = true},
    {.name = "-E", .help = "ignore environment variables", .read = set<&Options::ignore_environment>, .is_of_this_run = true},
    {.name = "-W", .help = "turn warnings on", .read = add_action<Action::WarningsOn>},
    {.name = "--", .help = "stop handling options"},
    {.name = "-", .help = "stop handling options and execute stdin"},
};

constexpr OptionRow kGeneral[] = {
    {.name = "--help",
     .argument = " [TOPIC]",
     .help = "show this text, or what belongs to TOPIC: an option, lua, mangata, jit, profile, coverage or testing; or write the manual page (man) or "
             "completions (bash, zsh, fish)",
     .read = set<&Options::help>,
     .is_of_this_run = true},
    {.name = "--version", .help = "show the version of Mangata", .read = set<&Options::version>, .is_of_this_run = true},
    {.name = "--max-memory",
     .argument = "=SIZE",
     .help = "limit the heap to SIZE bytes (suffixes K, M, G)",
     .read = [](In in) { return in.size(&in.options.max_memory_bytes); }},
    {.name = "--dump",
     .argument = "=STAGE",
     .help = "print tokens, bytecode, cfg, numbering, plan or asm of the script instead of running it; or run it, and print each region "
             "that is to be optimized (region), also with LLVM's IR (ir), and after each pass (passes)",
     .read =
         [](In in) {
           const auto stage = in.choice();
           if (stage) in.options.dump = static_cast<DumpStage>(*stage + 1);
           return stage.has_value();
         },
     .choices = "tokens bytecode cfg numbering plan asm region ir passes",
     .is_of_this_run = true},
};

constexpr OptionRow kMachineCode[] = {
    {.name = "--policy",
     .argument = "=POLICY",
     .help = "what is compiled, and what is counted, when:",
     .read =
         [](In in) {
           in.options.policy_spec = in.value;
           return true;
         },
     .values = policies},
    {.name = "--max-code",
     .argument = "=SIZE",
     .help = "limit machine code to SIZE bytes (default 64M); functions beyond that are interpreted",
     .read = [](In in) { return in.size(&in.options.max_code_bytes); }},
    {.name = "--opt-paths",
     .argument = "=WHAT",
     .help = "what loops are optimized by: nothing that was counted (off), how often branches are taken (edges), paths (acyclic), paths "
             "over several iterations (k), or also what these leave in variables (facts, the default)",
     .read =
         [](In in) {
           struct Detail {
             unsigned iterations;
             bool edges, facts;
           };
           static constexpr Detail kDetails[] = {{0, false, false}, {0, true, false}, {1, true, false}, {8, true, false}, {8, true, true}};
           const auto detail = in.choice();
           if (!detail) return false;
           in.options.regions.most_iterations = kDetails[*detail].iterations;
           in.options.regions.knows_edges = kDetails[*detail].edges;
           in.options.regions.uses_facts = kDetails[*detail].facts;
           return true;
         },
     .choices = "off edges acyclic k facts"},
    {.name = "--opt-compiler",
     .argument = "=WHICH",
     .help = "what makes optimized code: the quick compiler at once (quick), LLVM (llvm), or LLVM for what runs long (both, the default)",
     .read =
         [](In in) {
           const auto which = in.choice();
           if (!which) return false;
           static constexpr jit::Compilers kCompilers[] = {jit::Compilers::Both, jit::Compilers::Quick, jit::Compilers::Llvm};
           in.options.regions.compilers = kCompilers[*which];
           return true;
         },
     .choices = "both quick llvm"},
    {.name = "--jit-log",
     .argument = "[=FILE]",
     .help = "what policies decide, and why: on stderr or in FILE (JSON lines when it ends in .json, .jsonl)",
     .read =
         [](In in) {
           in.options.log.log = true;
           in.options.log.log_file = {};
           return !in.has_value || in.value.empty() || in.output_file(&in.options.log.log_file);
         }},
    {.name = "--measure-loops",
     .help = "with --jit-log: also count the rounds of loops that are optimized, and their cycles before and after",
     .read =
         [](In in) {
           in.options.regions.measures_loops = true;
           return true;
         },
     .need = &kLog},
    {.name = "--record-decisions",
     .argument = "=FILE",
     .help = "the same with all that the policy has seen, for --policy=replay:FILE",
     .read = [](In in) { return in.output_file(&in.options.log.record_file); }},
    {.name = "--simulate",
     .argument = "=FILE",
     .help = "run nothing: let --policy decide what --record-decisions=FILE has seen, and compare",
     .read = [](In in) { return in.file(&in.options.simulate_file); },
     .is_of_this_run = true},
    {.name = "--deterministic",
     .argument = "[=SEED]",
     .help = "the same log in every run: math.random starts from SEED, objects are at fixed addresses, logs leave out times",
     .read =
         [](In in) {
           in.options.log.deterministic = true;
           return !in.has_value || in.whole(&in.options.seed, 0, UINT64_MAX, "a seed, a whole number");
         }},
    {.name = "--perf-map",
     .help = "write /tmp/perf-PID.map, for the names in perf report",
     .read = set<&Options::perf_map>,
     .need = &kCode},
    {.name = "--jitdump",
     .help = "write jit-PID.dump, for perf inject --jit (record with -k 1): names, lines and code",
     .read = set<&Options::jitdump>,
     .need = &kCode},
    {.name = "--gdb", .help = "tell gdb the names, lines and frames of compiled functions", .read = set<&Options::gdb>, .need = &kCode},
};

constexpr OptionRow kProfiles[] = {
    {.name = "--profile-paths",
     .argument = "[=FILE]",
     .help = "count the exact paths taken; report them on stderr or in FILE when the program ends",
     .read = ask_for_profile<&Options::profile_paths>},
    {.name = "--profile-edges",
     .argument = "[=FILE]",
     .help = "count which way branches go instead: cheaper, but it does not tell what occurs together",
     .read = ask_for_profile<&Options::profile_edges>},
    {.name = "--profile-sampled",
     .argument = "[=FILE]",
     .help = "report what the policy had counted instead, at next to no cost: estimates, scaled up from samples",
     .read = ask_for_profile<&Options::profile_sampled>},
    {.name = "--profile-format",
     .argument = "=FORMAT",
     .help = "how the report is written, whatever the end of FILE says:",
     .read =
         [](In in) {
           in.options.report.format = find_report_format(in.value);
           return in.options.report.format != nullptr || in.wrong_word();
         },
     .need = &kProfile,
     .values = formats},
    {.name = "--profile-every",
     .argument = "=SECONDS",
     .help = "also write FILE every so many seconds, with what has been counted so far",
     .read =
         [](In in) {
           double seconds = 0;
           if (!in.number(&seconds, "a number of seconds")) return false;
           if (seconds < 0.001 || seconds > 1e9) return in.wrong("a number of seconds, at least 0.001");
           in.options.profile_every_seconds = seconds;
           return true;
         },
     .need = &kProfileFile},
    {.name = "--profile-top",
     .argument = "=N",
     .help = "show N functions and N paths of each (text; default 20 and 5), or the N hottest paths (json; default all)",
     .read = [](In in) { return in.whole(&in.options.report.top, 0, SIZE_MAX, "a number of paths"); },
     .need = &kProfile},
    {.name = "--profile-min",
     .argument = "=PCT",
     .help = "hide paths below PCT percent",
     .read =
         [](In in) { return in.percentage(&in.options.report.minimum_percent); },
     .need = &kProfile},
    {.name = "--profile-list",
     .argument = "=GLOB",
     .help = "in text, also show the source of functions of such a name, with what each line cost",
     .read = [](In in) { return in.options.report.listed_glob = in.value, true; },
     .need = &kPaths},
    {.name = "--profile-func",
     .argument = "=GLOB",
     .help = "only functions whose name matches",
     .read =
         [](In in) {
           in.options.report.function_glob = in.value;
           return true;
         },
     .need = &kProfile},
    {.name = "--profile-file",
     .argument = "=GLOB",
     .help = "only functions of files whose name matches",
     .read =
         [](In in) {
           in.options.report.file_glob = in.value;
           return true;
         },
     .need = &kProfile},
    {.name = "--profile-weight",
     .argument = "=WEIGHT",
     .help = "rank by count, bytecodes executed, processor time, or bytes or objects allocated (--profile-alloc)",
     .read =
         [](In in) {
           const auto weight = in.choice();
           if (!weight) return false;
           constexpr ReportWeight kWeights[] = {ReportWeight::Count, ReportWeight::Bytecodes, ReportWeight::Time, ReportWeight::Bytes,
                                                ReportWeight::Objects};
           in.options.report.weight = kWeights[*weight];
           return true;
         },
     .need = &kRanking,
     .choices = "count bytecodes time bytes objects"},
    {.name = "--profile-time",
     .argument = "=off|on|N",
     .help = "whether samples of the processor time are taken (default on); N: so many a second, of real time",
     .read = read_time,
     .need = &kPaths},
    {.name = "--profile-stacks",
     .argument = "=FILE",
     .help = "write the call stacks of these samples to FILE, as flame graphs take them",
     .read = [](In in) { return in.output_file(&in.options.stacks_file); },
     .need = &kPaths},
    {.name = "--profile-alloc",
     .help = "also count the bytes and objects that paths allocate",
     .read = [](In in) { return in.options.profile.allocations = true; },
     .need = &kPaths},
    {.name = "--profile-k",
     .argument = "=K",
     .help = "paths through up to K iterations of innermost loops (1 to 16; default 1)",
     .read =
         [](In in) {
           uint64_t k = 0;
           if (!in.whole(&k, 1, numbering::kMaxIterations, "a number of iterations, 1 to 16")) return false;
           in.options.profile.iterations = static_cast<unsigned>(k);
           return true;
         },
     .need = &kNumbering},
    {.name = "--profile-many",
     .argument = "=CHOICE",
     .help = "functions with too many paths to number: truncate paths (the default), or hash their ids",
     .read =
         [](In in) {
           const auto many = in.choice();
           if (many) in.options.profile.many_paths = *many == 0 ? ManyPaths::Truncate : ManyPaths::Hash;
           return many.has_value();
         },
     .need = &kNumbering,
     .choices = "truncate hash"},
    {.name = "--profile-array",
     .argument = "=N",
     .help = "functions with more than N possible paths count in a hash table (default 4096; 65536 with k > 1)",
     .read =
         [](In in) {
           uint64_t limit = 0;
           if (!in.whole(&limit, 0, kMostArrayPaths, "a number of paths, 0 to " + std::to_string(kMostArrayPaths))) return false;
           in.options.profile.array_limit = limit;
           return true;
         },
     .need = &kNumbering},
    {.name = "--profile-max-memory",
     .argument = "=SIZE",
     .help = "paths that take more than SIZE bytes (default 512M) are left out, the rarest first; the report says how many",
     .read =
         [](In in) {
           if (!in.size(&in.options.profile.max_memory_bytes)) return false;
           return in.options.profile.max_memory_bytes >= 1 << 20 || in.wrong("at least 1M");
         },
     .need = &kNumbering},
    {.name = "--profile-coverage",
     .help = "also tell the paths that were never taken: N of each function (--profile-top; default 20)",
     .read = [](In in) { return in.options.profile.coverage = true; },
     .need = &kPaths},
    {.name = "--profile-residual",
     .argument = "=FILE",
     .help = "tell the paths that an earlier profile (json) does not have",
     .read = [](In in) { return in.file(&in.options.residual_file); },
     .need = &kPaths},
};

constexpr OptionRow kCoverage[] = {
    {.name = "--coverage",
     .argument = "[=FILE]",
     .help = "count how often each line and each outcome of a condition came about; report it on stderr or in FILE when the program ends",
     .read =
         [](In in) {
           in.options.coverage.is_on = true;
           return !in.has_value || in.output_file(&in.options.coverage.file);
         }},
    {.name = "--coverage-format",
     .argument = "=FORMAT",
     .help = "how it is written, whatever the end of FILE says; without FILE it goes to a file of the format's own:",
     .read =
         [](In in) {
           in.options.coverage.format = coverage::find_coverage_format(in.value);
           return in.options.coverage.format != nullptr || in.wrong_word();
         },
     .need = &kCovered,
     .values = coverage_formats},
    {.name = "--coverage-include",
     .argument = "=GLOB",
     .help = "only files whose name matches, and those of them that are never loaded, too (may be repeated)",
     .read =
         [](In in) {
           in.options.coverage.includes.emplace_back(in.value);
           return !in.value.empty() || in.wrong("a pattern of file names");
         },
     .need = &kCovered},
    {.name = "--coverage-paths",
     .help = "count paths as well: which combinations of outcomes no call took, and loops that were never left out, gone through once or more often",
     .read = [](In in) { return in.options.coverage.counts_paths = true; },
     .need = &kCovered},
    {.name = "--coverage-fail-under",
     .argument = "=PCT",
     .help = "end with exit code 2 when fewer than PCT percent of the lines were hit, unless the program itself fails",
     .read =
         [](In in) {
           return in.percentage(&in.options.coverage.fail_under.emplace());
         },
     .need = &kCovered},
};

constexpr OptionRow kTesting[] = {
    {.name = "--gc-stress", .help = "collect garbage at every safepoint", .read = set<&Options::collect_at_every_safepoint>},
    {.name = "--stress",
     .argument = "=KIND",
     .help =
#define STRESS(kind, word, what) word ":SEED (" what "), "
#include "runtime/tiering/stress_kinds.def"
         "the last three also SEED,O0 (without LLVM's passes: quick to compile), or resume (at every safepoint)",
     .read = [](In in) { return parse_stress(in.value, &in.options.stress, in.error); }},
};

constexpr OptionSection kSections[] = {
    {"lua", "Options of lua5.4", "They go before the script, and act as in lua5.4.", kLua},
    {"mangata", "Options of Mangata", "", kGeneral},
    {"jit", "Machine code",
     "Warm functions run as machine code, and what is hot is compiled again by LLVM. What is compiled when, and what is counted for it, "
     "is decided by a policy.\n"
     "What is compiled, and why:\n"
     "  mangata --jit-log script.lua\n"
     "All interpreted:\n"
     "  mangata --policy=interpreter script.lua\n"
     "Lua functions in perf by name:\n"
     "  perf record mangata --perf-map script.lua; perf report\n",
     kMachineCode},
    {"profile", "Profiles",
     "What is slow:\n"
     "  mangata --profile-paths script.lua\n"
     "What was never run:\n"
     "  mangata --profile-paths --profile-coverage script.lua\n"
     "What is new since an earlier run:\n"
     "  mangata --profile-paths=old.json script.lua\n"
     "  mangata --profile-paths --profile-residual=old.json script.lua\n"
     "All processes that a command starts:\n"
     "  MANGATA_OPTIONS='--profile-paths=out.%p.json' make test\n",
     kProfiles},
    {"coverage", "Coverage",
     "What tests do not reach:\n"
     "  mangata --coverage script.lua\n"
     "For genhtml, CI services, and the reporters of LuaCov:\n"
     "  mangata --coverage=coverage.info script.lua\n"
     "  mangata --coverage=coverage.xml script.lua\n"
     "  mangata --coverage=luacov.stats.out script.lua\n"
     "All processes that a command starts, each adding to the file:\n"
     "  MANGATA_OPTIONS=--coverage=luacov.stats.out make test\n"
     "The same in other formats, added up afterwards:\n"
     "  MANGATA_OPTIONS=--coverage=c.%p.json make test\n"
     "  mangata-report --format=html c.*.json >all.html\n"
     "  mangata-report --fail-under=90 c.*.json\n"
     "What tests that reach every line still leave out:\n"
     "  mangata --coverage --coverage-paths script.lua\n"
     "The settings of LuaCov (.luacov) and its comments (-- luacov: disable) are honoured.\n",
     kCoverage},
    {"testing", "For tests of Mangata itself", "", kTesting},
};

constexpr EnvironmentVariable kEnvironment[] = {
    {"LUA_INIT, LUA_PATH, LUA_CPATH", "and their variants with _5_4: as for lua5.4(1)"},
    {"MANGATA_OPTIONS",
     "options that are read before those of the command line, separated by blanks, with quotes as in a shell; programs that the script "
     "starts get them, too. Ignored with -E"},
    {"MANGATA_ORC", "the optimizing compiler to be loaded, instead of mangata-orc.so beside the executable or in lib/mangata"},
};

}  // namespace

std::span<const OptionSection> option_sections() { return kSections; }

std::span<const EnvironmentVariable> environment_variables() { return kEnvironment; }

const OptionRow* find_option(std::string_view name) {
  for (const OptionSection& section : kSections) {
    for (const OptionRow& row : section.rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

const OptionSection& section_of(const OptionRow& row) {
  for (const OptionSection& section : kSections) {
    if (&row >= section.rows.data() && &row < section.rows.data() + section.rows.size()) return section;
  }
  return kSections[0];
}

}  // namespace mangata
