// What the process keeps back for the time when the system refuses memory.
//
// [DESIGN] Small objects, and the C++ containers that hold the machine together, are made where no error can
// be raised. So a few mappings that nobody touches are kept in reserve. When the heap or operator new is
// refused, one of them is given back to the system and the request is made again, which then succeeds unless
// it is large. From then on memory is short: each machine of the process collects at its next safepoint and
// tries to make the reserve whole again; where that fails, the safepoint raises "not enough memory"
// (Collector::check_limit), and so does each one after it, until what the errors have unwound suffices. What
// may be larger than the reserve is asked for where a refusal can be an error: storage of tables and strings
// gives null, native functions and the front end are left by std::bad_alloc, which their callers make a Lua
// error (vm/interpreter/native_call.h, vm/frontend/compile.cpp).
#pragma once

#include <atomic>

namespace mangata {

struct Vm;

class EmergencyMemory {
 public:
  /// `vm` is told when memory becomes short. The first one makes the reserve; operator new falls back on it
  /// from then on.
  static void add(Vm& vm);
  static void remove(Vm& vm);

  /// The system has refused memory. Gives a piece of the reserve back to it, and tells all machines; false
  /// when nothing is left. For any thread.
  static bool give_way();
  static bool is_short() { return is_short_.load(std::memory_order_relaxed); }
  /// Makes the reserve whole again; false when the system refuses. Then memory stays short.
  static bool restore();

 private:
  static std::atomic<bool> is_short_;
};

}  // namespace mangata
