#include "profiler/reader/reader.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "profiler/reader/reader_show.h"
#include "profiler/report.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

constexpr std::string_view kHelpBeforeFormats =
    "usage: mangata-report [options] FILE...\n"
    "       mangata --report [options] FILE...\n"
    "Shows path profiles that `mangata --profile-paths=FILE.json` has written, or what `mangata --coverage=FILE.json` has. Several are merged.\n"
    "  --format FORMAT   ";
constexpr std::string_view kHelpAfterFormats =
    "\n"
    "                    of coverage: text, html, lcov, cobertura, luacov or json\n"
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
  for (const ReportWeight report_weight : {ReportWeight::Count, ReportWeight::Bytecodes, ReportWeight::Time, ReportWeight::Bytes, ReportWeight::Objects}) {
    if (text != name_of(report_weight)) continue;
    *weight = report_weight;
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
        const std::string help = std::string(kHelpBeforeFormats) + names_of_report_formats() + std::string(kHelpAfterFormats);
        std::fwrite(help.data(), 1, help.size(), stdout);
      } else {
        std::puts("Mangata " MANGATA_VERSION);
      }
      request->is_done = true;
      return {};
    } else {
      const size_t equals = word.find('=');
      const std::string option = word.substr(0, equals);
      if (!is_option(option)) {
        constexpr std::string_view kOfMangata = "--profile-";  // the same are so called there
        const std::string shorter = option.starts_with(kOfMangata) ? "--" + option.substr(kOfMangata.size()) : "";
        return "unrecognized option '" + option + "'" + (is_option(shorter) ? "; here it is '" + shorter + "'" : "");
      }
      if (equals == std::string::npos && i + 1 == argc) return "option '" + option + "' needs a value";
      const std::string problem = take_option(option, equals == std::string::npos ? argv[++i] : word.substr(equals + 1), request);
      if (!problem.empty()) return problem;
    }
  }
  return request->files.empty() ? "no file is named" : "";
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
