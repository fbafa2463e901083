// Entering a region: the types and the room that its code counts on.
#include "jit/build/lowering.h"

namespace mangata::jit {

ir::Module Lowering::lower(const std::string& name) {
  module_.functions.reserve(2);  // they stay where they are
  const size_t room = most_instructions_ + most_instructions_ / 4;
  ir::Function& region = module_.functions.emplace_back(name, room);
  for (int i = 0; i < 3; ++i) region.add_parameter(IrType::Pointer);
  region.add_result(IrType::I64);
  if (DirectFunction::is_wanted(input_)) direct_.make(&module_, name + "_direct", room);
  assigned_.all_of_callees = direct_.is_made();
  b_.begin(&module_.functions.back());
  lower_entry();
  b_.set_place(0);
  if (direct_.is_made()) direct_.wrap(&module_.functions.front());
  return std::move(module_);
}

/// Of the frame, where they were always the same; those registers have their values from here on.
ir::Value Lowering::check_types() {
  const RegionFunction& root = input_.root();
  IrValue all = b_.boolean(true);
  for (FrameSlot slot{}; slot < walk_.state.top().end(); ++slot) {
    const TagMask tags = input_.entry_tags[static_cast<size_t>(slot)];
    if (!root.live[static_cast<size_t>(input_.entry_pc)].test(static_cast<size_t>(slot)) ||
        registers_.is_captured(slot) || !is_single(tags))
      continue;
    const Kind kind = kind_of_only(tags);
    if (!has_known_tag(kind) || !has_payload(kind)) continue;  // headers of frames that are gone have more in their tags
    IrValue found =
        b_.load(IrType::I64, b_.frame_address(slot, static_cast<int>(offsetof(Value, tag))), Memory::Frame);
    all = b_.bit_and(all, b_.eq(found, b_.word(static_cast<uint64_t>(tag_of(kind)))));
    registers_.fact(slot) = {.kind = kind};
  }
  return all;
}

void Lowering::load_registers() {
  for (FrameSlot slot{}; slot < walk_.state.top().end(); ++slot) {
    const Kind kind = walk_.state.slots[static_cast<size_t>(slot)].kind;
    if (kind == Kind::Frame) continue;
    IrType type = kind == Kind::Float ? IrType::F64 : IrType::I64;
    IrValue value = b_.load(type, b_.frame_address(slot), Memory::Frame);
    b_.set(kind == Kind::Float ? registers_.float_cell(slot) : registers_.payload_cell(slot), value);
  }
}

/// Checks the types that were recorded at the head; the frame stays as it is when they are others.
void Lowering::lower_entry() {
  const RegionFunction& root = input_.root();
  Block entry = b_.make_block("entry");
  Block checks = b_.make_block("checks");
  Block refused = b_.make_block("refused");
  exits_.add({.why = ExitSite::Why::Entry,
              .region_pc = input_.entry_pc,
              .resumed_at = root.original_pcs[static_cast<size_t>(input_.entry_pc)],
              .proto = root.proto,
              .counts_call = input_.counts_events && input_.is_function});
  b_.set_position(checks);
  registers_.need_stack_to(FrameSlot{root.register_count});
  walk_.state = {};
  walk_.state.slots.resize(static_cast<size_t>(root.register_count));
  walk_.state.frames.push_back({.function = &root});
  walk_.track = {};
  events_.begin();
  const bool counts_call = input_.counts_events && input_.is_function;
  if (direct_.is_made()) {
    take_parameters();
  } else {
    Block enter = b_.make_block("enter");
    b_.set_likely(b_.branch(check_types(), enter, refused), true);
    b_.set_position(enter);
    load_registers();
  }
  events_.count_own_call();
  if (root.counters != nullptr) {
    b_.set(registers_.path_cell(walk_.state.top().base), direct_.is_made() ? direct_.path() : b_.load(IrType::I64, b_.frame_address(FrameSlot{-1}), Memory::Frame));
  }
  walk_.pc = -1;
  walk_.ended = false;
  branches_.go_to(value_of(input_.entry_pc));
  if (!walk_.ended) queue_.add_running();
  while (!queue_.is_empty() && instructions() <= most_instructions_) {
    queue_.run_next();
    run_walk();
  }
  lower_refusal(refused);
  b_.set_position(entry);
  if (direct_.is_made() || registers_.stack_slots() > root.register_count || counts_call) {
    IrValue begins = direct_.is_made() ? may_begin() : has_room();
    if (counts_call) begins = b_.bit_and(begins, events_.is_enough_to_begin());
    b_.set_likely(b_.branch(begins, checks, refused), true);
  } else {
    b_.jump(checks);
  }
}

/// They are where registers are; the frame does not have them.
void Lowering::take_parameters() {
  int reg = 0;
  for (const Operand& value : direct_.parameters()) values_.write(Register{reg++}, value);
}

/// Whether stacks have room, and nobody asks for attention.
ir::Value Lowering::may_begin() {
  IrValue stack = b_.stack_pointer();
  IrValue native_limit = b_.load(IrType::I64, b_.at(b_.thread(), offsetof(Thread, region_limit)), Memory::Machine);
  IrValue has_native_room = b_.uge(stack, native_limit);
  IrValue is_quiet = events_.nobody_asks();
  return b_.bit_and(b_.bit_and(has_room(), has_native_room), is_quiet);
}

/// The frame stays as it is, or gets the parameters.
void Lowering::lower_refusal(Block refused) {
  b_.set_position(refused);
  if (direct_.is_made()) return direct_.refuse();
  b_.return_values({b_.word(0)});  // the first exit
}

/// Frames of inlined functions need it.
ir::Value Lowering::has_room() {
  IrValue limit = b_.load(IrType::I64, b_.at(b_.thread(), offsetof(Thread, stack_soft_limit)), Memory::Machine);
  IrValue end = b_.add(b_.pointer_to_integer(b_.base()), b_.word(static_cast<uint64_t>(registers_.stack_slots()) * sizeof(Value)));
  return b_.ule(end, limit);
}

}  // namespace mangata::jit
