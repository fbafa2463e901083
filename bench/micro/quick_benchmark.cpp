// How fast the quick compiler is: microseconds an operation of the IR, over random functions of some sizes, and what its stages take.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "jit/passes/quick_passes.h"
#include "jit/quick/allocation/allocation.h"
#include "jit/quick/liveness/liveness.h"
#include "jit/quick/order/block_order.h"
#include "jit/quick/quick_compiler.h"
#include "jit/quick/x64/selector.h"
#include "tests/unit/jit_quick/random_program.h"

namespace mangata::jit {
namespace {

size_t operations_of(const ir::Module& module) {
  size_t count = 0;
  for (uint32_t i = 0; i < module.functions[0].block_count(); ++i) count += module.functions[0][ir::BlockId{i}].operations.size();
  return count;
}

/// Of functions with about that many statements.
std::vector<ir::Module> modules(int64_t size) {
  std::vector<ir::Module> result;
  for (uint64_t seed = 0; seed < 20; ++seed) result.push_back(ir::RandomProgram(seed, static_cast<int>(size)).take());
  return result;
}

void report(benchmark::State& state, size_t operations, size_t rounds) {
  state.counters["operations"] = static_cast<double>(operations) / 20;
  state.counters["us_per_operation"] =
      benchmark::Counter(static_cast<double>(operations * rounds) / 1e6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// All of it, up to code in the cache.
void quick_compile(benchmark::State& state) {
  CodeCache cache;
  const std::vector<ir::Module> all = modules(state.range(0));
  size_t operations = 0;
  for (const ir::Module& module : all) operations += operations_of(module);
  size_t rounds = 0;
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (const ir::Module& module : all) {
      std::string error;
      auto code = quick::compile(cache, module, &error);
      if (!code) return state.SkipWithError(error.c_str());
      bytes += code->code_bytes;
      cache.release(&code->region);
    }
    ++rounds;
  }
  report(state, operations, rounds);
  state.counters["bytes_per_operation"] = static_cast<double>(bytes) / static_cast<double>(operations);
}
BENCHMARK(quick_compile)->Arg(10)->Arg(40)->Arg(160)->Arg(640)->Unit(benchmark::kMicrosecond);

/// The passes before it (jit/passes).
void quick_passes(benchmark::State& state) {
  std::vector<ir::Module> all;
  for (uint64_t seed = 0; seed < 20; ++seed) all.push_back(ir::RandomProgram(seed, static_cast<int>(state.range(0)), true).take());
  size_t operations = 0;
  for (const ir::Module& module : all) operations += operations_of(module);
  size_t rounds = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<ir::Module> copies = all;
    state.ResumeTiming();
    for (ir::Module& module : copies) run_quick_passes(&module.functions[0]);
    ++rounds;
  }
  report(state, operations, rounds);
}
BENCHMARK(quick_passes)->Arg(10)->Arg(40)->Arg(160)->Unit(benchmark::kMicrosecond);

/// Up to a stage: 0 order, 1 selection, 2 liveness, 3 allocation.
void quick_stages(benchmark::State& state) {
  const std::vector<ir::Module> all = modules(40);
  size_t operations = 0;
  for (const ir::Module& module : all) operations += operations_of(module);
  size_t rounds = 0;
  for (auto _ : state) {
    for (const ir::Module& module : all) {
      const quick::BlockOrder order = quick::order_blocks(module.functions[0]);
      if (state.range(0) == 0) continue;
      quick::x64::Selected selected = quick::x64::Selector(module, module.functions[0], order).run();
      if (state.range(0) == 1) continue;
      const quick::Liveness liveness(selected.code);
      if (state.range(0) == 2) continue;
      quick::allocate_registers(selected.code, liveness, quick::x64::kMachine);
      benchmark::DoNotOptimize(selected.code.used_registers);
    }
    ++rounds;
  }
  report(state, operations, rounds);
}
BENCHMARK(quick_stages)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace mangata::jit
