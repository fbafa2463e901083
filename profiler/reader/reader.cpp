#include "profiler/reader/reader.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/coverage/model/coverage_diff.h"
#include "profiler/coverage/model/coverage_json.h"
#include "profiler/coverage/model/coverage_options.h"
#include "profiler/coverage/model/merge_files.h"
#include "profiler/glob.h"
#include "profiler/model/json_member.h"
#include "profiler/model/merge.h"
#include "profiler/model/profile_reader.h"
#include "profiler/report.h"
#include "profiler/report_diff.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

/// A file that was named, and what it has.
struct Input {
  std::string name;
  std::string text;
};

struct Request {
  std::vector<std::string> files;
  std::vector<std::string> bases;  ///< --diff
  ReportOptions options;
  std::string format;                 ///< empty: the default of what the files have
  std::optional<double> fail_under;   ///< of coverage only
  std::string profile_option;         ///< one that was given and is of profiles only; empty: none
  bool is_done = false;  ///< --help, --version: nothing is read
};

/// What came of a request: what is wrong, or else the exit code.
struct Answer {
  std::string problem;
  int code = EXIT_SUCCESS;
};

constexpr std::string_view kHelp =
    "usage: mangata-report [options] FILE...\n"
    "       mangata --report [options] FILE...\n"
    "Shows path profiles that `mangata --profile-paths=FILE.json` has written, or what `mangata --coverage=FILE.json` has. Several are merged.\n"
    "  --format FORMAT   text or json; of coverage also html, lcov, cobertura or luacov\n"
    "  --file GLOB       only functions in such a file; of coverage: only such files\n"
    "  --diff BASE       what has changed since the profile BASE; what BASE has not covered (several: they are merged)\n"
    "Of coverage:\n"
    "  --fail-under PCT  end with exit code 2 when fewer than PCT percent of the lines were hit (also --coverage-fail-under)\n"
    "Of profiles:\n"
    "  --func GLOB       only functions of such a name\n"
    "  --top N           so many functions, and paths of each\n"
    "  --min PCT         nothing below PCT percent\n"
    "  --list GLOB       the source of such functions, with what each line cost\n"
    "  --weight WEIGHT   order by count, bytecodes, time, bytes or objects (default: time with 500 samples, else bytecodes)\n"
    "  --help            this\n"
    "  --version         the version\n"
    "Values may also follow a =. File names after --. The exit code is 1 when a file cannot be read.\n";

bool parse_weight(const std::string& text, ReportWeight* weight) {
  for (const ReportWeight its : {ReportWeight::Count, ReportWeight::Bytecodes, ReportWeight::Time, ReportWeight::Bytes, ReportWeight::Objects}) {
    if (text != name_of(its)) continue;
    *weight = its;
    return true;
  }
  return false;
}

/// All of `text`, with or without a % at its end, is a percentage.
bool parse_percentage(const std::string& text, double* percent) {
  const char* const end = text.data() + text.size() - text.ends_with('%');
  const auto [stop, failure] = std::from_chars(text.data(), end, *percent);
  return failure == std::errc{} && stop == end && *percent >= 0 && *percent <= 100;
}

/// Of those that only profiles have. Empty, or what is wrong.
std::string take_profile_option(const std::string& option, const std::string& value, const std::string& wrong, ReportOptions* options) {
  double percent = 0;
  if (option == "--func") {
    options->function_glob = value;
  } else if (option == "--list") {
    options->listed_glob = value;
  } else if (option == "--top") {
    const char* const end = value.data() + value.size();
    const auto [stop, failure] = std::from_chars(value.data(), end, options->top);
    if (failure != std::errc{} || stop != end) return wrong + " (expected a number)";
  } else if (option == "--min") {
    if (!parse_percentage(value, &percent)) return wrong + " (expected a percentage)";
    options->minimum_percent = percent;
  } else if (!parse_weight(value, &options->weight)) {
    return wrong + " (expected count, bytecodes, time, bytes or objects)";
  }
  return {};
}

/// Empty, or what is wrong.
std::string take_option(const std::string& option, const std::string& value, Request* request) {
  const std::string wrong = "invalid value '" + value + "' for option '" + option + "'";
  double percent = 0;
  if (option == "--diff") {
    request->bases.push_back(value);
  } else if (option == "--file") {
    request->options.file_glob = value;
  } else if (option == "--format") {
    request->format = value;
  } else if (option == "--fail-under" || option == "--coverage-fail-under") {
    if (!parse_percentage(value, &percent)) return wrong + " (expected a percentage)";
    request->fail_under = percent;
  } else {
    request->profile_option = option;
    return take_profile_option(option, value, wrong, &request->options);
  }
  return {};
}

bool is_option(std::string_view word) {
  for (const char* known : {"--diff", "--func", "--file", "--list", "--top", "--min", "--weight", "--format", "--fail-under",
                            "--coverage-fail-under"}) {
    if (word == known) return true;
  }
  return false;
}

/// Empty, or what is wrong.
std::string parse(int argc, char** argv, Request* request) {
  bool only_files = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (only_files || word == "-" || !word.starts_with('-')) {
      request->files.push_back(word);
    } else if (word == "--") {
      only_files = true;
    } else if (word == "--help" || word == "--version") {
      if (word == "--help") {
        std::fwrite(kHelp.data(), 1, kHelp.size(), stdout);
      } else {
        std::puts("Mangata " MANGATA_VERSION);
      }
      request->is_done = true;
      return {};
    } else {
      const size_t equals = word.find('=');
      const std::string option = word.substr(0, equals);
      if (!is_option(option)) return "unrecognized option '" + option + "'";
      if (equals == std::string::npos && i + 1 == argc) return "option '" + option + "' needs a value";
      const std::string problem = take_option(option, equals == std::string::npos ? argv[++i] : word.substr(equals + 1), request);
      if (!problem.empty()) return problem;
    }
  }
  return request->files.empty() ? "no file is named" : "";
}

/// Empty, or what is wrong.
std::string read_all(const std::vector<std::string>& files, std::vector<Input>* inputs) {
  for (const std::string& file : files) {
    Input input{.name = file, .text = {}};
    std::string error;
    if (!read_whole_file(file, &input.text, &error)) return error;
    inputs->push_back(std::move(input));
  }
  return {};
}

/// Empty, or what is wrong.
std::string merge_all(const std::vector<Input>& inputs, RunProfile* profile) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    RunProfile next;
    std::string error;
    if (!parse_profile(inputs[i].text, inputs[i].name, &next, &error)) return error;
    if (i == 0) {
      *profile = std::move(next);
    } else if (error = merge_profile(*profile, next); !error.empty()) {
      return inputs[i].name + ": cannot be merged with " + inputs[0].name + ": " + error;
    }
  }
  return {};
}

std::string merge_all(const std::vector<Input>& inputs, coverage::CoverageReport* report) {
  coverage::MergedFiles files;
  for (const Input& input : inputs) {
    coverage::CoverageReport run;
    std::string error;
    if (!coverage::read_json_report(input.text, input.name, &run, &error)) return error;
    if (report->folder.empty()) report->folder = run.folder;
    files.add(std::move(run.files), input.name);
    report->problems.insert(report->problems.end(), run.problems.begin(), run.problems.end());
  }
  files.move_to(report);
  return {};
}

std::string write_out(const std::string& text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return is_written ? "" : "cannot write standard output";
}

Answer show_profiles(Request& request, const std::vector<Input>& inputs, const std::vector<Input>& base_inputs) {
  if (request.fail_under) return {"'--fail-under' is of coverage, and " + inputs[0].name + " is a profile"};
  if (!request.format.empty()) request.options.format = find_report_format(request.format);
  if (!request.format.empty() && (request.options.format == nullptr || request.options.format->write_paths == nullptr)) {
    return {"invalid value '" + request.format + "' for option '--format' (expected text or json)"};
  }
  RunProfile profile, base;
  std::string error = merge_all(inputs, &profile);
  if (error.empty()) error = merge_all(base_inputs, &base);
  if (!error.empty()) return {error};
  if (!request.bases.empty() && base.paths.iterations != profile.paths.iterations) return {request.bases[0] + ": was written with another --profile-k"};
  return {write_out(request.bases.empty() ? write_report(profile, request.options) : write_diff_report(base, profile, request.options))};
}

/// Of the files of a report, only those that match.
void keep_matching(const std::string& glob, coverage::CoverageReport* report) {
  if (glob.empty()) return;
  std::erase_if(report->files, [&](const coverage::SourceFile& file) { return !glob_matches(glob, file.name); });
  std::erase_if(report->problems, [&](const coverage::FileProblem& problem) { return !glob_matches(glob, problem.name); });
}

Answer show_coverage(const Request& request, const std::vector<Input>& inputs, const std::vector<Input>& base_inputs) {
  constexpr int kTooLittleCovered = 2;
  if (!request.profile_option.empty()) return {"'" + request.profile_option + "' is of profiles, and " + inputs[0].name + " is coverage"};
  const coverage::CoverageFormat* format =
      request.format.empty() ? &coverage::coverage_formats().front() : coverage::find_coverage_format(request.format);
  if (format == nullptr) {
    return {"invalid value '" + request.format + "' for option '--format' (expected text, html, lcov, cobertura, luacov or json)"};
  }
  coverage::CoverageReport report, base;
  report.program = "Mangata " MANGATA_VERSION;
  report.time = std::time(nullptr);
  std::string error = merge_all(inputs, &report);
  if (error.empty()) error = merge_all(base_inputs, &base);
  if (!error.empty()) return {error};
  keep_matching(request.options.file_glob, &report);
  if (!base_inputs.empty() && format != &coverage::coverage_formats().front()) return {"'--diff' of coverage is written as text only"};
  error = write_out(base_inputs.empty() ? format->write(report) : coverage::write_coverage_diff(base, report));
  if (!error.empty() || !request.fail_under) return {error};
  const coverage::Total lines = coverage::totals_of(report.files).lines;
  if (lines.percent() >= *request.fail_under) return {};
  std::fprintf(stderr, "%s\n", coverage::too_little_text(lines, *request.fail_under).c_str());
  return {.problem = {}, .code = kTooLittleCovered};
}

Answer show(Request& request) {
  std::vector<Input> inputs, bases;
  std::string error = read_all(request.files, &inputs);
  if (error.empty()) error = read_all(request.bases, &bases);
  if (!error.empty()) return {error};
  return coverage::is_coverage(inputs[0].text) ? show_coverage(request, inputs, bases) : show_profiles(request, inputs, bases);
}

}  // namespace

int run_reader(int argc, char** argv, const char* name) {
  Request request;
  std::string problem = parse(argc, argv, &request);
  if (problem.empty() && request.is_done) return std::fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!problem.empty()) {
    std::fprintf(stderr, "%s: %s\nTry '%s --help'.\n", name, problem.c_str(), name);
    return EXIT_FAILURE;
  }
  Answer answer;
  try {
    answer = show(request);
  } catch (const std::bad_alloc&) {
    answer.problem = "not enough memory";
  }
  if (answer.problem.empty()) return answer.code;
  std::fprintf(stderr, "%s: %s\n", name, answer.problem.c_str());
  return EXIT_FAILURE;
}

}  // namespace mangata
