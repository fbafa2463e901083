#include "vm/interpreter/slow_paths.h"

#include <cmath>

#include "vm/bytecode/opcode_facts.h"
#include "vm/heap/emergency_memory.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/key_access.h"
#include "vm/operations/long_numeral.h"
#include "vm/poll.h"

namespace mangata {

AfterReturn return_values(Vm& vm, Thread& thread, Value* results, int count) {
  if (thread.hook_mask != 0) [[unlikely]] {
    if (!hook_return(vm, thread, results, count).ok()) return AfterReturn::Raised;
  }
  Value* base = thread.base;
  const FrameHeader* frame = frame_of(base);
  const int parameter_count = function_slot(base)->as_lua_function()->proto->parameter_count;
  Value* destination = result_slot(base, frame, parameter_count);
  const int wanted = frame->wanted_results;
  const bool entry = (frame->flags & FrameHeader::kEntry) != 0;
  Value* caller = base - frame->caller_delta_slots;
  thread.base = caller;
  thread.top = move_results(destination, results, count, wanted);
  if (entry) return AfterReturn::Leave;
  if (wanted != kMultipleResults) {
    thread.top = frame_top(caller);
  }
  return AfterReturn::Continue;
}

Status replace_frame(Vm& vm, Thread& thread, Value* function, int argument_count) {
  Value* base = thread.base;
  const FrameHeader& old = *frame_of(base);  // no copy, which would wait for its stores
  const int32_t wanted_results = old.wanted_results;
  const uint32_t entry = old.flags & FrameHeader::kEntry;
  const Proto* proto = function_slot(base)->as_lua_function()->proto;
  Value* destination = result_slot(base, &old, proto->parameter_count);
  const Proto* callee = function->as_lua_function()->proto;
  Value* caller = base - old.caller_delta_slots;
  Value* new_base = destination + kCallOverheadSlots;
  TRY(ensure_stack(vm, new_base, argument_count + callee->max_stack_slots));
  *destination = *function;
  for (int i = 0; i < argument_count; ++i) new_base[i] = function[kCallOverheadSlots + i];
  for (int i = argument_count; i < callee->parameter_count; ++i) new_base[i].set_nil();
  write_frame_header(frame_of(new_base), callee->code, wanted_results, static_cast<uint32_t>(new_base - caller),
                     callee->is_vararg ? static_cast<uint32_t>(argument_count) : 0, entry | FrameHeader::kTailCalled);
  thread.base = new_base;
  thread.top = new_base + callee->max_stack_slots;
  return {};
}

Status prepare_vararg(Vm& vm, Thread& thread, Value* base, int parameter_count) {
  FrameHeader* frame = frame_of(base);
  const int argument_count = static_cast<int>(frame->extra_args);
  frame->extra_args = 0;
  if (argument_count <= parameter_count) return {};
  const Proto* proto = function_slot(base)->as_lua_function()->proto;
  Value* function = base + argument_count;
  Value* new_base = function + kCallOverheadSlots;
  TRY(ensure_stack(vm, new_base, proto->max_stack_slots));
  *function = *function_slot(base);
  const auto distance = static_cast<uint32_t>(new_base - base);
  write_frame_header(frame_of(new_base), frame->saved_pc, frame->wanted_results, frame->caller_delta_slots + distance,
                     static_cast<uint32_t>(argument_count - parameter_count), frame->flags);
  frame_of(new_base)->path_register = frame->path_register;
  for (int i = 0; i < parameter_count; ++i) {
    new_base[i] = base[i];
    base[i].set_nil();
  }
  thread.base = new_base;
  thread.top = new_base + proto->max_stack_slots;
  return {};
}

Status push_frame_status(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results) {
  if (push_lua_frame(vm, thread, function, argument_count, wanted_results, 0) == nullptr) return Raised{};
  return {};
}

LuaFunction* make_closure(Vm& vm, Thread& thread, Value* base, LuaFunction* parent, int nested_index) {
  Proto* proto = parent->proto->nested[static_cast<size_t>(nested_index)];
  LuaFunction* function = vm.new_lua_function(proto);
  int i = 0;
  for (const UpvalueDescription& upvalue : proto->upvalues) {
    function->upvalues[i++] = upvalue.from_parent_register ? find_upvalue(vm, thread, base + upvalue.index)
                                                           : parent->upvalues[upvalue.index];
  }
  return function;
}

// What is recorded in the interpreter after a function was compiled must not wear out the first cache of a site: the second takes part.

Result<Value> get_field_slow(Vm& vm, Value object, String* key, Proto& proto, uint16_t cache_index) {
  if (cache_index == kNoInlineCache) return get_index(vm, object, Value::string(key));
  return cached_get_miss(vm, object, key, proto.caches[cache_index], proto.second_cache(cache_index));
}

Status set_field_slow(Vm& vm, Value object, String* key, Value value, Proto& proto, uint16_t cache_index) {
  if (cache_index == kNoInlineCache) return set_index(vm, object, Value::string(key), value);
  return cached_set_miss(vm, object, key, value, proto.caches[cache_index], proto.second_cache(cache_index));
}

Result<Value> get_index_slow(Vm& vm, Value object, Value key) {
  if (object.is_table() && !key.is_string()) {  // those were looked for
    const Value found = load_key(&vm, object.as_table(), key.payload, static_cast<uint64_t>(key.tag));
    if (static_cast<uint64_t>(found.tag) != kNotLoaded) return found;
  }
  return get_index(vm, object, key);
}

Status set_index_slow(Vm& vm, Value object, Value key, Value value) {
  if (object.is_table()) {
    Table* table = object.as_table();
    if (table->metatable() != nullptr) {
      if (replace_at_key(vm, table, key, value)) return {};
    } else if (key.is_string() && key.as_string()->is_short()) {
      return table_set_string(vm, table, key.as_string(), value, true);
    } else if (key.is_integer()) {
      return table_set_integer(vm, table, key.as_integer(), value);
    }
  }
  return set_index(vm, object, key, value);
}

bool get_element_by_float(const Table* table, double key, Value* out) {
  int64_t integer;
  return float_to_integer(key, &integer) && table_get_element(table, integer, out);
}

bool set_element_by_float(Vm& vm, Table* table, double key, Value value) {
  int64_t integer;
  return float_to_integer(key, &integer) && table_set_element(vm, table, integer, value);
}

Status set_list(Vm& vm, Table* table, const Value* values, int count, int64_t offset) {
  charge_if_much(vm, count);  // machine code makes short lists itself: those are not worth a charge
  return table_set_list(vm, table, offset + 1, values, static_cast<uint32_t>(count));
}

namespace {

uint8_t feedback_of(const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) {
    return left.tag == right.tag ? (left.is_integer() ? kSawInteger : kSawFloat) : kSawMixed;
  }
  return left.is_string() || right.is_string() ? kSawString : kSawOther;
}

}  // namespace

void note_operand_types(Proto& proto, const Instruction* instruction, const Value& left, const Value& right) {
  const auto pc = static_cast<size_t>(proto.original_pc(instruction));
  if (pc < proto.feedback.size()) proto.feedback[pc] |= feedback_of(left, right);
}

Result<Value> arithmetic_slow(Vm& vm, Thread& thread, ArithmeticOperator op, Value left, Value right) {
  Proto* proto = function_slot(thread.base)->as_lua_function()->proto;
  const Instruction* instruction = thread.frame()->saved_pc - 1;
  note_operand_types(*proto, instruction, left, right);
  const bool has_constant = has_constant_operand(instruction->op);
  if (has_constant && instruction->d == kOperandsSwapped) return arithmetic(vm, op, right, left);
  if (has_constant && instruction->d == kSubtractsZero) op = ArithmeticOperator::Sub;
  return arithmetic(vm, op, left, right);
}

namespace {

/// The limit of an integer loop, clipped to the integers; false when the loop does not run (forlimit of
/// Lua 5.4).
Result<bool> integer_limit(Vm& vm, int64_t start, Value given, int64_t step, int64_t* out) {
  const Value limit = TRY(number_of(vm, given));
  if (limit.is_integer()) {
    *out = limit.as_integer();
  } else {
    if (!limit.is_number()) return raise_for_error(vm, given, "limit");
    const double number = limit.as_float();
    const double rounded = step < 0 ? std::ceil(number) : std::floor(number);
    if (!float_to_integer(rounded, out)) {
      if (number > 0) {
        if (step < 0) return false;
        *out = INT64_MAX;
      } else {
        if (step > 0) return false;
        *out = INT64_MIN;
      }
    }
  }
  return step > 0 ? start <= *out : start >= *out;
}

Result<double> loop_number(Vm& vm, Value value, const char* what) {
  const Value number = TRY(number_of(vm, value));
  if (!number.is_number()) return raise_for_error(vm, value, what);
  return number.as_number();
}

Result<bool> prepare_float_loop(Vm& vm, Value* control) {
  const double limit = TRY(loop_number(vm, control[1], "limit"));
  const double step = TRY(loop_number(vm, control[2], "step"));
  const double start = TRY(loop_number(vm, control[0], "initial value"));
  if (step == 0) return raise_message(vm, "'for' step is zero");
  if (step > 0 ? limit < start : start < limit) return false;
  control[0] = Value::number(start);
  control[1] = Value::number(limit);
  control[2] = Value::number(step);
  control[3] = Value::number(start);
  return true;
}

}  // namespace

Result<bool> prepare_for_loop(Vm& vm, Value* control) {
  if (!control[0].is_integer() || !control[2].is_integer()) return prepare_float_loop(vm, control);
  const int64_t start = control[0].as_integer();
  const int64_t step = control[2].as_integer();
  if (step == 0) return raise_message(vm, "'for' step is zero");
  control[3] = Value::integer(start);
  int64_t limit = 0;
  const bool runs = TRY(integer_limit(vm, start, control[1], step, &limit));
  if (!runs) return false;
  const auto first = static_cast<uint64_t>(start), last = static_cast<uint64_t>(limit);
  // The number of iterations after the first replaces the limit; -(step + 1) + 1 avoids negating the minimum
  // integer.
  const uint64_t iterations = step > 0 ? (last - first) / static_cast<uint64_t>(step)
                                       : (first - last) / (static_cast<uint64_t>(-(step + 1)) + 1u);
  control[1] = Value::integer(static_cast<int64_t>(iterations));
  return true;
}

Status handle_interrupt(Vm& vm) {
  vm.forget_request();
  if (EmergencyMemory::is_short()) vm.heap.memory_is_short();
  return vm.on_interrupt != nullptr ? vm.on_interrupt(vm) : Status{};
}

}  // namespace mangata
