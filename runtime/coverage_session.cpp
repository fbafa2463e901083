#include "runtime/coverage_session.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "profiler/coverage/model/stats_file.h"
#include "profiler/glob.h"
#include "runtime/output/output_name.h"

namespace mangata {
namespace {

namespace fs = std::filesystem;
using coverage::CoverageFormat;

/// Paths of Lua files in the folder and below, or the file itself.
std::vector<std::string> files_below(const std::string& place) {
  std::vector<std::string> files;
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) {
    files.push_back(place);
    return files;
  }
  const auto skips = fs::directory_options::skip_permission_denied;
  for (auto entry = fs::recursive_directory_iterator(place, skips, ignored); entry != fs::end(entry); entry.increment(ignored)) {
    if (entry->is_regular_file(ignored) && entry->path().extension() == ".lua") files.push_back(entry->path().string());
  }
  return files;
}

/// The folder in which all files are that a pattern can name.
std::string folder_of(const std::string& pattern) {
  const size_t wild = std::min(pattern.find_first_of("*?"), pattern.size());
  if (wild == pattern.size()) return pattern;
  const size_t slash = pattern.rfind('/', wild);
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : pattern.substr(0, slash);
}

/// A file that is locked until this goes out of scope.
class LockedFile {
 public:
  explicit LockedFile(const std::string& name) : file_(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  bool is_open() const { return file_ >= 0; }

  std::string text() const {
    std::string text;
    char buffer[65536];
    for (ssize_t count; (count = ::read(file_, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(count));
    return text;
  }

  /// False: errno says why.
  bool replace(std::string_view text) const {
    if (ftruncate(file_, 0) != 0 || lseek(file_, 0, SEEK_SET) != 0) return false;
    while (!text.empty()) {
      const ssize_t count = ::write(file_, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      text.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }

 private:
  int file_;
};

/// Names with line ends fit into no format.
bool is_writable_name(const std::string& name) { return name.find_first_of("\n\r") == std::string::npos && !name.empty(); }

}  // namespace

CoverageSession::CoverageSession(const coverage::CoverageOptions& options, OutputErrors& errors)
    : options_(options), errors_(errors), profiler_([this](const std::string& source) { return counts(source); }, options.counts_paths) {
  std::error_code ignored;
  folder_ = fs::current_path(ignored).string();
  std::string error;
  if (!settings_.read(&error)) errors.tell(error);
}

/// Whether hits in chunks of this name are to be counted.
bool CoverageSession::counts(const std::string& source) {
  if (!coverage::is_file(source) && !settings_.counts_code_from_strings()) return false;
  const std::string name = coverage::stats_name(source);
  return is_writable_name(name) && settings_.includes(name) && is_included(name);
}

bool CoverageSession::is_included(const std::string& name) {
  if (options_.includes.empty()) return true;
  const std::string here = folder_ + "/";
  const std::string relative = name.starts_with(here) ? name.substr(here.size()) : name;
  return std::any_of(options_.includes.begin(), options_.includes.end(), [&](const std::string& pattern) {
    return glob_matches(pattern, name) || glob_matches(pattern, relative) || glob_matches(pattern, "./" + relative);
  });
}

/// By the name that reports use.
std::map<std::string, coverage::FileChunks> CoverageSession::files_of(const coverage::RunCoverage& run) {
  std::map<std::string, coverage::FileChunks> files;
  for (const coverage::CoveredChunk& chunk : run.chunks) {
    if (!coverage::is_file(chunk.source)) continue;
    const std::string name = settings_.real_name(coverage::stats_name(chunk.source));
    coverage::FileChunks& file = files[name];
    file.name = name;
    file.chunks.push_back(&chunk);
  }
  return files;
}

void CoverageSession::add_files_never_loaded(std::map<std::string, coverage::FileChunks>* files) {
  std::vector<std::string> found;
  for (const std::string& place : settings_.untested()) {
    for (std::string& file : files_below(place)) found.push_back(std::move(file));
  }
  for (const std::string& pattern : options_.includes) {
    for (std::string& file : files_below(folder_of(pattern))) found.push_back(std::move(file));
  }
  std::map<fs::path, bool> is_known;
  std::error_code ignored;
  for (const auto& [name, file] : *files) is_known[fs::weakly_canonical(name, ignored)] = true;
  for (const std::string& file : found) {
    const std::string own_name = coverage::stats_name("@" + file);
    const std::string name = settings_.real_name(own_name);
    if (!is_writable_name(name) || !settings_.includes(own_name) || !is_included(own_name)) continue;
    if (std::exchange(is_known[fs::weakly_canonical(name, ignored)], true)) continue;
    (*files)[name].name = name;
  }
}

coverage::CoverageReport CoverageSession::report_on(const coverage::RunCoverage& run) {
  coverage::CoverageReport report{
      .files = {}, .problems = {}, .program = "Mangata " MANGATA_VERSION, .time = std::time(nullptr), .folder = folder_};
  std::map<std::string, coverage::FileChunks> files = files_of(run);
  add_files_never_loaded(&files);
  for (const auto& [name, chunks] : files) {
    coverage::FileProblem problem;
    std::optional<coverage::SourceFile> file = coverage::make_source_file(chunks, &problem);
    if (file) {
      report.files.push_back(std::move(*file));
    } else {
      report.problems.push_back(std::move(problem));
    }
  }
  return report;
}

void CoverageSession::add_to_stats(const coverage::RunCoverage& run) {
  const std::string name = output_name(options_.file.empty() ? settings_.stats_file() : options_.file);
  const LockedFile file(name.starts_with('/') ? name : folder_ + "/" + name);
  if (file.is_open()) {
    coverage::Stats stats = coverage::parse_stats(file.text());
    coverage::add_stats(stats, coverage::stats_of(run));
    if (file.replace(coverage::write_stats(stats))) return;
  }
  errors_.add("coverage '" + name + "'", errno);
}

void CoverageSession::write() {
  const coverage::RunCoverage run = profiler_.coverage();
  const CoverageFormat& format = options_.format != nullptr ? *options_.format : coverage::coverage_format_of_file(options_.file);
  if (format.is_added) add_to_stats(run);
  if (format.is_added && !options_.fail_under) return;
  std::error_code ignored;
  const fs::path folder_now = fs::current_path(ignored);
  fs::current_path(folder_, ignored);  // names of files are relative to where the program began
  coverage::CoverageReport report = report_on(run);
  if (!format.is_added) {
    const std::string name = options_.file.empty() ? std::string(format.default_file) : options_.file;
    OutputFile file =
        name.empty() ? OutputFile::standard("coverage", stderr, errors_) : OutputFile::open("coverage", name, errors_);
    file.write(format.write(report));
  }
  fs::current_path(folder_now, ignored);
  const coverage::Total lines = coverage::totals_of(report.files).lines;
  is_enough_ = !options_.fail_under || coverage::is_enough(lines, *options_.fail_under);
  if (!is_enough_) std::fprintf(stderr, "%s\n", coverage::too_little_text(lines, *options_.fail_under).c_str());
}

}  // namespace mangata
