// Paths of coverage, counted in pairs of iterations and taken apart, against a path profile of single iterations; and the smallest thing
// that tells what is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "profiler/coverage/coverage_profiler.h"
#include "profiler/coverage/model/report_paths.h"
#include "profiler/path_profiler.h"
#include "runtime/library_set/library_set.h"
#include "vm/bytecode/chunk.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// Runs a text as "@test" under a profiler. Its errors are part of the run.
template <class Profiler>
class Run : public TierHooks {
 public:
  Run(const std::string& text, Profiler& profiler) : profiler_(profiler) {
    auto vm = std::make_unique<Vm>();
    vm->hooks = this;
    open_libraries(*vm);
    const auto chunk = load(*vm, text, "@test");
    EXPECT_TRUE(chunk.ok()) << text;
    Value* slot = vm->main_thread->top;
    slot[0] = Value::function(chunk.value());
    slot[1].set_nil();
    slot[2].set_nil();
    vm->main_thread->top = slot + kCallOverheadSlots;
    (void)protected_call(*vm, slot, 0, 0, Value::nil());
    vm->main_thread->top = slot;
    vm.reset();
  }

  void proto_created(Proto& proto) override { profiler_.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { profiler_.proto_destroyed(proto); }
  void path_cut(Proto& proto, const Value* base) override { profiler_.path_cut(proto, base); }

 private:
  Profiler& profiler_;
};

coverage::RunCoverage covered(const std::string& text) {
  coverage::CoverageProfiler profiler([](const std::string&) { return true; }, /*counts_paths=*/true);
  const Run run(text, profiler);
  return profiler.coverage();
}

/// Per function, how often each of its paths was completed, ascending.
using Counts = std::map<std::pair<std::string, int32_t>, std::vector<uint64_t>>;

Counts counts_of(const coverage::RunCoverage& run) {
  Counts counts;
  for (const coverage::CoveredFunction& function : run.chunks.at(0).functions) {
    if (!function.paths || !function.paths->possible) continue;
    std::vector<uint64_t>& own = counts[{function.name, function.line_defined}];
    for (const coverage::CoveredPath& path : function.paths->paths) {
      if (path.count != 0) own.push_back(path.count);
    }
    std::sort(own.begin(), own.end());
  }
  return counts;
}

/// The same from a profile, of the functions in `wanted`.
Counts profiled(const std::string& text, const Counts& wanted) {
  PathProfiler profiler;
  const Run run(text, profiler);
  Counts counts;
  for (const auto& [function, own] : wanted) counts[function];
  for (const FunctionProfile& function : profiler.snapshot().functions) {
    const auto found = counts.find({function.name, function.line_defined});
    if (function.source != "@test" || found == counts.end()) continue;
    for (const PathCount& path : function.paths) found->second.push_back(path.count);
    std::sort(found->second.begin(), found->second.end());
  }
  return counts;
}

TEST(PathsOfCoverage, AreThoseOfAPathProfile) {
  size_t programs = 0, paths = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(MANGATA_SOURCE_DIR) + "/tests/unit/profiler/programs")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("os.exit") != std::string::npos) continue;  // it would end the test
    const Counts own = counts_of(covered(text));
    EXPECT_EQ(own, profiled(text, own)) << entry.path();
    ++programs;
    for (const auto& [function, counts] : own) paths += counts.size();
  }
  EXPECT_GE(programs, 5u);
  EXPECT_GT(paths, 200u);
}

coverage::FunctionPaths paths_of(const std::string& text, size_t function = 1) {
  return covered(text).chunks.at(0).functions.at(function).paths.value_or(coverage::FunctionPaths());
}

TEST(PathsOfCoverage, TestsThatCoverEveryOutcomeMissCombinations) {
  const coverage::FunctionPaths f = paths_of("local function f(a, b)\n if a then a = 1 end\n if b then b = 1 end\nend\nf(1, 1) f()\n");
  EXPECT_EQ(f.possible, 4u);
  EXPECT_EQ(f.taken(), 2u);
  const coverage::PathGaps gaps = gaps_of(f);
  ASSERT_EQ(gaps.pairs.size(), 2u);
  EXPECT_EQ(outcome_label(f, gaps.pairs[0].first) + " " + outcome_label(f, gaps.pairs[0].second), "2:T 3:F");
  EXPECT_EQ(outcome_label(f, gaps.pairs[1].first) + " " + outcome_label(f, gaps.pairs[1].second), "2:F 3:T");
}

TEST(PathsOfCoverage, WhatConstantsForbidIsNoPath) {
  const coverage::FunctionPaths f = paths_of("local function f()\n for i = 1, 3 do\n end\nend\nf()\n");
  EXPECT_EQ(f.possible, f.taken() + 1) << "that it is left after the first iteration cannot be known from one";
  EXPECT_TRUE(f.loops.at(0).is_fixed);
}

TEST(PathsOfCoverage, AreNotCountedWhereTheyAreTooMany) {
  std::string text = "local function f(t)\n";
  for (int i = 0; i < 20; ++i) text += " if t[" + std::to_string(i) + "] then t = t.x end\n";
  const coverage::RunCoverage run = covered(text + "end\nlocal t = {}\nt.x = t\nf(t)\n");
  const coverage::CoveredFunction& f = run.chunks.at(0).functions.at(1);
  ASSERT_TRUE(f.paths);
  EXPECT_FALSE(f.paths->possible);
  EXPECT_EQ(f.lines.at(5), 1u) << "lines are counted all the same";
}

}  // namespace
}  // namespace mangata
