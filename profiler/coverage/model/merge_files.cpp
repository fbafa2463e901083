#include "profiler/coverage/model/merge_files.h"

#include <utility>

namespace mangata::coverage {

void MergedFiles::add(std::vector<SourceFile> files, const std::string& run) {
  for (SourceFile& file : files) {
    const auto [place, is_new] = files_.try_emplace(file.name, file);
    if (!is_new && !add_run(&place->second, file)) problems_.push_back({file.name, "has another text in '" + run + "', which is not added"});
  }
}

void MergedFiles::move_to(CoverageReport* report) {
  for (auto& [name, file] : files_) {
    show_text(&file);
    report->files.push_back(std::move(file));
  }
  files_.clear();
  report->problems.insert(report->problems.end(), problems_.begin(), problems_.end());
}

}  // namespace mangata::coverage
