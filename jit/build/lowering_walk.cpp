// The walk over the bytecode: versions, contexts, arms of branches.
#include <algorithm>

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
        slot_fact.is_constant = true;
        slot_fact.constant = value.payload;
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
    if (lower_instruction(in) && !walk_.ended) branches_.go_to(walk_.pc + 1);
  }
}

bool Lowering::lower_path_event(const Instruction& in) {
  const RegionEvent& event = walk_.function().events[static_cast<size_t>(in.imm)];
  path_events_.execute(event);
  branches_.go_to(walk_.pc + 1 + event.record.jump);
  return false;
}

bool Lowering::lower_instruction(const Instruction& in) {
  if (in.op == Opcode::PathEvent) return lower_path_event(in);
  if (walk_.site().count == 0 && (contexts_.merges(walk_.track) || walk_.state.is_inlined()))
    return branches_.exit_at(walk_.pc), false;
  switch (family_of(in.op)) {
    case OpcodeFamily::Move:
      return values_.copy(walk_.slot_of(in.ra()), walk_.slot_of(in.rb())), true;
    case OpcodeFamily::Load:
      return lower_load(in), true;
    case OpcodeFamily::Upvalue:
      return lower_upvalue(in);
    case OpcodeFamily::FieldLoad:
      return lower_field(in);
    case OpcodeFamily::FieldStore:
      return lower_field_store(in);
    case OpcodeFamily::ElementLoad:
      return lower_element(in);
    case OpcodeFamily::ElementStore:
      return lower_element_store(in);
    case OpcodeFamily::Constructor:
      return in.op == Opcode::NewTable ? lower_new_table(in) : lower_set_list(in);
    case OpcodeFamily::Arithmetic:
      return lower_arithmetic(in);
    case OpcodeFamily::Bitwise:
      return lower_bitwise(in);
    case OpcodeFamily::Unary:
      return lower_unary(in);
    case OpcodeFamily::Not:
      return lower_not(in);
    case OpcodeFamily::Length:
      return lower_length(in);
    case OpcodeFamily::Concat:
    case OpcodeFamily::Closure:
      return calls_.do_instruction();
    case OpcodeFamily::Jump:
      if (is_backedge(in)) polls_.reserve_event(), events_.take();
      return branches_.go_to(walk_.pc + 1 + in.imm), false;
    case OpcodeFamily::TruthBranch:
      return lower_truth(in);
    case OpcodeFamily::CopyBranch:
      return lower_copying_branch(in);
    case OpcodeFamily::EqualityBranch:
      return lower_equality(in);
    case OpcodeFamily::OrderBranch:
      return lower_order(in);
    case OpcodeFamily::Call:
      return in.op == Opcode::TailCall ? lower_tail_call(in) : lower_call(in);
    case OpcodeFamily::Return:
      return lower_return(in);
    case OpcodeFamily::NumericFor:
      return in.op == Opcode::ForPrepare ? lower_for_prepare(in) : lower_for_loop(in);
    case OpcodeFamily::GenericFor:
      return lower_generic_for(in);
    case OpcodeFamily::Close:
      if (in.op == Opcode::Close) return lower_close();
      return branches_.exit_at(walk_.pc), false;
    case OpcodeFamily::Vararg:
      if (in.op != Opcode::Vararg || !knows_results(walk_.function(), walk_.pc)) return branches_.exit_at(walk_.pc), false;
      calls_.do_instruction();
      return expect_results(in), true;
    case OpcodeFamily::Event:
      return lower_path_event(in);
  }
  return branches_.exit_at(walk_.pc), false;
}

// What their lowering tells apart. (Operators and conditions are looked up; the others are calls of the runtime, or left.)
static_assert(family_size(OpcodeFamily::Move) == 1 && family_size(OpcodeFamily::Not) == 1 && family_size(OpcodeFamily::Length) == 1 &&
              family_size(OpcodeFamily::Jump) == 1 && family_size(OpcodeFamily::Upvalue) == 2 && family_size(OpcodeFamily::FieldLoad) == 3 &&
              family_size(OpcodeFamily::FieldStore) == 2 && family_size(OpcodeFamily::ElementLoad) == 2 &&
              family_size(OpcodeFamily::ElementStore) == 2 && family_size(OpcodeFamily::Constructor) == 2 &&
              family_size(OpcodeFamily::Call) == 2 && family_size(OpcodeFamily::Return) == 3 && family_size(OpcodeFamily::Close) == 2 &&
              family_size(OpcodeFamily::NumericFor) == 2 && family_size(OpcodeFamily::GenericFor) == 3);

void Lowering::lower_load(const Instruction& in) {
  static_assert(family_size(OpcodeFamily::Load) == 6);
  if (in.op == Opcode::LoadInteger) return values_.write_integer(in.ra(), b_.word(static_cast<uint64_t>(int64_t{in.imm})));
  if (in.op == Opcode::LoadFloat) return values_.write_float(in.ra(), b_.f64(in.imm));
  if (in.op == Opcode::LoadConstant) return values_.write(in.ra(), registers_.constant(in.imm));
  if (in.op != Opcode::LoadNil) return values_.write_boolean(in.ra(), in.op == Opcode::LoadTrue);
  for (int i = 0; i < in.b; ++i) values_.write(in.ra() + i, {.kind = Kind::Nil});
}

}  // namespace mangata::jit
