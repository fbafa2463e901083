#include "runtime/options.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "numbering/k_loops.h"
#include "profiler/report.h"
#include "vm/heap/fixed_addresses.h"

namespace mangata {
namespace {

constexpr std::string_view kDefaultPolicy = "adaptive";

using namespace std::string_view_literals;

/// The value of `--name=value` if `argument` is that option; an empty value counts.
std::optional<std::string_view> value_of(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name) || argument.size() <= name.size() || argument[name.size()] != '=') return {};
  return argument.substr(name.size() + 1);
}

bool parse_number(std::string_view text, double* out) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return failure == std::errc{} && end == text.data() + text.size() && *out >= 0;
}

/// Bytes with an optional suffix K, M or G (powers of 1024).
bool parse_size(std::string_view text, size_t* out) {
  int shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K': case 'k': shift = 10; break;
      case 'M': case 'm': shift = 20; break;
      case 'G': case 'g': shift = 30; break;
      default: break;
    }
  }
  if (shift != 0) text.remove_suffix(1);
  size_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || failure != std::errc{} || end != text.data() + text.size()) return false;
  if (count > (SIZE_MAX >> shift)) return false;
  *out = count << shift;
  return *out > 0;
}

bool parse_seed(std::string_view text, uint64_t* out) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return failure == std::errc{} && end == text.data() + text.size();
}

bool parse_stage(std::string_view text, DumpStage* stage) {
  static constexpr struct {
    std::string_view name;
    DumpStage stage;
  } kStages[] = {{"tokens", DumpStage::Tokens},       {"bytecode", DumpStage::Bytecode}, {"cfg", DumpStage::Cfg},
                 {"numbering", DumpStage::Numbering}, {"plan", DumpStage::Plan},
                 {"asm", DumpStage::Asm},             {"region", DumpStage::Region},     {"ir", DumpStage::Ir},
                 {"passes", DumpStage::Passes}};
  for (const auto& candidate : kStages) {
    if (candidate.name == text) {
      *stage = candidate.stage;
      return true;
    }
  }
  return false;
}

std::string bad_value(std::string_view option, std::string_view value, std::string_view expected) {
  return "invalid value '" + std::string(value) + "' for option '" + std::string(option) + "' (expected " +
         std::string(expected) + ")";
}

/// One of the --profile-… options. An empty optional: it is none of them.
std::optional<bool> parse_profile_option(std::string_view argument, Options* options, std::string* error) {
  static constexpr std::pair<std::string_view, bool Options::*> kKinds[] = {
      {"--profile-paths", &Options::profile_paths},
      {"--profile-edges", &Options::profile_edges},
      {"--profile-sampled", &Options::profile_sampled}};
  for (const auto& [name, profiles] : kKinds) {
    const auto file = value_of(argument, name);
    if (argument != name && !file) continue;
    options->*profiles = true;
    const std::pair<std::string_view, bool Options::*>* first = nullptr;
    for (const auto& kind : kKinds) {
      if (!(options->*kind.second)) continue;
      if (first == nullptr) {
        first = &kind;
        continue;
      }
      *error = "'" + std::string(first->first) + "' and '" + std::string(kind.first) + "' exclude each other";
      return false;
    }
    if (!file) return true;
    options->profile_file = *file;
    if (file->empty()) *error = "'" + std::string(name) + "=' needs a file name";
    return !file->empty();
  }
  if (const auto format = value_of(argument, "--profile-format")) {
    if (*format != "text"sv && *format != "json"sv) {
      *error = bad_value("--profile-format", *format, "text or json");
      return false;
    }
    options->report.format = *format == "json"sv ? ReportFormat::Json : ReportFormat::Text;
    return true;
  }
  if (const auto weight = value_of(argument, "--profile-weight")) {
    for (const ReportWeight its : {ReportWeight::Count, ReportWeight::Bytecodes}) {
      if (*weight != name_of(its)) continue;
      options->report.weight = its;
      return true;
    }
    *error = bad_value("--profile-weight", *weight, "count or bytecodes");
    return false;
  }
  if (argument == "--profile-alloc"sv) {
    options->profile.allocations = true;
    return true;
  }
  if (const auto time = value_of(argument, "--profile-time")) {
    double rate = 0;
    options->profile.time = *time != "off"sv;
    if (*time == "on"sv || *time == "off"sv) return true;
    if (parse_number(*time, &rate) && rate >= 1 && rate <= 100000) {
      options->profile.samples_per_second = static_cast<uint32_t>(rate);
      return true;
    }
    *error = bad_value("--profile-time", *time, "on, off, or samples a second from 1 to 100000");
    return false;
  }
  if (const auto file = value_of(argument, "--profile-stacks")) {
    options->stacks_file = *file;
    if (file->empty()) *error = "'--profile-stacks=' needs a file name";
    return !file->empty();
  }
  if (const auto k = value_of(argument, "--profile-k")) {
    double iterations = 0;
    if (parse_number(*k, &iterations) && iterations >= 1 && iterations <= numbering::kMaxIterations &&
        iterations == std::floor(iterations)) {
      options->profile.iterations = static_cast<unsigned>(iterations);
      return true;
    }
    *error = bad_value("--profile-k", *k, "a number of iterations, 1 to 16");
    return false;
  }
  if (const auto choice = value_of(argument, "--profile-many")) {
    options->profile.many_paths = *choice == "hash"sv ? ManyPaths::Hash : ManyPaths::Truncate;
    if (*choice == "hash"sv || *choice == "truncate"sv) return true;
    *error = bad_value("--profile-many", *choice, "truncate or hash");
    return false;
  }
  if (const auto limit = value_of(argument, "--profile-array")) {
    double paths = 0;
    if (parse_number(*limit, &paths) && paths <= kMostArrayPaths && paths == std::floor(paths)) {
      options->profile.array_limit = static_cast<numbering::PathCount>(paths);
      return true;
    }
    *error = bad_value("--profile-array", *limit, "a number of paths, 0 to " + std::to_string(kMostArrayPaths));
    return false;
  }
  if (argument == "--profile-coverage"sv) {
    options->profile.coverage = true;
    return true;
  }
  if (const auto file = value_of(argument, "--profile-residual")) {
    options->residual_file = *file;
    if (file->empty()) *error = "'--profile-residual=' needs a file name";
    return !file->empty();
  }
  double number = 0;
  if (const auto top = value_of(argument, "--profile-top")) {
    if (!parse_number(*top, &number) || number != static_cast<double>(static_cast<size_t>(number))) {
      *error = bad_value("--profile-top", *top, "a number of paths");
      return false;
    }
    options->report.top = static_cast<size_t>(number);
    return true;
  }
  if (const auto minimum = value_of(argument, "--profile-min")) {
    std::string_view digits = *minimum;
    if (digits.ends_with('%')) digits.remove_suffix(1);
    if (!parse_number(digits, &number) || number > 100) {
      *error = bad_value("--profile-min", *minimum, "a percentage");
      return false;
    }
    options->report.minimum_percent = number;
    return true;
  }
  if (const auto glob = value_of(argument, "--profile-func")) {
    options->report.function_glob = *glob;
    return true;
  }
  if (const auto glob = value_of(argument, "--profile-file")) {
    options->report.file_glob = *glob;
    return true;
  }
  return {};
}

/// One of the options about machine code. An empty optional: it is none of them.
std::optional<bool> parse_code_option(std::string_view argument, Options* options, std::string* error) {
  if (const auto size = value_of(argument, "--max-code")) {
    if (parse_size(*size, &options->max_code_bytes)) return true;
    *error = bad_value("--max-code", *size, "bytes, or a number with K, M or G");
    return false;
  }
  if (argument == "--jit-log"sv || value_of(argument, "--jit-log")) {
    options->log.log = true;
    options->log.log_file = value_of(argument, "--jit-log").value_or("");
    return true;
  }
  if (const auto file = value_of(argument, "--record-decisions")) {
    options->log.record_file = *file;
    if (file->empty()) *error = "'--record-decisions=' needs a file name";
    return !file->empty();
  }
  if (const auto file = value_of(argument, "--simulate")) {
    options->simulate_file = *file;
    if (file->empty()) *error = "'--simulate=' needs a file name";
    return !file->empty();
  }
  if (argument == "--deterministic"sv) {
    options->log.deterministic = true;
    return true;
  }
  if (const auto seed = value_of(argument, "--deterministic")) {
    options->log.deterministic = true;
    if (parse_seed(*seed, &options->seed)) return true;
    *error = bad_value("--deterministic", *seed, "a seed, a whole number");
    return false;
  }
  for (const auto& [name, flag] : {std::pair{"--perf-map"sv, &Options::perf_map},
                                   {"--measure-loops"sv, &Options::measures_loops},
                                   {"--jitdump"sv, &Options::jitdump},
                                   {"--gdb"sv, &Options::gdb}}) {
    if (argument != name) continue;
    options->*flag = true;
    return true;
  }
  return {};
}

/// An option that starts with two dashes and is not just them.
bool parse_long_option(std::string_view argument, Options* options, std::string* policy_spec,
                       std::string* error) {
  if (argument == "--help"sv) {
    options->help = true;
    return true;
  }
  if (argument == "--version"sv) {
    options->version = true;
    return true;
  }
  if (argument == "--gc-stress"sv) {
    options->collect_at_every_safepoint = true;
    return true;
  }
  if (const auto size = value_of(argument, "--max-memory")) {
    if (parse_size(*size, &options->max_memory_bytes)) return true;
    *error = bad_value("--max-memory", *size, "bytes, or a number with K, M or G");
    return false;
  }
  if (const auto stage = value_of(argument, "--dump")) {
    if (parse_stage(*stage, &options->dump)) return true;
    *error = bad_value("--dump", *stage, "tokens, bytecode, cfg, numbering, plan, asm, region, ir or passes");
    return false;
  }
  if (const auto policy = value_of(argument, "--policy")) {
    *policy_spec = *policy;
    return true;
  }
  if (const auto paths = value_of(argument, "--opt-paths")) {
    static constexpr std::pair<std::string_view, OptimizedBy> kDetails[] = {
        {"off", {0, false}}, {"edges", {0, true}}, {"acyclic", {1, true}}, {"k", {8, true}}};
    for (const auto& [name, detail] : kDetails) {
      if (*paths == name) return options->optimized_by = detail, true;
    }
    *error = bad_value("--opt-paths", *paths, "off, edges, acyclic or k");
    return false;
  }
  if (const auto stress = value_of(argument, "--stress")) {
    return parse_stress(*stress, &options->stress, error);
  }
  if (const auto handled = parse_profile_option(argument, options, error)) return *handled;
  if (const auto handled = parse_code_option(argument, options, error)) return *handled;
  *error = "unrecognized option '" + std::string(argument) + "'";
  return false;
}

/// One option of lua5.4 at argv[*index]; *index moves to its last word. Manual §7.
bool parse_short_option(char** argv, int* index, Options* options, std::string* error) {
  const std::string_view argument = argv[*index];
  const bool bare = argument.size() == 2;
  switch (argument[1]) {
    case 'E':
      if (!bare) break;
      options->ignore_environment = true;
      return true;
    case 'W':
      if (!bare) break;
      options->actions.push_back({Action::WarningsOn, ""});
      return true;
    case 'i':
      if (!bare) break;
      options->interactive = options->show_lua_version = true;
      return true;
    case 'v':
      if (!bare) break;
      options->show_lua_version = true;
      return true;
    case 'e':
    case 'l': {
      const auto kind = argument[1] == 'e' ? Action::RunText : Action::RequireLibrary;
      if (!bare) {
        options->actions.push_back({kind, std::string(argument.substr(2))});
        return true;
      }
      const char* next = argv[*index + 1];
      if (next == nullptr || next[0] == '-') {
        *error = "'" + std::string(argument) + "' needs argument";
        return false;
      }
      ++*index;
      options->actions.push_back({kind, next});
      return true;
    }
    default: break;
  }
  *error = "unrecognized option '" + std::string(argument) + "'";
  return false;
}

}  // namespace

bool parse_options(int argc, char** argv, Options* options, std::string* error) {
  options->report.format = ReportFormat::Automatic;
  std::string policy_spec(kDefaultPolicy);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.empty() || argument[0] != '-') {
      options->script_index = i;
      break;
    }
    if (argument == "-"sv) {
      options->script_index = i;
      options->script_is_stdin = true;
      break;
    }
    if (argument == "--"sv) {
      if (i + 1 < argc) options->script_index = i + 1;
      break;
    }
    const bool ok = argument.starts_with("--") ? parse_long_option(argument, options, &policy_spec, error)
                                               : parse_short_option(argv, &i, options, error);
    if (!ok) return false;
  }
  if (options->log.deterministic) use_fixed_addresses();  // before a script of a policy gets a heap
  options->policy = make_policy(policy_spec, error);
  if (options->policy == nullptr) {
    options->show_usage = false;
    return false;
  }
  if (auto stress = make_stress_policy(options->stress); stress != nullptr && options->policy->compiles()) {
    options->policy = std::move(stress);
  }
  if (!options->residual_file.empty() && !options->profile_paths) {
    *error = "'--profile-residual' needs '--profile-paths'";
    return false;
  }
  if (options->profile.allocations && !options->profile_paths) {
    *error = "'--profile-alloc' needs '--profile-paths'";
    return false;
  }
  if (options->profile_sampled && !options->policy->samples()) {
    *error = "'--profile-sampled' needs a policy that counts paths, such as adaptive";
    return false;
  }
  if (options->profile.coverage && !options->profile_paths) {
    *error = "'--profile-coverage' needs '--profile-paths'";
    return false;
  }
  if (options->profile.coverage && options->profile.iterations > 1) {
    *error = "'--profile-coverage' is about paths of single iterations: it excludes '--profile-k'";
    return false;
  }
  if (options->report.top != 0) options->profile.coverage_top = options->report.top;
  if (options->report.format == ReportFormat::Automatic) {
    const bool json = options->profile_file.ends_with(".json");
    options->report.format = json ? ReportFormat::Json : ReportFormat::Text;
  }
  return true;
}

std::string help_text(std::string_view program_name) {
  std::string text = "usage: " + std::string(program_name) + " [options] [script [args]]\n";
  text += R"(
Options of lua5.4:
  -e stat    execute string 'stat'
  -i         enter interactive mode after executing 'script'
  -l mod     require library 'mod' into global 'mod'
  -l g=mod   require library 'mod' into global 'g'
  -v         show version information
  -E         ignore environment variables
  -W         turn warnings on
  --         stop handling options
  -          stop handling options and execute stdin

Options of Mangata:
  --help                     show this text
  --version                  show the version of Mangata
)" "  --policy=POLICY            what is compiled, and what is counted, when:\n" + describe_policies() +
          R"(  --jit-log[=FILE]           what policies decide, and why: on stderr or in FILE (JSON lines when it ends in .json, .jsonl)
  --measure-loops            with --jit-log: also count the rounds of loops that are optimized, and their cycles before and after
  --record-decisions=FILE    the same with all that the policy has seen, for --policy=replay:FILE
  --simulate=FILE            run nothing: let --policy decide what --record-decisions=FILE has seen, and compare
  --deterministic[=SEED]     the same log in every run: math.random starts from SEED, objects are at fixed addresses,
                             logs leave out times
  --opt-paths=off|edges|acyclic|k  what loops are optimized by: nothing that was counted, how often branches are taken,
                             paths, or paths over k iterations (k)
  --stress=KIND              for testing: schedule:SEED (change tiers at random), profile:SEED (also what is counted),
                             region:SEED (also optimize loops), deopt:SEED (and fail their checks), osr:SEED (and leave
                             them at backedges), the last three also SEED,O0 (without LLVM's passes: quick to compile),
                             or resume (at every safepoint)
  --max-memory=SIZE          limit the heap to SIZE bytes (suffixes K, M, G)
  --gc-stress                collect garbage at every safepoint (for tests)
  --dump=STAGE               print tokens, bytecode, cfg, numbering, plan or asm of the script instead of running it;
                             or run it, and print each region that is to be optimized (region), also with LLVM's IR (ir), and
                             after each pass (passes)

Machine code:
  --max-code=SIZE            limit it to SIZE bytes (default 64M); functions beyond that are interpreted
  --perf-map                 write /tmp/perf-PID.map, for the names in perf report
  --jitdump                  write jit-PID.dump, for perf inject --jit (record with -k 1): names, lines and code
  --gdb                      tell gdb the names, lines and frames of compiled functions

Path profiles:
  --profile-paths[=FILE]     count the exact paths taken; report them on stderr or in FILE when the program ends
  --profile-edges[=FILE]     count which way branches go instead: cheaper, but it does not tell what occurs together
  --profile-sampled[=FILE]   report what the policy had counted instead, at next to no cost: estimates, scaled up from samples
  --profile-format=FORMAT    text or json (default: json when FILE ends in .json)
  --profile-top=N            show the N hottest paths (default 20 in text, all in json)
  --profile-min=PCT          hide paths below PCT percent
  --profile-func=GLOB        only functions whose name matches
  --profile-file=GLOB        only functions of files whose name matches
  --profile-weight=WEIGHT    rank paths by count, or by bytecodes executed
  --profile-alloc            also count the bytes and objects that paths allocate
  --profile-time=on|off|N    whether samples of the processor time are taken (on); N: so many a second, of real time
  --profile-stacks=FILE      with --profile-paths: write the call stacks of these samples to FILE, as flame graphs take them
  --profile-k=K              paths through up to K iterations of innermost loops (1 to 16; default 1)
  --profile-many=CHOICE      functions with too many paths to number: truncate paths (the default), or hash their ids
  --profile-array=N          functions with more than N possible paths count in a hash table (default 4096; 65536 with k > 1)
  --profile-coverage         also tell the paths that were never taken: N of each function (--profile-top; default 20)
  --profile-residual=FILE    tell the paths that an earlier profile (json) does not have
)";
  return text;
}

}  // namespace mangata
