// assert, error, pcall, xpcall (Lua 5.4 manual §6.1). The interpreter runs pcall and xpcall of Lua functions
// in its own loop; these are their other callers' versions.
#include <algorithm>

#include "runtime/lib/base_library.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {
namespace {

/// Raises `message` with the position of the function at `level`, if it is a string and the level is
/// positive.
Raised raise_with_position(Call& call, Value message, int level) {
  if (!message.is_string() || level <= 0) return call.raise(message);
  return raise_plain(call.vm(), where(call.vm(), level).append(message.as_string()->view()));
}

/// Opens the two slots of a frame header above `function`, for its `argument_count` arguments to follow.
void make_call_layout(Call& call, Value* function, int argument_count) {
  Value* arguments = function + 1;
  std::copy_backward(arguments, arguments + argument_count, arguments + argument_count + kFrameHeaderSlots);
  arguments[0].set_nil();
  arguments[1].set_nil();
  call.thread().top = arguments + argument_count + kFrameHeaderSlots;
}

/// Calls function[0] under protection and puts the success flag into function[-1]. Returns the number of
/// results, flag included.
Result<int> call_protected(Call& call, Value* function, int argument_count, Value handler) {
  const bool ok = protected_call(call.vm(), function, argument_count, kMultipleResults, handler);
  if (!ok && (call.thread().being_closed || call.vm().terminating)) return Raised{};
  function[-1] = Value::boolean(ok);
  return static_cast<int>(call.thread().top - function) + 1;
}

}  // namespace

Result<int> base_assert(Call& call) {
  if (call[0].is_truthy()) return call.count();
  TRY(call.check_any(0));
  if (call.count() > 1) return raise_with_position(call, call[1], 1);
  return raise_with_position(call, call.vm().string_value("assertion failed!"), 1);
}

Result<int> base_error(Call& call) {
  constexpr int64_t kWork = 2;  // frames are unwound
  charge_native(call.vm(), kWork);
  const int64_t level = TRY(call.optional_integer(1, 1));
  return raise_with_position(call, call[0], static_cast<int>(level));
}

Result<int> base_pcall(Call& call) {
  TRY(call.check_any(0));
  const int argument_count = call.count() - 1;
  TRY(call.reserve_slots(kCallOverheadSlots));
  // The flag takes the first slot; the function moves up by one, its arguments by the header's slots more.
  Value* function = call.base() + 1;
  std::copy_backward(call.base(), call.thread().top, call.thread().top + 1);
  make_call_layout(call, function, argument_count);
  return call_protected(call, function, argument_count, Value::nil());
}

Result<int> base_xpcall(Call& call) {
  const int argument_count = std::max(call.count() - 2, 0);
  TRY(call.check_function(1));
  TRY(call.reserve_slots(kCallOverheadSlots + 1));
  // f, handler, arguments... becomes handler, flag, f, header, arguments...: the handler stays rooted below.
  const Value callee = call[0];
  const Value handler = call[1];
  Value* function = call.base() + 2;
  std::copy_backward(function, call.thread().top, call.thread().top + 1);
  call.base()[0] = handler;
  *function = callee;
  make_call_layout(call, function, argument_count);
  return call_protected(call, function, argument_count, handler);
}

}  // namespace mangata
