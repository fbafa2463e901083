// The report for people: what ran, what cost most (report_functions.h), the source lines of the hottest paths, and remarks.
#include <algorithm>
#include <cstdio>
#include <set>

#include "profiler/report.h"
#include "profiler/report_baseline.h"
#include "profiler/report_coverage.h"
#include "profiler/report_functions.h"
#include "profiler/report_listing.h"
#include "profiler/report_loops.h"
#include "profiler/selection.h"
#include "profiler/source_lines.h"
#include "profiler/text_table.h"

namespace mangata {
namespace {

constexpr size_t kDefaultTop = 20;
constexpr size_t kListedRuns = 5;
constexpr size_t kListedCuts = 10;
constexpr size_t kListedPredictions = 10;

/// Which paths the profile has no room for.
std::string about_left_out(const PathProfile& profile) {
  const LeftOutPaths& left_out = profile.left_out;
  std::string text = "Left out, to stay within " + std::to_string(profile.max_memory_bytes >> 20) + "M (--profile-max-memory): " +
                     plural(left_out.paths, "path") + " of the rarest, which ran " + std::to_string(left_out.executions) +
                     " times in all.\n"
                     "What is told of calls, bytecodes and loops is about the others: ≥ marks functions that have such paths. Times are whole.\n";
  if (left_out.most_missing != 0) {
    text += "Counts of paths in hash tables are lower bounds: at most " + std::to_string(left_out.most_missing) + " too low.\n";
  }
  return text;
}

/// "mangata script.lua, 2026-11-24T10:00:00Z", of each run.
std::string about_the_runs(const std::vector<RunInfo>& runs) {
  std::string text;
  for (size_t i = 0; i < std::min(kListedRuns, runs.size()); ++i) {
    const RunInfo& run = runs[i];
    std::string command;
    for (const std::string& word : run.command_line) command += (command.empty() ? "" : " ") + word;
    text += (i == 0 ? "Run: " : "     ") + printable(command, 200) + " (" + printable(run.date) + ", Mangata " + printable(run.version) + ", --policy=" +
            printable(run.policy, 60) + (run.exit_status ? ", exit status " + std::to_string(*run.exit_status) : "") + ")\n";
  }
  if (runs.size() > kListedRuns) text += "     ... and " + plural(runs.size() - kListedRuns, "other") + "\n";
  return text;
}

std::string header(const Selection& selection, const FunctionScreen& screen) {
  const PathProfile& profile = screen.profile.paths;
  std::string text = "Path profile: " + plural(selection.completed, "path") + " completed, " +
                     std::to_string(selection.distinct) + " distinct, in " +
                     plural(profile.functions.size(), "function") + ".";
  if (selection.cut != 0) text += " " + std::to_string(selection.cut) + " more cut off (listed last).";
  text += "\n" + about_the_runs(screen.profile.runs);
  if (profile.is_estimate) {
    text +=
        "Counts are estimates: what samples have counted, scaled up to all calls and rounds of each "
        "function. Functions that were\n"
        "never sampled are missing.\n";
  }
  if (profile.left_out.paths != 0) text += about_left_out(profile);
  if (screen.shown.empty()) return text;
  text += cost_text(screen);
  if (profile.iterations > 1) {
    text += "Paths run through up to " + std::to_string(profile.iterations) +
            " rounds of innermost loops, with | between two rounds. While such a loop goes on, each round is the\n"
            "last of one path, which begins with the rounds before it.\n";
  }
  return text;
}

std::string cut_table(const Selection& selection) {
  if (selection.cut_paths.empty()) return {};
  TextTable table({"count", "function", "file:line", "path"}, 1);
  for (size_t i = 0; i < std::min(kListedCuts, selection.cut_paths.size()); ++i) {
    const SelectedPath& cut = selection.cut_paths[i];
    table.add({std::to_string(cut.path->count), short_name(*cut.function), describe_place(*cut.function),
               describe(cut.path->path, cut.function->crowded_lines)});
  }
  std::string text =
      "\nCut off before their end, by an error, a coroutine that was not finished, or the end of the "
      "program:\n" +
      table.text();
  if (selection.cut_paths.size() > kListedCuts) {
    text += "  ... and " + plural(selection.cut_paths.size() - kListedCuts, "other") + "\n";
  }
  return text;
}

/// Where edges are not enough: functions whose paths an edge profile would get wrong, the worst first.
std::string edge_prediction_table(const Selection& selection) {
  std::vector<const FunctionProfile*> functions;
  for (const SelectedPath& selected : selection.paths) {
    const EdgePrediction& prediction = selected.function->by_edges;
    if (prediction.right < prediction.executions &&
        std::find(functions.begin(), functions.end(), selected.function) == functions.end()) {
      functions.push_back(selected.function);
    }
  }
  if (functions.empty()) return {};
  std::stable_sort(
      functions.begin(), functions.end(), [](const FunctionProfile* a, const FunctionProfile* b) {
        return a->by_edges.executions - a->by_edges.right > b->by_edges.executions - b->by_edges.right;
      });
  TextTable table({"right%", "paths", "function", "file:line", ""}, 2);
  for (size_t i = 0; i < std::min(kListedPredictions, functions.size()); ++i) {
    const EdgePrediction& prediction = functions[i]->by_edges;
    const std::string remark = prediction.misleads ? "edges would have named " + describe(prediction.named, functions[i]->crowded_lines) +
                                                         " (" + plural(prediction.named_count, "time") + ")"
                                                   : "";
    table.add({percent_text(prediction.right_percent()), std::to_string(prediction.executions),
               short_name(*functions[i]), describe_place(*functions[i]), remark});
  }
  return "\nHow many of the paths an edge profile would name, following the most frequent outcome of each "
         "branch:\n" +
         table.text();
}

std::string hash_remark(const FunctionProfile& function) {
  char bound[32];
  std::snprintf(bound, sizeof bound, "%.1e", function.collision_bound);
  return " has too many possible paths to number them: their ids are hashes. The probability that two of them were counted\n"
         "as one is at most " +
         std::string(bound) + "; " +
         (function.collisions == 0 ? "it did not happen" : "it happened " + std::to_string(function.collisions) + " times") + ".\n";
}

/// Functions whose numbers need a remark.
std::string remarks(const Selection& selection) {
  std::set<const FunctionProfile*> functions;
  for (const SelectedPath& selected : selection.paths) functions.insert(selected.function);
  std::string text;
  for (const FunctionProfile* function : functions) {
    const std::string name = "\n" + printable(function->name) + " (" + printable(describe_place(*function)) + ")";
    if (function->has_hashed_ids) text += name + hash_remark(*function);
    if (function->is_truncated) text += name + " has too many possible paths: they are also cut where it says `cut`.\n";
    if (function->is_shortened && function->has_hashed_ids) {
      text += name + " is therefore counted in single rounds.\n";
    } else if (function->is_shortened) {
      text += name + " has a loop with too many paths for that many rounds: its paths run through fewer.\n";
    }
  }
  return text;
}

}  // namespace

std::string write_text_report(const RunProfile& profile, const ReportOptions& options) {
  const FunctionScreen screen(profile, options);
  ReportOptions of_paths = screen.options;
  of_paths.weight = screen.path_weight;
  const Selection selection = select_paths(profile.paths, of_paths, kDefaultTop, screen.path_total);
  SourceLines sources(&profile.paths.chunks);
  std::string text = header(selection, screen) + baseline_section(profile.paths, selection, options);
  if (!screen.shown.empty()) {
    text += "\n" + function_table(screen) + function_listings(screen, sources) + loop_costs(screen) + paths_by_function(screen) +
            file_table(screen) + loop_table(selection) + path_listings(selection, sources) + edge_prediction_table(selection) +
            remarks(selection);
  }
  return text + cut_table(selection) + coverage_section(profile.paths, options);
}

}  // namespace mangata
