// What scripts may ask of the tiers: the library `jit` (runtime/lib/jit_library.h), and exact counting on
// request (runtime/path_session.h).
//
// [DESIGN] A function whose machine code was flushed is new to its policy: it has made no decision yet. So
// policies need not know of flushing, and functions become hot as they did for the first time.
#include "jit/observers/code_observer.h"
#include "runtime/tiering/decision_words.h"
#include "runtime/tiering/tier_manager.h"
#include "vm/bytecode/proto_lifecycle.h"

namespace mangata {

/// After another version has come into force: so many polls at each backedge and call.
static constexpr int32_t kHurries = 2000;

void TierManager::observe_code(std::unique_ptr<CodeObserver> observer) {
  if (code_ != nullptr) code_->observe(std::move(observer));
}

std::vector<std::string_view> TierManager::features() const {
  std::vector<std::string_view> names;
  if (code_ != nullptr) names.push_back("baseline");
  if (profiles_) names.push_back("sampling");
  return names;
}

/// The policy is asked about `proto` again as if it had just been made.
void TierManager::start_anew(Proto& proto) {
  Function& function = functions_[&proto];
  function = {.versions = function.versions,
              .plan = function.plan,
              .generation = function.generation,
              .is_off = function.is_off};
  if (function.plan.mode != SamplingPlan::Mode::None) {
    function.plan = {};
    if (!counts_exactly_ && sampled_.install_plan(proto, function.plan)) code_->version_changed(proto);
  }
  interrupted_.erase(&proto);
  proto.entry_countdown = proto.loop_countdown = MANGATA_NEVER;
  if (may_compile(function)) set_first_countdowns(proto);
}

void TierManager::turn(bool on) {
  if (code_ == nullptr || on == is_on_) return;
  is_on_ = on;
  if (!on) return;
  for_each_proto(vm_, [this](Proto& proto) {
    if (proto.compiled == nullptr) start_anew(proto);
  });
}

void TierManager::turn(Proto& proto, bool on) {
  if (code_ == nullptr || functions_[&proto].is_off == !on) return;
  functions_[&proto].is_off = !on;
  flush(proto);
}

void TierManager::flush() {
  if (code_ == nullptr) return;
  for_each_proto(vm_, [this](Proto& proto) {
    code_->retire(proto);
    start_anew(proto);
  });
  code_->free_retired();
}

void TierManager::flush(Proto& proto) {
  if (code_ == nullptr) return;
  code_->retire(proto);
  start_anew(proto);
  code_->free_retired();
}

TierControl::State TierManager::state_of(const Proto& proto) {
  const auto found = functions_.find(&proto);
  const Function* function = found == functions_.end() ? nullptr : &found->second;
  const char* profile = "none";
  if (proto.path_counters != nullptr) {
    profile = whole_run_ != nullptr ? whole_run_
              : counts_exactly_     ? "exact"
              : function != nullptr ? word_at(kProfileWords, static_cast<uint32_t>(function->plan.mode))
                                    : "none";
  }
  return {.tier = proto.compiled != nullptr ? "baseline" : "interpreter",
          .profile = profile,
          .code_bytes = code_ == nullptr ? 0 : code_->code_bytes(proto),
          .versions = std::max<size_t>(proto.versions.size(), 1),
          .is_on = code_ != nullptr && is_on_ && (function == nullptr || !function->is_off)};
}

void TierManager::version_changed(Proto& proto) {
  if (code_ != nullptr) {
    code_->version_changed(proto);
    if (proto.compiled == nullptr && code_->code_bytes(proto) != 0 && is_on_) code_->compile(proto);
  }
  // Frames that are in a loop of the interpreter look at its next backedge; those in machine code at each poll, so there are many now.
  interrupted_.try_emplace(&proto, proto.loop_countdown);
  proto.loop_countdown = 0;
  hurries_ = kHurries;
  vm_.machine_events.arm(0);
}

void TierManager::put_sampled_version_in_force(Proto& proto) {
  const auto found = functions_.find(&proto);
  const SamplingPlan plan = found == functions_.end() ? SamplingPlan() : found->second.plan;
  if (sampled_.install_plan(proto, plan)) version_changed(proto);
}

/// A countdown that version_changed() has ended goes on where it was.
bool TierManager::was_interrupted(Proto& proto) {
  const auto found = interrupted_.find(&proto);
  if (found == interrupted_.end()) return false;
  proto.loop_countdown = found->second;
  interrupted_.erase(found);
  return true;
}

std::optional<std::string> TierManager::dump_machine_code(Proto& proto, std::string* error) {
  if (code_ == nullptr) {
    *error = "there is no machine code: with --policy=interpreter, with too little --max-code, or on this machine";
    return {};
  }
  if (proto.compiled == nullptr && !code_->compile(proto)) {
    *error = "the code cache is full (--max-code)";
    return {};
  }
  return code_->dump(proto, error);
}

}  // namespace mangata
