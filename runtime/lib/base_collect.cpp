// collectgarbage (Lua 5.4 manual §6.1).
#include "runtime/lib/base_library.h"
#include "vm/poll.h"

namespace mangata {
namespace {

enum class Option {
  Stop,
  Restart,
  Collect,
  Count,
  Step,
  SetPause,
  SetStepMultiplier,
  IsRunning,
  Generational,
  Incremental
};

constexpr const char* kOptionNames[] = {"stop", "restart", "collect", "count",
                                        "step", "setpause", "setstepmul", "isrunning",
                                        "generational", "incremental", nullptr};

/// The collector takes no orders while it runs a finalizer.
bool runs_finalizer(const Thread& thread) {
  for (const Value* base = thread.base;; base -= frame_of(base)->caller_delta_slots) {
    const uint32_t flags = frame_of(base)->flags;
    if ((flags & FrameHeader::kFinalizer) != 0) return true;
    if ((flags & FrameHeader::kBottom) != 0) return false;
  }
}

Result<int> set_mode(Call& call, bool generational) {
  const bool was_generational = call.vm().heap.set_generational(generational);
  return call.ret(call.vm().string_value(was_generational ? "generational" : "incremental"));
}

Result<int> set_incremental(Call& call) {
  const int64_t pause = TRY(call.optional_integer(1, 0));
  const int64_t step_multiplier = TRY(call.optional_integer(2, 0));
  TRY(call.optional_integer(3, 0));  // the step size: steps here are sized by the allocation they pay for
  if (pause != 0) call.vm().heap.set_pause(static_cast<int>(pause));
  if (step_multiplier != 0) call.vm().heap.set_step_multiplier(static_cast<int>(step_multiplier));
  return set_mode(call, false);
}

}  // namespace

Result<int> base_collectgarbage(Call& call) {
  const auto option = static_cast<Option>(TRY(call.check_option(0, "collect", kOptionNames)));
  constexpr int64_t kWork = 3;  // beside what the collector does
  charge_native(call.vm(), kWork);
  Heap& heap = call.vm().heap;
  if (runs_finalizer(call.thread())) return call.ret(Value::nil());
  switch (option) {
    case Option::Count:
      return call.ret(Value::number(static_cast<double>(heap.total_bytes()) / 1024.0));
    case Option::Step: {
      const int64_t kilobytes = TRY(call.optional_integer(1, 0));
      return call.ret(Value::boolean(TRY(heap.step_kilobytes(static_cast<int>(kilobytes)))));
    }
    case Option::SetPause: {
      const int64_t percent = TRY(call.optional_integer(1, 0));
      return call.ret(Value::integer(heap.set_pause(static_cast<int>(percent))));
    }
    case Option::SetStepMultiplier: {
      const int64_t percent = TRY(call.optional_integer(1, 0));
      return call.ret(Value::integer(heap.set_step_multiplier(static_cast<int>(percent))));
    }
    case Option::IsRunning:
      return call.ret(Value::boolean(heap.is_running()));
    case Option::Generational:
      TRY(call.optional_integer(1, 0));
      TRY(call.optional_integer(2, 0));
      return set_mode(call, true);
    case Option::Incremental:
      return set_incremental(call);
    case Option::Stop:
      heap.stop();
      break;
    case Option::Restart:
      heap.restart();
      break;
    case Option::Collect:
      TRY(heap.collect_full());
      break;
  }
  return call.ret(Value::integer(0));
}

}  // namespace mangata
