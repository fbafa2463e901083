// Interim forms: a loop whose contexts are not affordable yet runs without them for the time being, and gets them when it has run long enough.
//
// [DESIGN] Contexts are three to five times the instructions of the form without, and most programs end before that is repaid. So a region
// may come twice. The compile thread hands back what it was told, from which the full form is made later without another recording. An
// interim form of a loop looks at its iterations where it polls, and leaves when they are enough (RegionCode::upgrade_at), for it may be
// all that the program ever runs; one of a function is looked at when it is watched.
#include <algorithm>
#include <limits>

#include "jit/region/region_builder.h"
#include "jit/region/region_price.h"
#include "jit/region/why_not.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

/// Of the time in an interim form, contexts are hoped to save so much, and LLVM of that in quick code.
constexpr double kSavedByContexts = 0.3;
constexpr double kSavedByLlvm = 0.2;
/// While the full form is being compiled: the interim one is left so often to see whether that is there.
constexpr double kLookEveryNanoseconds = 5e5;
/// Where nothing was predicted.
constexpr double kUsualNanoseconds = 5;

/// Of an iteration or a call in the region.
double nanoseconds_per_round(const RegionCode& code) {
  if (code.saved_share <= 0 || code.saved_per_event <= 0) return kUsualNanoseconds;
  return std::max(code.saved_per_event * (1 / code.saved_share - 1), 0.1);
}

void leave_at(RegionCode* code, uint64_t iterations) {
  if (code->upgrade_at != nullptr) *code->upgrade_at = iterations;
}

}  // namespace

void RegionBuilder::begin_interim(Region* region, std::unique_ptr<RegionInput> input, RegionOutcome* outcome) const {
  if (compilers_of(*outcome->place.proto) == Compilers::Quick) return;
  RegionCode& code = *region->code;
  const double nanoseconds = nanoseconds_per_round(code);
  const double saved = (code.backend == RegionCode::Backend::Quick ? kSavedByLlvm : kSavedByContexts) * nanoseconds;
  const double iterations = (price_of(code.full_instructions, kPriceOfLlvm) + funds(true).fixed) / saved;
  region->upgrade = Upgrade{.input = std::move(input), .outcome = *outcome};
  region->upgrade->outcome.code = nullptr;
  region->upgrade->at = settings_.interim_for != 0 ? settings_.interim_for : static_cast<uint64_t>(iterations);
  region->upgrade->look_every = static_cast<uint64_t>(kLookEveryNanoseconds / nanoseconds);
  if (code.backend == RegionCode::Backend::Llvm) outcome->summary = "an interim form; later " + outcome->summary;
  leave_at(&code, region->upgrade->at);
}

/// The region has been left, or is looked at.
void RegionBuilder::upgrade_if_due(Region* region) {
  Upgrade& upgrade = *region->upgrade;
  const uint64_t iterations = *region->code->iterations;
  if (upgrade.input == nullptr) return leave_at(region->code.get(), iterations + upgrade.look_every);
  if (iterations < upgrade.at) return;
  const RegionFunds now = funds(true);
  const double price = price_of(region->code->full_instructions, kPriceOfLlvm) + now.fixed;
  if (settings_.checks_profitability && price > now.left() + kMostInAdvance * now.ran) {
    upgrade.at = iterations + iterations / 4 + 1;
    return leave_at(region->code.get(), upgrade.at);
  }
  submit_upgrade(region, price);
}

void RegionBuilder::submit_upgrade(Region* region, double price) {
  Upgrade& upgrade = *region->upgrade;
  upgrade.input->interim = Interim::No;
  upgrade.input->benefit.funds = {};
  Request request{.root = region->root,
                  .entry = region->entry,
                  .outcome = std::move(upgrade.outcome),
                  .types = region->types,
                  .counts_events = upgrade.input->counts_events,
                  .benefit = upgrade.input->benefit,
                  .price = price,
                  .is_upgrade = true};
  budget_.spend(price);
  const uint64_t ticket = CompileThread::instance().compile(std::move(upgrade.input), channel_);
  requests_.emplace(ticket, std::move(request));
  if (settings_.waits) channel_->wait(ticket);
  leave_at(region->code.get(), *region->code->iterations + upgrade.look_every);
}

RegionOutcome RegionBuilder::keep_interim(const Request& request, const RegionCode& code) {
  RegionOutcome outcome{.place = request.outcome.place};
  outcome.why_not = why_no_region(WhyNot::KeepsInterim, {code.error});
  for (Region& region : regions_[outcome.place.proto]) {
    if (region.root == request.root && region.is_installed) forget_upgrade(*outcome.place.proto, &region);
  }
  return outcome;
}

/// It is not going to be upgraded, or has been: whoever is still in it leaves it in that case.
void RegionBuilder::forget_upgrade(const Proto& proto, Region* region) {
  if (!region->upgrade) return;
  region->upgrade.reset();
  leave_at(region->code.get(), region->was_upgraded ? 0 : kNever);
  if (region->is_installed) return;
  std::erase_if(requests_, [&](const auto& entry) {
    const Request& request = entry.second;
    if (!request.is_upgrade || request.outcome.place.proto != &proto || request.root != region->root) return false;
    CompileThread::instance().forget(entry.first);
    return true;
  });
}

}  // namespace mangata::jit
