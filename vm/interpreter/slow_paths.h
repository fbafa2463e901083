// The out-of-line halves of interpreter handlers, and small inline helpers of theirs.
#pragma once

#include "vm/bytecode/proto.h"
#include "vm/interpreter/interpreter.h"
#include "vm/object/table_inline.h"
#include "vm/operations/operations.h"

namespace mangata {

/// Where the registers of the Lua frame at `base` end: Thread::top between instructions (interpreter.h).
inline Value* frame_top(Value* base) {
  return base + function_slot(base)->as_lua_function()->proto->max_stack_slots;
}

enum class AfterReturn : uint8_t {
  Continue,
  Leave,
  Raised
};

/// Returns `count` values at `results` from the frame at thread.base: runs return hooks, pops the frame, hands the results
/// over and sets Thread::top. Continue: thread.base is the Lua caller to go on with.
AfterReturn return_values(Vm& vm, Thread& thread, Value* results, int count);

/// Proper tail call of the Lua function at `function`: its frame takes the place of the running one.
Status replace_frame(Vm& vm, Thread& thread, Value* function, int argument_count);

/// Moves a vararg frame above its arguments (frame.h). Afterwards thread.base is the frame to run.
Status prepare_vararg(Vm& vm, Thread& thread, Value* base, int parameter_count);

/// push_lua_frame without flags, as a Status.
Status push_frame_status(Vm& vm, Thread& thread, Value* function, int argument_count, int wanted_results);

LuaFunction* make_closure(Vm& vm, Thread& thread, Value* base, LuaFunction* parent, int nested_index);

Result<Value> get_field_slow(Vm& vm, Value object, String* key, Proto& proto, uint16_t cache_index);
Status set_field_slow(Vm& vm, Value object, String* key, Value value, Proto& proto, uint16_t cache_index);
/// object[key] where the key is no element, and no string that the table has.
Result<Value> get_index_slow(Vm& vm, Value object, Value key);
Status set_index_slow(Vm& vm, Value object, Value key, Value value);
/// table_get_element() and table_set_element() by a float that is an integer (manual §2.1).
bool get_element_by_float(const Table* table, double key, Value* out);
bool set_element_by_float(Vm& vm, Table* table, double key, Value value);
Status set_list(Vm& vm, Table* table, const Value* values, int count, int64_t offset);

/// arithmetic() for the running instruction; notes the operand types in its feedback slot.
Result<Value> arithmetic_slow(Vm& vm, Thread& thread, ArithmeticOperator op, Value left, Value right);

/// Notes the operand types of the arithmetic instruction at `instruction` in its feedback slot.
void note_operand_types(Proto& proto, const Instruction* instruction, const Value& left, const Value& right);

/// ForPrepare (manual §3.3.5): false when the loop does not run at all.
Result<bool> prepare_for_loop(Vm& vm, Value* control);

Status handle_interrupt(Vm& vm);

/// GenericForCall with `next` or the iterator of ipairs over elements, without a call; false: nothing was done.
[[gnu::always_inline]] inline bool generic_for_fast(Value* ra, int result_count) {
  if (!ra->is_native_function() || !ra[1].is_table()) return false;
  const auto id = static_cast<NativeId>(ra->as_native_function()->type_byte);
  if (id == NativeId::Next && ra[3].is_nil()) {
    // The traversal position lies in the payload of the nil closing value.
    auto cursor = static_cast<uint32_t>(ra[3].payload);
    if (cursor == 0 && !ra[2].is_nil()) {  // the loop went on by calls meanwhile
      cursor = table_cursor_after(ra[1].as_table(), ra[2]);
      if (cursor == UINT32_MAX) return false;
    }
    if (!table_iterate(ra[1].as_table(), &cursor, &ra[4], &ra[5])) ra[4].set_nil();
    ra[3].payload = cursor;
  } else if (id == NativeId::IpairsIterator && ra[2].is_integer()) {
    const int64_t index = ra[2].as_integer() + 1;
    if (!table_get_element(ra[1].as_table(), index, &ra[5])) return false;
    ra[4] = ra[5].is_nil() ? Value::nil() : Value::integer(index);
  } else {
    return false;
  }
  for (int i = 2; i < result_count; ++i) ra[4 + i].set_nil();
  return true;
}

/// Two distinct tables or userdata, or userdata and something else: == may call __eq.
inline bool may_call_equal(const Value& a, const Value& b) {
  if (a.tag != b.tag) return a.is_userdata() || b.is_userdata();
  return a.payload != b.payload && (a.is_table() || a.is_userdata());
}

/// Whether `value` may be equal to values with other tags: numbers, and C data.
inline bool may_equal_other_tags(const Value& value) {
  constexpr uint32_t kTags =
      1u << static_cast<int>(Tag::Integer) | 1u << static_cast<int>(Tag::Float) | 1u << static_cast<int>(Tag::Userdata);
  return (kTags >> static_cast<uint32_t>(value.tag) & 1) != 0;
}

/// As the one without a vm; long strings are charged (vm/poll.h).
bool raw_equals(Vm& vm, Value a, Value b);

/// Equality with a constant (nil, boolean, number or string) that has the same tag.
inline bool equals_constant(Vm& vm, const Value& value, const Value& constant) {
  if (value.payload == constant.payload) return !value.is_float() || value.as_float() == value.as_float();
  if (value.is_nil()) return true;
  return (value.is_float() || value.is_string()) && raw_equals(vm, value, constant);
}

/// j > 0. Rounds toward minus infinity.
inline int64_t floor_divide_positive(int64_t i, int64_t j) {
  const int64_t quotient = i / j;
  return quotient - (i % j < 0 ? 1 : 0);
}
inline int64_t modulo_positive(int64_t i, int64_t j) {
  const int64_t remainder = i % j;
  return remainder < 0 ? remainder + j : remainder;
}

inline uint64_t shift_right_inline(uint64_t value, int64_t count);
inline uint64_t shift_left_inline(uint64_t value, int64_t count) {
  if (static_cast<uint64_t>(count) < 64) return value << count;
  if (count >= 64 || count <= -64) return 0;
  return value >> -count;
}
inline uint64_t shift_right_inline(uint64_t value, int64_t count) {
  if (static_cast<uint64_t>(count) < 64) return value >> count;
  if (count >= 64 || count <= -64) return 0;
  return value << -count;
}

}  // namespace mangata
