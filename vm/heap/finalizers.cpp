// Finalizers (Lua 5.4 manual §2.5.3) and the native frames of unreachable coroutines.
//
// An object with a __gc metamethod that is found dead is revived, queued, and its finalizer is called at a
// safepoint: those found by one cycle in the reverse order in which they were marked for finalization. Then
// it is an ordinary object again. A coroutine that was suspended inside native code owns C++ frames: it is
// revived once, so that they can be unwound.
#include <algorithm>
#include <string>

#include "vm/heap/collector.h"
#include "vm/interpreter/coroutine.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"
#include "vm/operations/warning.h"
#include "vm/vm.h"

namespace mangata {

void Heap::add_finalizable(Object* object) {
  if ((object->gc_flags & Object::kHasFinalizer) != 0 || vm_.closing) return;
  object->gc_flags |= Object::kHasFinalizer;
  collector_->finalizable.push_back(object);
}

void Heap::finalize_all() {
  Collector& collector = *collector_;
  stop();
  if (collector.phase == CollectorPhase::Marking) collector.abandon_cycle();
  vm_.closing = true;  // objects marked for finalization from now on are not finalized
  collector.to_finalize.insert(collector.to_finalize.end(), collector.finalizable.rbegin(),
                               collector.finalizable.rend());
  collector.finalizable.clear();
  collector.finalizer_depth = 0;  // os.exit may have been called by a finalizer
  collector.call_finalizers();
  for (Thread* thread : collector.threads) {
    if (thread->native_stack != nullptr && thread->status == ThreadStatus::Suspended) {
      collector.to_unwind.push_back(thread);
    }
  }
  collector.unwind_threads();
}

namespace {

/// False when the list cannot grow: then `object` lives on until the next cycle.
template <typename T>
bool keep_for_later(std::deque<T*>& list, T* object) {
  try {
    list.push_back(object);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

void Collector::separate_unreachable() {
  const size_t first_new = to_finalize.size();
  size_t kept = 0;
  bool all_kept = true;
  for (Object* object : finalizable) {
    const bool is_dead = is_white(object);
    if (is_dead && keep_for_later(to_finalize, object)) continue;
    all_kept &= !is_dead;
    finalizable[kept++] = object;
  }
  finalizable.resize(kept);
  std::reverse(to_finalize.begin() + static_cast<ptrdiff_t>(first_new), to_finalize.end());
  for (size_t i = first_new; i < to_finalize.size(); ++i) mark(to_finalize[i]);
  if (!all_kept) {
    for (Object* object : finalizable) mark(object);  // those there was no room for
  }
  revive_threads();
}

/// What is marked for them alone dies in the next cycle: it does not count where pacing asks what survived. Otherwise a program that
/// drops coroutines would have a heap twice as large after each cycle.
void Collector::revive_threads() {
  revived_bytes = 0;
  const size_t first_new = to_unwind.size();
  for (Thread* thread : threads) {
    if (thread->native_stack != nullptr && is_white(thread) && !keep_for_later(to_unwind, thread)) mark(thread);
  }
  if (to_unwind.size() == first_new) return;
  propagate_all();  // what finalizers may see is no part of it
  const size_t marked_before = heap.blocks_.marked_bytes() + marked_large_bytes;
  for (size_t i = first_new; i < to_unwind.size(); ++i) {
    Thread* thread = to_unwind[i];
    mark(thread);
    revived_bytes += stack_account_bytes(*thread);
  }
  propagate_all();
  revived_bytes += heap.blocks_.marked_bytes() + marked_large_bytes - marked_before;
}

void Collector::unwind_threads() {
  while (!to_unwind.empty()) {
    Thread* thread = to_unwind.back();
    to_unwind.pop_back();
    const Value error = vm.error;
    if (vm.hooks != nullptr) cut_all_paths(vm, *thread);
    (void)unwind_suspended(vm, *thread);
    vm.error = error;
  }
}

void Collector::call_finalizers() {
  if (finalizer_depth > 0) return;  // the loop that called this finalizer goes on
  while (next_to_finalize < to_finalize.size() && !vm.terminating) {
    Object* object = to_finalize[next_to_finalize++];
    object->gc_flags &= static_cast<uint8_t>(~Object::kHasFinalizer);
    call_finalizer(object);
  }
  if (vm.terminating) return;  // those that are left wait for the next safepoint
  to_finalize.clear();
  next_to_finalize = 0;
}

void Collector::call_finalizer(Object* object) {
  const Value value = object->type == ObjectType::Table ? Value::table(static_cast<Table*>(object))
                                                        : Value::userdata(static_cast<Userdata*>(object));
  const Value method = vm.metamethod(value, Metamethod::Gc);
  if (method.is_nil()) return;
  Thread& thread = *vm.current;
  Value* top = thread.top;
  const Value error = vm.error;
  if (!make_stack_room(thread, top, kCallOverheadSlots + 2)) return;  // it is skipped
  top[0] = error;  // the pending error stays rooted
  Value* function = top + 1;
  function[0] = method;
  function[1].set_nil();
  function[2].set_nil();
  function[kCallOverheadSlots] = value;
  thread.top = function + kCallOverheadSlots + 1;
  ++finalizer_depth;
  const ActivityScope running(vm, Activity::Program);
  const bool hooks_allowed = thread.hooks_allowed;
  const uint32_t flags = thread.frame()->flags;
  thread.hooks_allowed = false;
  thread.frame()->flags |= FrameHeader::kFinalizer;  // tracebacks: this frame calls a finalizer
  if (!protected_call(vm, function, 1, 0, Value::nil()) && !vm.terminating) {
    const std::string text = function[0].is_string() ? std::string(function[0].as_string()->view())
                                                     : std::string("error object is not a string");
    for (const std::string_view piece : {std::string_view("error in "), std::string_view("__gc"), std::string_view(" ("), std::string_view(text)}) {
      warn(vm, piece, true);
    }
    warn(vm, ")", false);
  }
  thread.frame()->flags = flags;
  thread.hooks_allowed = hooks_allowed;
  --finalizer_depth;
  if (!vm.terminating) vm.error = top[0];
  thread.top = top;
}

}  // namespace mangata
