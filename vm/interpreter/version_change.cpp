#include "vm/interpreter/version_change.h"

#include "vm/interpreter/path_event.h"

namespace mangata {
namespace {

const CodeVersion::LoopStart* find_loop_start(const CodeVersion& version, OriginalPc original_pc) {
  for (const CodeVersion::LoopStart& start : version.loop_starts) {
    if (start.original_pc == original_pc) return &start;
  }
  return nullptr;
}

}  // namespace

OriginalPc original_pc_behind_events(const Proto& proto, const Instruction* pc) {
  return proto.original_pc(proto.version == nullptr ? pc : behind_events(proto.counters_at(pc), pc));
}

const Instruction* change_version(const Proto& proto, Value* base, const Instruction* pc) {
  if (proto.version == nullptr || proto.version->contains(pc)) return pc;
  const CodeVersion& from = *proto.version_at(pc);
  const CodeVersion& to = *proto.version;
  const OriginalPc head = original_pc_behind_events(proto, pc);
  const bool to_original = to.instrumented.empty();
  const CodeVersion::LoopStart* start = to_original ? nullptr : find_loop_start(to, head);
  if (!to_original && start == nullptr) return pc;
  FrameHeader* frame = frame_of(base);
  while (pc->op == Opcode::PathEvent) pc += 1 + run_path_event(*from.counters, frame, pc->imm);
  if (to_original) return to.code + value_of(head);
  frame->path_register = start->path_register;
  return to.code + value_of(start->pc);
}

}  // namespace mangata
