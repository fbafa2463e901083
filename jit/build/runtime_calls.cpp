#include "jit/build/runtime_calls.h"

#include "jit/abi/frame_layout.h"

namespace mangata::jit {

/// With the values in the frame that are needed from `live_at_pc` on.
IrValue RuntimeCalls::call_for(const void* function, int live_at_pc) {
  publish_values(live_at_pc);
  publish_frames(walk_.pc);
  if (walk_.state.open_end != kNoFrameSlot)
    b_.store(b_.frame_address(walk_.state.open_end), b_.at(b_.thread(), offsetof(Thread, top)), Memory::Machine);
  events_.give_back();
  const Instruction* saved = walk_.function().address + walk_.pc + 1;
  return b_.call(IrType::I64, b_.address_constant(function),
                 {b_.thread(), b_.frame_address(walk_.state.top().base), b_.address_constant(saved)});
}

void RuntimeCalls::publish_values(int pc) {
  store_dirty(pc);
  for (Fact& fact : walk_.state.slots) {
    if (fact.replaced_table >= 0) fact = {};
    fact.dirty = false;
  }
}

void RuntimeCalls::store_dirty(int pc) {
  const std::vector<FrameSlot> slots = exits_.dirty_slots(pc);
  for (const FrameSlot slot : slots) {
    if (registers_.is_replaced(slot)) tables_.materialize(registers_.fact(slot).replaced_table);
  }
  for (const FrameSlot slot : slots) registers_.store(slot);
}

void RuntimeCalls::publish_frames(int pc) {
  for (const InlineFrame& frame : walk_.state.frames) {
    if (frame.function->counters == nullptr) continue;
    b_.store(b_.held_by(registers_.path_cell(frame.base)), b_.frame_address(frame.base - 1), Memory::Frame);
  }
  for (size_t i = 0; i < walk_.state.frames.size(); ++i) {
    const InlineFrame& frame = walk_.state.frames[i];
    const bool is_top = i + 1 == walk_.state.frames.size();
    const int saved_pc = is_top ? pc + 1 : walk_.state.frames[i + 1].return_pc;
    if (is_top && i == 0) return;  // the call does it
    IrValue header = b_.frame_address(frame.base - kFrameHeaderSlots);
    b_.store(b_.word(reinterpret_cast<uint64_t>(frame.function->address + saved_pc)), header, Memory::Frame);
    if (i == 0) continue;
    write_header_tags(frame.base, walk_.state.frames[i - 1].base, frame.wanted, frame.header_flags(), frame.varargs);
  }
}

void RuntimeCalls::write_header_tags(FrameSlot base, FrameSlot caller_base, int wanted, uint32_t flags, int varargs) {
  constexpr auto kTag = static_cast<uint64_t>(Tag::Frame);
  IrValue header = b_.frame_address(base - kFrameHeaderSlots);
  b_.store(b_.word(kTag | uint64_t{flags} << 32 | static_cast<uint64_t>(base - caller_base) << 40), b_.at(header, offsetof(FrameHeader, tag_low_1)),
           Memory::Frame);
  const uint64_t counts = (static_cast<uint64_t>(wanted) & FrameHeader::kWantedMask) | static_cast<uint64_t>(varargs) << kWantedResultsBits;
  b_.store(b_.word(kTag | counts << 32), b_.at(header, offsetof(FrameHeader, tag_low_2)), Memory::Frame);
}

Block RuntimeCalls::split_by_outcome(IrValue outcome) {
  Block goes_on = b_.make_block("done");
  Block other = b_.make_block("not_done");
  Block leaves = b_.make_block("leaves");
  b_.set_likely(b_.branch(b_.ult(outcome, b_.word(2)), goes_on, other), true);
  b_.set_position(other);
  b_.branch(b_.slt(outcome, b_.word(0)), exits_.leaving_block(kRegionRaised), leaves);
  b_.set_position(leaves);
  return goes_on;
}

void RuntimeCalls::check_outcome(IrValue outcome) {
  Block goes_on = split_by_outcome(outcome);
  leave_behind();
  b_.set_position(goes_on);
  events_.look_soon();
}

void RuntimeCalls::leave_behind() {
  if (walk_.state.is_inlined()) return exits_.emit(walk_.pc + 1, ExitSite::Why::Other);
  b_.jump(exits_.leaving_block(kRegionLeaves));
}

void RuntimeCalls::forget_written(const Instruction& in) {
  const RegisterEffects effects = register_effects(in, walk_.function().register_count);
  for (int reg = 0; reg < walk_.function().register_count; ++reg) {
    if (effects.writes.test(static_cast<size_t>(reg))) registers_.forget(Register{reg});
  }
  registers_.forget_tables();
}

bool RuntimeCalls::can_do() const {
  const Instruction& in = walk_.instruction();
  if (opcode_info(in.op).flow != ControlFlow::Next) return false;
  return in.op != Opcode::Call || (in.b != 0 && in.c != 0);
}

const void* RuntimeCalls::function_of_instruction() const {
  const Opcode op = walk_.instruction().op;
  return op == Opcode::GenericForCall ? runtime_.generic_for_call : runtime_.by_opcode[static_cast<size_t>(op)];
}

bool RuntimeCalls::do_instruction() {
  tally_.note_by_runtime(walk_);
  do_instruction_by(function_of_instruction());
  return true;
}

void RuntimeCalls::do_instruction_by(const void* function) {
  const Instruction& in = walk_.instruction();
  IrValue outcome = call(function);
  walk_.state.open_end = kNoFrameSlot;  // the instruction has consumed them
  forget_written(in);
  check_outcome(outcome);
}

}  // namespace mangata::jit
