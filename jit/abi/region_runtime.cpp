#include "jit/abi/region_runtime.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <new>
#include <type_traits>

#include "jit/abi/compiled_region.h"
#include "jit/abi/runtime_calls.h"
#include "jit/abi/runtime_calls_calls.h"
#include "jit/abi/runtime_calls_tables.h"
#include "jit/abi/runtime_strings.h"
#include "jit/abi/safepoint.h"
#include "vm/heap/collector.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/path_event.h"
#include "vm/operations/operations.h"

namespace mangata::jit {
namespace {

Object* allocate(Vm* vm, ObjectType type, uint64_t size_bytes) { return vm->heap.allocate_small(type, size_bytes); }

bool make_slot(Vm* vm, Table* table, const Shape* shape) { return table_make_slot(*vm, table, shape).ok(); }

uint64_t next_of(const Table* table, uint64_t cursor, Value* pair) {
  return table_step(table, static_cast<uint32_t>(cursor), &pair[0], &pair[1]);
}

/// Nothing is asked where the metatable is known to lack the metamethod.
bool lacks(const Table* table, AbsentMetamethod metamethod) {
  return table->metatable() == nullptr || (table->metatable()->type_flags & metamethod) != 0;
}

Value load_beyond(Table* table, int64_t key) {
  const Value found = table_get_integer(table, key);
  return found.is_nil() && !lacks(table, kNoIndex) ? Value(0, static_cast<Tag>(kNotLoaded)) : found;
}

uint64_t store_beyond(Vm* vm, Table* table, int64_t key, uint64_t payload, uint64_t tag) {
  if (!lacks(table, kNoNewIndex)) return 0;
  const ElementKind kind = table->element_kind();
  if (!table_set_integer(*vm, table, key, Value(payload, static_cast<Tag>(tag))).ok()) return 0;
  return table->element_kind() == kind ? kStored : kStoredAsOtherKind;
}

double power(double base, double exponent) { return std::pow(base, exponent); }

/// Runs a complete frame from `pc` to its return, in whatever tier it can.
int64_t finish_frame(Thread* thread, Value* base, const Instruction* pc) {
  Vm& vm = *thread->vm;
  frame_of(base)->saved_pc = pc;
  while (true) {
    const Proto& proto = *function_slot(base)->as_lua_function()->proto;  // a tail call may have put another there
    thread->base = base;
    if (may_run_compiled(proto, *thread, frame_of(base)->saved_pc)) {
      ++thread->activations;
      const int64_t outcome = vm.native_tier->resume(thread, base, frame_of(base)->saved_pc);
      --thread->activations;
      return outcome;
    }
    if (!follows_open_results(proto, frame_of(base)->saved_pc)) thread->top = frame_top(base);
    const RunOutcome outcome = run_left_frame(vm, *thread);
    if (outcome == RunOutcome::Hot) continue;
    return outcome == RunOutcome::Returned ? kDone : kRaised;
  }
}

/// The table has a new shape and a new metatable.
void barrier_of_shape(Vm* vm, Table* table, const void*) {
  vm->heap.write_barrier(table, table->shape);
  vm->heap.write_barrier(table, table->own_metatable);
}

int64_t collect(Thread* thread, Value* base, const Instruction* pc) {
  publish(thread, base, pc);
  return outcome_of(thread, thread->vm->heap.safepoint());
}

/// No safepoint: they are white, so there is nothing to tell the collector.
void make_tables(Vm& vm, Value* base, const std::vector<ExitSite::NewTable>& tables) {
  for (const ExitSite::NewTable& new_table : tables) {
    Table* table = table_new(vm, new_table.expected, new_table.room);
    table->shape = const_cast<Shape*>(new_table.shape);
    table->own_metatable = new_table.shape->common_metatable;  // others are not replaced under a metatable
    for (const FrameSlot slot : new_table.slots) *(base + slot) = Value::table(table);
  }
  for (const ExitSite::NewTable& new_table : tables) {
    Table* table = (base + new_table.slots.front())->as_table();
    if (new_table.room != 0) {
      std::copy_n(base + new_table.fields_at, new_table.field_count, table->slots);
    } else {
      (void)table_set_list(vm, table, 1, base + new_table.fields_at, new_table.field_count);  // so few always fit
    }
  }
}

bool may_compare_by_metamethod(const Value& value) { return value.is_table() ? value.as_table()->metatable() != nullptr : value.is_userdata(); }

uint64_t equality(uint64_t left_payload, uint64_t left_tag, uint64_t right_payload, uint64_t right_tag) {
  const Value left(left_payload, static_cast<Tag>(left_tag)), right(right_payload, static_cast<Tag>(right_tag));
  if (left.tag == right.tag && left.payload == right.payload) return !left.is_float() || left.as_float() == left.as_float();
  if (left.is_string() && right.is_string()) return left.as_string()->is_short() || right.as_string()->is_short() ? 0 : kEqualityUnknown;
  if (may_compare_by_metamethod(left) || may_compare_by_metamethod(right)) {
    const bool is_certain = left.tag != right.tag && !left.is_userdata() && !right.is_userdata();  // C data is equal to other types
    return is_certain ? 0 : kEqualityUnknown;
  }
  return raw_equals(left, right) ? 1 : 0;
}

Value load_property(Vm* vm, Table* table, String* key) {
  Value found;
  const InlineCache* known = find_shared(*vm, &SharedPropertyCache::gets, table->shape, key);
  if (known != nullptr && cache_get(table, *known, key, &found)) [[likely]]
    return found;
  const bool is_loaded = !table->shape->root->is_stale && get_shared(*vm, table, key, &found);  // the table keeps its shape
  return is_loaded ? found : Value(0, static_cast<Tag>(kNotLoaded));
}

bool store_property(Vm* vm, Table* table, String* key, uint64_t payload, uint64_t tag) {
  return set_shared(*vm, table, key, Value(payload, static_cast<Tag>(tag)));
}

/// A native function by its direct form; false: it has none for these arguments. Where all results are wanted, they end at Thread::top.
/// Always inlined: who samples time knows functions of C by the two frames above machine code (runtime/sampling/native_walk.h).
[[gnu::always_inline]] inline bool call_directly(Thread* thread, Value* function, int argument_count, int wanted) {
  const DirectCode direct = function->as_native_function()->direct;
  const int count = direct == nullptr ? kNotDirect : direct(*thread->vm, function, argument_count);
  if (count == kNotDirect) return false;
  for (int i = count; i < wanted; ++i) function[i].set_nil();
  if (wanted < 0) thread->top = function + count;
  return true;
}

/// Of the call, whose open arguments are where arguments are.
int argument_count_at(const Thread* thread, const Value* function, const Instruction& in) {
  return in.b != 0 ? in.b - 1 : static_cast<int>(thread->top - (function + kCallOverheadSlots));
}

/// Native functions by their direct forms, where they have one.
int64_t region_call(Thread* thread, Value* base, const Instruction* pc) {
  const Instruction& in = pc[-1];
  Value* function = base + in.a;
  if (!function->is_native_function() || !call_directly(thread, function, argument_count_at(thread, function, in), in.c - 1))
    return runtime_call(thread, base, pc);
  return thread->vm->heap.needs_step() ? runtime_safepoint_after_call(thread, base, pc) : kDone;
}

/// From a function that was inlined. Where its caller wants all results, they are moved to where that has them.
int64_t region_tail_call_native(Thread* thread, Value* base, const Instruction* pc) {
  Vm& vm = *thread->vm;
  Value* function = base + pc[-1].a;
  const int argument_count = argument_count_at(thread, function, pc[-1]);
  const int wanted = frame_of(base)->wanted_results;
  const bool is_open = wanted == kMultipleResults;
  publish(thread, base, pc);
  if (!call_directly(thread, function, argument_count, wanted) && !call_native(vm, *thread, function, argument_count, wanted).ok()) return kRaised;
  if (!is_open) {
    thread->top = std::max(frame_top(base), function + wanted);
    return outcome_of(thread, vm.heap.safepoint());
  }
  Value* results = result_slot(base, frame_of(base), function_slot(base)->as_lua_function()->proto->parameter_count);
  thread->top = move_results(results, function, static_cast<int>(thread->top - function), kMultipleResults);
  thread->base = caller_base(base);
  return outcome_of(thread, vm.heap.safepoint());
}

/// Any iterator: sets the call up at R[a+4], and makes it.
int64_t region_generic_for_call(Thread* thread, Value* base, const Instruction* pc) {
  Value* control = base + pc[-1].a;
  control[4] = control[0];
  control[4 + kCallOverheadSlots] = control[1];
  control[5 + kCallOverheadSlots] = control[2];
  return runtime_generic_for_call(thread, base, pc);
}

template <typename Function>
const void* address(Function* function) {
  return reinterpret_cast<const void*>(function);
}

/// For the frames of inlined calls, for the next time; false: there is. Frames are not counted for it
/// (grow_stack).
bool make_room(Thread* thread, Value* base, int slots) {
  if (base + slots <= thread->stack_soft_limit || slots > thread->stack_end - base ||
      base + slots > thread->stack + Thread::kMaxValueSlots)
    return false;
  return make_stack_room(*thread, base, slots);
}

/// As baseline code does where a function starts. False: an error was raised.
bool count_call_of(Thread* thread, Value* base, const Proto& proto) {
  Vm& vm = *thread->vm;
  if (!vm.machine_events.take_one()) return true;
  publish(thread, base, proto.code);
  return poll(vm, const_cast<Proto&>(proto)).ok();
}

/// Of regions that count events, and are left for want of fuel: whoever counts the next one shares out what is left in all
/// (runtime/embed/fuel.h).
void ask_for_fuel(Vm& vm) {
  if (vm.region_fuel <= kReservedEvents) vm.machine_events.arm(0);  // functions with loops need one more to begin
}

/// What the registers of a frame are adds to what they were.
void note_tags(const Value* base, const Proto& proto, std::vector<TagMask>* tags) {
  try {
    tags->resize(static_cast<size_t>(proto.max_stack_slots));
  } catch (const std::bad_alloc&) {  // no exception crosses machine code
    return;
  }
  for (size_t i = 0; i < tags->size(); ++i) (*tags)[i] |= mask_of(base[i]);
}

/// Whoever watches regions does so when baseline code counts an event, and a region that is entered and left from one call to the next lets
/// none happen there: so the exits themselves say it, each 1,024th.
void say_if_left_often(Vm& vm, Value* base, const ExitSite& exit, uint64_t count) {
  if (vm.hooks == nullptr || exit.why == ExitSite::Why::Loop || exit.why == ExitSite::Why::Collector) return;
  if ((count & 1023) != 0 && exit.why != ExitSite::Why::Upgrade) return;
  vm.hooks->region_is_left(*function_slot(base)->as_lua_function()->proto);
}

/// That of the frame, and of one that has moved up also the one that its caller has made: tail calls go on with it.
void write_headers(Value* base, const ExitFrame& frame, FrameSlot caller_base) {
  const auto write = [&](FrameSlot frame_base, uint32_t varargs) {
    write_frame_header(frame_of(base + frame_base), frame.pc, frame.wanted_results, static_cast<uint32_t>(frame_base - caller_base), varargs, frame.flags);
  };
  write(frame.base, frame.varargs);
  if (frame.varargs > 0) write(frame.origin + kCallOverheadSlots, 0);
}

}  // namespace

int32_t make_room_for_region(Thread* thread, Value* base) {
  const int slots = function_slot(base)->as_lua_function()->proto->max_stack_slots;
  make_room(thread, base, slots + static_cast<int>(Thread::kUncheckedSlots));
  return base + slots <= thread->compiled_limit;
}

int64_t complete_exit(Thread* thread, Value* base, int64_t index, RegionCode* code) {
  const ExitSite& exit = code->exits[static_cast<size_t>(index)];
  const uint64_t count = ++code->exit_counts[static_cast<size_t>(index)];
  for (const ExitSite::SlotTag& slot_tag : exit.tags) (base + slot_tag.slot)->tag = slot_tag.tag;
  make_tables(*thread->vm, base, exit.tables);
  if (exit.why == ExitSite::Why::Entry && !make_room(thread, base, code->stack_slots))
    note_tags(base, *exit.proto, &code->refused_tags);
  if (exit.open_end != kNoFrameSlot) thread->top = base + exit.open_end;
  if (exit.counts_call && !count_call_of(thread, base, *exit.proto)) return kRegionRaised;
  thread->vm->region_fuel -= exit.events;
  ask_for_fuel(*thread->vm);
  say_if_left_often(*thread->vm, base, exit, count);
  if (exit.frames.empty()) return value_of(exit.region_pc);
  const std::vector<ExitFrame>& frames = exit.frames;
  frame_of(base)->saved_pc = frames[0].pc;
  for (size_t i = 1; i < frames.size(); ++i) write_headers(base, frames[i], frames[i - 1].base);
  const int64_t region_pc = value_of(exit.region_pc);
  std::array<ExitFrame, kMostExitFrames> copies;  // the region may die while they run
  std::copy(frames.begin(), frames.end(), copies.begin());
  for (size_t i = frames.size() - 1; i > 0; --i) {
    const ExitFrame& exit_frame = copies[i];
    if (finish_frame(thread, base + exit_frame.base, exit_frame.pc) < 0) return kRegionRaised;
    if (exit_frame.result_slot >= FrameSlot{0}) *(base + exit_frame.result_slot) = *(base + exit_frame.origin);
  }
  thread->base = base;
  return must_leave(thread) ? kRegionLeaves : region_pc;
}

namespace {

/// A call of a region by itself that has not returned, with its frame complete: runs it to its end.
int64_t finish_call(Thread* thread, Value* base, int64_t status, RegionCode** code) {
  if (status == kRegionRaised) return kRaised;
  if (status == kRegionReturnedNothing) {  // an open number of results was wanted
    thread->top = function_slot(base);
    return kDone;
  }
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  if (status == kRegionRefused) return thread->vm->native_tier->call(thread, base, proto.parameter_count);
  if (status >= 0) {
    const Instruction* address = (*code)->address;
    status = complete_exit(thread, base, status, *code);
    if (status == kRegionRaised) return kRaised;
    if (status >= 0) frame_of(base)->saved_pc = address + status;
  }
  if (finish_frame(thread, base, frame_of(base)->saved_pc) < 0) return kRaised;
  return must_leave(thread) ? kLeave : kDone;
}

#ifndef NDEBUG
/// What a safepoint would have changed: a step of the collector pays the debt, begins a cycle or ends one, and Lua code leaves the base
/// where it was only when it has returned.
struct SafepointTrace {
  explicit SafepointTrace(const Vm& vm) : vm_(vm), before_(state()) {}
  ~SafepointTrace() { assert(state() == before_ && (vm_.heap.needs_step() || !needed_step_)); }

 private:
  struct State {
    CollectorPhase phase;
    uint32_t cycles_ended;
    const Thread* current;
    const Value* base;
    friend bool operator==(const State&, const State&) = default;
  };
  State state() const {
    const Collector& collector = const_cast<Vm&>(vm_).heap.collector();
    return {collector.phase, collector.cycles_ended, vm_.current, vm_.current->base};
  }
  const Vm& vm_;
  const State before_;
  const bool needed_step_ = vm_.heap.needs_step();
};

/// The machine that a function is called with. One that is called with none cannot reach it.
template <class First, class... Rest>
const Vm* machine_of(const First& first, const Rest&...) {
  if constexpr (std::is_convertible_v<First, const Thread*>) {
    return first->vm;
  } else if constexpr (std::is_convertible_v<First, const Vm*>) {
    return first;
  } else if constexpr (std::is_same_v<First, Vm>) {
    return &first;
  } else {
    return nullptr;
  }
}

/// Calls the function, and asserts that it was no safepoint.
template <auto function>
struct Watched;
template <class Result, class... Parameters, Result (*function)(Parameters...)>
struct Watched<function> {
  static Result call(Parameters... parameters) {
    const Vm* const vm = machine_of(parameters...);
    if (vm == nullptr) return function(parameters...);
    const SafepointTrace trace(*vm);
    return function(parameters...);
  }
};
#endif

/// What optimized code calls for a row of region_runtime.def. With assertions, functions that are marked as no safepoint are watched.
template <bool is_safepoint, auto function>
auto* watched() {
#ifndef NDEBUG
  if constexpr (!is_safepoint) {
    return &Watched<function>::call;
  } else
#endif
  {
    return function;
  }
}

}  // namespace

RegionRuntime region_runtime() {
  RegionRuntime functions;
#define RUNTIME_CALL(name, function, is_safepoint, result, parameters) functions.name = address(watched<is_safepoint, static_cast<result(*) parameters>(function)>());
#define OPCODE_CALL(...)
#include "jit/abi/region_runtime.def"
  for (const void*& each : functions.by_opcode) each = functions.step;
#define RUNTIME_CALL(...)
#define OPCODE_CALL(op, function) functions.by_opcode[static_cast<size_t>(Opcode::op)] = address(static_cast<RuntimeCall>(function));
#include "jit/abi/region_runtime.def"
  return functions;
}

}  // namespace mangata::jit
