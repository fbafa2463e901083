#include "jit/baseline/compiler.h"

#include <cassert>

#include "jit/code_memory/emit_region.h"

namespace mangata::jit {

bool BaselineCompiler::begin(const Proto& proto) {
  proto_ = &proto;
  has_events_ = proto.code != proto.original_code.data();
  code_length_ = proto.code_length();
  if (!errors_.attach(holder_, a_)) return false;
  path_locations_.reset();
  exit_ = masm_.new_label();
  leave_ = masm_.new_label();
  return true;
}

std::optional<CompiledCode> BaselineCompiler::compile(const Proto& proto) {
  if (!begin(proto)) return {};
  types_.emplace(proto, proto.code, code_length_, CodePc{}, CodePc(code_length_));
  if (has_events_) {
    path_locations_.emplace(proto, code_length_, [this](int pc) {
      pc_ = pc;
      return guess_intrinsic(proto_->code[pc]) != NativeId::None;
    });
  }
  find_region_entries();
  labels_.reset(a_, 0, static_cast<size_t>(code_length_) + 1);

  emit_prologue();
  if (!emit_range(0, code_length_)) return {};
  masm_.trap();  // never reached: every function ends in a return
  const auto slow_paths_offset = masm_.offset();
  if (!emit_slow_paths()) return {};
  std::optional<CompiledCode> code = finish(0, slow_paths_offset);
  if (!code) return {};
  for (size_t i = 0; i < entries_.size(); ++i)
    code->entry_offsets[i] = static_cast<uint32_t>(holder_.labelOffset(entries_[i]));
  code->region_heads = std::move(region_heads_);
  code->region_entries = std::move(region_entries_);
  code->function_entry = {nullptr, nullptr, code->resume_offsets.data(), code->region.rx};
  for (RegionEntry& entry : code->region_entries) entry = code->function_entry;
  return code;
}

std::optional<CompiledCode> BaselineCompiler::compile_loop(const Proto& proto, CodePc first, CodePc end) {
  const int first_pc = value_of(first), end_pc = value_of(end);
  if (!begin(proto)) return {};
  assert(!has_events_);
  types_.emplace(proto, proto.code, code_length_, first, end);
  labels_.reset(a_, static_cast<size_t>(first_pc), static_cast<size_t>(end_pc - first_pc) + 1);
  if (!emit_range(first_pc, end_pc)) return {};
  emit_exit_to_interpreter(static_cast<size_t>(end_pc));
  const auto slow_paths_offset = masm_.offset();
  if (!emit_slow_paths()) return {};
  for (const auto& [pc, label] : labels_.outside()) {
    masm_.bind(label);
    emit_exit_to_interpreter(pc);
  }
  return finish(first_pc, slow_paths_offset);
}

/// The end of the range gets a label, too. False: interrupted.
bool BaselineCompiler::emit_range(int first_pc, int end_pc) {
  for (pc_ = first_pc; pc_ < end_pc; ++pc_) {
    if (is_interrupted(static_cast<size_t>(pc_))) return false;
    emit_instruction();
  }
  held_float_ = computed_float_ = kNoRegister;
  labels_.bind_next();
  return true;
}

/// Compiling a large function takes longer than a deadline may be late. It is looked at in some steps only.
bool BaselineCompiler::is_interrupted(size_t step) const {
  return is_interruptible_ && step % 256 == 255 && vm_.interrupt.load(std::memory_order_relaxed);
}

std::optional<CompiledCode> BaselineCompiler::finish(int first_pc, uint32_t slow_paths_offset) {
  const auto exits_offset = masm_.offset();
  emit_exits();
  const std::optional<CodeRegion> region = emit_region(cache_, holder_, errors_);
  if (!region) return {};
  CompiledCode code;
  code.region = *region;
  code.code_bytes = holder_.codeSize();
  code.bytecode = proto_->code + first_pc;
  code.resume_offsets = labels_.take_offsets();
  code.slow_paths_offset = slow_paths_offset;
  for (CodePlace& place : slow_places_) place.index -= static_cast<uint32_t>(first_pc);
  slow_places_.push_back({exits_offset, CodePlace::kNone});
  code.slow_places = std::move(slow_places_);
  code.slow_frames = std::move(slow_frames_);
  code.deferred = std::move(deferred_);
  for (CodePlace& place : code.deferred) place.index -= static_cast<uint32_t>(first_pc);
  return code;
}

/// The frame goes on there.
void BaselineCompiler::emit_exit_to_interpreter(size_t pc) {
  load_immediate(kTemporary, address_of(proto_->code + pc));
  masm_.store(word_at(kBase, kSavedPcOffset), kTemporary);
  masm_.jump(thunks_.leave_to_interpreter);
}

void BaselineCompiler::emit_instruction() {
  const Instruction& in = proto_->code[pc_];
  types_->move_to(CodePc(pc_));
  emit_poll_at_start();  // before the label: a loop may go back to it
  bind_instruction(in);
  if (has_events_ && in.op != Opcode::PathEvent && path_locations_->loads_register_at(pc_)) load_path(path_location());
  switch (in.op) {
#define OP(name, ...) \
  case Opcode::name: return emit_##name(in);
#include "vm/bytecode/opcodes.def"
  }
}

Label BaselineCompiler::slow_path(std::function<void()> emit) {
  const Label entry = masm_.new_label();
  queue_slow_path(entry, std::move(emit));
  return entry;
}

void BaselineCompiler::queue_slow_path(const Label& entry, std::function<void()> emit) {
  slow_paths_.push_back({entry, pc_, std::move(emit)});
}

/// False: interrupted.
bool BaselineCompiler::emit_slow_paths() {
  for (size_t i = 0; i < slow_paths_.size(); ++i) {  // a slow path may queue another
    if (is_interrupted(i)) return false;
    const SlowPath path = std::move(slow_paths_[i]);
    masm_.bind(path.entry);
    slow_places_.push_back({masm_.offset(), static_cast<uint32_t>(path.pc)});
    pc_ = path.pc;
    path.emit();
  }
  return true;
}

void BaselineCompiler::emit_exits() {
  masm_.bind(leave_);
  masm_.branch_if_negative(kOutcome, exit_);
  masm_.jump(thunks_.leave_to_interpreter);
  masm_.bind(exit_);
  masm_.return_from_function();
}

}  // namespace mangata::jit
