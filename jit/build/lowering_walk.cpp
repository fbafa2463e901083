// The walk over the bytecode: versions, contexts, arms of branches.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"
#include "jit/region/instruction_costs.h"

namespace mangata::jit {
namespace {

/// Instructions of bytecode that one region may be generated from, with all copies: more are too many, whatever comes of them.
constexpr size_t kMostWalked = 6000;
/// States at one leader of a context that get code of their own.
constexpr size_t kMostVersions = 4;

bool same_kinds(const State& a, const State& b) {
  return std::equal(a.slots.begin(), a.slots.end(), b.slots.begin(), b.slots.end(),
                    [](const Fact& x, const Fact& y) { return x.kind == y.kind; });
}

std::vector<uint32_t> all_of(const LoopContexts::Context& context) {
  std::vector<uint32_t> all(context.next.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i);
  return all;
}

bool has_loops(const RegionInput& input) {
  return std::any_of(input.functions.begin(), input.functions.end(),
                     [](const auto& function) { return std::any_of(function->code.begin(), function->code.end(), is_backedge); });
}

}  // namespace

Lowering::Lowering(const RegionInput& input, const RegionRuntime& runtime, const InliningLimits& limits, const KeptCalls& kept, size_t most_instructions,
                   const Widened& widened)
    : input_(input),
      runtime_(runtime),
      limits_(limits),
      kept_(kept),
      widened_(widened),
      most_instructions_(most_instructions),
      b_(nullptr, {.constants = true, .identities = false, .repetitions = false}) {
  for (const PlacedLoop& loop : input.loops) {
    for (const auto& path : loop.paths) {
      for (const PlacedLoop::Step& step : path) steps_.insert({step.pc, step.taken});
    }
  }
  counts_in_memory_ = input.is_function && !has_loops(input);
  if (limits.is_interim && !input.is_function) upgrade_at_ = std::make_unique<uint64_t>(std::numeric_limits<uint64_t>::max());
  const RegionFunction& root = input.root();
  for (size_t pc = 0; pc < root.code.size(); ++pc) {
    if (input.in_region[pc]) assigned_ |= register_effects(root.code[pc], root.register_count).writes;
  }
}

void Lowering::run(Walk walk) {
  b_.set_position(walk.block);
  state_ = std::move(walk.state);
  track_ = std::move(walk.track);
  pc_ = walk.pc;
  ended_ = false;
  if (is_by_facts(track_) && track_.enters_anew) enter_anew();
  while (!ended_ && instructions() <= most_instructions_) {
    exit_block_ = {};
    if (++walked_ > kMostWalked) is_too_long_ = true;
    ++reached_[{&function(), pc_}];
    const Instruction in = function().code[static_cast<size_t>(pc_)];
    note_place();
    if (lower_instruction(in) && !ended_) go_to(pc_ + 1);
  }
}

/// Calls of the runtime that the benefit has in it (instruction_costs.h). The others were taken for instructions that are inline.
bool Lowering::is_foreseen(const RegionFunction& function, int pc) const {
  constexpr double kOfACall = 40;  // cycles
  const bool is_list = function.code[static_cast<size_t>(pc)].op == Opcode::SetList;  // mostly inline
  return !is_list && cost_of(input_, function, static_cast<size_t>(pc)).region >= kOfACall;
}

uint64_t Lowering::runtime_percent() const {
  uint64_t all = 0, slow = 0;
  for (const auto& [place, copies] : reached_) {
    const auto& [function, pc] = place;
    const uint64_t count = function->sites[static_cast<size_t>(pc)].count;
    all += count;
    const auto found = by_runtime_.find(place);
    if (found != by_runtime_.end() && !is_foreseen(*function, pc)) slow += count * found->second / copies;
  }
  return 100 * slow / std::max<uint64_t>(all, 1);
}

uint64_t Lowering::leaving_percent() const {
  uint64_t sum = 0;
  for (const auto& [function, pc] : left_at_) sum += function->sites[static_cast<size_t>(pc)].count;
  return 100 * sum / std::max<uint64_t>(input_.recorded_events, 1);
}

void Lowering::go_to(int target) {
  const bool goes_back = target <= pc_;
  if (!state_.is_inlined()) {
    if (!input_.in_region[static_cast<size_t>(target)]) return exit_at(target, ExitSite::Why::Loop);
    for (size_t i = 0; i < input_.loops.size() && limits_.contexts; ++i) {
      const PlacedLoop& loop = input_.loops[i];
      if (loop.head_pc != CodePc(target)) continue;
      if (loop.formed.is_by_facts()) return enter_version(track_by_facts(i), target);
      Track next{.loop = static_cast<int>(i)};
      if (track_.loop == static_cast<int>(i)) {
        for (const uint32_t candidate : track_.hot) {
          const LoopContexts::Next& path = loop.formed.contexts[track_.context].next[candidate];
          if (loop.paths[path.path].size() == track_.step) next.context = path.context;
        }
      }
      next.hot = all_of(loop.formed.contexts[next.context]);
      if (next.hot.empty()) next = {};
      return enter_version(std::move(next), target);
    }
  }
  if (!state_.is_inlined() && is_by_facts(track_) && !input_.loops[static_cast<size_t>(track_.loop)].body[static_cast<size_t>(target)]) track_ = {};
  if (goes_back || (merges(track_) && function().is_leader[static_cast<size_t>(target)]))
    return enter_version(track_, target);
  pc_ = target;
}

/// What is dead is forgotten, so that fewer states differ.
void Lowering::forget_dead(State* state, int pc) const {
  std::vector<bool> live(state->slots.size(), false);
  for (size_t i = 0; i < state->frames.size(); ++i) {
    const InlineFrame& frame = state->frames[i];
    const bool is_top = i + 1 == state->frames.size();
    const int at = is_top ? pc : state->frames[i + 1].return_pc;
    const RegisterSet& registers = frame.function->live[static_cast<size_t>(at)];
    for (int reg = 0; reg < frame.function->register_count; ++reg) {
      const auto slot = static_cast<size_t>(frame.base + Register{reg});
      if (slot < live.size() && registers.test(static_cast<size_t>(reg))) live[slot] = true;
    }
    if (i > 0) live[static_cast<size_t>(frame.callee_slot())] = true;
  }
  for (size_t slot = 0; slot < state->slots.size(); ++slot) {
    if (!live[slot]) state->slots[slot] = {};
  }
  drop_unreachable_tables(state);
}

/// The values of state_ in the form that `to` has.
void Lowering::convert(const State& to) {
  for (size_t i = 0; i < to.slots.size(); ++i) {
    const Fact& from = state_.slots[i];
    const Kind wanted = to.slots[i].kind;
    const auto slot = static_cast<FrameSlot>(i);
    if (wanted == Kind::Frame) {
      if (from.dirty) store_slot(slot);
    } else if (wanted == Kind::Any && from.kind != Kind::Any) {
      const Operand value = read_slot(slot);
      if (value.kind != Kind::Any) {
        b_.set(tag_cell(slot), tag_value(value));
        b_.set(payload_cell(slot), payload_bits(value));
      }
    }
  }
}

/// On a backedge to `pc`. Whether somebody has asked for attention is looked at when the iterations that were granted have been used up;
/// so they are counted, too.
void Lowering::poll(int pc) {
  if (input_.counts_events) return leave_now_and_then(pc);  // reserve_events() has looked
  constexpr uint64_t kGranted = 256;
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  Block used_up = make_block("used_up");
  Block granted = make_block("granted");
  Block goes_on = make_block("goes_on");
  Block leaves = make_block("leaves");
  const auto load_of = [&](ir::Variable cell) { return b_.get(cell); };
  set_likely(b_.branch(b_.eq(load_of(left_), word(0)), used_up, goes_on), false);
  b_.set_position(used_up);
  IrValue asked = b_.load(IrType::I16, at(vm_, offsetof(Vm, interrupt)), 0, Memory::Any, true);
  set_likely(b_.branch(b_.eq(asked, b_.i16(0)), granted, leaves), true);
  b_.set_position(granted);
  if (upgrade_at_ != nullptr) leave_for_upgrade(pc);
  b_.set(granted_, b_.add(load_of(granted_), word(kGranted)));
  b_.set(left_, word(kGranted));
  b_.jump(goes_on);
  b_.set_position(goes_on);
  b_.set(left_, b_.sub(load_of(left_), word(1)));
  leave_now_and_then(pc);
  const Block resume = b_.position();
  b_.set_position(leaves);
  emit_exit(pc, ExitSite::Why::Other);
  b_.set_position(resume);
}

/// All iterations that were granted have been used.
void Lowering::leave_for_upgrade(int pc) {
  Block stays = make_block("stays");
  Block leaves = make_block("leaves");
  IrValue now = b_.add(b_.load(IrType::I64, address_constant(rounds_.get()), Memory::Counts), b_.get(granted_));
  IrValue limit = b_.load(IrType::I64, address_constant(upgrade_at_.get()), Memory::Counts);
  set_likely(b_.branch(b_.ult(now, limit), stays, leaves), true);
  b_.set_position(leaves);
  emit_exit(pc, ExitSite::Why::Upgrade);
  b_.set_position(stays);
}

/// For tests.
void Lowering::leave_now_and_then(int pc) {
  if (input_.leave_every == 0) return;
  Block stays = make_block("stays");
  Block leaves = make_block("leaves");
  b_.branch(now_and_then(b_.boolean(true), input_.leave_every), stays, leaves);
  b_.set_position(leaves);
  emit_exit(pc, ExitSite::Why::Other);
  b_.set_position(stays);
}

/// What was called may have asked for attention.
void Lowering::poll_soon() {
  IrValue left = b_.get(left_);
  IrValue used = b_.sub(b_.get(granted_), left);
  b_.set(granted_, input_.counts_events ? b_.add(used, word(no_events())) : used);
  b_.set(left_, word(no_events()));
}

/// With which the running one is to go on at a leader: in a loop, what it assigns is dirty from the start. (Functions that are inlined
/// assign registers of their own only; when all were dirty there, they and what follows them were generated twice. But where a function
/// calls itself, all are: behind a call they are stored, behind one that was inlined they are not, and both are paths to the next.)
State Lowering::entry_state() const {
  State state = state_;
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    Fact& fact = state.slots[slot];
    const bool is_of_callee = state_.is_inlined() && (has_direct_ || static_cast<FrameSlot>(slot) >= state_.frames[1].base);
    if (fact.kind != Kind::Frame && (is_of_callee || assigned_.test(slot))) fact.dirty = true;
  }
  return state;
}

/// What is known at the leader becomes what every path there is known to bring, if that was found out.
void Lowering::widen(const VersionKey& key, int pc, State* wanted) {
  const auto found = widened_.find(key);
  if (found == widened_.end()) return;
  if (!state_.tables.empty()) {
    materialize_for(pc, false);
    *wanted = entry_state();
  }
  for (size_t i = 0; i < wanted->slots.size(); ++i) wanted->slots[i] = join(found->second[i], wanted->slots[i]);
}

void Lowering::add_widened(Widened* widened) const {
  for (const auto& [key, versions] : versions_) {
    if (versions.size() < 2 || !merges(std::get<Track>(key))) continue;
    std::vector<Fact>& all = widened->try_emplace(key, versions.front().state.slots).first->second;
    for (const Version& version : versions) {
      for (size_t i = 0; i < all.size(); ++i) all[i] = join(all[i], version.state.slots[i]);
    }
  }
}

void Lowering::enter_version(Track track, int pc) {
  if (pc <= pc_) poll(pc);
  forget_dead(&state_, pc);
  if (pc <= pc_) materialize_for(pc, true);
  keep_constants(&track, &state_, pc);
  State wanted = entry_state();
  const VersionKey key{track, state_.frames, pc};
  widen(key, pc, &wanted);
  std::vector<Version>& versions = versions_[key];
  const auto goes_to = [&](Version& version) {
    count_events(version.state.uncounted_events);
    Block block = entrance(version, pc);
    convert(version.state);
    b_.jump(block);
    finish_walk();
  };
  const auto fitting = [&]() -> Version* {
    for (Version& version : versions) {
      if (same_kinds(version.state, wanted) && all_cover(version.state, wanted)) return &version;
    }
    return nullptr;
  };
  if (Version* found = fitting()) return goes_to(*found);
  if (versions.size() >= (merges(track) ? limits_.versions : kMostVersions)) {
    if (!state_.tables.empty()) {
      materialize_for(pc, false);
      wanted = entry_state();
      if (Version* found = fitting()) return goes_to(*found);
    }
    for (Version& version : versions) {
      if (all_cover(version.state, wanted)) return goes_to(version);
    }
    State& last = versions.back().state;
    for (size_t i = 0; i < wanted.slots.size(); ++i) wanted.slots[i] = join(last.slots[i], wanted.slots[i]);
  }
  Block block = make_block(track.is_generic() ? "generic" : "context");
  expect_events(&wanted, pc);
  versions.push_back({wanted, block});
  const State state = wanted;
  goes_to(versions.back());
  pending_.push_back({block, state, pc, std::move(track)});
}

bool Lowering::is_seen(bool taken) const {
  const SiteTypes& site_types = site();
  if (taken ? site_types.taken > 0 : site_types.count > site_types.taken) return true;
  return !state_.is_inlined() && steps_.contains({CodePc(pc_), taken});
}

Track Lowering::track_of(bool taken) const {
  if (merges(track_) || state_.is_inlined()) return track_;
  const PlacedLoop& loop = input_.loops[static_cast<size_t>(track_.loop)];
  Track next = track_;
  next.hot.clear();
  for (const uint32_t candidate : track_.hot) {
    const auto& path = loop.paths[loop.formed.contexts[track_.context].next[candidate].path];
    if (track_.step < path.size() && path[track_.step] == PlacedLoop::Step{CodePc(pc_), taken}) next.hot.push_back(candidate);
  }
  if (next.hot.empty()) {
    if (!is_by_facts(next)) return {};
    next.step = 0;
    return next;
  }
  ++next.step;
  return next;
}

/// The code of one arm of the running branch, from `block` on.
void Lowering::arm(Block block, bool taken, int target, const BranchFinding& finding) {
  b_.set_position(block);
  beside([&] {
    if (!is_seen(taken)) {
      const bool ends = !state_.is_inlined() && !input_.in_region[static_cast<size_t>(target)];
      return exit_at(target, ends ? ExitSite::Why::Loop : ExitSite::Why::Arm);
    }
    if (finding.slot != kNoFrameSlot && finding.where_taken == taken) {
      Fact& slot_fact = fact(finding.slot);
      slot_fact.is_constant = true;
      slot_fact.constant = finding.payload;
    }
    track_ = track_of(taken);
    go_to(target);
  });
}

void Lowering::branch(IrValue condition, int target, const BranchFinding& finding) {
  if (const auto known = known_word(condition)) return branch_known(*known != 0, target), void();
  Block taken = make_block("taken");
  Block not_taken = make_block("not_taken");
  IrValue terminator = b_.branch(condition, taken, not_taken);
  if (!is_seen(true) || !is_seen(false)) {
    set_likely(terminator, is_seen(true));
  } else {
    set_weights(terminator);
  }
  arm(not_taken, false, pc_ + 1, finding);
  arm(taken, true, target, finding);
  finish_walk();
}

void Lowering::branch_known(bool taken, int target) {
  track_ = track_of(taken);
  go_to(taken ? target : pc_ + 1);
}

bool Lowering::lower_instruction(const Instruction& in) {
  if (in.op == Opcode::PathEvent) return lower_path_event(in);
  if (site().count == 0 && (merges(track_) || state_.is_inlined()))
    return exit_at(pc_), false;
  switch (family_of(in.op)) {
    case OpcodeFamily::Move:
      return copy_slot(slot_of(in.ra()), slot_of(in.rb())), true;
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
      return lower_by_runtime();
    case OpcodeFamily::Jump:
      if (is_backedge(in)) reserve_event(), take_event();
      return go_to(pc_ + 1 + in.imm), false;
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
      return exit_at(pc_), false;
    case OpcodeFamily::Vararg:
      if (in.op != Opcode::Vararg || !knows_results(function(), pc_)) return exit_at(pc_), false;
      lower_by_runtime();
      return expect_results(in), true;
    case OpcodeFamily::Event:
      return lower_path_event(in);
  }
  return exit_at(pc_), false;
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
  if (in.op == Opcode::LoadInteger) return write_integer(in.ra(), word(static_cast<uint64_t>(int64_t{in.imm})));
  if (in.op == Opcode::LoadFloat) return write_float(in.ra(), b_.f64(in.imm));
  if (in.op == Opcode::LoadConstant) return write(in.ra(), constant(in.imm));
  if (in.op != Opcode::LoadNil) return write_boolean(in.ra(), in.op == Opcode::LoadTrue);
  for (int i = 0; i < in.b; ++i) write(in.ra() + i, {.kind = Kind::Nil});
}

}  // namespace mangata::jit
