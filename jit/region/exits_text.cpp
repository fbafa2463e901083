#include "jit/region/exits_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "vm/bytecode/opcode.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

ExitTotals totals_of(const RegionCode& code) {
  constexpr size_t kReasons = 0
#define EXIT_REASON(...) +1
#include "jit/abi/exit_reasons.def"
      ;
  std::array<uint64_t, kReasons> counts = {};
  for (size_t i = 0; i < code.reasons.size(); ++i) counts[static_cast<size_t>(code.reasons[i])] += code.exit_counts[i];
  ExitTotals totals;
#define EXIT_REASON(name, total, ...) totals.total += counts[static_cast<size_t>(ExitSite::Why::name)];
#include "jit/abi/exit_reasons.def"
  return totals;
}

int TakenExit::line() const { return site->proto->line_at(site->resumed_at); }

std::string_view TakenExit::opcode() const { return opcode_info(site->proto->original_code[static_cast<size_t>(site->resumed_at)].op).name; }

std::vector<TakenExit> most_taken(const RegionCode& code) {
  constexpr size_t kMostSites = 8;
  static constexpr const char* kWhy[] = {
#define EXIT_REASON(name, total, taken, ...) taken,
#include "jit/abi/exit_reasons.def"
  };
  std::vector<TakenExit> taken;
  for (size_t i = 0; i < code.exits.size(); ++i) {
    if (code.exit_counts[i] != 0) taken.push_back({code.exit_counts[i], kWhy[static_cast<size_t>(code.exits[i].why)], &code.exits[i]});
  }
  std::stable_sort(taken.begin(), taken.end(), [](const TakenExit& a, const TakenExit& b) { return a.count > b.count; });
  if (taken.size() > kMostSites) taken.resize(kMostSites);
  return taken;
}

namespace {

template <typename... Numbers>
std::string text_of(const char* format, Numbers... numbers) {
  char text[160];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

std::string exit_text(const TakenExit& exit) {
  std::string text = "  " + std::to_string(exit.count) + " " + std::string(exit.why);
  if (!exit.has_place()) return text + "\n";
  return text + " at pc " + std::to_string(value_of(exit.site->resumed_at)) + " line " + std::to_string(exit.line()) + " " + std::string(exit.opcode()) + "\n";
}

/// "  1000 iterations, of which 2.5 in 1000 left; 2.10 cycles an iteration, 9.80 in baseline code"
std::string iterations_text(const RegionCode& code, const ExitsOf& of) {
  if (code.iterations == nullptr || *code.iterations == 0) return {};
  const auto iterations = static_cast<double>(*code.iterations);
  std::string text = text_of("  %llu iterations, of which %.2f in 1000 left unexpectedly", static_cast<unsigned long long>(*code.iterations),
                             1000 * static_cast<double>(totals_of(code).unexpected()) / iterations);
  text += text_of("; predicted to take %.2f of the time", 1 - code.saved_share);
  if (of.has_costs && code.cycles != 0) text += text_of("; %.2f cycles an iteration", static_cast<double>(code.cycles) / iterations);
  if (of.has_costs && of.baseline_cycles != 0) text += text_of(", %.2f in baseline code", of.baseline_cycles);
  return text + "\n";
}

}  // namespace

std::string exits_text(const RegionCode& code, const ExitsOf& of) {
  using Count = unsigned long long;
  const ExitTotals totals = totals_of(code);
  std::string text = "region of " + of.name + text_of(" [%zu IR instructions", code.ir_instructions);
  if (of.has_costs) text += text_of(", %zu bytes, %.1f ms", code.code_bytes, code.milliseconds);
  text += text_of("]: left %llu times by failed checks, %llu by rare branches", static_cast<Count>(totals.failed_checks),
                  static_cast<Count>(totals.rare_branches));
  if (totals.others != 0) text += text_of(", %llu to what is not in it", static_cast<Count>(totals.others));
  if (of.is_function) {
    text += ", besides its returns";
  } else if (totals.entries() != 0) {
    text += text_of(": %.1f of 1000 times that it was entered (%llu)",
                    1000 * static_cast<double>(totals.unexpected()) / static_cast<double>(totals.entries()),
                    static_cast<Count>(totals.entries()));
  }
  text += "\n" + iterations_text(code, of);
  for (const TakenExit& exit : most_taken(code)) text += exit_text(exit);
  return text;
}

}  // namespace mangata::jit
