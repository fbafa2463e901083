#include "tests/chunks/stack_inspection.h"

#include <algorithm>
#include <vector>

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/function.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

bool is_header(const Value& slot) {
  return static_cast<uint32_t>(slot.tag) == static_cast<uint32_t>(Tag::Frame);
}

/// The slots that belong to one frame alone.
struct Registers {
  const Value* first;
  const Value* end;  ///< the frame above begins here, with its function or its varargs
};

/// Where the frame at `base` begins: its function, or the function that lies below its varargs.
const Value* lowest_slot(Value* base) {
  const Value* const function = function_slot(base);
  const FrameHeader* const frame = frame_of(base);
  if (!frame->is_lua() || !function->is_lua_function()) return function;
  const Proto& proto = *function->as_lua_function()->proto;
  const bool has_moved = proto.is_vararg && frame->extra_args > 0 && !proto.is_start(frame->saved_pc);
  return has_moved ? function - frame->extra_args - proto.parameter_count - kCallOverheadSlots : function;
}

}  // namespace

const char* problem_of_stack(Thread& thread) {
  std::vector<Registers> all;
  const Value* above = nullptr;
  for (Value* base = thread.base;; base = caller_base(base)) {
    const FrameHeader* const frame = frame_of(base);
    if (!is_header(base[-1]) || !is_header(base[-2])) return "a frame without a header";
    const bool is_bottom = (frame->flags & FrameHeader::kBottom) != 0;
    if (!is_bottom && frame->caller_delta_slots == 0) return "a frame without a caller";
    if (frame->is_lua() && !function_slot(base)->is_lua_function()) return "a frame without a function";
    // Above a native frame, pcall's, there may be those that an error has left, whose variables are being
    // closed.
    const Value* const end =
        frame->is_lua() ? base + function_slot(base)->as_lua_function()->proto->max_stack_slots : thread.top;
    all.push_back({base, above == nullptr ? end : std::min(above, end)});
    if (is_bottom) break;
    above = lowest_slot(base);
  }
  const auto is_register = [&](const Value* slot) {
    return std::any_of(all.begin(), all.end(), [slot](const Registers& registers) {
      return registers.first <= slot && slot < registers.end && !is_header(*slot);
    });
  };
  for (const Upvalue* upvalue = thread.open_upvalues; upvalue != nullptr; upvalue = upvalue->next_open) {
    if (!is_register(upvalue->location)) return "an open upvalue that is no register";
  }
  for (const uint32_t slot : thread.to_be_closed) {
    if (!is_register(thread.stack + slot)) return "a variable to be closed that is no register";
  }
  return nullptr;
}

}  // namespace mangata
