#include "profiler/coverage/source_text.h"

#include <algorithm>
#include <memory>

#include "profiler/coverage/coverage_profiler.h"
#include "vm/frontend/compile.h"
#include "vm/tier_hooks.h"

namespace mangata::coverage {
namespace {

/// Hears of the functions that are made, none of which runs.
class FunctionCollector : public TierHooks {
 public:
  FunctionCollector() : profiler_([](const std::string&) { return true; }) {}

  void proto_created(Proto& proto) override { profiler_.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { profiler_.proto_destroyed(proto); }
  void path_cut(Proto&, const Value*) override {}

  RunCoverage coverage() const { return profiler_.coverage(); }

 private:
  CoverageProfiler profiler_;
};

/// As files are loaded: without a byte-order mark, and without a first line that is none of Lua's.
std::string as_loaded(const std::string& text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  if (rest.starts_with('#')) rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  return std::string(rest);
}

}  // namespace

std::optional<CoveredChunk> functions_of(const std::string& text, const std::string& source) {
  FunctionCollector collector;
  auto vm = std::make_unique<Vm>();
  vm->hooks = &collector;
  const bool compiles = compile(*vm, as_loaded(text), source).ok();
  vm.reset();
  if (!compiles) return {};
  RunCoverage run = collector.coverage();
  if (run.chunks.size() != 1) return {};
  return std::move(run.chunks.front());
}

}  // namespace mangata::coverage
