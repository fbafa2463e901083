#include "profiler/coverage/conditions.h"

#include <utility>

#include "vm/bytecode/condition_sense.h"
#include "vm/bytecode/proto.h"

namespace mangata::coverage {
namespace {

using numbering::BlockId;
using numbering::EdgeId;

bool is_number(const Proto& proto, const Instruction& in) {
  if (in.op == Opcode::LoadConstant) return proto.constants[static_cast<size_t>(in.imm)].is_number();
  return in.op == Opcode::LoadInteger || in.op == Opcode::LoadFloat;
}

/// Whether the numeric `for` that begins at the end of a block goes over constants, so that it always runs or never.
bool has_constant_range(const Proto& proto, const BlockShape& block) {
  constexpr int32_t kNumbers = 3;
  const int32_t pc = block.end_pc - 1;
  if (pc - kNumbers < block.first_pc) return false;
  for (int32_t i = 0; i < kNumbers; ++i) {
    const Instruction& in = proto.original_code[static_cast<size_t>(pc - kNumbers + i)];
    if (!is_number(proto, in) || in.a != proto.original_code[static_cast<size_t>(pc)].a + i) return false;
  }
  return true;
}

/// Whether the branch at the end of a block is a condition of the source. The compiler notes all but those of loops.
bool is_condition(const Proto& proto, const BlockShape& block) {
  const int32_t pc = block.end_pc - 1;
  if (block.branch == BranchKind::LoopIfTaken) return true;
  if (block.branch == BranchKind::SkipIfTaken) return !has_constant_range(proto, block);
  return (proto.feedback[static_cast<size_t>(pc)] & (kFalseWhenTaken | kTrueWhenTaken)) != 0;
}

bool is_first(Outcome outcome) { return outcome == Outcome::True || outcome == Outcome::Loop || outcome == Outcome::Enter; }

}  // namespace

std::vector<ConditionPlace> find_conditions(const Proto& proto, const FunctionShape& shape) {
  std::vector<ConditionPlace> places;
  if (shape.lines.empty()) return places;
  for (size_t i = 0; i < shape.blocks.size(); ++i) {
    const BlockId block(i);
    const BranchKind branch = shape.blocks[i].branch;
    if (branch == BranchKind::None || !shape.graph.is_reachable(block)) continue;
    if (!is_condition(proto, shape.blocks[i])) continue;
    const auto edges = shape.graph.out_edges(block);
    ConditionPlace place{.condition = {.line = shape.last_line(block)}, .edges = {edges[0], edges[1]}};
    for (size_t arm = 0; arm < 2; ++arm) {
      place.condition.outcomes[arm] = outcome_of(branch, shape.arms[edges[arm].index()] == Arm::Taken);
    }
    if (!is_first(place.condition.outcomes[0])) {
      std::swap(place.condition.outcomes[0], place.condition.outcomes[1]);
      std::swap(place.edges[0], place.edges[1]);
    }
    places.push_back(place);
  }
  return places;
}

std::vector<Condition> counted(const std::vector<ConditionPlace>& places, const numbering::EdgeCounts& counts) {
  std::vector<Condition> conditions;
  for (const ConditionPlace& place : places) {
    Condition condition = place.condition;
    for (size_t arm = 0; arm < 2; ++arm) condition.counts[arm] = counts.edge[place.edges[arm].index()];
    conditions.push_back(condition);
  }
  return conditions;
}

}  // namespace mangata::coverage
