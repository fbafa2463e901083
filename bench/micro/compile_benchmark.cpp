// How fast the baseline compiler is, over all functions of bench/suite: bytecode instructions per second, and
// bytes of machine code for each.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "jit/abi/compiled_code.h"
#include "jit/driver/jit.h"
#include "vm/bytecode/proto.h"
#include "vm/frontend/compile.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// Keeps all prototypes of the suite.
class Suite : public TierHooks {
 public:
  Suite() {
    vm.heap.stop();
    vm.hooks = this;
    for (const auto& file : std::filesystem::directory_iterator(MANGATA_SUITE_FOLDER)) {
      if (file.path().extension() != ".lua") continue;
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      (void)compile(vm, text, "@" + file.path().filename().string());
    }
  }
  ~Suite() override { vm.hooks = nullptr; }

  void proto_created(Proto& proto) override { protos.push_back(&proto); }
  void proto_destroyed(Proto&) override {}
  void path_cut(Proto&, const Value*) override {}

  Vm vm;
  std::vector<Proto*> protos;
};

void baseline_compile(benchmark::State& state) {
  Suite suite;
  jit::Jit jit(suite.vm, CodeCache::kDefaultLimitBytes);
  if (!jit.prepare() || suite.protos.empty()) return state.SkipWithError("no executable memory, or no programs");
  size_t instructions = 0;
  size_t code_bytes = 0;
  for (auto _ : state) {
    for (Proto* proto : suite.protos) {
      if (!jit.compile(*proto)) return state.SkipWithError("the code cache is full");
      instructions += proto->original_code.size();
      code_bytes += proto->compiled->code_bytes;
      jit.release(*proto);
    }
  }
  state.SetItemsProcessed(static_cast<int64_t>(instructions));
  state.counters["functions"] = static_cast<double>(suite.protos.size());
  state.counters["bytes_per_instruction"] =
      static_cast<double>(code_bytes) / static_cast<double>(instructions);
}
BENCHMARK(baseline_compile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mangata
