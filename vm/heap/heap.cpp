// The slow halves of allocation and of the barrier, and the parameters of collectgarbage.
#include "vm/heap/heap.h"

#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/heap/collector.h"
#include "vm/heap/emergency_memory.h"
#include "vm/heap/large_space.h"
#include "vm/heap/memory_grant.h"
#include "vm/object/hash_part.h"
#include "vm/object/shape.h"
#include "vm/object/thread.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// In a run, so far. It may end in front of where it began, when the cell there was given back as the newest one: then that is taken off.
Allocated allocated_between(const char* start, const char* next, int size_class) {
  const ptrdiff_t bytes = next - start;
  return {static_cast<uint64_t>(bytes), static_cast<uint64_t>(bytes / ptrdiff_t{kClassBytes[size_class]})};
}

}  // namespace

Heap::Heap(Vm& vm)
    : vm_(vm), large_(std::make_unique<LargeSpace>()), collector_(std::make_unique<Collector>(*this, vm)) {
  collector_->enter_pause();
}

Heap::~Heap() { collector_->destroy_all(); }

/// The run of the class ends: what was allocated in it is counted.
void Heap::count_run(int size_class) {
  BumpRun& run = runs_[size_class];
  char*& start = run_starts_[size_class];
  if (run.next != start) retired_ += allocated_between(start, run.next, size_class);
  run_starts_sum_ -= reinterpret_cast<uintptr_t>(start);
  run = {};
  start = nullptr;
}

void Heap::retire_runs() {
  for (int size_class = 0; size_class < kSizeClassCount; ++size_class) count_run(size_class);
}

Allocated Heap::allocated() const {
  Allocated sum = retired_;
  for (int size_class = 1; size_class < kSizeClassCount; ++size_class) {
    if (runs_[size_class].next != run_starts_[size_class]) sum += allocated_between(run_starts_[size_class], runs_[size_class].next, size_class);
  }
  return sum;
}

Object* Heap::allocate_slow(ObjectType type, int size_class) {
  count_run(size_class);
  BumpRun run = blocks_.next_run(size_class);
  const ptrdiff_t bytes = run.end - run.next;
  small_bytes_ += static_cast<size_t>(bytes);
  debt_bytes_ += bytes;
  if ((limit_bytes_ != 0 && !may_hold(total_bytes())) || EmergencyMemory::is_short()) [[unlikely]]
    debt_bytes_ = PTRDIFF_MAX / 2;
  char* cell = run.next;
  run_starts_[size_class] = cell;
  run_starts_sum_ += reinterpret_cast<uintptr_t>(cell);
  run.next += kClassBytes[size_class];
  runs_[size_class] = run;
  return initialize(cell, type, 0);
}

Object* Heap::allocate_large(ObjectType type, size_t size_bytes) {
  if (limit_bytes_ != 0) {
    const size_t in_use = total_bytes();
    if (size_bytes > PTRDIFF_MAX / 2) return nullptr;
    if (!may_hold(in_use + size_bytes)) {
      // Garbage may stand in the way, and allocation cannot collect: a little more than the limit is tolerated
      // until the next safepoint.
      if (in_use + size_bytes > limit_bytes_ + limit_bytes_ / 8) return nullptr;
      debt_bytes_ = PTRDIFF_MAX / 2;
    }
  }
  const bool is_array = type == ObjectType::Bytes || type == ObjectType::Values;
  LargeHeader* header = large_->allocate(size_bytes, is_array ? sizeof(Object) : HashPart::size_bytes(0));
  if (header == nullptr) {  // garbage may stand in the way
    collector_->was_refused = true;
    debt_bytes_ = PTRDIFF_MAX / 2;
    return nullptr;
  }
  if (debt_bytes_ < PTRDIFF_MAX / 2) debt_bytes_ += static_cast<ptrdiff_t>(size_bytes);
  retired_ += {size_bytes, 1};
  return initialize(reinterpret_cast<char*>(header->object()), type, Object::kLarge);
}

void Heap::free_storage(Object* storage) {
  if (storage == nullptr) return;
  if ((storage->gc_flags & Object::kLarge) != 0) {
    LargeHeader* header = LargeHeader::of(storage);
    if (marking_ && is_large_marked(storage)) collector_->marked_large_bytes -= header->size_bytes;
    debt_bytes_ -= static_cast<ptrdiff_t>(header->size_bytes);
    large_->free(header);
    return;
  }
  const MarkBit bit(storage);
  if (marking_)
    bit.block->bits[blocks_.mark_index][bit.word] &= ~bit.mask;  // what is made here next is white
  const int size_class = bit.block->size_class;
  const ptrdiff_t bytes = kClassBytes[size_class];
  char* cell = reinterpret_cast<char*>(storage);
  storage->type = ObjectType::Free;
  if (runs_[size_class].next == cell + bytes) {  // the newest of its class
    runs_[size_class].next = cell;
    retired_ += {static_cast<uint64_t>(bytes), 1};  // it was allocated all the same
    return;
  }
  small_bytes_ -= static_cast<size_t>(bytes);
  debt_bytes_ -= bytes;
  blocks_.recycle(storage, size_class);
}

Object* Heap::grow_storage(Object* storage, size_t size_bytes) {
  if ((storage->gc_flags & Object::kLarge) == 0) return nullptr;
  LargeHeader* header = LargeHeader::of(storage);
  if (size_bytes <= header->size_bytes || size_bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t more_bytes = size_bytes - header->size_bytes;
  if (limit_bytes_ != 0 && !may_hold(total_bytes() + more_bytes)) return nullptr;
  header = large_->grow(header, size_bytes);
  if (header == nullptr) return nullptr;
  if (marking_ && is_large_marked(header->object())) collector_->marked_large_bytes += more_bytes;
  if (debt_bytes_ < PTRDIFF_MAX / 2) debt_bytes_ += static_cast<ptrdiff_t>(more_bytes);
  retired_ += {size_bytes, 1};
  return header->object();
}

void Heap::register_destructible(Object* object) {
  switch (object->type) {
    case ObjectType::Thread:
      collector_->threads.push_back(static_cast<Thread*>(object));
      break;
    case ObjectType::Shape:
      collector_->shapes.push_back(static_cast<Shape*>(object));
      break;
    default:
      collector_->protos.push_back(static_cast<Proto*>(object));
      break;
  }
}

void Heap::barrier_slow(Object* owner, Object* target) {
  if ((owner->gc_flags & Object::kGrayAgain) != 0 || !is_marked(owner) || is_marked(target)) return;
  if (owner->type == ObjectType::Table) {
    collector_->gray_again(owner);
  } else {
    collector_->mark(target);
  }
}

bool Heap::is_large_marked(const Object* object) const {
  return LargeHeader::of(object)->marked_epoch == large_->epoch;
}

size_t Heap::total_bytes() const {
  size_t unused_bytes = 0;
  for (const BumpRun& run : runs_) unused_bytes += static_cast<size_t>(run.end - run.next);
  return small_bytes_ - unused_bytes + large_->bytes + external_bytes_;
}

Status Heap::step() {
  const ActivityScope collecting(vm_, Activity::Collector);
  return collector_->step();
}

Status Heap::collect_full() {
  const ActivityScope collecting(vm_, Activity::Collector);
  return collector_->collect_full();
}

void Heap::stop() {
  collector_->stopped = true;
  collector_->set_debt();
}

void Heap::restart() {
  collector_->stopped = false;
  debt_bytes_ = 0;  // as lua_gc: the next allocation makes a step
}

bool Heap::is_running() const { return !collector_->stopped; }

namespace {
/// Lua 5.4 keeps these parameters in a byte, divided by 4; scripts can see that.
int exchange_parameter(int& parameter, int percent) {
  const int previous = parameter;
  parameter = static_cast<uint8_t>(percent / 4) * 4;
  return previous;
}
}  // namespace

int Heap::set_pause(int percent) { return exchange_parameter(collector_->pause_percent, percent); }
int Heap::set_step_multiplier(int percent) {
  return exchange_parameter(collector_->step_multiplier_percent, percent);
}

bool Heap::set_generational(bool on) {
  const bool previous = collector_->generational;
  collector_->generational = on;
  return previous;
}

bool Heap::in_finalizer() const { return collector_->finalizer_depth > 0; }

void Heap::set_limit(size_t bytes) { limit_bytes_ = bytes; }

bool Heap::ask_for(size_t bytes) {
  limit_bytes_ = grant_->grow_to(bytes);
  return bytes <= limit_bytes_;
}

bool Heap::set_grant(MemoryGrant* grant) {
  grant_ = grant;
  limit_bytes_ = grant == nullptr ? 0 : 1;
  return may_hold(total_bytes());
}

void Heap::set_stress(bool on) {
  collector_->stress = on;
  collector_->set_debt();
}

}  // namespace mangata
