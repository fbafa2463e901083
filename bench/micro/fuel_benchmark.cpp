// What a unit of fuel buys: nanoseconds of processor time per unit, for loops, operators and library functions, small and large. Rows that
// are far from the others show what is charged too little or too much.
//
//     build/release/bin/bench_fuel [POLICY] [NAME]     policy: interpreter if not given; only rows whose name contains NAME
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <mangata/mangata.hpp>

namespace {

struct Work {
  const char* name;
  const char* code;          ///< one round of a loop over i
  const char* prepare = "";  ///< once, before
};

constexpr Work kWork[] = {
#include "bench/micro/fuel_benchmark.def"
};

struct Row {
  const char* name;
  double ns_per_unit;
  double units_per_round;
};

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// The best of a few runs that are each long enough for the clock, in a state of its own.
bool measure(const mangata::Engine& engine, const Work& work, Row* row) {
  constexpr double kLongEnough = 0.004;
  constexpr int kRuns = 5;
  constexpr int64_t kMostRounds = 1 << 22;
  mangata::State state(engine, {{.fuel = uint64_t{1} << 60}, {}});
  const auto loaded = state.run<mangata::Function>(std::string(work.prepare) + " return function(rounds) for i = 1, rounds do " + work.code + " end end");
  if (!loaded) return std::fprintf(stderr, "%s: %s\n", work.name, loaded.error().message.c_str()), false;
  *row = {work.name, 1e30, 0};
  int64_t rounds = 1;
  for (int run = 0; run < kRuns;) {
    const uint64_t fuel = state.fuel();
    const double start = thread_seconds();
    const auto result = loaded.value().call(rounds);
    const double seconds = thread_seconds() - start;
    if (!result) return std::fprintf(stderr, "%s: %s\n", work.name, result.error().message.c_str()), false;
    if (seconds < kLongEnough && rounds < kMostRounds) {
      rounds *= 2;
      continue;
    }
    const auto units = static_cast<double>(fuel - state.fuel());
    row->ns_per_unit = std::min(row->ns_per_unit, seconds * 1e9 / std::max(units, 1.0));
    row->units_per_round = units / static_cast<double>(rounds);
    ++run;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const mangata::Engine engine({.policy = argc > 1 ? argv[1] : "interpreter"});
  const std::string only = argc > 2 ? argv[2] : "";
  std::vector<Row> rows;
  bool is_complete = true;
  double of_empty_loop = 0;
  for (const Work& work : kWork) {
    Row row;
    const bool is_base = &work == kWork;
    if (!is_base && std::string(work.name).find(only) == std::string::npos) continue;
    if (!measure(engine, work, &row)) {
      is_complete = false;
      continue;
    }
    if (is_base) of_empty_loop = row.ns_per_unit;
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.ns_per_unit < b.ns_per_unit; });
  std::printf("%-44s %10s %12s %12s\n", "work", "ns/unit", "empty loop", "units/round");
  for (const Row& row : rows) {
    std::printf("%-44s %10.2f %11.2fx %12.1f\n", row.name, row.ns_per_unit, row.ns_per_unit / of_empty_loop, row.units_per_round);
  }
  if (!rows.empty()) {
    std::printf("median %.2f ns/unit, dearest / cheapest %.1f\n", rows[rows.size() / 2].ns_per_unit, rows.back().ns_per_unit / rows.front().ns_per_unit);
  }
  return is_complete ? 0 : 1;
}
