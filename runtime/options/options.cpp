// How the command line becomes Options. First all options are found, those of the environment before those of argv; then they are read
// in this order, so that the last one wins; then it is asked whether they have an effect.
#include "runtime/options/options.h"

#include <algorithm>
#include <utility>

#include "profiler/report_format.h"
#include "runtime/options/environment.h"
#include "runtime/options/help.h"
#include "runtime/options/option_row.h"
#include "runtime/options/suggestion.h"
#include "vm/heap/fixed_addresses.h"

namespace mangata {
namespace {

constexpr std::string_view kVariable = "MANGATA_OPTIONS";

struct GivenOption {
  const OptionRow* row;
  std::string_view value;
  bool has_value;
  bool is_from_environment;
};

class OptionParser {
 public:
  OptionParser(Options* options, OptionError* error) : options_(*options), error_(*error) {}

  bool parse(const CommandLine& line) {
    if (!find_in_arguments(line)) return false;
    const bool ignores_environment = has_given("-E");
    if (!ignores_environment && line.environment != nullptr && !find_in_environment(line.environment)) return false;
    return read() && (options_.help || options_.version || (make_policies() && check_together() && check_needs()));
  }

 private:
  bool fail(std::string message, std::string hint = {}) {
    error_ = {std::move(message), std::move(hint)};
    return false;
  }

  /// The options before the script in argv.
  bool find_in_arguments(const CommandLine& line) {
    for (int i = 1; i < line.argc; ++i) {
      const std::string_view argument = line.argv[i];
      if (argument.empty() || argument[0] != '-' || argument == "-") {
        options_.script_index = i;
        options_.script_is_stdin = argument == "-";
        return true;
      }
      if (argument == "--") {
        if (i + 1 < line.argc) options_.script_index = i + 1;
        return true;
      }
      const char* next = line.argv[i + 1];
      if (argument == "--help") {
        options_.help = true;
        if (next != nullptr) options_.help_topic = next;
        return true;
      }
      bool takes_next = false;
      if (!find_one(argument, next, false, &takes_next)) return false;
      i += takes_next;
    }
    return true;
  }

  bool find_in_environment(const char* text) {
    std::string problem;
    if (!split_words(text, &words_, &problem)) return fail(std::string(kVariable) + ": " + problem);
    const size_t in_arguments = given_.size();
    for (size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].size() < 2 || words_[i][0] != '-') return fail(std::string(kVariable) + ": '" + words_[i] + "' is no option");
      const char* next = i + 1 < words_.size() ? words_[i + 1].c_str() : nullptr;
      bool takes_next = false;
      if (!find_one(words_[i], next, true, &takes_next)) {
        error_.message = std::string(kVariable) + ": " + error_.message;
        return false;
      }
      i += takes_next;
    }
    std::rotate(given_.begin(), given_.begin() + static_cast<ptrdiff_t>(in_arguments), given_.end());
    return true;
  }

  bool find_one(std::string_view argument, const char* next, bool in_environment, bool* takes_next) {
    const bool is_found = argument.starts_with("--") ? find_long(argument) : find_short(argument, next, takes_next);
    if (!is_found) return false;
    given_.back().is_from_environment = in_environment;
    if (in_environment && given_.back().row->is_of_this_run) return fail("'" + std::string(argument) + "' goes on the command line");
    return true;
  }

  bool find_long(std::string_view argument) {
    const size_t sign = argument.find('=');
    const std::string_view name = argument.substr(0, sign);
    const bool has_value = sign != std::string_view::npos;
    const OptionRow* row = find_option(name);
    if (row == nullptr || row->read == nullptr) return fail_unrecognized(argument, name);
    if (has_value && row->argument.empty()) return fail("option '" + std::string(name) + "' takes no value", hint_at(row));
    if (!has_value && row->argument.starts_with('=')) {
      const std::string name_and_value = std::string(name) + std::string(row->argument);
      return fail("option '" + std::string(name) + "' needs a value: '" + name_and_value + "'", hint_at(row));
    }
    given_.push_back({row, has_value ? argument.substr(sign + 1) : std::string_view(), has_value, false});
    return true;
  }

  /// An option of lua5.4; its value may be the next word. Manual §7.
  bool find_short(std::string_view argument, const char* next, bool* takes_next) {
    const OptionRow* row = find_option(argument.substr(0, 2));
    const bool is_bare = argument.size() == 2;
    if (row == nullptr || (!is_bare && row->argument.empty())) return fail_unrecognized(argument, argument);
    std::string_view value = argument.substr(2);
    if (is_bare && !row->argument.empty()) {
      if (next == nullptr || next[0] == '-') return fail("'" + std::string(argument) + "' needs argument", hint_at(row));
      value = next;
      *takes_next = true;
    }
    given_.push_back({row, value, !row->argument.empty(), false});
    return true;
  }

  bool fail_unrecognized(std::string_view argument, std::string_view name) {
    const std::string_view meant = suggest_option(name);
    std::string hint = meant.empty() ? std::string() : "Did you mean '" + std::string(meant) + "'? ";
    return fail("unrecognized option '" + std::string(argument) + "'", hint + hint_at(meant.empty() ? nullptr : find_option(meant)));
  }

  static std::string hint_at(const OptionRow* row) {
    const std::string topic = row == nullptr ? "" : " " + std::string(section_of(*row).topic);
    return "Try 'mangata --help" + topic + "' for more information.";
  }

  bool has_given(std::string_view name) const {
    for (const GivenOption& given : given_) {
      if (given.row->name == name) return true;
    }
    return false;
  }

  bool read() {
    for (const GivenOption& given : given_) {
      std::string problem;
      if (given.row->read({*given.row, given.value, given.has_value, options_, &problem})) continue;
      return fail((given.is_from_environment ? std::string(kVariable) + ": " : "") + problem, hint_at(given.row));
    }
    return true;
  }

  bool make_policies() {
    if (options_.log.deterministic) use_fixed_addresses();  // before a script of a policy gets a heap
    options_.policy = make_policy(options_.policy_spec, &error_.message, &options_.regions);
    if (options_.policy == nullptr) return false;
    if (auto stress = make_stress_policy(options_.stress); stress != nullptr && options_.policy->compiles()) {
      options_.policy = std::move(stress);
      set_regions(options_.stress, &options_.regions);
    }
    return true;
  }

  bool check_needs() {
    for (const GivenOption& given : given_) {
      const OptionNeed* need = given.row->need;
      if (need == nullptr || need->is_met(options_)) continue;
      const std::string name = (given.is_from_environment ? std::string(kVariable) + ": '" : "'") + std::string(given.row->name);
      return fail(name + "' needs " + std::string(need->what), hint_at(given.row));
    }
    return true;
  }

  /// What no row can tell alone.
  bool check_together() {
    const ProfileOptions& profile = options_.profile;
    const std::string hint = hint_at(find_option("--profile-paths"));
    const std::pair<const char*, bool> kinds[] = {{"--profile-paths", options_.profile_paths},
                                                  {"--profile-edges", options_.profile_edges},
                                                  {"--profile-sampled", options_.profile_sampled},
                                                  {"--coverage", options_.coverage.is_on}};
    const char* first = nullptr;
    for (const auto& [name, is_given] : kinds) {
      if (!is_given) continue;
      if (first != nullptr) return fail("'" + std::string(first) + "' and '" + name + "' exclude each other", hint);
      first = name;
    }
    if (options_.profile_sampled && !options_.policy->samples()) {
      return fail("'--profile-sampled' needs a policy that counts paths, such as adaptive", hint);
    }
    if (profile.coverage && profile.iterations > 1) {
      return fail("'--profile-coverage' is about paths of single iterations: it excludes '--profile-k'", hint);
    }
    return true;
  }

  Options& options_;
  OptionError& error_;
  std::vector<std::string> words_;   ///< of the environment; values refer to them
  std::vector<GivenOption> given_;
};

}  // namespace

bool parse_options(const CommandLine& line, Options* options, OptionError* error) {
  if (!OptionParser(options, error).parse(line)) return false;
  if (options->report.top != 0) options->profile.coverage_top = options->report.top;
  if (options->report.format == nullptr) options->report.format = &report_format_of_file(options->profile_file);
  if (options->report.format->is_binary && options->profile_file.empty()) {
    *error = {"the format " + std::string(options->report.format->name) + " needs a file: --profile-paths=FILE", "Try 'mangata --help'."};
    return false;
  }
  if (options->profile_edges && options->report.format->write_edges == nullptr) {
    *error = {"edge profiles cannot be written as " + std::string(options->report.format->name), "Try 'mangata --help'."};
    return false;
  }
  return true;
}

}  // namespace mangata
