// See library_functions.h.
#include "runtime/capi/library_functions.h"

#include <atomic>
#include <mutex>

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::capi {
namespace {

struct Entry {
  std::atomic<NativeCode> code;
  std::atomic<bool> needs_upvalues;
};
/// Filled from the front, under `filling`; what is there never changes again.
Entry entries[kMostCodes];
std::mutex filling;

int find(NativeCode code) {
  int i = 0;
  while (i < kMostCodes && entries[i].code.load(std::memory_order_acquire) != nullptr) {
    if (entries[i].code.load(std::memory_order_relaxed) == code) return i;
    ++i;
  }
  return kMostCodes;
}

/// The number of the function's code, or kMostCodes when there are too many.
int number_of(const NativeFunction& function) {
  if (const int number = find(function.code); number != kMostCodes) return number;
  const std::lock_guard lock(filling);
  int i = 0;
  while (i < kMostCodes && entries[i].code != nullptr && entries[i].code != function.code) ++i;
  if (i == kMostCodes) return i;
  entries[i].needs_upvalues = function.upvalue_count() != 0;
  entries[i].code.store(function.code, std::memory_order_release);
  return i;
}

lua_CFunction pointer_of(int number);

/// Calls `function` with the arguments of the running frame; all results are at the top.
Result<int> pass_on(Call& call, const Value& function) {
  const int count = call.count();
  TRY(call.reserve_slots(kCallOverheadSlots + count));
  call.push_function(function);
  for (int i = 0; i < count; ++i) call.push(call[i]);
  return call.invoke_yieldable(count, kMultipleResults);
}

int run(lua_State* state, int number) {
  Thread& thread = thread_of(state);
  return protect(thread, [&]() -> Result<int> {
    Vm& vm = *thread.vm;
    Call call(vm, thread);
    const Value function = kept_object(vm, Value::light_userdata(reinterpret_cast<void*>(pointer_of(number))));
    if (!function.is_nil() && !is_c_function(function)) return pass_on(call, function);
    // The pointer comes from another machine.
    if (entries[number].needs_upvalues) return call.error("function of another Lua state");
    return entries[number].code.load(std::memory_order_relaxed)(call);
  });
}

template <int number>
int run_number(lua_State* state) {
  return run(state, number);
}

/// A search instead of an array of addresses, which would have to be relocated at each start of the program.
template <int first, int count>
lua_CFunction pointer_among(int number) {
  if constexpr (count == 1) {
    return run_number<first>;
  } else {
    constexpr int kHalf = count / 2;
    return number < first + kHalf ? pointer_among<first, kHalf>(number) : pointer_among<first + kHalf, count - kHalf>(number);
  }
}

lua_CFunction pointer_of(int number) { return pointer_among<0, kMostCodes>(number); }

}  // namespace

lua_CFunction c_function_of(Vm& vm, NativeFunction* function) {
  const int number = number_of(*function);
  if (number == kMostCodes) return nullptr;
  const lua_CFunction pointer = pointer_of(number);
  const Value key = Value::light_userdata(reinterpret_cast<void*>(pointer));
  const Value known = kept_object(vm, key);
  if (known.is_nil()) {
    keep_object(vm, key, Value::function(function));
    return pointer;
  }
  const NativeFunction* native_function = known.as_native_function();
  const bool is_interchangeable = native_function->upvalue_count() == 0 && function->upvalue_count() == 0;
  return native_function == function || is_interchangeable ? pointer : nullptr;
}

}  // namespace mangata::capi
