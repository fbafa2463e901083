#include "profiler/coverage/model/coverage_diff.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "profiler/coverage/model/report_paths.h"
#include "profiler/text_table.h"

namespace mangata::coverage {
namespace {

class Difference {
 public:
  void add(const SourceFile& before, const SourceFile& now) {
    add_lines(before, now);
    for (const FunctionPaths& function : now.paths) {
      const auto same = std::find_if(before.paths.begin(), before.paths.end(), [&](const FunctionPaths& other) {
        return std::tie(other.name, other.line, other.column) == std::tie(function.name, function.line, function.column);
      });
      add_paths(same == before.paths.end() ? nullptr : &*same, now, function);
    }
  }

  std::string text() const {
    return "Covered here, but not there: " + plural(lines_, "line") + ", " + plural(outcomes_, "outcome") + ", " + plural(paths_, "path") + ".\n" +
           text_;
  }

 private:
  void tell(const SourceFile& file, int32_t line, const std::string& what, uint64_t count) {
    text_ += "  " + printable(file.name) + ":" + std::to_string(line) + ": " + what + ", " + plural(count, "time") + "\n";
  }

  void add_lines(const SourceFile& before, const SourceFile& now) {
    for (size_t i = 0; i < now.lines.size(); ++i) {
      const SourceLine& own = now.lines[i];
      const auto number = static_cast<int32_t>(i) + 1;
      if (own.hits != 0 && before.lines[i].hits == 0) {
        ++lines_;
        tell(now, number, "line", own.hits);
      }
      for (size_t place = 0; place < own.conditions.size(); ++place) {
        for (size_t arm = 0; arm < 2; ++arm) {
          const bool was_taken = place < before.lines[i].conditions.size() && before.lines[i].conditions[place].counts[arm] != 0;
          if (own.conditions[place].counts[arm] == 0 || was_taken) continue;
          ++outcomes_;
          const std::string which = own.conditions.size() > 1 ? "condition " + std::to_string(place + 1) + " " : "";
          tell(now, number, which + outcome_name(own.conditions[place].outcomes[arm]), own.conditions[place].counts[arm]);
        }
      }
    }
  }

  void add_paths(const FunctionPaths* before, const SourceFile& file, const FunctionPaths& function) {
    std::set<std::pair<int32_t, std::vector<uint32_t>>> taken;
    if (before != nullptr) {
      for (const CoveredPath& path : before->paths) {
        if (path.count != 0) taken.emplace(path.start, path.steps);
      }
    }
    for (const CoveredPath& path : function.paths) {
      if (path.count == 0 || taken.contains({path.start, path.steps})) continue;
      ++paths_;
      tell(file, std::max(function.line, 1), printable(function.name) + ": " + path_label(function, path), path.count);
    }
  }

  uint64_t lines_ = 0, outcomes_ = 0, paths_ = 0;
  std::string text_;
};

}  // namespace

std::string write_coverage_diff(const CoverageReport& base, const CoverageReport& report) {
  Difference difference;
  std::string problems;
  for (const SourceFile& file : report.files) {
    const auto before =
        std::find_if(base.files.begin(), base.files.end(), [&](const SourceFile& other) { return other.name == file.name; });
    if (before == base.files.end()) {
      SourceFile nothing = file;
      for (SourceLine& line : nothing.lines) line = {};
      nothing.paths.clear();
      difference.add(nothing, file);
    } else if (before->text_hash != file.text_hash || before->lines.size() != file.lines.size()) {
      problems += "  " + printable(file.name) + " has another text there\n";
    } else {
      difference.add(*before, file);
    }
  }
  return difference.text() + (problems.empty() ? "" : "\nNot compared:\n" + problems);
}

}  // namespace mangata::coverage
