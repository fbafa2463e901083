// What is known about frames and functions: lua_getinfo and lua_getlocal (Lua 5.4 manual §4.7).
//
// Frames are walked from the innermost one (Thread::base) down to the bottom frame, which is no function call
// and no level. Read next: vm/operations/debug_names.h for the names of called functions, vm/object/frame.h
// for the frame layout.
#include "vm/operations/debug_info.h"

#include "vm/bytecode/proto.h"
#include "vm/operations/debug_names.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr uint32_t kNoCode = FrameHeader::kNative | FrameHeader::kBottom;

void describe_source(const Value& function, DebugInfo* info) {
  if (!function.is_lua_function()) {
    info->source = "=[C]";
    info->what = "C";
  } else {
    const Proto& proto = *function.as_lua_function()->proto;
    info->source = proto.source == nullptr ? std::string_view("=?") : proto.source->view();
    info->line_defined = proto.line_defined;
    info->last_line_defined = proto.last_line_defined;
    info->what = proto.line_defined == 0 ? "main" : "Lua";
  }
  info->short_source = chunk_id(info->source);
}

void describe_parameters(const Value& function, DebugInfo* info) {
  if (function.is_lua_function()) {
    const LuaFunction* closure = function.as_lua_function();
    info->upvalue_count = static_cast<int>(closure->upvalue_count());
    info->parameter_count = closure->proto->parameter_count;
    info->is_vararg = closure->proto->is_vararg;
  } else if (function.is_native_function()) {
    info->upvalue_count = static_cast<int>(function.as_native_function()->upvalue_count());
  }
}

/// The first slot above the frame at `base`: the function slot of its callee, or the top of the stack.
Value* frame_limit(Thread& thread, Value* base) {
  if (base == thread.base) return thread.top;
  Value* callee = thread.base;
  while (caller_base(callee) != base) callee = caller_base(callee);
  return function_slot(callee);
}

}  // namespace

Value* frame_at_level(Thread& thread, int level) {
  if (level < 0) return nullptr;
  for (Value* base = innermost_frame(thread);; base = outer_frame(base)) {
    if ((frame_of(base)->flags & FrameHeader::kBottom) != 0) return nullptr;
    if (level-- == 0) return base;
  }
}

OriginalPc current_pc(const Value* base) {
  const FrameHeader* frame = frame_of(base);
  if ((frame->flags & kNoCode) != 0) return kNoPc;
  const Proto& proto = *function_slot(const_cast<Value*>(base))->as_lua_function()->proto;
  // saved_pc is the next instruction; it is the first one only in a frame that has not begun (a call hook).
  return proto.original_pc(proto.is_start(frame->saved_pc) ? frame->saved_pc : frame->saved_pc - 1);
}

int current_line(const Value* base) {
  const OriginalPc pc = current_pc(base);
  if (pc == kNoPc) return -1;
  return function_slot(const_cast<Value*>(base))->as_lua_function()->proto->line_at(pc);
}

DebugInfo debug_info(Vm& vm, Thread& thread, Value* base, Value function, std::string_view what) {
  DebugInfo info;
  if (base != nullptr) function = *function_slot(base);
  for (const char option : what) {
    switch (option) {
      case 'S':
        describe_source(function, &info);
        break;
      case 'l':
        if (base != nullptr) info.current_line = current_line(base);
        break;
      case 'u':
        describe_parameters(function, &info);
        break;
      case 't':
        info.is_tail_call = base != nullptr && (frame_of(base)->flags & FrameHeader::kTailCalled) != 0;
        break;
      case 'n':
        if (base == nullptr) break;
        if (FoundName found = name_from_caller(vm, base); found.kind != nullptr) {
          info.name = std::move(found.name);
          info.name_what = found.kind;
          info.has_name = true;
        }
        break;
      case 'r':
        // Only a frame whose call or return hook runs transfers anything.
        if (base == nullptr || (frame_of(base)->flags & FrameHeader::kHooked) == 0) break;
        info.first_transferred = thread.transfer_first;
        info.transferred_count = thread.transfer_values;
        break;
      default:
        break;
    }
  }
  return info;
}

const String* local_name(const Proto& proto, int n, OriginalPc pc) {
  for (const LocalVariable& variable : proto.locals) {
    if (variable.start_pc > value_of(pc)) break;  // they are in order of their scopes' starts
    if (value_of(pc) < variable.end_pc && --n == 0) return variable.name;
  }
  return nullptr;
}

const char* find_local(Thread& thread, Value* base, int n, Value** slot) {
  const FrameHeader* frame = frame_of(base);
  const bool is_lua = (frame->flags & kNoCode) == 0;
  if (is_lua) {
    const Proto& proto = *function_slot(base)->as_lua_function()->proto;
    if (n < 0) {
      // Compared as int64: negating the smallest int would overflow.
      if (!proto.is_vararg || -static_cast<int64_t>(n) > static_cast<int64_t>(frame->extra_args))
        return nullptr;
      *slot = function_slot(base) - frame->extra_args + (-n - 1);
      return "(vararg)";
    }
    if (const String* name = local_name(proto, n, current_pc(base))) {
      *slot = base + (n - 1);
      return name->data;
    }
  }
  if (n <= 0 || frame_limit(thread, base) - base < n) return nullptr;
  *slot = base + (n - 1);
  return is_lua ? "(temporary)" : "(C temporary)";
}

}  // namespace mangata
