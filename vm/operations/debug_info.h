// What debug.getinfo, tracebacks and error messages say about frames (lua_getinfo, lua_getlocal, luaL_traceback).
#pragma once

#include <string>
#include <string_view>

#include "vm/bytecode/pc.h"
#include "vm/vm.h"

namespace mangata {

/// lua_Debug, as far as it concerns a frame or a function.
struct DebugInfo {
  std::string name;             ///< n
  const char* name_what = "";   ///< n: "global", "local", "method", "field", "upvalue", "constant", "metamethod", "for iterator", "hook", ""
  bool has_name = false;  ///< n: `name` is filled in
  const char* what = "";        ///< S: "Lua", "C", "main"
  std::string_view source;      ///< S
  std::string short_source;     ///< S
  int line_defined = -1;        ///< S
  int last_line_defined = -1;   ///< S
  int current_line = -1;        ///< l
  int upvalue_count = 0;        ///< u
  int parameter_count = 0;      ///< u
  bool is_vararg = true;        ///< u
  bool is_tail_call = false;    ///< t
  int first_transferred = 0;    ///< r
  int transferred_count = 0;    ///< r
};

/// The base of the next outer frame that is a level; hooks that are C functions are none.
inline Value* outer_frame(Value* base) {
  do base = caller_base(base);
  while ((frame_of(base)->flags & FrameHeader::kHidden) != 0);
  return base;
}
/// The base of the innermost frame that is a level.
inline Value* innermost_frame(Thread& thread) {
  return (thread.frame()->flags & FrameHeader::kHidden) != 0 ? outer_frame(thread.base) : thread.base;
}
/// The base of the frame `level` levels up (0: the running function), or null when there is none.
Value* frame_at_level(Thread& thread, int level);

/// What `what` (letters as for lua_getinfo) asks about a frame (base) or, with base null, about `function`.
DebugInfo debug_info(Vm& vm, Thread& thread, Value* base, Value function, std::string_view what = "Slnutr");

/// Of a frame that is in no bytecode.
inline constexpr OriginalPc kNoPc{-1};
/// What a Lua frame is executing; kNoPc in a native one.
OriginalPc current_pc(const Value* base);
int current_line(const Value* base);   ///< -1 when unknown

/// Name and slot of local `n` (1-based; negative: varargs) of a frame; null name when there is none. As luaG_findlocal:
/// "(temporary)", "(C temporary)", "(vararg)".
const char* find_local(Thread& thread, Value* base, int n, Value** slot);
/// The name of local `n` active at `pc`, or null.
const String* local_name(const Proto& proto, int n, OriginalPc pc);

/// luaL_where in any thread: "file:line: ", or "" when the function at `level` is no Lua function.
std::string where(Thread& thread, int level);

/// luaL_traceback: `message` may be null.
std::string traceback(Vm& vm, Thread& thread, const std::string_view* message, int level);

}  // namespace mangata
