#include "profiler/sampled_profiler.h"

#include <algorithm>

#include "profiler/counted_flows.h"
#include "profiler/function_names.h"
#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

constexpr size_t kMostPreferredPaths = 4096;
/// Arrays of what is counted over iterations. A look is too short to fill a larger one, or to pay for the tables that lead there.
constexpr numbering::PathCount kIteratedArrayLimit = 512;
/// Functions whose code is gone, and whose counts are kept for when it is loaded again.
constexpr size_t kMostRetired = 64;

/// The numbers of the paths counted so far under Ball-Larus numbers, hottest first.
std::vector<numbering::PathNumber> hottest_numbers(const SampledFunction& function) {
  std::vector<std::pair<uint64_t, uint64_t>> by_count;
  for (const auto& layer : function.layers) {
    if (layer->plan.mode != SamplingPlan::Mode::Paths) continue;
    for (const auto& [number, count] : counters_of(layer->record.counters).paths) by_count.emplace_back(count, number);
  }
  std::sort(by_count.rbegin(), by_count.rend());
  if (by_count.size() > kMostPreferredPaths) by_count.resize(kMostPreferredPaths);
  std::vector<numbering::PathNumber> numbers;
  for (const auto& [count, number] : by_count) numbers.push_back(numbering::PathNumber{number});
  return numbers;
}

unsigned most_iterations(const SamplingPlan& plan) {
  const auto& k = plan.iterations;
  return k.empty() ? 1 : *std::max_element(k.begin(), k.end());
}

/// The one that looked at most iterations, of those that have counted a good part of what was counted: not one that was tried and
/// given up. Null: nothing was counted.
const SampledLayer* deepest_layer(const SampledFunction& function) {
  constexpr uint64_t kGoodPart = 4;
  std::vector<uint64_t> counted;
  for (const auto& layer : function.layers) counted.push_back(sum_of(counters_of(layer->record.counters)));
  const uint64_t most = counted.empty() ? 0 : *std::max_element(counted.begin(), counted.end());
  const SampledLayer* deepest = nullptr;
  for (size_t i = 0; i < counted.size() && most != 0; ++i) {
    const SampledLayer& layer = *function.layers[i];
    if (counted[i] < (most + kGoodPart - 1) / kGoodPart) continue;
    if (deepest == nullptr || most_iterations(layer.plan) > most_iterations(deepest->plan)) deepest = &layer;
  }
  return deepest;
}

/// How many returns and backedges are in the counts: as many as there were calls and backedges.
uint64_t ends_in(const FunctionProfile& function) {
  uint64_t ends = 0;
  for (const PathCount& path : function.paths) {
    // What repeats iterations of the path before it adds only its end.
    ends += path.count * (path.path.repeated_bytecodes != 0 ? 1 : path.path.iteration_ends.size() + 1);
  }
  for (const LoopProfile& loop : function.loops) {
    for (const PathCount& window : loop.windows) ends += window.count;
  }
  return ends;
}

void scale(uint64_t& count, double factor) { count = static_cast<uint64_t>(static_cast<double>(count) * factor + 0.5); }

void scale(std::vector<PathCount>& paths, double factor) {
  for (PathCount& path : paths) scale(path.count, factor);
}

void scale(LoopProfile& loop, double factor) {
  scale(loop.windows, factor);
  scale(loop.runs, factor);
  scale(loop.backedges, factor);
}

/// Larger functions are not sampled: they are not optimized either, and looking at all their loops again and again takes long.
constexpr size_t kMostInstructions = 4000;

/// One block, without loops.
FunctionShape shape_of_whole(const Proto& proto) {
  const numbering::BlockId entry(size_t{0}), exit(size_t{1});
  auto graph = numbering::FlowGraph::build(2, entry, exit, {{entry, exit}});
  return {std::move(*graph), {{0, static_cast<int32_t>(proto.original_code.size()), BranchKind::None}}, {Arm::Exit}, {}};
}

}  // namespace

void SampledProfiler::proto_created(Proto& proto) {
  std::vector<std::string> names = names_of_nested(proto);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) names_[proto.nested[i]] = std::move(names[i]);
  }
}

void SampledProfiler::proto_destroyed(Proto& proto) {
  names_.erase(&proto);
  const auto found = of_proto_.find(&proto);
  if (found == of_proto_.end()) return;
  SampledFunction* function = found->second;  // null where there was no memory for it
  of_proto_.erase(found);
  if (function != nullptr && --function->prototypes == 0 && !keeps_all_) retire(*function);
}

/// The function itself stays for now: others still look at the versions of the prototype that dies.
void SampledProfiler::retire(SampledFunction& function) {
  function.retired = ++retirements_;
  retired_.push_back({function.identity.key, function.retired});
  if (retired_.size() <= kMostRetired) return;
  const Retired oldest = retired_.front();
  retired_.pop_front();
  const auto found = functions_.find(oldest.key);
  if (found == functions_.end()) return;
  const SampledFunction& candidate = *found->second;
  if (candidate.prototypes == 0 && candidate.retired == oldest.when) functions_.erase(found);
}

SampledFunction& SampledProfiler::function_of(const Proto& proto) {
  SampledFunction*& known = of_proto_[&proto];
  if (known != nullptr) return *known;
  FunctionIdentity identity = identity_of(proto);
  if (const auto name = names_.find(&proto); name != names_.end()) identity.name = name->second;
  auto slot = functions_.find(identity.key);
  if (slot == functions_.end()) {  // once it is whole: there may be no memory for a part of it
    const bool is_large = proto.original_code.size() > kMostInstructions;
    auto made = std::make_unique<SampledFunction>(std::move(identity), is_large ? shape_of_whole(proto) : path_shape_of(proto));
    made->cannot_be_numbered = is_large;
    slot = functions_.emplace(made->identity.key, std::move(made)).first;
  }
  known = slot->second.get();
  ++known->prototypes;
  return *known;
}

SampledLayer* SampledProfiler::layer_of(SampledFunction& function, const SamplingPlan& plan) {
  for (const auto& layer : function.layers) {
    if (layer->plan == plan) return layer.get();
  }
  if (function.cannot_be_numbered) return nullptr;
  const auto interesting = plan.mode == SamplingPlan::Mode::Preferential ? hottest_numbers(function)
                                                                         : std::vector<numbering::PathNumber>();
  ProfileOptions options;
  if (most_iterations(plan) > 1) options.array_limit = kIteratedArrayLimit;
  auto numbering = number_function(function.shape, options, plan.iterations, interesting);
  if (!numbering) {
    function.cannot_be_numbered = plan.mode == SamplingPlan::Mode::Paths;
    return nullptr;
  }
  auto layer = std::make_unique<SampledLayer>(plan, function.identity, function.shape, std::move(*numbering));
  layer->events = edge_code(instrumentation_plan(layer->record.shape, layer->record.numbering));
  return function.layers.emplace_back(std::move(layer)).get();  // once it is whole
}

bool SampledProfiler::install_plan(Proto& proto, const SamplingPlan& plan) {
  if (plan.mode == SamplingPlan::Mode::None) {
    install_version(proto, original_version(proto));
    return true;
  }
  SampledFunction& function = function_of(proto);
  SampledLayer* layer = layer_of(function, plan);
  if (layer == nullptr) return false;
  for (const auto& version : proto.versions) {
    if (version->counters != &layer->record.counters) continue;
    install_version(proto, *version);
    function.current = layer;
    return true;
  }
  install_version(proto, add_events(proto, layer->record, layer->events));
  function.current = layer;
  return true;
}

bool SampledProfiler::has_plan(const Proto& proto, const SamplingPlan& plan) {
  if (plan.mode == SamplingPlan::Mode::None) return true;
  for (const auto& layer : function_of(proto).layers) {
    if (layer->plan != plan) continue;
    for (const auto& version : proto.versions) {
      if (version->counters == &layer->record.counters) return true;
    }
  }
  return false;
}

PathProfile SampledProfiler::snapshot() const {
  PathProfile profile;
  profile.is_estimate = true;
  for (const auto& [key, function] : functions_) {
    const SampledLayer* deepest = deepest_layer(*function);
    if (deepest == nullptr) continue;
    FunctionProfile decoded = decode(deepest->record, flows_of(deepest->record, estimate(*function, *deepest)));
    const uint64_t estimated = std::max<uint64_t>(ends_in(decoded), 1);
    const uint64_t events = std::max(function->so_far.events, sum_of(counters_of(deepest->record.counters)));
    const double factor = static_cast<double>(events) / static_cast<double>(estimated);
    scale(decoded.paths, factor);
    for (LoopProfile& loop : decoded.loops) scale(loop, factor);
    profile.iterations = std::max(profile.iterations, most_iterations(deepest->plan));
    profile.functions.push_back(std::move(decoded));
  }
  std::sort(profile.functions.begin(), profile.functions.end(), [](const FunctionProfile& a, const FunctionProfile& b) {
    return std::tie(a.source, a.line_defined, a.column_defined, a.id) < std::tie(b.source, b.line_defined, b.column_defined, b.id);
  });
  return profile;
}

}  // namespace mangata
