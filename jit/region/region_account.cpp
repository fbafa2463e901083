// What RegionBuilder knows of its budget: what the program has given for regions, what was spent on them, and whether one more may be worth it.
#include <algorithm>

#include "jit/region/exits_text.h"
#include "jit/region/region_builder.h"
#include "jit/region/region_price.h"

namespace mangata::jit {
namespace {

/// What an exit and the next entry cost, with what was known before.
constexpr double kNanosecondsPerExit = 50;

/// What was recorded no longer ago, in calls and backedges, serves for other functions that were seen.
constexpr uint64_t kLately = 3000000;
/// Of what the program gives for the whole tier, at most so much is for recordings, but for the first.
constexpr double kMostForRecordings = 0.5;
constexpr double kPaidForFirst = 1.5e6;

}  // namespace

/// By all regions so far: by prediction, less what leaving them took.
double RegionBuilder::saved_nanoseconds() const {
  double sum = 0;
  for (const auto& [proto, regions] : regions_) {
    for (const Region& region : regions) {
      const ExitTotals exits = totals_of(*region.code);
      sum += static_cast<double>(*region.code->iterations) * region.code->saved_per_event;
      sum -= kNanosecondsPerExit * static_cast<double>(exits.unexpected() + exits.refused);
    }
  }
  return sum;
}

RegionFunds RegionBuilder::funds(bool by_llvm) const {
  if (settings_.waits) return {};
  const double ran = budget_.ran();
  RegionFunds funds{.given = RegionBudget::given(ran), .owed = budget_.spent() - saved_nanoseconds(), .ran = ran};
  if (!by_llvm) {
    funds.price = kPriceOfQuick;
  } else if (!CompileThread::instance().is_loaded())
    funds.fixed = kPriceOfLoading;
  return funds;
}

std::shared_ptr<TypeRecorder> RegionBuilder::seen_lately(const Proto& proto) const {
  const bool is_usable = settings_.checks_profitability && lately_ != nullptr && events_since_ < kLately;
  return is_usable && lately_->has_seen_enough(proto) ? lately_ : nullptr;
}

uint64_t RegionBuilder::recorded_for(const Proto& proto) const {
  if (postponed_.contains(&proto)) return slice_size();
  return seen_lately(proto) != nullptr ? 0 : settings_.recorded;
}

double RegionBuilder::price_of_recording(const Proto& proto) const {
  return kPricePerWatched * static_cast<double>(recorded_for(proto));
}

void RegionBuilder::begin_with_what_is_known(Proto& proto) {
  if (const auto found = learnt_.find(&proto); found != learnt_.end()) {
    recording_->types = std::move(found->second);
    recording_->types->go_on();
    learnt_.erase(found);
  } else if (const auto known = postponed_.find(&proto); known != postponed_.end()) {
    // It was recorded long ago, perhaps in another phase: before it is compiled, one slice more tells whether that still holds.
    recording_->types = std::move(known->second.types);
    recording_->postponed = std::move(known->second.regions);
    recording_->types->look_again(slice_size());
    recording_->slices = slice_count() - 1;
    recording_->is_old = true;
    postponed_.erase(known);
  } else if (const auto seen = seen_lately(proto); seen != nullptr) {
    recording_->types = seen;
    recording_->is_old = true;
    pin(proto, seen->objects());
    recording_->types->pause();
    recording_->slices = slice_count() - 1;  // there is no need for more
  } else {
    recording_->types = std::make_shared<TypeRecorder>(&named_);
  }
}

uint64_t RegionBuilder::profitable_after(const Proto& proto, const RunSoFar& so_far) const {
  if (!settings_.checks_profitability || learnt_.contains(&proto)) return 0;
  RegionFunds now = funds(is_for_llvm_only(proto));
  const double recording = price_of_recording(proto);
  if (recording != 0 && !postponed_.contains(&proto) && paid_for_recordings_ + recording > kPaidForFirst + kMostForRecordings * now.given)
    return std::max<uint64_t>(so_far.events, 1) * 5 / 4;
  if (!settings_.waits) now.fixed += recording + kPriceOfForming;
  const auto postponed = postponed_.find(&proto);
  if (postponed == postponed_.end() && settings_.waits) return 0;
  if (postponed == postponed_.end()) {
    const RegionBenefit hope = best_benefit(so_far, now);
    return affordable_instructions(hope) < kSmallestRegion ? events_until_affordable(hope, kSmallestRegion) : 0;
  }
  uint64_t first = 0;
  for (const auto& [loop_pc, region] : postponed->second.regions) {
    RegionBenefit benefit = region.benefit;
    benefit.so_far = so_far;
    benefit.funds = now;
    if (affordable_instructions(benefit) >= region.instructions) return 0;
    const uint64_t next = events_until_affordable(benefit, region.instructions);
    first = first == 0 ? next : std::min(first, next);
  }
  return first;
}

void RegionBuilder::postpone(const Request& request, Postponed postponed) {
  PostponedFunction& function = postponed_[request.outcome.place.proto];
  function.types = request.types;
  function.regions[request.root.loop_pc()] = std::move(postponed);
}

}  // namespace mangata::jit
