#include "profiler/model/views.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace mangata {
namespace {

/// What makes functions of one profile the same (run_profile.h).
using FunctionKey = std::tuple<std::string_view, std::string_view, int32_t, int32_t>;

template <class Function>
FunctionKey key_of(const Function& function) {
  return {function.id, function.source, function.line_defined, function.column_defined};
}

FunctionRow row_of(const FunctionProfile& function) {
  FunctionRow row{.kind = FrameKind::Lua, .name = function.name, .file = function.file, .place = place_of(function.file, function.line_defined, function.column_defined)};
  row.function = &function;
  for_each_path(function, [&row](const PathCount& path, const LoopProfile*) {
    Cost cost = cost_of(path);
    // Stacks say what time the function took; those of paths are estimates of parts of it.
    cost.nanoseconds = 0;
    row.paths += path.count;
    cost.count = path.path.start == PathStart::Entry ? path.count : 0;
    row.self += cost;
  });
  for (const CutPath& cut : function.cut_paths) row.self.count += cut.path.start == PathStart::Entry ? cut.count : 0;
  return row;
}

FunctionRow row_of(const FrameSymbol& symbol) {
  FunctionRow row{.kind = symbol.kind, .name = name_of(symbol), .file = symbol.file, .place = place_of(symbol)};
  if (symbol.kind == FrameKind::Native) row.file = "[C]";
  return row;
}

/// Which row each symbol of the stacks is in. Symbols of functions that have no paths get rows of their own.
std::vector<size_t> rows_of_symbols(const RunProfile& profile, std::vector<FunctionRow>* rows) {
  std::map<FunctionKey, size_t> known;
  for (size_t i = 0; i < rows->size(); ++i) known.emplace(key_of(*(*rows)[i].function), i);
  std::vector<size_t> places;
  for (const FrameSymbol& symbol : profile.time->symbols) {
    const auto found = symbol.kind == FrameKind::Lua ? known.find(key_of(symbol)) : known.end();
    places.push_back(found != known.end() ? found->second : rows->size());
    if (found == known.end()) rows->push_back(row_of(symbol));
  }
  return places;
}

/// `places`: rows_of_symbols.
void add_stacks(const RunProfile& profile, const std::vector<size_t>& places, std::vector<FunctionRow>* rows) {
  std::set<size_t> seen;
  for (const StackSample& stack : profile.time->stacks) {
    if (stack.frames.empty()) continue;
    seen.clear();
    for (const StackFrame& frame : stack.frames) {
      const size_t place = places[frame.symbol];
      if (!seen.insert(place).second) continue;
      (*rows)[place].total.nanoseconds += stack.nanoseconds;
      (*rows)[place].total.samples += stack.samples;
    }
    FunctionRow& leaf = (*rows)[places[stack.frames.back().symbol]];
    leaf.self.nanoseconds += stack.nanoseconds;
    leaf.self.samples += stack.samples;
  }
  if (profile.time->invalid_samples == 0) return;
  const Cost invalid{.nanoseconds = profile.time->invalid_ns, .samples = profile.time->invalid_samples};
  FunctionRow row{.kind = FrameKind::Unknown, .name = "[invalid samples]", .file = {}, .place = {}};
  row.self = row.total = invalid;
  rows->push_back(std::move(row));
}

}  // namespace

ReportWeight effective_weight(ReportWeight weight, const RunProfile& profile) {
  if (weight != ReportWeight::Automatic) return weight;
  return profile.time && profile.time->samples >= kEnoughSamples ? ReportWeight::Time : ReportWeight::Bytecodes;
}

uint64_t value_of(const Cost& cost, ReportWeight weight) {
  switch (weight) {
    case ReportWeight::Count: return cost.count;
    case ReportWeight::Time: return cost.nanoseconds;
    case ReportWeight::Bytes: return cost.allocated_bytes;
    case ReportWeight::Objects: return cost.allocated_objects;
    case ReportWeight::Automatic:
    case ReportWeight::Bytecodes: return cost.bytecodes;
  }
  return 0;
}

Cost cost_of(const PathCount& path) {
  return {path.count, path.count * path.path.new_bytecodes(), path.nanoseconds.value_or(0), 0, path.allocated_bytes.value_or(0),
          path.allocated_objects.value_or(0)};
}

std::string place_of(std::string_view file, int32_t line_defined, int32_t column_defined) {
  return std::string(file) + ":" + std::to_string(std::max(line_defined, 1)) + (column_defined > 0 ? ":" + std::to_string(column_defined) : "");
}

std::string place_of(const FrameSymbol& symbol) {
  if (symbol.kind == FrameKind::Native) return "[C]";
  return symbol.kind == FrameKind::Lua ? place_of(symbol.file, symbol.line_defined, symbol.column_defined) : "";
}

std::string name_of(const FrameSymbol& symbol) {
  switch (symbol.kind) {
    case FrameKind::Lua:
    case FrameKind::Native: return symbol.name.empty() ? "?" : symbol.name;
    case FrameKind::Collector: return "[collector]";
    case FrameKind::Compiler: return "[compiler]";
    case FrameKind::Finalizer: return "[finalizer]";
    case FrameKind::Coroutine: return "[coroutine]";
    case FrameKind::Unknown: return "[unknown]";
  }
  return "?";
}

std::vector<FunctionRow> by_function(const RunProfile& profile, std::vector<size_t>* row_of_symbol) {
  std::vector<FunctionRow> rows;
  for (const FunctionProfile& function : profile.paths.functions) rows.push_back(row_of(function));
  if (!profile.time) return rows;
  std::vector<size_t> places = rows_of_symbols(profile, &rows);
  add_stacks(profile, places, &rows);
  if (row_of_symbol != nullptr) *row_of_symbol = std::move(places);
  return rows;
}

uint64_t value_of(const FunctionRow& row, ReportWeight weight) {
  return weight == ReportWeight::Count ? row.paths : value_of(row.self, weight);
}

void sort_rows(std::vector<FunctionRow>& rows, ReportWeight weight) {
  std::stable_sort(rows.begin(), rows.end(), [weight](const FunctionRow& a, const FunctionRow& b) {
    const auto rank = [weight](const FunctionRow& row) { return std::pair(value_of(row, weight), value_of(row.total, weight)); };
    return rank(a) > rank(b);
  });
}

std::map<int32_t, LineRow> by_line(const RunProfile& profile, const FunctionProfile& function) {
  std::map<int32_t, LineRow> lines;
  for_each_path(function, [&lines](const PathCount& counted, const LoopProfile*) {
    const Path& path = counted.path;
    for (size_t i = 0; i < path.lines.size(); ++i) {
      const uint64_t bytecodes = i < path.line_bytecodes.size() ? path.line_bytecodes[i] : 0;
      if (bytecodes == 0 && i < path.line_bytecodes.size()) continue;  // only in iterations of the path before
      lines[path.lines[i]].self += {.count = counted.count, .bytecodes = counted.count * bytecodes};
    }
  });
  if (!profile.time) return lines;
  const auto& symbols = profile.time->symbols;
  const auto is_of_function = [&](const StackFrame& frame) {
    const FrameSymbol& symbol = symbols[frame.symbol];
    return symbol.kind == FrameKind::Lua && key_of(symbol) == key_of(function);
  };
  for (const StackSample& stack : profile.time->stacks) {
    std::set<int32_t> seen;
    for (const StackFrame& frame : stack.frames) {
      if (is_of_function(frame) && seen.insert(frame.line).second) lines[frame.line].total_ns += stack.nanoseconds;
    }
    if (stack.frames.empty() || !is_of_function(stack.frames.back())) continue;
    lines[stack.frames.back().line].self += {.nanoseconds = stack.nanoseconds, .samples = stack.samples};
  }
  return lines;
}

std::vector<FileRow> by_file(const std::vector<FunctionRow>& rows, ReportWeight weight) {
  std::map<std::string, FileRow> files;
  for (const FunctionRow& row : rows) {
    FileRow& file = files[row.file.empty() ? row.name : row.file];
    file.self += row.self;
    file.value += value_of(row, weight);
    ++file.functions;
  }
  std::vector<FileRow> sums;
  for (auto& [name, row] : files) {
    row.file = name;
    sums.push_back(std::move(row));
  }
  std::stable_sort(sums.begin(), sums.end(), [](const FileRow& a, const FileRow& b) { return a.value > b.value; });
  return sums;
}

Cost sum_of(const std::vector<FunctionRow>& rows) {
  Cost sum;
  for (const FunctionRow& row : rows) sum += row.self;
  return sum;
}

uint64_t total_of(const std::vector<FunctionRow>& rows, ReportWeight weight) {
  uint64_t sum = 0;
  for (const FunctionRow& row : rows) sum += value_of(row, weight);
  return sum;
}

double standard_error_percent(uint64_t samples, uint64_t total) {
  if (total == 0) return 0;
  const double share = static_cast<double>(samples) / static_cast<double>(total);
  return 100 * std::sqrt(share * (1 - share) / static_cast<double>(total));
}

}  // namespace mangata
