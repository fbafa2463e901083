#include "profiler/coverage/make_source_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "profiler/coverage/countable_lines.h"
#include "profiler/coverage/model/text_file.h"
#include "profiler/coverage/source_text.h"

namespace mangata::coverage {
namespace {

/// The counts of `chunk` in the functions of the text, which `functions` are. False: it has none of these.
bool add_counts(CoveredChunk& functions, const CoveredChunk& chunk) {
  std::unordered_map<uint64_t, CoveredFunction*> by_key;
  for (CoveredFunction& function : functions.functions) by_key[function.key] = &function;
  bool has_some = false;
  for (const CoveredFunction& function : chunk.functions) {
    const auto found = by_key.find(function.key);
    if (found == by_key.end()) continue;
    has_some = true;
    CoveredFunction& into = *found->second;
    into.calls += function.calls;
    for (const auto& [line, hits] : function.lines) into.lines[line] += hits;
    for (size_t i = 0; i < std::min(into.conditions.size(), function.conditions.size()); ++i) {
      for (size_t arm = 0; arm < 2; ++arm) into.conditions[i].counts[arm] += function.conditions[i].counts[arm];
    }
    merge_paths(into.paths, function.paths);
  }
  return has_some;
}

/// The functions of the text with the counts of all chunks that have it; empty: none has.
std::optional<CoveredChunk> functions_with_counts(const std::string& text, const FileChunks& chunks, FileProblem* problem) {
  std::optional<CoveredChunk> all;
  std::vector<const CoveredChunk*> loaded = chunks.chunks;
  const CoveredChunk never_loaded{.source = "@" + chunks.name, .functions = {}};
  if (loaded.empty()) loaded.push_back(&never_loaded);
  problem->what = "does not compile";
  for (const CoveredChunk* chunk : loaded) {
    std::optional<CoveredChunk> functions = functions_of(text, chunk->source);
    if (!functions) continue;
    if (!add_counts(*functions, *chunk) && !chunks.chunks.empty()) {
      problem->what = "is not the text that was loaded by this name";
      continue;
    }
    if (!all) {
      all = std::move(functions);
      continue;
    }
    // The same text under another name: the same functions in the same order, but for their keys.
    for (size_t i = 0; i < functions->functions.size(); ++i) functions->functions[i].key = all->functions[i].key;
    add_counts(*all, *functions);
  }
  return all;
}

std::string without_commas(std::string name) {
  std::replace(name.begin(), name.end(), ',', ';');
  return name;
}

/// The first line of a function that counts; 0: it has none.
int32_t first_counted_line(const CoveredFunction& function, const SourceFile& file) {
  const auto end = std::min(static_cast<size_t>(function.last_line_defined), file.lines.size());
  for (auto line = static_cast<size_t>(function.line_defined); line <= end; ++line) {
    if (file.lines[line - 1].counts) return static_cast<int32_t>(line);
  }
  return 0;
}

void add_functions(const CoveredChunk& chunk, const std::vector<Countable>& countable, SourceFile* file) {
  std::map<std::string, int> uses;
  for (const CoveredFunction& function : chunk.functions) {
    if (function.line_defined > 0) ++uses[without_commas(function.name)];
  }
  std::set<std::string> names;
  for (const CoveredFunction& function : chunk.functions) {
    if (function.line_defined <= 0 || static_cast<size_t>(function.line_defined) > file->lines.size()) continue;
    if (countable[static_cast<size_t>(function.line_defined) - 1] == Countable::Disabled) continue;
    const int32_t first_counted = first_counted_line(function, *file);
    if (first_counted == 0) continue;
    std::string name = without_commas(function.name);
    if (uses[name] > 1) name += " (line " + std::to_string(function.line_defined) + ")";
    std::string unique = name;
    for (int number = 2; !names.insert(unique).second; ++number) unique = name + " #" + std::to_string(number);
    file->functions.push_back(
        {std::move(unique), function.line_defined, function.last_line_defined, first_counted, function.calls});
  }
}

void add_paths(const CoveredChunk& chunk, const std::vector<Countable>& countable, SourceFile* file) {
  for (const CoveredFunction& function : chunk.functions) {
    const auto line = static_cast<size_t>(std::max(function.line_defined, 1));
    if (!function.paths || line > countable.size() || countable[line - 1] == Countable::Disabled) continue;
    file->paths.push_back(*function.paths);
  }
}

void add_lines(const CoveredChunk& chunk, const std::vector<Countable>& countable, SourceFile* file) {
  LineHits hits;
  std::map<int32_t, std::vector<Condition>> conditions;
  for (const CoveredFunction& function : chunk.functions) {
    for (const auto& [line, count] : function.lines) hits[line] += count;
    for (const Condition& condition : function.conditions) conditions[condition.line].push_back(condition);
  }
  for (const auto& [number, count] : hits) {
    if (number < 1 || static_cast<size_t>(number) > file->lines.size()) continue;
    const size_t index = static_cast<size_t>(number) - 1;
    SourceLine& line = file->lines[index];
    line.counts = countable[index] == Countable::Always || (countable[index] == Countable::IfHit && count != 0);
    if (!line.counts) continue;
    line.hits = count;
    line.conditions = std::move(conditions[number]);
  }
}

}  // namespace

std::optional<SourceFile> make_source_file(const FileChunks& chunks, FileProblem* problem) {
  problem->name = chunks.name;
  problem->what = "cannot be read";
  const std::optional<std::string> text = read_text(chunks.name);
  if (!text) return {};
  const std::optional<CoveredChunk> functions = functions_with_counts(*text, chunks, problem);
  if (!functions) return {};
  SourceFile file{.name = chunks.name, .text_hash = id_of_text(*text), .lines = {}, .functions = {}, .totals = {}, .paths = {}};
  LineScanner scanner;
  std::vector<Countable> countable;
  for (std::string& line : lines_of(*text)) {
    countable.push_back(scanner.scan(line));
    file.lines.emplace_back().text = std::move(line);
  }
  add_lines(*functions, countable, &file);
  add_functions(*functions, countable, &file);
  add_paths(*functions, countable, &file);
  compute_totals(&file);
  return file;
}

}  // namespace mangata::coverage
