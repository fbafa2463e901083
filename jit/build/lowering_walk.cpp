// The walk over the bytecode: versions, contexts, arms of branches.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

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

}  // namespace

Lowering::Lowering(const RegionInput& input, const RegionRuntime& runtime, const InliningLimits& limits, const KeptCalls& kept, size_t most_instructions,
                   const Widened& widened)
    : input_(input),
      runtime_(runtime),
      limits_(limits),
      kept_(kept),
      widened_(widened),
      most_instructions_(most_instructions) {
  for (const PlacedLoop& loop : input.loops) {
    for (const auto& path : loop.paths) {
      for (const PlacedLoop::Step& step : path) steps_.insert({step.pc, step.taken});
    }
  }
  const RegionFunction& root = input.root();
  for (size_t pc = 0; pc < root.code.size(); ++pc) {
    if (input.in_region[pc]) assigned_ |= register_effects(root.code[pc], root.register_count).writes;
  }
}

void Lowering::run(Walk walk) {
  b_.set_position(walk.block);
  walk_.state = std::move(walk.state);
  walk_.track = std::move(walk.track);
  walk_.pc = walk.pc;
  walk_.ended = false;
  if (is_by_facts(walk_.track) && walk_.track.enters_anew) enter_anew();
  while (!walk_.ended && instructions() <= most_instructions_) {
    walk_.exit_block = {};
    if (++walked_ > kMostWalked) is_too_long_ = true;
    tally_.note_copy(walk_);
    const Instruction in = walk_.instruction();
    if (input_.keeps_places) b_.set_place(places_.number_of(walk_));
    if (lower_instruction(in) && !walk_.ended) go_to(walk_.pc + 1);
  }
}

void Lowering::go_to(int target) {
  const bool goes_back = target <= walk_.pc;
  if (!walk_.state.is_inlined()) {
    if (!input_.in_region[static_cast<size_t>(target)]) return exit_at(target, ExitSite::Why::Loop);
    for (size_t i = 0; i < input_.loops.size() && limits_.contexts; ++i) {
      const PlacedLoop& loop = input_.loops[i];
      if (loop.head_pc != CodePc(target)) continue;
      if (loop.formed.is_by_facts()) return enter_version(track_by_facts(i), target);
      Track next{.loop = static_cast<int>(i)};
      if (walk_.track.loop == static_cast<int>(i)) {
        for (const uint32_t candidate : walk_.track.hot) {
          const LoopContexts::Next& path = loop.formed.contexts[walk_.track.context].next[candidate];
          if (loop.paths[path.path].size() == walk_.track.step) next.context = path.context;
        }
      }
      next.hot = all_of(loop.formed.contexts[next.context]);
      if (next.hot.empty()) next = {};
      return enter_version(std::move(next), target);
    }
  }
  if (!walk_.state.is_inlined() && is_by_facts(walk_.track) && !input_.loops[static_cast<size_t>(walk_.track.loop)].body[static_cast<size_t>(target)]) walk_.track = {};
  if (goes_back || (merges(walk_.track) && walk_.function().is_leader[static_cast<size_t>(target)]))
    return enter_version(walk_.track, target);
  walk_.pc = target;
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

/// The values of walk_.state in the form that `to` has.
void Lowering::convert(const State& to) {
  for (size_t i = 0; i < to.slots.size(); ++i) {
    const Fact& from = walk_.state.slots[i];
    const Kind wanted = to.slots[i].kind;
    const auto slot = static_cast<FrameSlot>(i);
    if (wanted == Kind::Frame) {
      if (from.dirty) registers_.store(slot);
    } else if (wanted == Kind::Any && from.kind != Kind::Any) {
      const Operand value = read_slot(slot);
      if (value.kind != Kind::Any) {
        b_.set(registers_.tag_cell(slot), b_.tag_value(value));
        b_.set(registers_.payload_cell(slot), b_.payload_bits(value));
      }
    }
  }
}

/// On a backedge to `pc`. Whether somebody has asked for attention is looked at when the iterations that were granted have been used up.
void Lowering::poll(int pc) {
  if (input_.counts_events) return leave_now_and_then(pc);  // reserve_events() has looked
  constexpr uint64_t kGranted = 256;
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  Block used_up = b_.make_block("used_up");
  Block granted = b_.make_block("granted");
  Block goes_on = b_.make_block("goes_on");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(events_.has_none_left(), used_up, goes_on), false);
  b_.set_position(used_up);
  IrValue asked = b_.load(IrType::I16, b_.at(b_.vm(), offsetof(Vm, interrupt)), 0, Memory::Any, true);
  b_.set_likely(b_.branch(b_.eq(asked, b_.i16(0)), granted, leaves), true);
  b_.set_position(granted);
  if (events_.may_be_upgraded()) leave_for_upgrade(pc);
  events_.grant(kGranted);
  b_.jump(goes_on);
  b_.set_position(goes_on);
  events_.use_one();
  leave_now_and_then(pc);
  const Block resume = b_.position();
  b_.set_position(leaves);
  exits_.emit(pc, ExitSite::Why::Other);
  b_.set_position(resume);
}

/// Goes on with kReservedEvents at least, or else leaves to `pc` of the running function.
void Lowering::reserve_events(int pc) {
  const EventCounter::Reserve reserve = events_.reserve();
  b_.set_position(reserve.leaves);
  exits_.emit(pc, ExitSite::Why::Other);
  b_.set_position(reserve.goes_on);
}

/// The running instruction, which has had no effect yet, may be a backedge, or a call that is inlined.
void Lowering::reserve_event() {
  if (events_.needs_reserve()) reserve_events(walk_.pc);
}

/// Where the walk enters it, with its values.
Block Lowering::entrance(Version& version, int pc) {
  if (walk_.state.reserved_events >= version.state.reserved_events) return version.block;
  if (pc <= walk_.pc) return reserve_events(pc), version.block;
  if (!version.reserves) {
    version.reserves = b_.make_block("reserves");
    const Block resume = b_.position();
    State state = std::move(walk_.state);
    walk_.state = version.state;
    b_.set_position(version.reserves);
    reserve_events(pc);
    b_.jump(version.block);
    walk_.state = std::move(state);
    b_.set_position(resume);
  }
  return version.reserves;
}

/// All iterations that were granted have been used.
void Lowering::leave_for_upgrade(int pc) {
  Block stays = b_.make_block("stays");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(events_.is_before_upgrade(), stays, leaves), true);
  b_.set_position(leaves);
  exits_.emit(pc, ExitSite::Why::Upgrade);
  b_.set_position(stays);
}

/// For tests.
void Lowering::leave_now_and_then(int pc) {
  if (input_.leave_every == 0) return;
  Block stays = b_.make_block("stays");
  Block leaves = b_.make_block("leaves");
  b_.branch(failures_.now_and_then(b_.boolean(true), input_.leave_every), stays, leaves);
  b_.set_position(leaves);
  exits_.emit(pc, ExitSite::Why::Other);
  b_.set_position(stays);
}

/// With which the running one is to go on at a leader: in a loop, what it assigns is dirty from the start. (Functions that are inlined
/// assign registers of their own only; when all were dirty there, they and what follows them were generated twice. But where a function
/// calls itself, all are: behind a call they are stored, behind one that was inlined they are not, and both are paths to the next.)
State Lowering::entry_state() const {
  State state = walk_.state;
  for (size_t slot = 0; slot < state.slots.size(); ++slot) {
    Fact& fact = state.slots[slot];
    const bool is_of_callee = walk_.state.is_inlined() && (has_direct_ || static_cast<FrameSlot>(slot) >= walk_.state.frames[1].base);
    if (fact.kind != Kind::Frame && (is_of_callee || assigned_.test(slot))) fact.dirty = true;
  }
  return state;
}

/// What is known at the leader becomes what every path there is known to bring, if that was found out.
void Lowering::widen(const VersionKey& key, int pc, State* wanted) {
  const auto found = widened_.find(key);
  if (found == widened_.end()) return;
  if (!walk_.state.tables.empty()) {
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
  if (pc <= walk_.pc) poll(pc);
  forget_dead(&walk_.state, pc);
  if (pc <= walk_.pc) materialize_for(pc, true);
  keep_constants(&track, &walk_.state, pc);
  State wanted = entry_state();
  const VersionKey key{track, walk_.state.frames, pc};
  widen(key, pc, &wanted);
  std::vector<Version>& versions = versions_[key];
  const auto goes_to = [&](Version& version) {
    events_.count(version.state.uncounted_events);
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
    if (!walk_.state.tables.empty()) {
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
  Block block = b_.make_block(track.is_generic() ? "generic" : "context");
  events_.expect(&wanted, pc);
  versions.push_back({wanted, block});
  const State state = wanted;
  goes_to(versions.back());
  pending_.push_back({block, state, pc, std::move(track)});
}

bool Lowering::is_seen(bool taken) const {
  const SiteTypes& site_types = walk_.site();
  if (taken ? site_types.taken > 0 : site_types.count > site_types.taken) return true;
  return !walk_.state.is_inlined() && steps_.contains({CodePc(walk_.pc), taken});
}

Track Lowering::track_of(bool taken) const {
  if (merges(walk_.track) || walk_.state.is_inlined()) return walk_.track;
  const PlacedLoop& loop = input_.loops[static_cast<size_t>(walk_.track.loop)];
  Track next = walk_.track;
  next.hot.clear();
  for (const uint32_t candidate : walk_.track.hot) {
    const auto& path = loop.paths[loop.formed.contexts[walk_.track.context].next[candidate].path];
    if (walk_.track.step < path.size() && path[walk_.track.step] == PlacedLoop::Step{CodePc(walk_.pc), taken}) next.hot.push_back(candidate);
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
      const bool ends = !walk_.state.is_inlined() && !input_.in_region[static_cast<size_t>(target)];
      return exit_at(target, ends ? ExitSite::Why::Loop : ExitSite::Why::Arm);
    }
    if (finding.slot != kNoFrameSlot && finding.where_taken == taken) {
      Fact& slot_fact = registers_.fact(finding.slot);
      slot_fact.is_constant = true;
      slot_fact.constant = finding.payload;
    }
    walk_.track = track_of(taken);
    go_to(target);
  });
}

void Lowering::branch(IrValue condition, int target, const BranchFinding& finding) {
  if (const auto known = b_.known_word(condition)) return branch_known(*known != 0, target), void();
  Block taken = b_.make_block("taken");
  Block not_taken = b_.make_block("not_taken");
  IrValue terminator = b_.branch(condition, taken, not_taken);
  if (!is_seen(true) || !is_seen(false)) {
    b_.set_likely(terminator, is_seen(true));
  } else {
    set_weights(terminator);
  }
  arm(not_taken, false, walk_.pc + 1, finding);
  arm(taken, true, target, finding);
  finish_walk();
}

void Lowering::branch_known(bool taken, int target) {
  walk_.track = track_of(taken);
  go_to(taken ? target : walk_.pc + 1);
}

bool Lowering::lower_path_event(const Instruction& in) {
  const RegionEvent& event = walk_.function().events[static_cast<size_t>(in.imm)];
  path_events_.execute(event);
  go_to(walk_.pc + 1 + event.record.jump);
  return false;
}

bool Lowering::lower_instruction(const Instruction& in) {
  if (in.op == Opcode::PathEvent) return lower_path_event(in);
  if (walk_.site().count == 0 && (merges(walk_.track) || walk_.state.is_inlined()))
    return exit_at(walk_.pc), false;
  switch (family_of(in.op)) {
    case OpcodeFamily::Move:
      return copy_slot(walk_.slot_of(in.ra()), walk_.slot_of(in.rb())), true;
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
      if (is_backedge(in)) reserve_event(), events_.take();
      return go_to(walk_.pc + 1 + in.imm), false;
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
      return exit_at(walk_.pc), false;
    case OpcodeFamily::Vararg:
      if (in.op != Opcode::Vararg || !knows_results(walk_.function(), walk_.pc)) return exit_at(walk_.pc), false;
      calls_.do_instruction();
      return expect_results(in), true;
    case OpcodeFamily::Event:
      return lower_path_event(in);
  }
  return exit_at(walk_.pc), false;
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
  if (in.op == Opcode::LoadInteger) return write_integer(in.ra(), b_.word(static_cast<uint64_t>(int64_t{in.imm})));
  if (in.op == Opcode::LoadFloat) return write_float(in.ra(), b_.f64(in.imm));
  if (in.op == Opcode::LoadConstant) return write(in.ra(), registers_.constant(in.imm));
  if (in.op != Opcode::LoadNil) return write_boolean(in.ra(), in.op == Opcode::LoadTrue);
  for (int i = 0; i < in.b; ++i) write(in.ra() + i, {.kind = Kind::Nil});
}

}  // namespace mangata::jit
