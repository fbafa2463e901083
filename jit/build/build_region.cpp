#include "jit/build/build_region.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "jit/build/lowering.h"
#include "jit/ir/verifier.h"
#include "jit/region/region_benefit.h"
#include "jit/region/region_price.h"
#include "jit/region/why_not.h"

namespace mangata::jit {
namespace {

/// A region of more takes LLVM longer than it is likely to save: 9 microseconds for each, on an idle machine.
constexpr uint64_t kMostInstructions = 6000;
/// And so many of code that counts: with the counts, what is as large as that without them.
constexpr uint64_t kMostInstructionsWithEvents = 7500;
/// The first two are both tried where they differ, the others in turn where the region is too large.
constexpr InliningLimits kInlining[] = {
    {.level = 0, .cases = true, .contexts = true, .versions = 4},
    {.level = 0, .cases = true, .contexts = true, .versions = 1},
    {.level = 0, .cases = true, .contexts = false, .versions = 1},
    {.level = 1, .cases = true, .contexts = false, .versions = 1},
    {.level = 2, .cases = true, .contexts = false, .versions = 1},
    {.level = 3, .cases = false, .contexts = false, .versions = 1},
};

/// Of a region whose contexts wait.
constexpr InliningLimits kInterim = {.level = 0, .cases = true, .contexts = false, .versions = 1, .is_interim = true};

/// Quick code that is larger than can be afforded is not generated to its end; it is taken to have so many times as many instructions.
constexpr double kUnknownSize = 1.5;
/// But it may have so many times as many as can be afforded, for what has been generated has been paid for.
constexpr double kOverdraft = 1.25;

/// Of the instructions of the form with contexts.
constexpr double kLargestInterim = 0.75;

/// By level.
constexpr const char* kInlined[] = {"all calls are inlined", "half of what calls lead to is inlined", "a quarter of what calls lead to is inlined", "no calls are inlined"};
static_assert(std::size(kInlined) == std::size(kInliningLevels));

/// Empty: nothing was restricted.
std::string describe(const InliningLimits& limits, bool is_for_size, uint64_t most) {
  if (limits.versions > 1) return {};
  if (!is_for_size) return "one version of generic code, which is smaller";
  return "kept below " + std::to_string(most) + " IR instructions: " + std::string(kInlined[limits.level]) +
         (limits.cases ? "" : ", fields of several shapes are not told apart") +
         (limits.contexts ? "" : ", no contexts") + ", one version of generic code";
}

/// Of all instructions, those that turn out to be runtime calls though the benefit took them for inline: feedback is missing, and a later
/// recording is likely to have it.
constexpr uint64_t kMostRuntimePercent = 8;

/// Of calls and iterations: entering and leaving cost more than some dozen iterations save.
constexpr uint64_t kMostLeavingPercent = 5;

/// Whether it is looked at that the IR is as it should be: in debug builds, where exits are tested, and where somebody looks himself.
bool is_verified(const RegionInput& input) {
#ifndef NDEBUG
  return true;
#endif
  return input.fail_every != 0 || input.keeps_ir;
}

/// What has been generated, but for the module; and why it does not pay, if so.
void take(Lowering& lowering, const RegionInput& input, RegionCode* code) {
  code->ir_instructions = lowering.instructions();
  code->exits = lowering.take_exits();
  code->countdowns = lowering.take_countdowns();
  code->iterations = lowering.take_rounds();
  code->upgrade_at = lowering.take_upgrade_at();
  code->self = lowering.take_self();
  code->inlined = lowering.take_places();
  code->stack_slots = lowering.stack_slots();
  code->replaced_tables = lowering.replaced_tables();
  code->error.clear();
  if (!input.checks_profitability) return;
  if (const uint64_t slow = lowering.runtime_percent(); slow > kMostRuntimePercent) {
    code->error = why_no_region(WhyNot::MostlyRuntime, {slow});
  } else if (const uint64_t leaving = lowering.leaving_percent(); leaving > kMostLeavingPercent) {
    code->error = why_no_region(WhyNot::LeavesOften, {leaving});
  }
}

class FormBuilder {
 public:
  FormBuilder(const RegionInput& input, const RegionRuntime& runtime, const std::string& name, RegionCode::Backend backend)
      : input_(input), runtime_(runtime), name_(name), backend_(backend) {}

  BuiltRegion build() {
    build_form();
    if (!built_.code.error.empty()) built_.module.reset();
    built_.code.inlining_level = level_;
    return std::move(built_);
  }

 private:
  void build_form() {
    const bool checks = input_.checks_profitability;
    RegionBenefit benefit = input_.benefit;
    if (!is_worth_trying(benefit)) return;
    built_.code.address = input_.root().address;
    built_.code.backend = backend_;
    // LLVM's interim forms are chosen by the size of the whole.
    const bool knows_limit = checks && backend_ == RegionCode::Backend::Quick;
    build_smallest(knows_limit ? std::min(with_overdraft(affordable_instructions(benefit)), most_instructions_) : most_instructions_);
    RegionCode& code = built_.code;
    if (!code.error.empty()) return;
    benefit = benefit_;
    benefit.leave_out(code.replaced_tables);
    code.saved_share = benefit.saved_share();
    code.saved_per_event = benefit.saved_per_event();
    if (checks && code.saved_share < kLeastSavedShare) return refuse(too_little(benefit, code.saved_share));
    if (backend_ == RegionCode::Backend::Quick) {
      code.full_instructions = code.ir_instructions;
    } else if (may_be_interim(!checks || affordable_instructions(benefit) >= code.ir_instructions)) {
      use_interim();
    }
    const uint64_t affordable = affordable_instructions(benefit);
    if (checks && (knows_limit ? with_overdraft(affordable) : affordable) < built_.code.ir_instructions)
      return refuse(not_yet(benefit, built_.code.ir_instructions));
    if (!is_verified(input_)) return;
    if (const std::string found = ir::verify(*built_.module); !found.empty()) built_.code.error = why_no_region(WhyNot::BadIr, {found});
  }

  void refuse(RegionCode why) { built_.code = std::move(why); }

  /// Of what is larger than `most`; in the end all is generated that regions may have.
  uint64_t size_beyond(uint64_t most) const {
    return static_cast<uint64_t>(std::min(kUnknownSize * static_cast<double>(most), static_cast<double>(most_instructions_) / kOverdraft));
  }

  static uint64_t with_overdraft(uint64_t affordable) { return static_cast<uint64_t>(kOverdraft * static_cast<double>(affordable)); }

  /// Before it is generated. False, with the reason: it would not pay, or not yet.
  bool is_worth_trying(const RegionBenefit& benefit) {
    if (!input_.checks_profitability) return true;
    if (benefit.most_saved_share() < kLeastSavedShare) {
      refuse(too_little(benefit, benefit.most_saved_share()));
    } else if (affordable_instructions(benefit) < likely_instructions(benefit)) {
      refuse(not_yet(benefit, likely_instructions(benefit)));
    }
    return built_.code.error.empty();
  }

  /// Whether that form is the one before it, in which nothing had several versions, or there are no contexts to leave out.
  bool is_same(const InliningLimits& limits, const Lowering::Widened& widened) const {
    if (limits.level > 0 || limits.versions > 1) return false;
    return limits.contexts ? widened.empty() : input_.loops.empty();
  }

  /// The form with the most in it that is small enough. Above `most` instructions it is too dear.
  void build_smallest(uint64_t most) {
    // One version of generic code is mostly smaller, and no slower. Where exits are tested, code of several is tested, too.
    const bool keeps_versions = input_.fail_every != 0;
    Lowering::Widened widened;
    level_ = input_.inlining_level;
    bool was_too_large = level_ > 0;
    RegionCode& code = built_.code;
    code.ir_instructions = most_instructions_ + 1;
    bool was_too_dear = false, is_tried = false;
    for (InliningLimits limits : kInlining) {
      if (limits.level < level_) continue;
      if (was_too_dear && !limits.contexts) break;
      if (is_tried && is_same(limits, widened)) {
        if (!limits.contexts) level_ = limits.level + 1;
        continue;
      }
      is_tried = true;
      const InliningChoice choice = choose_inlining(input_, limits.level);
      if (input_.checks_profitability && least_instructions(choice.benefit) > most_instructions_) {
        level_ = limits.level + 1;
        was_too_large = true;
        continue;
      }
      if (limits.level > 0 && !is_worth_trying(choice.benefit)) return;
      limits.is_interim = backend_ == RegionCode::Backend::Quick;
      Lowering lowering(input_, runtime_, limits, choice.kept, most, widened);
      ir::Module module = lowering.lower(name_);
      const bool fits = lowering.instructions() <= most;
      if (limits.versions > 1 || !fits) lowering.add_widened(&widened);
      if (fits && lowering.instructions() < code.ir_instructions) {
        built_.module = std::move(module);
        benefit_ = choice.benefit;
        take(lowering, input_, &code);
        code.restricted = describe(limits, was_too_large, most_instructions_);
      }
      was_too_large |= !fits;
      was_too_dear |= !fits && most < most_instructions_;
      if (built_.module && (limits.versions == 1 || widened.empty() || keeps_versions)) break;
      if (!fits && !was_too_dear && !limits.contexts) level_ = limits.level + 1;
    }
    if (built_.module) return;
    if (was_too_dear) return refuse(not_yet(input_.benefit, size_beyond(most)));
    code.error = why_no_region(WhyNot::TooLarge, {most_instructions_});
  }

  bool may_be_interim(bool is_affordable) const {
    return !input_.loops.empty() && (input_.interim == Interim::Always || (input_.interim == Interim::WhereCheaper && !is_affordable));
  }

  /// The form without contexts in place of what was built, if it is much smaller.
  void use_interim() {
    const Lowering::Widened nothing_widened;
    Lowering lowering(input_, runtime_, kInterim, {}, most_instructions_, nothing_widened);
    ir::Module module = lowering.lower(name_);
    const RegionCode& full = built_.code;
    if (static_cast<double>(lowering.instructions()) > kLargestInterim * static_cast<double>(full.ir_instructions)) return;
    RegionCode interim;
    interim.address = full.address;
    interim.backend = backend_;
    take(lowering, input_, &interim);
    if (!interim.error.empty()) return;
    interim.full_instructions = full.ir_instructions;
    interim.restricted = "for the time being without contexts, with which it would have " + std::to_string(full.ir_instructions) + " IR instructions";
    interim.saved_share = full.saved_share;
    interim.saved_per_event = full.saved_per_event;
    built_ = {.module = std::move(module), .code = std::move(interim)};
  }

  const RegionInput& input_;
  const RegionRuntime& runtime_;
  const std::string& name_;
  const RegionCode::Backend backend_;
  const uint64_t most_instructions_ = input_.root().counters != nullptr ? kMostInstructionsWithEvents : kMostInstructions;
  BuiltRegion built_ = {};
  RegionBenefit benefit_;  ///< of what was built
  size_t level_ = 0;       ///< forms in which more calls are inlined are too large
};

}  // namespace

BuiltRegion build_region(const RegionInput& input, const RegionRuntime& runtime, const std::string& name, RegionCode::Backend backend) {
  return FormBuilder(input, runtime, name, backend).build();
}

}  // namespace mangata::jit
