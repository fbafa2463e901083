// Debug hooks (Lua 5.4 manual §6.10, debug.sethook). While line or count hooks are set, the interpreter
// dispatches every instruction through hook_instruction; without them they cost nothing.
#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/slow_paths.h"
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// Calls the hook function with the event and, for line events, the line. Nothing is hooked meanwhile.
Status call_hook(Vm& vm, Thread& thread, const char* event, int line) {
  if (!thread.hooks_allowed || thread.hook_function.is_nil()) return {};
  Value* saved_top = thread.top;
  FrameHeader* frame = thread.frame();
  Value* slot = saved_top;
  if (frame->is_lua()) {
    slot = std::max(slot, frame_top(thread.base));
  }
  TRY(ensure_stack(vm, slot, kCallOverheadSlots + 3));
  slot[0] = thread.hook_function;
  slot[1].set_nil();
  slot[2].set_nil();
  slot[kCallOverheadSlots] = vm.string_value(event);
  slot[kCallOverheadSlots + 1] = line >= 0 ? Value::integer(line) : Value::nil();
  thread.top = slot + kCallOverheadSlots + 2;
  thread.hooks_allowed = false;
  frame->flags |= FrameHeader::kHooked;
  TRY(call(vm, slot, 2, 0));
  frame->flags &= ~FrameHeader::kHooked;
  thread.hooks_allowed = true;
  thread.top = saved_top;
  return {};
}

/// Whether control jumped to the backedge at `now`. Lua 5.4's jumps go where that leads, and so see no line
/// of its own.
bool jumped_to_backedge(const Thread& thread, const Proto& proto, int now) {
  const Instruction& backedge = proto.original_code[now];
  const int last = thread.hook_last_pc;
  if (backedge.op != Opcode::Jump || backedge.a == 0 || last == now - 1 || last == now) return false;
  if (last >= static_cast<int>(proto.original_code.size())) return false;
  const Opcode op = proto.original_code[last].op;
  const ControlFlow flow = opcode_info(op).flow;
  return op != Opcode::ForPrepare && (flow == ControlFlow::Jump || flow == ControlFlow::Branch);
}

/// Lua 5.4 makes the first call of an iterator as a part of the instruction before it, which may be on another line.
bool is_first_iterator_call(const Thread& thread, const Proto& proto, int now) {
  const int last = thread.hook_last_pc;
  return proto.original_code[now].op == Opcode::GenericForCall && last < static_cast<int>(proto.original_code.size()) &&
         proto.original_code[last].op == Opcode::GenericForPrepare;
}

}  // namespace

Status hook_call(Vm& vm, Thread& thread, bool tail) {
  thread.hook_last_pc = 0;
  if ((thread.hook_mask & kHookCall) == 0 || !thread.hooks_allowed) return {};
  FrameHeader* frame = thread.frame();
  thread.transfer_values = frame->is_native()
                               ? static_cast<int>(thread.top - thread.base)
                               : function_slot(thread.base)->as_lua_function()->proto->parameter_count;
  thread.transfer_first = thread.transfer_values > 0 ? 1 : 0;
  int ahead = 0;
  if (frame->is_lua()) {  // debug information looks at the instruction before saved_pc; PathEvents are not of the source
    while (frame->saved_pc[ahead++].op == Opcode::PathEvent) {
    }
  }
  frame->saved_pc += ahead;
  const Status hooked = call_hook(vm, thread, tail ? "tail call" : "call", -1);
  frame->saved_pc -= ahead;
  if (!hooked.ok() && ahead > 0) ++frame->saved_pc;  // of the events none has happened (TierHooks::path_cut)
  return hooked;
}

Status hook_return(Vm& vm, Thread& thread, Value* results, int count) {
  if ((thread.hook_mask & kHookReturn) != 0 && thread.hooks_allowed) {
    Value* saved_top = thread.top;
    thread.top = std::max(thread.top, results + count);
    thread.transfer_first = count > 0 ? static_cast<int>(results - thread.base) + 1 : 0;
    thread.transfer_values = count;
    TRY(call_hook(vm, thread, "return", -1));
    thread.top = saved_top;
  }
  const Value* caller = caller_base(thread.base);
  if (caller != thread.base && frame_of(caller)->is_lua()) thread.hook_last_pc = value_of(current_pc(caller));
  return {};
}

Status hook_instruction(Vm& vm, Thread& thread, const Instruction* pc) {
  if (pc->op == Opcode::PathEvent) return {};
  FrameHeader* frame = thread.frame();
  frame->saved_pc = pc + 1;
  if ((thread.hook_mask & kRecording) != 0) {
    Proto& running = *function_slot(thread.base)->as_lua_function()->proto;
    vm.recorder->instruction_starts(thread, running, running.original_pc(pc));
  }
  if (!thread.hooks_allowed || (thread.hook_mask & (kHookLine | kHookCount)) == 0) return {};
  thread.transfer_first = 0;
  thread.transfer_values = 0;
  const Proto& proto = *function_slot(thread.base)->as_lua_function()->proto;
  const int now = value_of(current_pc(thread.base));
  const bool count_event = (thread.hook_mask & kHookCount) != 0 && --thread.hook_count_left == 0;
  if (count_event) {
    thread.hook_count_left = thread.hook_count;
    TRY(call_hook(vm, thread, "count", -1));
  }
  if ((thread.hook_mask & kHookLine) == 0) return {};
  if (pc->op == Opcode::PrepareVararg) return {};  // the function starts after it
  if (jumped_to_backedge(thread, proto, now) || is_first_iterator_call(thread, proto, now)) return {};
  const int line = proto.line_at(OriginalPc(now));
  const bool fresh = now == 0 || thread.hook_last_pc >= static_cast<int>(proto.original_code.size());
  const bool starts_line = fresh || now <= thread.hook_last_pc || proto.line_at(OriginalPc(thread.hook_last_pc)) != line;
  thread.hook_last_pc = now;
  if (starts_line) TRY(call_hook(vm, thread, "line", line));
  return {};
}

}  // namespace mangata
