#include "runtime/sampling/time_profile_of.h"

#include <algorithm>
#include <map>

#include "vm/operations/operations.h"

namespace mangata {
namespace {

FrameKind kind_of(SampledFrame::Kind kind) {
  switch (kind) {
    case SampledFrame::Kind::Lua: return FrameKind::Lua;
    case SampledFrame::Kind::Native: return FrameKind::Native;
    case SampledFrame::Kind::Collector: return FrameKind::Collector;
    case SampledFrame::Kind::Compiler: return FrameKind::Compiler;
    case SampledFrame::Kind::Finalizer: return FrameKind::Finalizer;
    case SampledFrame::Kind::Coroutine: return FrameKind::Coroutine;
    case SampledFrame::Kind::Unknown: return FrameKind::Unknown;
  }
  return FrameKind::Unknown;
}

FrameSymbol symbol_of(const SampledStacks& stacks, const SampledFrame& frame) {
  FrameSymbol symbol;
  symbol.kind = kind_of(frame.kind);
  if (frame.kind == SampledFrame::Kind::Native) symbol.name = stacks.native_names()[frame.index];
  if (frame.kind != SampledFrame::Kind::Lua) return symbol;
  const FunctionIdentity& function = stacks.functions()[frame.index];
  symbol.name = function.display_name();
  symbol.id = function.id;
  symbol.source = function.source;
  symbol.file = chunk_id(function.source);
  symbol.line_defined = function.line_defined;
  symbol.column_defined = function.column_defined;
  return symbol;
}

/// Each symbol once.
class Symbols {
 public:
  Symbols(const SampledStacks& stacks, std::vector<FrameSymbol>* symbols) : stacks_(stacks), symbols_(symbols) {}

  StackFrame frame(const SampledFrame& sampled_frame) {
    const std::pair key{sampled_frame.kind, sampled_frame.index};
    auto place = numbers_.find(key);
    if (place == numbers_.end()) place = numbers_.emplace(key, number(symbol_of(stacks_, sampled_frame))).first;
    return {.symbol = place->second, .line = sampled_frame.line};
  }

 private:
  uint32_t number(FrameSymbol symbol) {
    const auto [place, is_new] = by_symbol_.try_emplace(symbol, static_cast<uint32_t>(symbols_->size()));
    if (is_new) symbols_->push_back(std::move(symbol));
    return place->second;
  }

  const SampledStacks& stacks_;
  std::vector<FrameSymbol>* symbols_;
  std::map<std::pair<SampledFrame::Kind, uint32_t>, uint32_t> numbers_;
  std::map<FrameSymbol, uint32_t> by_symbol_;
};

}  // namespace

TimeProfile time_profile_of(const TimeSampler& sampler, uint64_t compile_thread_nanoseconds) {
  const SampledStacks& stacks = sampler.stacks();
  TimeProfile profile;
  profile.samples = stacks.all().samples + stacks.invalid().samples + sampler.lost();
  profile.thread_ns = sampler.times().thread_nanoseconds;
  profile.wall_ns = sampler.times().wall_nanoseconds;
  profile.waiting_ns = sampler.times().waiting_nanoseconds;
  profile.compile_thread_ns = compile_thread_nanoseconds;
  profile.invalid_samples = stacks.invalid().samples + sampler.lost();
  profile.invalid_ns = stacks.invalid().nanoseconds + sampler.lost_nanoseconds();
  if (profile.samples != 0) profile.mean_period_ns = (stacks.all().nanoseconds + profile.invalid_ns) / profile.samples;
  Symbols symbols(stacks, &profile.symbols);
  stacks.for_each_stack([&](const SampledStack& frames, const SampledTime& time) {
    StackSample sample;
    sample.nanoseconds = time.nanoseconds;
    sample.samples = time.samples;
    size_t first = 0;
    if (frames.size() > 1 && frames[0].kind == SampledFrame::Kind::Unknown) {
      sample.is_shortened = true;
      first = 1;
    }
    for (size_t i = first; i < frames.size(); ++i) sample.frames.push_back(symbols.frame(frames[i]));
    profile.stacks.push_back(std::move(sample));
  });
  std::sort(profile.stacks.begin(), profile.stacks.end(), [](const StackSample& a, const StackSample& b) {
    return std::tie(b.nanoseconds, a.frames, a.is_shortened) < std::tie(a.nanoseconds, b.frames, b.is_shortened);
  });
  return profile;
}

FunctionTimes function_times_of(const TimeSampler& sampler) {
  FunctionTimes times;
  for (const auto& [function, places] : sampler.stacks().places()) {
    PlaceTimes& place_times = times[sampler.stacks().functions()[function].key];
    for (const auto& [pc, nanoseconds] : places) place_times[pc] += nanoseconds;
  }
  return times;
}

}  // namespace mangata
