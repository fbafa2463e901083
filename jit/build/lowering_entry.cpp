// Entering a region: the types and the room that its code counts on.
#include "jit/build/lowering.h"

namespace mangata::jit {

ir::Module Lowering::lower(const std::string& name) {
  module_.functions.reserve(2);  // they stay where they are
  ir::Function& region = module_.functions.emplace_back(name, most_instructions_ + most_instructions_ / 4);
  for (int i = 0; i < 3; ++i) region.add_parameter(IrType::Pointer);
  region.add_result(IrType::I64);
  if (is_recursive()) make_direct_function(name + "_direct");
  begin_function(&module_.functions.back());
  lower_entry();
  forget_place();
  if (has_direct_) wrap_direct();
  return std::move(module_);
}

/// All that is made goes there.
void Lowering::begin_function(ir::Function* function) {
  b_.set_function(function);
  thread_ = function->parameters()[0];
  base_ = function->parameters()[1];
  vm_ = function->parameters()[2];
}

/// Of the frame, where they were always the same; those registers have their values from here on.
ir::Value Lowering::check_types() {
  const RegionFunction& root = input_.root();
  IrValue all = b_.boolean(true);
  for (FrameSlot slot{}; slot < state_.top().end(); ++slot) {
    const TagMask tags = input_.entry_tags[static_cast<size_t>(slot)];
    if (!root.live[static_cast<size_t>(input_.entry_pc)].test(static_cast<size_t>(slot)) ||
        is_captured(slot) || !is_single(tags))
      continue;
    const Tag tag = static_cast<Tag>(std::countr_zero(tags));
    const Kind kind = kind_of(tag);
    if (!has_known_tag(kind) || !has_payload(kind)) continue;  // headers of frames that are gone have more in their tags
    IrValue found =
        load(IrType::I64, frame_address(slot, static_cast<int>(offsetof(Value, tag))), Memory::Frame);
    all = b_.bit_and(all, b_.eq(found, word(static_cast<uint64_t>(tag))));
    fact(slot) = {.kind = kind};
  }
  return all;
}

void Lowering::load_registers() {
  for (FrameSlot slot{}; slot < state_.top().end(); ++slot) {
    const Kind kind = state_.slots[static_cast<size_t>(slot)].kind;
    if (kind == Kind::Frame) continue;
    IrType type = kind == Kind::Float ? IrType::F64 : IrType::I64;
    IrValue value = load(type, frame_address(slot), Memory::Frame);
    b_.set(kind == Kind::Float ? float_cell(slot) : payload_cell(slot), value);
  }
}

/// Checks the types that were recorded at the head; the frame stays as it is when they are others.
void Lowering::lower_entry() {
  const RegionFunction& root = input_.root();
  Block entry = make_block("entry");
  Block checks = make_block("checks");
  Block refused = make_block("refused");
  exits_.push_back({.why = ExitSite::Why::Entry,
                    .region_pc = input_.entry_pc,
                    .resumed_at = root.original_pcs[static_cast<size_t>(input_.entry_pc)],
                    .proto = root.proto,
                    .counts_call = input_.counts_events && input_.is_function});
  b_.set_position(checks);
  slots_ = root.register_count;
  state_ = {};
  state_.slots.resize(static_cast<size_t>(root.register_count));
  state_.frames.push_back({.function = &root});
  track_ = {};
  granted_ = b_.new_variable(IrType::I64);
  left_ = b_.new_variable(IrType::I64);
  const bool counts_call = input_.counts_events && input_.is_function;
  const uint64_t rounds = input_.is_function && (!counts_call || counts_in_memory_) ? 1 : 0;
  b_.set(granted_, word(no_events() + rounds));
  b_.set(left_, word(no_events()));
  if (has_direct_) {
    take_parameters();
  } else {
    Block enter = make_block("enter");
    set_likely(b_.branch(check_types(), enter, refused), true);
    b_.set_position(enter);
    load_registers();
  }
  count_own_call();
  if (root.counters != nullptr) {
    b_.set(path_cell(state_.top().base), has_direct_ ? b_.function().parameters()[kFirstParameter - 1] : load(IrType::I64, frame_address(FrameSlot{-1}), Memory::Frame));
  }
  pc_ = -1;
  ended_ = false;
  go_to(value_of(input_.entry_pc));
  if (!ended_) pending_.push_back({b_.position(), state_, pc_, track_});
  while (!pending_.empty() && instructions() <= most_instructions_) {
    Walk walk = std::move(pending_.back());
    pending_.pop_back();
    run(std::move(walk));
  }
  lower_refusal(refused);
  b_.set_position(entry);
  if (has_direct_ || slots_ > root.register_count || counts_call) {
    IrValue begins = has_direct_ ? may_begin() : has_room();
    if (counts_call) begins = b_.bit_and(begins, is_enough(region_fuel()));
    set_likely(b_.branch(begins, checks, refused), true);
  } else {
    b_.jump(checks);
  }
}

/// The frame stays as it is, or gets the parameters.
void Lowering::lower_refusal(Block refused) {
  b_.set_position(refused);
  if (has_direct_) return refuse_directly();
  b_.return_values({word(0)});  // the first exit
}

/// Frames of inlined functions need it.
ir::Value Lowering::has_room() {
  IrValue limit = load(IrType::I64, at(thread_, offsetof(Thread, stack_soft_limit)), Memory::Machine);
  IrValue end = b_.add(b_.pointer_to_integer(base_), word(static_cast<uint64_t>(slots_) * sizeof(Value)));
  return b_.ule(end, limit);
}

}  // namespace mangata::jit
