#include "jit/region/region_text.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>

#include "profiler/function_shape.h"
#include "profiler/outcome.h"
#include "vm/operations/operations.h"

namespace mangata::jit {
namespace {

template <typename... Numbers>
std::string text_of(const char* format, Numbers... numbers) {
  char text[160];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

std::string place_of(int line, int pc) {
  const std::string at = "pc " + std::to_string(pc);
  return line < 0 ? at : "line " + std::to_string(line) + ", " + at;
}

std::string value_text(const Value& value) {
  switch (value.tag) {
    case Tag::Nil: return "nil";
    case Tag::False: return "false";
    case Tag::True: return "true";
    case Tag::String: return "\"" + std::string(value.as_string()->view()) + "\"";
    default: return std::to_string(value.as_integer());
  }
}

std::string history_text(const std::vector<uint32_t>& history) {
  if (history.empty()) return "entered from outside, or from code of no context";
  std::string text = "after";
  for (const uint32_t path : history) text += " w" + std::to_string(path);
  return text;
}

/// "k = 2: acc(2) is 1.00, at least 0.75, and 0.50 more than acc(1)"
std::string profitability_text(const LoopContexts& loop, const ContextLimits& limits) {
  using Profitability = LoopContexts::Profitability;
  std::string text = "k = " + std::to_string(loop.k) + ": ";
  const double first = loop.accuracy.empty() ? 0 : loop.accuracy.front();
  const double last = loop.accuracy.empty() ? 0 : loop.accuracy.back();
  switch (loop.profitability) {
    case Profitability::Predicts: {
      const double accuracy = loop.accuracy[loop.k - 1];
      return text + text_of("acc(%u) is %.2f, at least %.2f, and %.2f more than acc(1), at least %.2f", loop.k, accuracy,
                            limits.accuracy, accuracy - first, limits.gain);
    }
    case Profitability::NotAccurate: return text + text_of("no acc is as high as %.2f", limits.accuracy);
    case Profitability::NothingGained:
      return text + text_of("no acc is %.2f more than acc(1), the most is %.2f", limits.gain, last - first);
    case Profitability::Folds: return text + text_of("what is known at the head saves %.0f%% of an iteration", 100 * loop.saved_share);
    case Profitability::Acyclic: return text + "single iterations are all that was counted or may be used";
  }
  return text;
}

/// The backedges of the region's function: to a head, from where.
std::vector<std::pair<OriginalPc, OriginalPc>> backedges_of(const RegionSource& source) {
  std::vector<std::pair<OriginalPc, OriginalPc>> found;
  const std::vector<Instruction>& code = source.code;
  for (size_t i = 0; i < code.size(); ++i) {
    const Instruction& in = code[i];
    const auto pc = OriginalPc(i);
    const OriginalPc head = pc + (1 + in.imm);
    if (is_backedge(in) && head <= pc && source.root.body[static_cast<size_t>(head)]) found.emplace_back(head, pc);
  }
  return found;
}

/// Paths of a loop around it go through it.
bool is_flattened(const RegionSource& source, OriginalPc head) {
  const auto backedges = backedges_of(source);
  const auto is_of_it = [&](const BranchStep& step) {
    return std::any_of(backedges.begin(), backedges.end(), [&](const auto& edge) { return edge.first == head && edge.second == step.pc; });
  };
  return std::any_of(source.loops.begin(), source.loops.end(), [&](const LoopContexts& loop) {
    return std::any_of(loop.paths.begin(), loop.paths.end(), [&](const LoopPath& path) { return std::any_of(path.begin(), path.end(), is_of_it); });
  });
}

/// Loops that are in the region but have no contexts, and why.
std::string generic_loops(const RegionSource& source) {
  std::string text;
  const auto backedges = backedges_of(source);
  std::vector<OriginalPc> heads;
  for (const auto& [head, from] : backedges) heads.push_back(head);
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  for (const OriginalPc head : heads) {
    if (std::any_of(source.loops.begin(), source.loops.end(), [&](const LoopContexts& loop) { return loop.head_pc == head; }))
      continue;
    const bool is_innermost = std::none_of(backedges.begin(), backedges.end(), [&](const auto& edge) {
      return edge.first == head && std::any_of(heads.begin(), heads.end(), [&](OriginalPc other) {
               return other > head && other <= edge.second;
             });
    });
    text += "  loop at pc " + std::to_string(value_of(head)) + ": ";
    text += is_flattened(source, head) ? "its iterations are on the paths of the loop around it\n"
            : is_innermost             ? "generic, its paths were not counted\n"
                                       : "generic, there are loops in it\n";
  }
  return text;
}

std::string name_of(const Proto* proto) {
  if (proto == nullptr) return "?";
  const std::string file = proto->source == nullptr ? "?" : chunk_id(proto->source->view());
  return file + ":" + std::to_string(std::max(proto->line_defined, 1));
}

}  // namespace

StepNamer steps_of(const Proto& proto) {
  const auto shape = std::make_shared<const FunctionShape>(shape_of(proto));
  return [shape](const BranchStep& step) {
    const BlockShape& block = shape->blocks[shape->block_at(value_of(step.pc)).index()];
    const int line = shape->line_at(value_of(step.pc));
    return (line < 0 ? "pc" + std::to_string(value_of(step.pc)) : std::to_string(line)) + ":" +
           outcome_name(outcome_of(block.branch, step.taken));
  };
}

RegisterNamer registers_of(const Proto& proto) {
  return [&proto](OriginalPc head, uint16_t reg) -> std::string {
    size_t active = 0;
    for (const LocalVariable& local : proto.locals) {
      if (local.start_pc > value_of(head)) break;
      if (value_of(head) < local.end_pc && active++ == reg) return std::string(local.name->view());
    }
    return "R" + std::to_string(reg);
  };
}

std::string facts_text(const KnownRegisters& facts, OriginalPc head_pc, const RegisterNamer& registers) {
  std::string text;
  for (const auto& [reg, value] : facts) {
    text += (text.empty() ? "" : ", ") + (registers ? registers(head_pc, reg) : "R" + std::to_string(reg)) + " = " + value_text(value);
  }
  return text;
}

std::string loop_text(const LoopContexts& loop, const StepNamer& steps, const RegisterNamer& registers, const ContextLimits& limits) {
  std::string text = "  loop at " + place_of(loop.line, value_of(loop.head_pc)) + ": " + profitability_text(loop, limits) + "\n    acc";
  for (const double accuracy : loop.accuracy) text += text_of(" %.2f", accuracy);
  text += text_of(" over %llu iterations\n", static_cast<unsigned long long>(loop.iterations));
  for (size_t i = 0; i < loop.paths.size(); ++i) {
    text += "    w" + std::to_string(i) + ":";
    for (const BranchStep& step : loop.paths[i]) text += " " + steps(step);
    text += "\n";
  }
  for (size_t i = 0; i < loop.contexts.size(); ++i) {
    const LoopContexts::Context& context = loop.contexts[i];
    const bool is_steady = i > 0 && context.history.empty();
    text += "    context " + std::to_string(i) + ", " +
            (!context.facts.empty() ? "where " + facts_text(context.facts, loop.head_pc, registers)
             : is_steady            ? std::string("after any iteration")
                                    : history_text(context.history));
    if (!context.facts.empty() && !context.history.empty()) text += ", " + history_text(context.history);
    if (!context.facts.empty()) text += text_of(", which decide %.1f branches", context.decided);
    if (i > 0) text += text_of(": %.1f%% of the iterations", 100 * context.share);
    text += "\n";
    for (const LoopContexts::Next& next : context.next) {
      text += text_of("      w%u %5.1f%% (%llu) -> context %u\n", next.path, 100 * next.share,
                      static_cast<unsigned long long>(next.count), next.context);
    }
  }
  return text;
}

std::string summary_text(const std::vector<LoopContexts>& loops, const RegisterNamer& registers) {
  std::string text;
  for (const LoopContexts& loop : loops) {
    if (loop.is_by_facts()) {
      std::string names;
      double decided = 0;
      for (size_t reg = 0; reg < loop.followed.size(); ++reg) {
        if (loop.followed.test(reg)) names += (names.empty() ? "" : " and ") + registers(loop.head_pc, static_cast<uint16_t>(reg));
      }
      for (const LoopContexts::Context& context : loop.contexts) decided += context.share * context.decided;
      char number[16];
      std::snprintf(number, sizeof number, "%.1f", decided);
      text += (text.empty() ? "loop " : ", loop ") + std::to_string(loop.line) + " by " + std::to_string(loop.contexts.size()) +
              " contexts, of " + names + ", which decide " + number + " branches of an iteration";
      continue;
    }
    text += (text.empty() ? "loop " : ", loop ") + std::to_string(loop.line) + " by " +
            std::to_string(loop.contexts.size()) + (loop.contexts.size() == 1 ? " context over " : " contexts over ") + std::to_string(loop.k) +
            (loop.k == 1 ? " iteration" : " iterations");
    std::string accuracy;
    for (const double predicted_share : loop.accuracy) {
      char number[16];
      std::snprintf(number, sizeof number, "%.2f", predicted_share);
      accuracy += (accuracy.empty() ? "" : ", ") + std::string(number);
    }
    text += " (acc " + accuracy + ")";
  }
  return text;
}

std::string_view paths_word(unsigned most_iterations, bool knows_edges, bool uses_facts) {
  if (uses_facts) return "facts";
  if (most_iterations > 1) return "k";
  if (most_iterations == 1) return "acyclic";
  return knows_edges ? "edges" : "off";
}

std::string region_text(const RegionSource& source, const RegionInput& input, std::string_view paths, const StepNamer& steps,
                        const RegisterNamer& registers, const ContextLimits& limits) {
  std::string text = "  formed from " + std::string(paths) + (paths == "k" || paths == "acyclic" ? " paths" : paths == "facts" ? " that paths leave"
                                                                                                                               : "") +
                     (input.checks_profitability ? "" : ", without profitability checks");
  text += source.root.is_function ? ", entered by calls" : ", entered at pc " + std::to_string(value_of(source.root.head_pc));
  const auto size = std::count(source.root.body.begin(), source.root.body.end(), true);
  text += "; " + std::to_string(size) + " bytecodes of its function\n";
  for (size_t i = 1; i < input.functions.size(); ++i) {
    const RegionFunction& function = *input.functions[i];
    text += "  calls function <" + name_of(function.proto) + ">, " + std::to_string(function.code.size()) +
            (function.is_inlinable ? " bytecodes: may be inlined\n" : " bytecodes: called\n");
  }
  for (const LoopContexts& loop : source.loops) text += loop_text(loop, steps, registers, limits);
  return text + generic_loops(source);
}

std::string outcome_text(const RegionCode& code) {
  if (!code.error.empty()) return {};
  std::string text = text_of("  compiled: %zu IR instructions, predicted to save %.0f%% of the time; %zu exits: ", code.ir_instructions,
                             100 * code.saved_share, code.exits.size());
  static constexpr const char* kWhy[] = {
#define EXIT_REASON(name, total, taken, sites) sites,
#include "jit/abi/exit_reasons.def"
  };
  size_t by_why[std::size(kWhy)] = {};
  for (const ExitSite& exit : code.exits) ++by_why[static_cast<size_t>(exit.why)];
  bool is_first = true;
  for (size_t i = 0; i < std::size(kWhy); ++i) {
    if (by_why[i] == 0) continue;
    text += (is_first ? "" : ", ") + std::to_string(by_why[i]) + " " + kWhy[i];
    is_first = false;
  }
  text += "\n";
  std::set<int> lines;
  for (const auto& [proto, pc] : code.replaced_tables) lines.insert(proto->line_at(pc));
  for (const int line : lines) text += (line == *lines.begin() ? "  tables that are made only where they are needed: of line " : ", ") + std::to_string(line);
  if (!lines.empty()) text += "\n";
  if (!code.restricted.empty()) text += "  " + code.restricted + "\n";
  return text;
}

}  // namespace mangata::jit
