// Coverage in the form of LCOV. A function begins at its first line that counts: genhtml wants it to be a line that is covered or not.
// Conditions are its blocks, numbered on each line; their outcomes are its branches 0 (true, goes on, runs) and 1 (false, is done, does
// not run).
#include "profiler/coverage/model/reports.h"

namespace mangata::coverage {
namespace {

std::string number(uint64_t value) { return std::to_string(value); }

std::string function_records(const SourceFile& file) {
  std::string text;
  for (const SourceFunction& function : file.functions) {
    text += "FN:" + number(static_cast<uint64_t>(function.first_counted_line)) + "," + function.name + "\n";
  }
  for (const SourceFunction& function : file.functions) text += "FNDA:" + number(function.calls) + "," + function.name + "\n";
  return text + "FNF:" + number(file.totals.functions.all) + "\nFNH:" + number(file.totals.functions.hit) + "\n";
}

std::string branch_records(const SourceFile& file) {
  std::string text;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::vector<Condition>& conditions = file.lines[i].conditions;
    for (size_t block = 0; block < conditions.size(); ++block) {
      for (size_t arm = 0; arm < 2; ++arm) {
        const std::string count = conditions[block].reached() == 0 ? "-" : number(conditions[block].counts[arm]);
        text += "BRDA:" + number(i + 1) + "," + number(block) + "," + number(arm) + "," + count + "\n";
      }
    }
  }
  if (file.totals.branches.all == 0) return text;
  return text + "BRF:" + number(file.totals.branches.all) + "\nBRH:" + number(file.totals.branches.hit) + "\n";
}

std::string line_records(const SourceFile& file) {
  std::string text;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].counts) text += "DA:" + number(i + 1) + "," + number(file.lines[i].hits) + "\n";
  }
  return text + "LF:" + number(file.totals.lines.all) + "\nLH:" + number(file.totals.lines.hit) + "\n";
}

}  // namespace

std::string write_lcov(const CoverageReport& report) {
  std::string text;
  for (const SourceFile& file : report.files) {
    text += "TN:\nSF:" + file.name + "\n" + function_records(file) + branch_records(file) + line_records(file) + "end_of_record\n";
  }
  return text;
}

}  // namespace mangata::coverage
