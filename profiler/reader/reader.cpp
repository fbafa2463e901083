#include "profiler/reader/reader.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/model/merge.h"
#include "profiler/model/profile_reader.h"
#include "profiler/report.h"
#include "profiler/report_diff.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

struct Request {
  std::vector<std::string> files;
  std::vector<std::string> bases;  ///< --diff
  ReportOptions options;
  bool is_done = false;  ///< --help, --version: nothing is read
};

constexpr std::string_view kHelp =
    "usage: mangata-report [options] FILE...\n"
    "       mangata --report [options] FILE...\n"
    "Shows path profiles that `mangata --profile-paths=FILE.json` has written. Several are merged.\n"
    "  --diff BASE       what has changed since the profile BASE (several: they are merged)\n"
    "  --func GLOB       only functions of such a name\n"
    "  --file GLOB       only functions in such a file\n"
    "  --top N           so many functions, and paths of each\n"
    "  --min PCT         nothing below PCT percent\n"
    "  --list GLOB       the source of such functions, with what each line cost\n"
    "  --weight WEIGHT   order by count, bytecodes, time, bytes or objects (default: time with 500 samples, else bytecodes)\n"
    "  --format FORMAT   text or json\n"
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

/// Empty, or what is wrong.
std::string take_option(const std::string& option, const std::string& value, Request* request) {
  const std::string wrong = "invalid value '" + value + "' for option '" + option + "'";
  const char* const end = value.data() + value.size();
  if (option == "--diff") {
    request->bases.push_back(value);
  } else if (option == "--func") {
    request->options.function_glob = value;
  } else if (option == "--file") {
    request->options.file_glob = value;
  } else if (option == "--list") {
    request->options.listed_glob = value;
  } else if (option == "--top") {
    const auto [stop, failure] = std::from_chars(value.data(), end, request->options.top);
    if (failure != std::errc{} || stop != end) return wrong + " (expected a number)";
  } else if (option == "--min") {
    double percent = 0;
    const auto [stop, failure] = std::from_chars(value.data(), end - value.ends_with('%'), percent);
    if (failure != std::errc{} || stop != end - value.ends_with('%') || !(percent >= 0 && percent <= 100)) return wrong + " (expected a percentage)";
    request->options.minimum_percent = percent;
  } else if (option == "--weight") {
    if (!parse_weight(value, &request->options.weight)) return wrong + " (expected count, bytecodes, time, bytes or objects)";
  } else {
    request->options.format = find_report_format(value);
    if (request->options.format == nullptr || request->options.format->write_paths == nullptr) return wrong + " (expected text or json)";
  }
  return {};
}

bool is_option(std::string_view word) {
  for (const char* known : {"--diff", "--func", "--file", "--list", "--top", "--min", "--weight", "--format"}) {
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
  return request->files.empty() ? "no profile is named" : "";
}

/// Empty, or what is wrong.
std::string read_all(const std::vector<std::string>& files, RunProfile* profile) {
  for (size_t i = 0; i < files.size(); ++i) {
    RunProfile next;
    std::string error;
    if (!read_profile(files[i], &next, &error)) return error;
    if (i == 0) {
      *profile = std::move(next);
    } else if (error = merge_profile(*profile, next); !error.empty()) {
      return files[i] + ": cannot be merged with " + files[0] + ": " + error;
    }
  }
  return {};
}

/// Empty, or what is wrong.
std::string show(const Request& request) {
  RunProfile profile, base;
  std::string error = read_all(request.files, &profile);
  if (error.empty()) error = read_all(request.bases, &base);
  if (!error.empty()) return error;
  if (!request.bases.empty() && base.paths.iterations != profile.paths.iterations) return request.bases[0] + ": was written with another --profile-k";
  const std::string text =
      request.bases.empty() ? write_report(profile, request.options) : write_diff_report(base, profile, request.options);
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return is_written ? "" : "cannot write standard output";
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
  try {
    problem = show(request);
  } catch (const std::bad_alloc&) {
    problem = "not enough memory";
  }
  if (problem.empty()) return EXIT_SUCCESS;
  std::fprintf(stderr, "%s: %s\n", name, problem.c_str());
  return EXIT_FAILURE;
}

}  // namespace mangata
