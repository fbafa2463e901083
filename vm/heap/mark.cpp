// Marking: roots, the gray list, and how each kind of object is traced.
#include <algorithm>

#include "vm/heap/collector.h"
#include "vm/heap/large_space.h"
#include "vm/heap/references.h"
#include "vm/poll.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// Elements of one table traced without a break; what they reference is traced in between, which keeps the
/// gray list small.
constexpr uint32_t kElementsPerSlice = 1024;

struct Marker {
  Collector& collector;
  void object(Object* target) { collector.mark_soon(target); }
  void value(const Value& target) {
    if (target.is_collectable()) collector.mark_soon(target.as_object());
  }
};

}  // namespace

void Collector::start_cycle() {
  heap.blocks_.clear_marks();
  heap.large_->start_marking();
  marked_large_bytes = 0;
  heap.marking_ = true;
  phase = CollectorPhase::Marking;
  mark_roots();
}

void Collector::abandon_cycle() {
  for (Object* object : again) object->gc_flags &= static_cast<uint8_t>(~Object::kGrayAgain);
  again.clear();
  gray.clear();
  std::ranges::fill(awaited, nullptr);
  partial.clear();
  has_untraced = has_lost_gray_again = false;
  heap.marking_ = false;
  phase = CollectorPhase::Pause;
}

void Collector::mark_roots() {
  mark_or_null(vm.main_thread);
  mark_or_null(vm.current);
  mark_or_null(vm.registry);
  mark_or_null(vm.globals);
  mark_or_null(vm.host_objects);
  mark_or_null(vm.empty_shape);
  mark_or_null(vm.empty_string);
  mark_or_null(vm.memory_error);
  mark(vm.error);
  for (Table* metatable : vm.type_metatables) mark_or_null(metatable);
  for (const Value& value : vm.pinned.values) mark(value);
  for (String* name : vm.metamethod_names) mark_or_null(name);
  for (String* name : vm.type_names) mark_or_null(name);
  for (size_t i = next_to_finalize; i < to_finalize.size(); ++i) mark(to_finalize[i]);
  for (Thread* thread : to_unwind) mark(thread);
}

bool Collector::try_mark_large(Object* object) {
  LargeHeader* header = LargeHeader::of(object);
  if (header->marked_epoch == heap.large_->epoch) return false;
  header->marked_epoch = heap.large_->epoch;
  marked_large_bytes += header->size_bytes;
  return true;
}

void Collector::gray_again(Object* object) {
  if ((object->gc_flags & Object::kGrayAgain) != 0) return;
  try {
    again.push_back(object);
    object->gc_flags |= Object::kGrayAgain;
  } catch (const std::bad_alloc&) {
    has_lost_gray_again = true;
  }
}

void Collector::trace_all_marked() {
  has_untraced = false;
  const auto trace_one = [this](Object* object) {
    if (has_references(object->type)) trace(object);
    for (;;) {
      if (Object* next = next_gray()) {
        trace(next);
      } else if (!partial.empty()) {
        mark_slice(UINT32_MAX);
      } else {
        return;
      }
    }
  };
  heap.blocks_.for_each_marked(trace_one);
  for (size_t i = 0; i < heap.large_->objects.size(); ++i) {
    LargeHeader* header = heap.large_->objects[i];
    if (header->marked_epoch == heap.large_->epoch) trace_one(header->object());
  }
}

bool Collector::keep(std::vector<Table*>& list, Table* table) {
  try {
    list.push_back(table);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

WorkUnits Collector::mark_some(WorkUnits budget) {
  while (budget > 0) {
    if (Object* object = next_gray()) {
      budget -= trace(object);
    } else if (!partial.empty()) {
      mark_slice(kElementsPerSlice);
      budget -= kElementsPerSlice;
    } else if (has_untraced) [[unlikely]] {
      trace_all_marked();
    } else {
      return budget;
    }
  }
  // The program may move elements within a table without a barrier: none stays half traced while it runs.
  while (!partial.empty()) mark_slice(UINT32_MAX);
  mark_awaited();
  return 0;
}

void Collector::mark_awaited() {
  for (Object*& object : awaited) mark_or_null(std::exchange(object, nullptr));
}

/// Marks the next elements of the innermost table that is half traced.
void Collector::mark_slice(uint32_t count) {
  Partial& slice = partial.back();
  const Value* values = slice.table->values();
  const uint32_t from = slice.next_index;
  const uint32_t to = from + std::min(slice.table->array_size() - from, count);
  slice.next_index = to;
  if (to == slice.table->array_size()) partial.pop_back();
  Marker marker{*this};
  for (uint32_t i = from; i < to; ++i) marker.value(values[i]);
}

void Collector::propagate_all() {
  while (mark_some(PTRDIFF_MAX) == 0) {
  }
}

Status Collector::propagate_interruptibly() {
  constexpr WorkUnits kUnitsPerPoll = 1 << 16;  // some hundred microseconds
  constexpr int64_t kUnitsPerStep = 4;
  WorkUnits units = 4000 * kUnitsPerStep;  // what a cycle costs however little there is to mark
  for (;;) {
    Object* object = next_gray();
    const bool is_done = object == nullptr && partial.empty() && !has_untraced;
    if (is_done || units > kUnitsPerPoll) {
      mark_awaited();  // the program may free storage
      if (!poll_native(vm, units / kUnitsPerStep).ok()) break;
      if (is_done) return {};
      units = 0;
    }
    if (object != nullptr) {
      units += trace(object);
    } else if (!partial.empty()) {
      mark_slice(kElementsPerSlice);
      units += kElementsPerSlice;
    } else {
      trace_all_marked();
    }
  }
  abandon_cycle();
  set_debt();
  return Raised{};
}

WorkUnits Collector::trace(Object* object) {
  if (object->type == ObjectType::Table) return trace_table(static_cast<Table*>(object));
  // Stacks change without a barrier.
  if (object->type == ObjectType::Thread && !in_atomic) gray_again(object);
  return visit_references(object, Marker{*this});
}

WorkUnits Collector::trace_table(Table* table) {
  Marker marker{*this};
  visit_table_storage(table, marker);
  const uint8_t mode = weak_mode(table);
  if (mode != 0) [[unlikely]] {
    if (!in_atomic) gray_again(table);
    if (mode == kWeakValues) return trace_weak_values(table);
    if (mode == kWeakKeys) return trace_ephemeron(table);
    if (in_atomic && !keep(white_keys, table)) trace_strongly(table);
    return 4;
  }
  visit_table_properties(table, marker);
  visit_table_nodes(table, marker);
  WorkUnits units = 4 + table->shape->slot_count;
  if (table->hash != nullptr) units += 2 * table->hash->node_count();
  if (table->element_kind() == ElementKind::Any) {
    const uint32_t count = table->array_size();
    const uint32_t first_slice = std::min(count, kElementsPerSlice);
    for (uint32_t i = 0; i < first_slice; ++i) marker.value(table->values()[i]);
    if (count > first_slice) partial.push_back({table, first_slice});  // few at a time: one for each table that holds another
    units += first_slice;
  }
  return units;
}

void Collector::trace_strongly(Table* table) {
  Marker marker{*this};
  visit_table_properties(table, marker);
  visit_table_nodes(table, marker);
  if (table->element_kind() != ElementKind::Any) return;
  for (uint32_t i = 0; i < table->array_size(); ++i) mark(table->values()[i]);
}

}  // namespace mangata
