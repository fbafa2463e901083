// Being inside a state on behalf of the host.
#pragma once

#include "runtime/embed/core.h"

namespace mangata::abi {

/// Between its construction and its end, Lua code may run. Precondition: the state is open.
class Entry {
 public:
  /// ok() is false, with *error, when another thread is inside.
  Entry(Core* core, Error* error);
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  bool ok() const { return ok_; }
  bool is_outermost() const { return outermost_; }
  Thread& thread() { return *thread_; }

  /// Calls function[0], which lies on the stack above everything, as protected_call does; a failure is described in *error and
  /// leaves the stack as it was below `function`.
  bool call(mangata::Value* function, int argument_count, int result_count, Error* error);
  /// Collects garbage when it is time to. Call it where the host has allocated, with nothing unrooted in hand.
  bool safepoint(Error* error);

 private:
  Core& core_;
  Thread* thread_ = nullptr;
  mangata::Value* native_bound_ = nullptr;
  bool ok_ = false;
  bool outermost_ = false;
};

/// Makes room for `slots` above the top of the stack, for what the host asks. False, with *error, when there is none: no error is
/// pending, and the thread does not handle an overflow.
bool reserve_stack(Thread& thread, int slots, Error* error);

}  // namespace mangata::abi
