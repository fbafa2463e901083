#include "runtime/tiering/decision_log.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "jit/region/region_input.h"
#include "runtime/tiering/decision_json.h"
#include "runtime/tiering/decision_words.h"

namespace mangata {
namespace {

void write_line(OutputFile& file, const std::string& line) { file.write(line + "\n"); }

std::string profile_text(const ProfileSnapshot& snapshot, const Decision& decision) {
  switch (decision.profile) {
    case MANGATA_PROFILE_PATHS: return " + paths";
    case MANGATA_PROFILE_PREFERENTIAL: return " + preferred paths";
    case MANGATA_PROFILE_ITERATIONS: break;
    default: return "";
  }
  std::string text;
  for (uint32_t i = 0; i < snapshot.loop_count; ++i) {
    if (decision.loop_k[i] < 2) continue;
    text += (text.empty() ? " + paths over " : ", ") + std::to_string(decision.loop_k[i]) + " iterations of loop " +
            std::to_string(snapshot.loops[i].line);
  }
  return text.empty() ? " + paths" : text;
}

template <typename... Numbers>
std::string text_of(const char* format, Numbers... numbers) {
  char text[64];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

/// " [1744 bytes, 0.31 ms, predicted 1650 bytes, 0.20 ms; counting: predicted +6%; so far 9.1 ns per event]"; empty when there is nothing to say.
std::string cost_text(const DecisionCost& cost, bool deterministic) {
  using Bytes = unsigned long long;
  std::string text;
  if (cost.compiled != 0 && !deterministic) {
    text += text_of("; %llu bytes, %.2f ms", static_cast<Bytes>(cost.code_bytes), cost.milliseconds);
  }
  if (cost.predicted.code_bytes != 0) {
    text += text.empty() ? "; " : ", ";
    text += text_of("predicted %llu bytes, %.2f ms", static_cast<Bytes>(cost.predicted.code_bytes), cost.predicted.milliseconds);
  }
  if (cost.predicted.slowdown != 0) text += text_of("; counting: predicted +%.0f%%", 100 * cost.predicted.slowdown);
  if (cost.nanoseconds_per_event != 0 && !deterministic) text += text_of("; so far %.1f ns per event", cost.nanoseconds_per_event);
  return text.empty() ? text : " [" + text.substr(2) + "]";
}

}  // namespace

DecisionLog::DecisionLog(const LogOptions& options, Policy& policy)
    : errors_(options.errors), listener_(options.listener), deterministic_(options.deterministic) {
  const std::string_view name = options.log_file;
  if (options.log && name.empty()) text_ = OutputFile::standard("log", stderr, *errors_);
  if (options.log && !name.empty()) {
    (name.ends_with(".json") || name.ends_with(".jsonl") ? json_ : text_) =
        OutputFile::open("log", options.log_file, *errors_);
  }
  if (!options.record_file.empty()) record_ = OutputFile::open("log", options.record_file, *errors_);
  if (!record_.is_open()) return;
  Decision first{};
  policy.first(&first);
  write_line(record_, header_to_json({first.entry, first.loop, policy.samples(), policy.compiles(), policy.counts_leaves()}));
}

void DecisionLog::add(const ProfileSnapshot& snapshot, const Decision& decision, const DecisionCost& cost) {
  if (text_.is_open()) write_line(text_, describe_decision(snapshot, decision, cost, deterministic_));
  if (json_.is_open()) write_line(json_, decision_to_json(snapshot, decision, &cost, deterministic_));
  if (record_.is_open()) write_line(record_, decision_to_json(snapshot, decision, nullptr));
  if (listener_ == nullptr) return;
  const std::string line = describe_decision(snapshot, decision, cost, deterministic_);
  listener_({.kind = LogEvent::Kind::Decided,
             .function = snapshot.name,
             .source = snapshot.source,
             .line = static_cast<int32_t>(snapshot.line),
             .loop_line = -1,
             .tier = kTierWords[std::min<uint32_t>(decision.tier, MANGATA_OPTIMIZED)],
             .compiled = cost.compiled != 0,
             .code_bytes = cost.code_bytes,
             .milliseconds = cost.milliseconds,
             .reason = decision.reason,
             .text = line});
}

namespace {

std::string describe_region(uint64_t clock, const FunctionName& function, const jit::RegionOutcome& outcome, bool deterministic) {
  const int loop = outcome.place.line;
  std::string line = "[" + std::to_string(clock) + "] " + function.name + " (" + function.source + ":" + std::to_string(function.line) + "): ";
  if (!outcome.is_installed()) {
    line += loop < 0 ? "not optimized: " : "loop " + std::to_string(loop) + " not optimized: ";
    return line + outcome.why_not;
  }
  line += loop < 0 ? "whole function optimized" : "loop " + std::to_string(loop) + " optimized";
  line += text_of(" [%llu IR instructions", static_cast<unsigned long long>(outcome.code->ir_instructions));
  if (!deterministic) line += text_of(", %llu bytes, %.1f ms", static_cast<unsigned long long>(outcome.code->code_bytes), outcome.code->milliseconds);
  line += outcome.code->backend == jit::RegionCode::Backend::Quick ? ", quick code" : ", by LLVM";
  line += text_of(", predicted to save %.0f%%", 100 * outcome.code->saved_share);
  return line + "]" + (outcome.summary.empty() ? "" : ": " + outcome.summary);
}

}  // namespace

void DecisionLog::add_region(uint64_t clock, const FunctionName& function, const jit::RegionOutcome& outcome) {
  if (json_.is_open()) write_line(json_, region_to_json(clock, function, outcome, deterministic_));
  if (!text_.is_open() && listener_ == nullptr) return;
  const std::string line = describe_region(clock, function, outcome, deterministic_);
  if (text_.is_open()) write_line(text_, line);
  if (listener_ == nullptr) return;
  const bool is_optimized = outcome.is_installed();
  listener_({.kind = is_optimized ? LogEvent::Kind::Optimized : LogEvent::Kind::NotOptimized,
             .function = function.name,
             .source = function.source,
             .line = function.line,
             .loop_line = outcome.place.line,
             .tier = kTierWords[is_optimized ? MANGATA_OPTIMIZED : MANGATA_BASELINE],
             .compiled = is_optimized,
             .code_bytes = outcome.code == nullptr ? 0 : outcome.code->code_bytes,
             .milliseconds = outcome.code == nullptr ? 0 : outcome.code->milliseconds,
             .reason = is_optimized ? outcome.summary : outcome.why_not,
             .text = line});
}

void DecisionLog::add_exits(const std::string& text, const std::vector<ExitsRecord>& records) {
  text_.write(text);
  if (!json_.is_open()) return;
  for (const ExitsRecord& record : records) write_line(json_, exits_to_json(record));
}

void DecisionLog::add_totals(const std::vector<PolicyTotal>& totals) {
  if (json_.is_open() && !totals.empty()) write_line(json_, totals_to_json(totals));
  std::string text;
  for (const PolicyTotal& total : totals)
    text += (text.empty() ? "" : ", ") + std::to_string(total.count) + " " + total.what;
  if (!text.empty()) write_line(text_, "decisions: " + text);
  for (OutputFile* file : {&text_, &json_, &record_}) file->close();
}

std::string describe_plan(const ProfileSnapshot& snapshot, const Decision& decision) {
  return std::string(kTierWords[std::min<uint32_t>(decision.tier, MANGATA_OPTIMIZED)]) +
         profile_text(snapshot, decision);
}

std::string describe_decision(const ProfileSnapshot& snapshot, const Decision& decision,
                              const DecisionCost& cost, bool deterministic) {
  std::string line = "[" + std::to_string(snapshot.clock) + "] " + snapshot.name + " (" + snapshot.source +
                     ":" + std::to_string(snapshot.line) + "): " + describe_plan(snapshot, decision);
  if (cost.cache_is_full) line += " [the code cache is full]";
  return line + cost_text(cost, deterministic) + ": " + decision.reason;
}

}  // namespace mangata
