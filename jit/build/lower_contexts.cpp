// Loops whose contexts are by facts.
//
// [DESIGN] The body of such a loop is generated once for each context (jit/region/loop_facts.h), like generic code: control merges at
// leaders. But the registers that are followed keep their constants there, so there is a version of a leader for each set of their values,
// and whoever goes back to the head knows which context comes next. What the constants decide is not generated (branch_known()).
// Context 0 is the root, in which nothing is known at leaders. Control comes there from outside, and goes on there while it is not in the
// values of an entry (LoopContexts::entries): that is looked at where the root's code goes back to the head, so the first iteration is always
// the root's, and what it finds out of things that outlive an iteration is known in all contexts, which it dominates.
//
//     outside --> root <---- no ---- in the values of an entry? <-- backedges with values of no context
//                  |                        | yes
//                  +-- backedge ----^       v
//                                      context --backedge--> context --> ...
#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {

/// The values of the followed registers, as far as they are known here. Of a region's own function.
KnownRegisters Lowering::known_at(const LoopContexts& loop) const {
  KnownRegisters known;
  for (size_t reg = 0; reg < static_cast<size_t>(input_.root().register_count); ++reg) {
    if (!loop.followed.test(reg)) continue;
    const Fact& fact = walk_.state.slots[reg];
    if (!has_known_tag(fact.kind) || (has_payload(fact.kind) && !fact.is_constant)) continue;
    const uint64_t payload = fact.kind == Kind::True ? 1 : fact.constant;
    known.set(static_cast<uint16_t>(reg), Value(payload, tag_of(fact.kind)));
  }
  return known;
}

/// Those that are copied without merges.
std::vector<uint32_t> Lowering::hot_paths(const LoopContexts& loop, uint32_t context) const {
  std::vector<uint32_t> hot;
  if (context == 0) return hot;
  for (uint32_t i = 0; i < loop.contexts[context].next.size(); ++i) {
    if (loop.contexts[context].next[i].is_hot) hot.push_back(i);
  }
  return hot;
}

/// Of code that goes to the head.
Track Lowering::track_by_facts(size_t index) const {
  const LoopContexts& loop = input_.loops[index].formed;
  const bool is_inside = walk_.track.loop == static_cast<int>(index);
  Track next;
  next.loop = static_cast<int>(index);
  if (!is_inside) return next;
  const KnownRegisters known = known_at(loop);
  next.context = loop.context_of(known);
  for (const uint32_t candidate : walk_.track.hot) {
    const LoopContexts::Next& path = loop.contexts[walk_.track.context].next[candidate];
    if (loop.paths[path.path].size() == walk_.track.step && known.implies(loop.contexts[path.context].facts)) next.context = path.context;
  }
  next.enters_anew = next.context == 0;
  next.hot = hot_paths(loop, next.context);
  return next;
}

/// What a leader's code may know: of registers that are not followed, no values, for each would be another version. At the head of a
/// context, what its facts say.
void Lowering::keep_constants(Track* track, State* state, int pc) const {
  const bool is_by_facts = this->is_by_facts(*track);
  const PlacedLoop* loop = is_by_facts ? &input_.loops[static_cast<size_t>(track->loop)] : nullptr;
  track->known.clear();
  for (size_t slot = 0; slot < state->slots.size(); ++slot) {
    Fact& fact = state->slots[slot];
    const bool is_at_head = is_by_facts && CodePc(pc) == loop->head_pc && !state->is_inlined();
    bool is_followed = is_by_facts && track->context != 0 && slot < static_cast<size_t>(input_.root().register_count) && loop->formed.followed.test(slot);
    if (is_at_head) is_followed = is_followed && loop->formed.contexts[track->context].facts.find(static_cast<uint16_t>(slot)) != nullptr;
    if (!is_followed) {
      fact.forget_constant();
    } else if (has_known_tag(fact.kind) && (!has_payload(fact.kind) || fact.is_constant)) {
      track->known.emplace_back(static_cast<FrameSlot>(slot), fact.kind, fact.constant);
    }
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
      const Operand operand = read(Register{reg});
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
    beside([&] {
      for (const auto& [reg, value] : loop.contexts[entry].facts) {
        Fact& slot_fact = registers_.fact(walk_.slot_of(Register{reg}));
        slot_fact.kind = kind_of(value.tag);
        if (!has_payload(slot_fact.kind)) continue;
        slot_fact.is_constant = true;
        slot_fact.constant = value.payload;
        b_.set(registers_.payload_cell(walk_.slot_of(Register{reg})), b_.word(value.payload));
      }
      walk_.pc = head_pc - 1;
      enter_version({.loop = walk_.track.loop, .context = entry, .hot = hot_paths(loop, entry)}, head_pc);
    });
    b_.set_position(goes_on);
  }
  walk_.pc = head_pc - 1;
  enter_version({.loop = walk_.track.loop, .hot = {}}, head_pc);
}

/// How often the running branch went which way in this context. False: it is not known, or not seen there.
bool Lowering::weights_of_context(uint32_t* taken, uint32_t* not_taken) const {
  if (!is_by_facts(walk_.track) || walk_.track.context == 0 || walk_.state.is_inlined()) return false;
  const PlacedLoop& loop = input_.loops[static_cast<size_t>(walk_.track.loop)];
  uint64_t counts[2] = {};
  for (const LoopContexts::Next& next : loop.formed.contexts[walk_.track.context].next) {
    for (const PlacedLoop::Step& step : loop.paths[next.path]) {
      if (step.pc == CodePc(walk_.pc)) counts[step.taken ? 1 : 0] += next.count;
    }
  }
  constexpr uint64_t kMost = 1 << 24;
  const uint64_t scale = std::max(counts[0], counts[1]) / kMost + 1;
  *taken = static_cast<uint32_t>(counts[1] / scale);
  *not_taken = static_cast<uint32_t>(counts[0] / scale);
  return counts[0] + counts[1] > 0;
}

}  // namespace mangata::jit
