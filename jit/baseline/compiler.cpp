#include "jit/baseline/compiler.h"

#include "jit/emit_region.h"

namespace mangata::jit {

using namespace asmjit::x86;

std::optional<CompiledCode> BaselineCompiler::compile(const Proto& proto) {
  proto_ = &proto;
  has_events_ = proto.code != proto.original_code.data();
  code_length_ = proto.code_length();
  if (!errors_.attach(holder_, a_)) return {};
  types_.emplace(proto, proto.code, code_length_);
  path_locations_.reset();
  if (has_events_) {
    path_locations_.emplace(proto, code_length_, [this](int pc) {
      pc_ = pc;
      return guess_intrinsic(proto_->code[pc]) != NativeId::None;
    });
  }
  find_region_entries();
  labels_.reset(a_, static_cast<size_t>(code_length_) + 1);
  exit_ = a_.newLabel();
  leave_ = a_.newLabel();

  emit_prologue();
  for (pc_ = 0; pc_ < code_length_; ++pc_) emit_instruction();
  labels_.bind_next();  // never reached: every function ends in a return
  a_.ud2();
  const auto slow_paths_offset = static_cast<uint32_t>(a_.offset());
  emit_slow_paths();
  emit_exits();

  const std::optional<CodeRegion> region = emit_region(cache_, holder_, errors_);
  if (!region) return {};
  CompiledCode code;
  code.region = *region;
  code.code_bytes = holder_.codeSize();
  for (size_t i = 0; i < entries_.size(); ++i)
    code.entry_offsets[i] = static_cast<uint32_t>(holder_.labelOffset(entries_[i]));
  code.bytecode = proto.code;
  code.resume_offsets = labels_.take_offsets();
  code.slow_paths_offset = slow_paths_offset;
  code.region_heads = std::move(region_heads_);
  code.region_entries = std::move(region_entries_);
  code.function_entry = {nullptr, nullptr, code.resume_offsets.data(), code.region.rx};
  for (RegionEntry& entry : code.region_entries) entry = code.function_entry;
  return code;
}

void BaselineCompiler::emit_instruction() {
  const Instruction& in = proto_->code[pc_];
  types_->move_to(pc_);
  emit_poll_at_start();  // before the label: a loop may go back to it
  labels_.bind_next();
  if (has_events_ && in.op != Opcode::PathEvent && path_locations_->loads_register_at(pc_)) load_path(path_location());
  switch (in.op) {
#define OP(name, ...) \
  case Opcode::name: return emit_##name(in);
#include "vm/bytecode/opcodes.def"
  }
}

asmjit::Label BaselineCompiler::slow_path(std::function<void()> emit) {
  const Label entry = a_.newLabel();
  queue_slow_path(entry, std::move(emit));
  return entry;
}

void BaselineCompiler::queue_slow_path(const Label& entry, std::function<void()> emit) {
  slow_paths_.push_back({entry, pc_, std::move(emit)});
}

void BaselineCompiler::emit_slow_paths() {
  for (size_t i = 0; i < slow_paths_.size(); ++i) {  // a slow path may queue another
    const SlowPath path = std::move(slow_paths_[i]);
    a_.bind(path.entry);
    pc_ = path.pc;
    path.emit();
  }
}

void BaselineCompiler::emit_exits() {
  a_.bind(leave_);
  a_.test(eax, eax);
  a_.js(exit_);
  a_.jmp(asmjit::imm(address_of(thunks_.leave_to_interpreter)));
  a_.bind(exit_);
  a_.add(rsp, 8);
  a_.ret();
}

}  // namespace mangata::jit
