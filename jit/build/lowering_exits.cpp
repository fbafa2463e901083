// Side exits and runtime calls: where values go back to the frame.
#include <algorithm>

#include "jit/build/lowering.h"
#include "jit/build/side_walks.h"

namespace mangata::jit {
namespace {

uint32_t flags_of(const InlineFrame& frame) { return frame.is_tail_called ? FrameHeader::kTailCalled : 0; }

}  // namespace

/// How often the running branch has jumped.
void Lowering::set_weights(IrValue branch) {
  if (!input_.knows_edges) return;
  uint32_t taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  if (!weights_of_context(&taken, &not_taken)) taken = walk_.site().taken, not_taken = walk_.site().count - walk_.site().taken;
  b_.set_weights(branch, taken + 1, not_taken + 1);
}

/// The condition, which seems not to hold once in `period` times; 0: as it is.
ir::Value Lowering::now_and_then(IrValue condition, uint32_t period) {
  if (period == 0) return condition;
  countdowns_.push_back(1 + static_cast<uint32_t>(countdowns_.size()) * 7 % period);
  IrValue cell = b_.address_constant(&countdowns_.back());
  IrValue left = b_.sub(b_.load(IrType::I32, cell, 0, Memory::Any, true), b_.i32(1));
  IrValue fails = b_.eq(left, b_.i32(0));
  b_.store(b_.select(fails, b_.i32(period), left), cell, 0, Memory::Any, true);
  return b_.bit_and(condition, b_.bit_not(fails));
}

void Lowering::guard(IrValue condition) {
  if (const auto known = b_.known_word(condition); known && *known != 0) return;
  exit_unless(now_and_then(condition, input_.fail_every));
}

void Lowering::exit_unless(IrValue condition) {
  Block goes_on = b_.make_block("ok");
  b_.set_likely(b_.branch(condition, goes_on, exit_block()), true);
  b_.set_position(goes_on);
}

/// All checks of an instruction leave by one block: no register is written before the last of them.
ir::BlockId Lowering::exit_block() {
  if (!walk_.exit_block) {
    if (walk_.site().is_unstable && has_runtime_call()) {
      prefer_slow_path();
      return walk_.exit_block;
    }
    const Block resume = b_.position();
    walk_.exit_block = b_.make_block("exit");
    b_.set_position(walk_.exit_block);
    emit_exit(walk_.pc, ExitSite::Why::Guard);
    b_.set_position(resume);
  }
  return walk_.exit_block;
}

/// Whether a runtime call can do the running instruction, whatever its operands are, and goes on at the next one.
bool Lowering::has_runtime_call() const {
  const Instruction& in = walk_.instruction();
  if (opcode_info(in.op).flow != ControlFlow::Next) return false;
  return in.op != Opcode::Call || (in.b != 0 && in.c != 0);
}

void Lowering::by_slow_path() {
  emit_slow_path([&] { execute_by_runtime(runtime_function()); });
}

void Lowering::prefer_slow_path() {
  const Block resume = b_.position();
  walk_.exit_block = b_.make_block("slow_path");
  b_.set_position(walk_.exit_block);
  by_slow_path();
  b_.set_position(resume);
}

void Lowering::leave(IrValue status) {
  if (!leaving_) {
    const Block resume = b_.position();
    leaving_ = b_.make_block("leaves_all");
    IrValue passed_status = b_.add_parameter(leaving_, IrType::I64);
    b_.set_position(leaving_);
    end_events();
    b_.return_status(passed_status);
    b_.set_position(resume);
  }
  b_.jump(leaving_, {status});
}

/// From wherever the region returns that.
ir::BlockId Lowering::leaving_block(int64_t status) {
  Block& block = leaving_blocks_[status];
  if (block) return block;
  const Block resume = b_.position();
  block = b_.make_block("leaves_with");
  b_.set_position(block);
  leave(b_.word(static_cast<uint64_t>(status)));
  b_.set_position(resume);
  return block;
}

/// Those since the region was entered.
void Lowering::count_rounds() {
  IrValue all = b_.address_constant(rounds_.get());
  IrValue now = b_.sub(b_.get(granted_), b_.get(left_));
  b_.store(b_.add(b_.load(IrType::I64, all, Memory::Counts), now), all, Memory::Counts);
}

void Lowering::exit_at(int pc, ExitSite::Why why) {
  if (pc == walk_.pc && why == ExitSite::Why::Other) tally_.note_left(walk_);
  emit_exit(pc, why);
  finish_walk();
}

/// A call that has no place here. Of a site with several callees it is not known how often it is this one.
void Lowering::leave_here() {
  if (walk_.site().several_callees().empty()) return exit_at(walk_.pc);
  emit_exit(walk_.pc, ExitSite::Why::Other);
  finish_walk();
}

/// The values that the frames at this point need and do not have.
std::vector<FrameSlot> Lowering::dirty_slots(int pc) {
  std::vector<FrameSlot> slots;
  for (size_t i = 0; i < walk_.state.frames.size(); ++i) {
    const InlineFrame& frame = walk_.state.frames[i];
    const bool is_top = i + 1 == walk_.state.frames.size();
    const int its_pc = is_top ? pc : walk_.state.frames[i + 1].return_pc;
    const RegisterSet& live = frame.function->live[static_cast<size_t>(its_pc)];
    if (i > 0 && registers_.fact(frame.callee_slot()).dirty) slots.push_back(frame.callee_slot());
    // Of a caller, what lies above the callee's function is the callee's.
    const FrameSlot end = is_top ? frame.end() : walk_.state.frames[i + 1].callee_slot();
    for (FrameSlot slot = frame.base; slot < end; ++slot) {
      if (live.test(static_cast<size_t>(slot - frame.base)) && registers_.fact(slot).dirty) slots.push_back(slot);
    }
  }
  return slots;
}

void Lowering::store_dirty(int pc) {
  const std::vector<FrameSlot> slots = dirty_slots(pc);
  for (const FrameSlot slot : slots) {
    if (registers_.is_replaced(slot)) materialize(registers_.fact(slot).replaced_table);
  }
  for (const FrameSlot slot : slots) registers_.store(slot);
}

/// For somebody who looks at the frames. What is dead is no more.
void Lowering::publish_values(int pc) {
  store_dirty(pc);
  for (Fact& fact : walk_.state.slots) {
    if (fact.replaced_table >= 0) fact = {};
    fact.dirty = false;
  }
}

/// One block stores for all exits that store the same slots: that is a fraction of the code of stores at each
/// exit.
ir::BlockId Lowering::exit_group(const std::vector<std::pair<FrameSlot, bool>>& slots) {
  Block& group = exit_groups_[slots];
  if (group) return group;
  const Block resume = b_.position();
  group = b_.make_block("leave");
  b_.set_position(group);
  IrValue index = b_.add_parameter(group, IrType::I64);
  for (const auto& [slot, with_tag] : slots) {
    b_.store(b_.add_parameter(group, IrType::I64), b_.frame_address(slot), Memory::Frame);
    if (with_tag) b_.store(b_.add_parameter(group, IrType::I64), b_.frame_address(slot, offsetof(Value, tag)), Memory::Frame);
  }
  leave(index);
  b_.set_position(resume);
  return group;
}

void Lowering::emit_exit(int pc, ExitSite::Why why) {
  const std::vector<OriginalPc>& original_pcs = walk_.function().original_pcs;
  ExitSite site{.why = why,
                .region_pc = CodePc(walk_.state.is_inlined() ? walk_.state.frames[1].return_pc : pc),
                .resumed_at = original_pcs[static_cast<size_t>(pc)],
                .left_at = original_pcs[static_cast<size_t>(std::max(walk_.pc, 0))],
                .jumped = pc != walk_.pc + 1,
                .proto = walk_.function().proto,
                .open_end = walk_.state.open_end,
                .events = static_cast<uint32_t>(walk_.state.uncounted_events)};
  std::vector<std::pair<FrameSlot, FrameSlot>> stores;  // what from a cell, where to
  std::vector<FrameSlot> tables;
  for (const FrameSlot slot : dirty_slots(pc)) {
    if (registers_.is_replaced(slot)) {
      tables.push_back(slot);
    } else {
      stores.emplace_back(slot, slot);
    }
  }
  if (!tables.empty()) store_tables(tables, &site, &stores);
  std::vector<std::pair<FrameSlot, bool>> slots;
  std::vector<IrValue> words;
  for (const auto& [from, to] : stores) {
    const Operand value = read_slot(from);
    const bool stores_tag = value.kind == Kind::Any || (why == ExitSite::Why::Loop && !walk_.state.is_inlined());  // a plain exit
    slots.emplace_back(to, stores_tag);
    words.push_back(b_.payload_bits(value));
    if (stores_tag) {
      words.push_back(b_.tag_value(value));
    } else {
      site.tags.push_back({to, tag_of(value.kind)});
    }
  }
  for (const InlineFrame& frame : walk_.state.frames) {
    if (frame.function->counters == nullptr) continue;
    slots.emplace_back(frame.base - 1, false);  // the second slot of its header begins with the path register
    words.push_back(b_.get(registers_.path_cell(frame.base)));
  }
  if (walk_.state.is_inlined()) {
    for (size_t i = 0; i < walk_.state.frames.size(); ++i) {
      const InlineFrame& frame = walk_.state.frames[i];
      const int its_pc = i + 1 == walk_.state.frames.size() ? pc : walk_.state.frames[i + 1].return_pc;
      site.frames.push_back({.base = frame.base,
                             .wanted_results = frame.wanted,
                             .pc = frame.function->address + its_pc,
                             .flags = flags_of(frame),
                             .result_slot = frame.result_slot});
    }
  }
  words.insert(words.begin(), b_.word(exits_.size()));
  exits_.push_back(std::move(site));
  b_.jump(exit_group(slots), words);
}

/// Writes the headers of frames that exist only here, and the path registers of all, for whoever looks at the stack during a
/// runtime call at `pc`.
void Lowering::publish_frames(int pc) {
  for (const InlineFrame& frame : walk_.state.frames) {
    if (frame.function->counters == nullptr) continue;
    b_.store(b_.get(registers_.path_cell(frame.base)), b_.frame_address(frame.base - 1), Memory::Frame);
  }
  for (size_t i = 0; i < walk_.state.frames.size(); ++i) {
    const InlineFrame& frame = walk_.state.frames[i];
    const bool is_top = i + 1 == walk_.state.frames.size();
    const int its_pc = is_top ? pc + 1 : walk_.state.frames[i + 1].return_pc;
    if (is_top && i == 0) return;  // the call does it
    IrValue header = b_.frame_address(frame.base - kFrameHeaderSlots);
    b_.store(b_.word(reinterpret_cast<uint64_t>(frame.function->address + its_pc)), header, Memory::Frame);
    if (i == 0) continue;
    write_header_tags(frame.base, walk_.state.frames[i - 1].base, frame.wanted, flags_of(frame));
  }
}

/// Of the frame at slot `base`, all but the saved pc.
void Lowering::write_header_tags(FrameSlot base, FrameSlot caller_base, int wanted, uint32_t flags) {
  constexpr auto kTag = static_cast<uint64_t>(Tag::Frame);
  IrValue header = b_.frame_address(base - kFrameHeaderSlots);
  b_.store(b_.word(kTag | uint64_t{flags} << 32 | static_cast<uint64_t>(base - caller_base) << 40), b_.at(header, offsetof(FrameHeader, tag_low_1)),
           Memory::Frame);
  b_.store(b_.word(kTag | (static_cast<uint64_t>(wanted) & FrameHeader::kWantedMask) << 32), b_.at(header, offsetof(FrameHeader, tag_low_2)),
           Memory::Frame);
}

/// With the values in the frame that are needed from `live_at_pc` on.
ir::Value Lowering::call_runtime(const void* function, int live_at_pc) {
  publish_values(live_at_pc);
  publish_frames(walk_.pc);
  if (walk_.state.open_end != kNoFrameSlot)
    b_.store(b_.frame_address(walk_.state.open_end), b_.at(b_.thread(), offsetof(Thread, top)), Memory::Machine);
  give_back_events();
  const Instruction* saved = walk_.function().address + walk_.pc + 1;
  return b_.call(IrType::I64, b_.address_constant(function),
                 {b_.thread(), b_.frame_address(walk_.state.top().base), b_.address_constant(saved)});
}

/// After a runtime call, the block that goes on. Where it has raised an error, the region returns that; what is generated next is for
/// where the frame is to leave compiled code.
ir::BlockId Lowering::split_by_outcome(IrValue outcome) {
  Block goes_on = b_.make_block("done");
  Block other = b_.make_block("not_done");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(b_.ult(outcome, b_.word(2)), goes_on, other), true);
  b_.set_position(other);
  b_.branch(b_.slt(outcome, b_.word(0)), leaving_block(kRegionRaised), leaves);
  b_.set_position(leaves);
  return goes_on;
}

/// After a runtime call, with its results already forgotten.
void Lowering::check_outcome(IrValue outcome) {
  Block goes_on = split_by_outcome(outcome);
  leave_behind_call();
  b_.set_position(goes_on);
  poll_soon();
}

/// All is in the frames; they are finished by whoever runs them.
void Lowering::leave_behind_call() {
  if (walk_.state.is_inlined()) return emit_exit(walk_.pc + 1, ExitSite::Why::Other);
  b_.jump(leaving_block(kRegionLeaves));
}

/// The instruction has been executed elsewhere: its results are in the frame, and tables may have changed.
void Lowering::forget_written(const Instruction& in) {
  const RegisterEffects effects = register_effects(in, walk_.function().register_count);
  for (int reg = 0; reg < walk_.function().register_count; ++reg) {
    if (effects.writes.test(static_cast<size_t>(reg))) registers_.forget(Register{reg});
  }
  registers_.forget_tables();
}

/// For the running instruction.
const void* Lowering::runtime_function() const {
  const Opcode op = walk_.instruction().op;
  return op == Opcode::GenericForCall ? runtime_.generic_for_call : runtime_.by_opcode[static_cast<size_t>(op)];
}

bool Lowering::lower_by_runtime() {
  tally_.note_by_runtime(walk_);
  execute_by_runtime(runtime_function());
  return true;
}

void Lowering::execute_by_runtime(const void* function) {
  const Instruction& in = walk_.instruction();
  IrValue outcome = runtime_call(function);
  walk_.state.open_end = kNoFrameSlot;  // the instruction has consumed them
  forget_written(in);
  check_outcome(outcome);
}

}  // namespace mangata::jit
