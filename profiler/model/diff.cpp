#include "profiler/model/diff.h"

#include <cmath>
#include <map>
#include <utility>

#include "profiler/model/views.h"

namespace mangata {
namespace {

/// All rows of one profile that are the same function.
struct Side {
  Cost cost;
  std::vector<const FunctionProfile*> functions;
};

struct Pair {
  std::string name;
  std::string place;
  Side before;
  Side after;
  bool is_lua = false;
};

/// Samples of one thing that differ by more than two standard errors of their difference.
bool time_differs(const Cost& before, const Cost& after) {
  const auto a = static_cast<double>(before.samples), b = static_cast<double>(after.samples);
  return std::abs(a - b) > 2 * std::sqrt(a + b);
}

bool is_exactly_equal(const Cost& a, const Cost& b) {
  return a.count == b.count && a.bytecodes == b.bytecodes && a.allocated_bytes == b.allocated_bytes &&
         a.allocated_objects == b.allocated_objects;
}

Fate fate_of(bool was, bool is) { return was && is ? Fate::Common : is ? Fate::New
                                                                       : Fate::Vanished; }

std::map<std::string, Pair> pairs_of(const RunProfile& before, const RunProfile& after) {
  std::map<std::string, Pair> pairs;
  for (const bool is_later : {false, true}) {
    for (const FunctionRow& row : by_function(is_later ? after : before)) {
      Pair& pair = pairs[row.function != nullptr ? "F" + row.function->id : "N" + row.place + " " + row.name];
      Side& side = is_later ? pair.after : pair.before;
      side.cost += row.self;
      side.functions.push_back(row.function);
      pair.name = row.name;
      pair.place = row.place;
      pair.is_lua = row.function != nullptr;
    }
  }
  return pairs;
}

std::vector<PathDifference> path_differences(const Side& before, const Side& after) {
  std::map<std::string, PathDifference> paths;
  std::map<std::string, std::pair<bool, bool>> present;
  for (const bool is_later : {false, true}) {
    for (const FunctionProfile* function : (is_later ? after : before).functions) {
      if (function == nullptr) continue;
      for_each_path(*function, [&](const PathCount& path, const LoopProfile* loop) {
        const std::string key = (loop != nullptr ? loop->key + " " : std::string()) + path.path.key;
        PathDifference& difference = paths[key];
        (is_later ? difference.after : difference.before) += cost_of(path);
        (is_later ? present[key].second : present[key].first) = true;
        difference.path = &path;
        difference.function = function;
      });
    }
  }
  std::vector<PathDifference> differing;
  for (auto& [key, path] : paths) {
    if (is_exactly_equal(path.before, path.after)) continue;
    path.fate = fate_of(present[key].first, present[key].second);
    differing.push_back(path);
  }
  return differing;
}

/// A new function and a vanished one of one name in one file are one whose code has changed.
void join_changed(std::vector<FunctionDifference>& functions) {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> by_name;
  const auto file_of = [](const FunctionDifference& function) { return function.place.substr(0, function.place.rfind(':')); };
  for (size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].fate == Fate::New || functions[i].fate == Fate::Vanished) by_name[{functions[i].name, file_of(functions[i])}].push_back(i);
  }
  std::vector<bool> is_joined(functions.size());
  for (const auto& [name, places] : by_name) {
    if (places.size() != 2 || functions[places[0]].fate == functions[places[1]].fate) continue;
    const bool first_is_new = functions[places[0]].fate == Fate::New;
    FunctionDifference& now = functions[places[first_is_new ? 0 : 1]];
    now.before = functions[places[first_is_new ? 1 : 0]].before;
    now.fate = Fate::Changed;
    now.paths.clear();
    is_joined[places[first_is_new ? 1 : 0]] = true;
  }
  std::vector<FunctionDifference> kept;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (!is_joined[i]) kept.push_back(std::move(functions[i]));
  }
  functions = std::move(kept);
}

}  // namespace

RunDifference difference(const RunProfile& before, const RunProfile& after) {
  RunDifference result;
  for (auto& [key, pair] : pairs_of(before, after)) {
    result.before += pair.before.cost;
    result.after += pair.after.cost;
    FunctionDifference function{fate_of(!pair.before.functions.empty(), !pair.after.functions.empty()), pair.name, pair.place,
                                pair.before.cost, pair.after.cost, path_differences(pair.before, pair.after)};
    const bool differs = pair.is_lua && (!is_exactly_equal(function.before, function.after) || !function.paths.empty());
    if (differs || time_differs(function.before, function.after)) result.functions.push_back(std::move(function));
  }
  join_changed(result.functions);
  return result;
}

}  // namespace mangata
