// Walks over the bytecode, one after the other.
#include "jit/build/lower_instruction.h"
#include "jit/build/lowering.h"

namespace mangata::jit {
namespace {

/// Instructions of bytecode that one region may be generated from, with all copies: more are too many, whatever comes of them.
constexpr size_t kMostWalked = 6000;
}  // namespace

Lowering::Lowering(const RegionInput& input, const RegionRuntime& runtime, const InliningLimits& limits, const KeptCalls& kept, size_t most_instructions,
                   const Widened& widened)
    : input_(input),
      runtime_(runtime),
      limits_(limits),
      kept_(kept),
      most_instructions_(most_instructions),
      versions_(b_, walk_, registers_, events_, polls_, safepoints_, contexts_, queue_, assigned_, limits.versions, widened) {
  const RegionFunction& root = input.root();
  for (size_t pc = 0; pc < root.code.size(); ++pc) {
    if (input.in_region[pc]) assigned_.registers |= register_effects(root.code[pc], root.register_count).writes;
  }
}

/// Where code of no context, or of the root, goes back: to the contexts that may be entered, or to the root.
void Lowering::enter_anew() {
  const LoopContexts& loop = input_.loops[static_cast<size_t>(walk_.track.loop)].formed;
  const int head_pc = walk_.pc;
  for (const uint32_t entry : loop.entries) {
    IrValue all = b_.boolean(true);
    bool is_possible = true;
    for (const auto& [reg, value] : loop.contexts[entry].facts) {
      const Operand operand = values_.read(Register{reg});
      const Kind kind = kind_of(value.tag);
      if (operand.kind != Kind::Any && operand.kind != kind) is_possible = false;
      if (operand.kind == Kind::Any) all = b_.bit_and(all, b_.eq(operand.tag, b_.word(static_cast<uint64_t>(value.tag))));
      if (is_possible && has_payload(kind)) all = b_.bit_and(all, b_.eq(operand.payload, b_.word(value.payload)));
    }
    if (!is_possible) continue;
    Block enters = b_.make_block("enters");
    Block goes_on = b_.make_block("elsewhere");
    b_.set_likely(b_.branch(all, enters, goes_on), true);
    b_.set_position(enters);
    queue_.beside([&] {
      for (const auto& [reg, value] : loop.contexts[entry].facts) {
        Fact& slot_fact = registers_.fact(walk_.slot_of(Register{reg}));
        slot_fact.kind = kind_of(value.tag);
        if (!has_payload(slot_fact.kind)) continue;
        slot_fact.know_constant(value.payload);
        b_.set(registers_.payload_cell(walk_.slot_of(Register{reg})), b_.word(value.payload));
      }
      walk_.pc = head_pc - 1;
      versions_.enter({.loop = walk_.track.loop, .context = entry, .hot = contexts_.hot_paths(loop, entry)}, head_pc);
    });
    b_.set_position(goes_on);
  }
  walk_.pc = head_pc - 1;
  versions_.enter({.loop = walk_.track.loop, .hot = {}}, head_pc);
}

void Lowering::run_walk() {
  if (contexts_.is_by_facts(walk_.track) && walk_.track.enters_anew) enter_anew();
  while (!walk_.ended && instructions() <= most_instructions_) {
    walk_.exit_block = {};
    if (++walked_ > kMostWalked) is_too_long_ = true;
    tally_.note_copy(walk_);
    const Instruction in = walk_.instruction();
    if (input_.keeps_places) b_.set_place(places_.number_of(walk_));
    if (lower_instruction(tools_, in) && !walk_.ended) branches_.go_to(walk_.pc + 1);
  }
}

}  // namespace mangata::jit
