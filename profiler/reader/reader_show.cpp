#include "profiler/reader/reader_show.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "profiler/coverage/model/coverage_diff.h"
#include "profiler/coverage/model/coverage_json.h"
#include "profiler/coverage/model/coverage_options.h"
#include "profiler/coverage/model/merge_files.h"
#include "profiler/glob.h"
#include "profiler/model/json_member.h"
#include "profiler/model/merge.h"
#include "profiler/model/profile_reader.h"
#include "profiler/report.h"
#include "profiler/report_format.h"

namespace mangata {
namespace {

/// A file that was named, and what it has.
struct Input {
  std::string name;
  std::string text;
};

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
    return {"invalid value '" + request.format + "' for option '--format' (expected " + names_of_report_formats() + ")"};
  }
  RunProfile profile, base;
  std::string error = merge_all(inputs, &profile);
  if (error.empty()) error = merge_all(base_inputs, &base);
  if (!error.empty()) return {error};
  if (!request.bases.empty() && base.paths.iterations != profile.paths.iterations) return {request.bases[0] + ": was written with another --profile-k"};
  const ReportFormat& format = request.options.format != nullptr ? *request.options.format : report_formats().front();
  if (!request.bases.empty() && format.write_diff == nullptr) return {"a difference cannot be written as " + std::string(format.name)};
  if (format.is_binary && isatty(STDOUT_FILENO)) {
    return {"standard output is a terminal, and the format " + std::string(format.name) + " is nothing to read: > FILE"};
  }
  return {write_out(request.bases.empty() ? write_report(profile, request.options) : format.write_diff(base, profile, request.options))};
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
  if (coverage::is_enough(lines, *request.fail_under)) return {};
  std::fprintf(stderr, "%s\n", coverage::too_little_text(lines, *request.fail_under).c_str());
  return {.problem = {}, .code = kTooLittleCovered};
}

}  // namespace

Answer show(Request& request) {
  std::vector<Input> inputs, bases;
  std::string error = read_all(request.files, &inputs);
  if (error.empty()) error = read_all(request.bases, &bases);
  if (!error.empty()) return {error};
  return coverage::is_coverage(inputs[0].text) ? show_coverage(request, inputs, bases) : show_profiles(request, inputs, bases);
}

}  // namespace mangata
