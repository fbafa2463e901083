// The atomic phase: the end of marking, and everything that needs the final marks.
#include <algorithm>

#include "vm/bytecode/proto_lifecycle.h"
#include "vm/heap/collector.h"
#include "vm/heap/references.h"
#include "vm/interpreter/coroutine.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/object/thread_stack.h"
#include "vm/operations/operations.h"
#include "vm/tier_hooks.h"
#include "vm/vm.h"

namespace mangata {

void Collector::finish_marking(bool in_steps) {
  in_atomic = true;
  mark_roots();
  propagate_all();
  remark_open_upvalues();
  trace_gray_again();
  if (has_lost_gray_again) {
    has_lost_gray_again = false;
    has_untraced = true;
    propagate_all();
  }
  converge_ephemerons();
  // Values are cleared before finalizers revive anything, keys after (manual §2.5.4).
  clear_values(weak_values, 0);
  clear_values(white_keys, 0);
  const size_t cleared_weak_values = weak_values.size();
  const size_t cleared_white_keys = white_keys.size();
  separate_unreachable();
  propagate_all();
  converge_ephemerons();
  clear_keys(ephemerons);
  clear_keys(white_keys);
  clear_values(weak_values, cleared_weak_values);
  clear_values(white_keys, cleared_white_keys);
  weak_values.clear();
  ephemerons.clear();
  white_keys.clear();
#ifndef NDEBUG
  verify();
#endif
  clear_stacks();
  reset_weak_caches();
  for (Shape* shape : shapes) {
    if (!is_white(shape)) shape_drop_dead_links(shape, heap);
  }
  vm.strings.sweep(in_steps);
  destroy_unmarked();
  adopt_survivors();
  in_atomic = false;
}

void Collector::trace_gray_again() {
  while (!again.empty()) {
    std::vector<Object*> objects;
    objects.swap(again);
    for (Object* object : objects) {
      object->gc_flags &= static_cast<uint8_t>(~Object::kGrayAgain);
      trace(object);
      propagate_all();
    }
  }
}

/// An open upvalue was traced, its thread then stored something new in the slot and became unreachable: the
/// slot is not traced with the stack any more.
void Collector::remark_open_upvalues() {
  for (Thread* thread : threads) {
    if (thread->open_upvalues == nullptr || !is_white(thread)) continue;
    for (Upvalue* upvalue = thread->open_upvalues; upvalue != nullptr; upvalue = upvalue->next_open) {
      if (!is_white(upvalue)) mark(*upvalue->location);
    }
  }
  propagate_all();
}

/// Registers are not initialised when a frame is pushed, so what lies above the stacks must not refer to dead
/// objects.
void Collector::clear_stacks() {
  for (Thread* thread : threads) {
    if (!is_white(thread)) clear_stack_above_top(*thread);
  }
}

void Collector::reset_weak_caches() {
  vm.metatable_classes.forget_dead(heap);
  const auto dead = [this](const Object* object) { return object != nullptr && is_white(object); };
  const auto knows_dead = [&](const InlineCache& cache) { return dead(cache.shape) || dead(cache.new_shape) || dead(cache.holder); };
  if (vm.property_cache) {
    const auto is_gone = [&](const SharedPropertyCache::Entry& entry) {
      return dead(entry.key) || knows_dead(entry.cache) || is_free(entry.cache);
    };
    vm.property_cache->gets.drop_if(is_gone);
    vm.property_cache->sets.drop_if(is_gone);
  }
  for (Proto* proto : protos) {
    if (is_white(proto)) continue;
    for (std::vector<InlineCache>* caches : {&proto->caches, &proto->second_caches}) {
      for (InlineCache& cache : *caches) {
        if (knows_dead(cache)) cache = InlineCache{};
      }
    }
  }
}

namespace {

/// Closures that outlive a thread keep the variables they captured.
void destroy_thread(Vm& vm, Thread* thread) {
  for (Upvalue* upvalue = thread->open_upvalues; upvalue != nullptr;) {
    Upvalue* next = upvalue->next_open;
    const Value value = *upvalue->location;
    upvalue->closed = value;
    upvalue->location = &upvalue->closed;
    upvalue = next;
  }
  release_thread_stack(vm, *thread);
  thread->~Thread();
}

void destroy_proto(Vm& vm, Proto* proto) {
  if (vm.hooks != nullptr) vm.hooks->proto_destroyed(*proto);
  vm.heap.account_function(-static_cast<ptrdiff_t>(proto_external_bytes(*proto)));
  proto->~Proto();
}

/// Removes the elements for which `is_dead` holds, after destroying them.
template <typename T, typename IsDead, typename Destroy>
void destroy_if(std::deque<T*>& objects, IsDead is_dead, Destroy destroy) {
  size_t kept = 0;
  for (T* object : objects) {
    if (is_dead(object)) {
      destroy(object);
    } else {
      objects[kept++] = object;
    }
  }
  objects.resize(kept);
}

/// Stacks of dead threads that are kept, though they may be most of the heap.
constexpr size_t kWarmStackBytes = size_t{16} << 20;

}  // namespace

void Collector::destroy_unmarked() {
  const auto is_dead = [this](const Object* object) { return is_white(object); };
  // Threads first: the paths their frames were on are reported, which reads functions and prototypes.
  if (vm.hooks != nullptr) {
    for (Thread* thread : threads) {
      if (is_dead(thread) && thread->status == ThreadStatus::Suspended) cut_all_paths(vm, *thread);
    }
  }
  // The stacks of threads that die now are in the heap's bytes; as many are likely to be made before the next
  // cycle.
  const size_t warm_bytes = std::max(heap.total_bytes() / 4, std::min(heap.total_bytes(), kWarmStackBytes));
  vm.stacks.set_warm_limit(warm_bytes);
  destroy_if(threads, is_dead, [this](Thread* thread) { destroy_thread(vm, thread); });
  vm.stacks.trim();
  destroy_if(protos, is_dead, [this](Proto* proto) { destroy_proto(vm, proto); });
  destroy_if(shapes, is_dead, [](Shape* shape) { shape->~Shape(); });
}

void Heap::cut_suspended_paths() {
  if (vm_.hooks == nullptr) return;
  for (Thread* thread : collector_->threads) {
    if (thread->status == ThreadStatus::Suspended) cut_all_paths(vm_, *thread);
  }
}

void Collector::destroy_all() {
  const auto all = [](const Object*) { return true; };
  heap.cut_suspended_paths();
  destroy_if(threads, all, [this](Thread* thread) { destroy_thread(vm, thread); });
  destroy_if(protos, all, [this](Proto* proto) { destroy_proto(vm, proto); });
  destroy_if(shapes, all, [](Shape* shape) { shape->~Shape(); });
}

void Collector::adopt_survivors() {
  ++cycles_ended;
  heap.retire_runs();
  heap.small_bytes_ = heap.blocks_.adopt_marks();
  heap.large_->start_sweep();
  heap.marking_ = false;
  phase = CollectorPhase::Sweeping;
}

}  // namespace mangata
