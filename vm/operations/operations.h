// What Lua's operators do beyond their fast paths: metamethods, coercions, errors. Shared by all tiers and the libraries.
//
// Every function here that returns a Result may call metamethods, so it is a safepoint (vm/native.h, the rooting rule).
// They call on Vm::current. Stack discipline: Thread::top must be above every live slot on entry; it is the same on return.
#pragma once

#include <string>
#include <string_view>

#include "vm/vm.h"

namespace mangata {

enum class ArithmeticOperator : uint8_t {  // order of the opcodes Add..ShiftRight, then the unary ones
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Pow,
  FloorDiv,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  Negate,
  BitNot
};

/// The metamethod of an operator.
constexpr Metamethod event_of(ArithmeticOperator op) {
  static_assert(static_cast<int>(Metamethod::BitNot) - static_cast<int>(Metamethod::Add) ==
                static_cast<int>(ArithmeticOperator::BitNot));
  return static_cast<Metamethod>(static_cast<int>(Metamethod::Add) + static_cast<int>(op));
}

// --- index.cpp (manual §2.4 __index, __newindex)
Result<Value> get_index(Vm& vm, Value object, Value key);
Status set_index(Vm& vm, Value object, Value key, Value value);

// --- arithmetic.cpp (manual §3.4.1-§3.4.3). Unary operators take the operand twice.
Result<Value> arithmetic(Vm& vm, ArithmeticOperator op, Value a, Value b);
/// Numbers only, no metamethods, no strings: false when the operands do not fit (also integer division by zero).
bool raw_arithmetic(ArithmeticOperator op, Value a, Value b, Value* result);
int64_t integer_floor_divide(int64_t a, int64_t b);  ///< b != 0
int64_t integer_modulo(int64_t a, int64_t b);        ///< b != 0
double float_remainder(double a, double b);          ///< fmod, faster where the quotient is less than 2^53
double float_modulo(double a, double b);
/// The same, as programs do it: where the quotient is not less than 2^53 it takes fuel (vm/poll.h).
double charged_float_modulo(Vm& vm, double a, double b);
int64_t shift_left(int64_t value, int64_t count);    ///< logical; negative counts shift right

// --- compare.cpp (manual §3.4.4)
bool raw_equals(Value a, Value b);
/// ==. Tables, and userdata, may have __eq (manual §2.4). [DESIGN] So may C data beside a value of any other type, as in LuaJIT: a null
/// pointer is equal to nil, a C integer to a Lua number. All tiers look for that only where one of the tags is Userdata.
Result<bool> equals(Vm& vm, Value a, Value b);
/// What equals() would call, or nil: raw equality holds, or nothing is equal.
Value equality_metamethod(Vm& vm, const Value& a, const Value& b);
Result<bool> less_than(Vm& vm, Value a, Value b);
Result<bool> less_equal(Vm& vm, Value a, Value b);
bool number_less_than(Value a, Value b);             ///< both numbers; exact across subtypes
bool number_less_equal(Value a, Value b);

// --- concat.cpp (manual §3.4.6)
/// Concatenates first[0..count-1]; the result goes to first[0].
Status concat(Vm& vm, Value* first, int count);
Result<Value> length(Vm& vm, Value object);          ///< #, with __len (manual §3.4.7)

// --- convert.cpp (manual §3.4.3): no errors, no metamethods
bool to_integer(Value value, int64_t* out);          ///< numbers and numeric strings with an exact integer value
bool number_to_integer(Value value, int64_t* out);   ///< numbers only
bool float_to_integer(double value, int64_t* out);   ///< exact only
bool to_number(Value value, double* out);            ///< numbers and numeric strings
Value string_to_number(std::string_view text);       ///< nil when it is no numeral (lua_stringtonumber)
int format_number(Value number, char out[64]);       ///< as tostring(): print_number() with ".0" when it looks like an integer; the length
int print_number(Value number, char out[64]);        ///< "%d" or "%.14g" of printf, as io.write has it (128.0 is "128"); the length
/// The string of a string or number, else null (lua_tolstring without changing the value).
Result<String*> to_string_coercion(Vm& vm, Value value);
/// What identifies an object to hosts and scripts (lua_topointer, "%p"): the block of a userdata, not its header; the lua_State of a
/// thread; the code of a C function without upvalues. Null for values that are no objects.
const void* address_of(Value value);
/// tostring(): __tostring, __name, addresses (luaL_tolstring).
Result<String*> to_display_string(Vm& vm, Value value);

// --- raise.cpp: error messages with names and positions (manual §4.4.1, ldebug.c's wording)
Raised raise_message(Vm& vm, std::string_view message);                 ///< prefixed by "source:line: " of the running Lua function, if one runs
Raised raise_plain(Vm& vm, std::string_view message);                   ///< no position
Raised raise_value(Vm& vm, Value value);
Raised raise_out_of_memory(Vm& vm);
/// "attempt to index a nil value (field 'x')": `operation` is "index", "call", "perform arithmetic on", "concatenate", ...
/// The name is found from the running instruction when `culprit` is one of its operands.
Raised raise_type_error(Vm& vm, Value culprit, const char* operation);
Raised raise_compare_error(Vm& vm, Value a, Value b);                   ///< "attempt to compare two table values", ...
Raised raise_arithmetic_error(Vm& vm, ArithmeticOperator op, Value a, Value b);  ///< also "number has no integer representation"
Raised raise_concat_error(Vm& vm, Value a, Value b);
Raised raise_for_error(Vm& vm, Value value, const char* what);          ///< "'for' initial value must be a number"
Raised raise_call_error(Vm& vm, Value callee);
/// luaO_chunkid: `[string "..."]`, file name, or =name; at most 59 characters.
std::string chunk_id(std::string_view source);
/// "source:line:" of the function `level` levels up (luaL_where); empty when it is not a Lua function.
std::string where(Vm& vm, int level);

// --- call.cpp
/// Calls function[0] with `argument_count` arguments at function[kCallOverheadSlots...]; results go to function[0...], adjusted to
/// `result_count`; Thread::top is then just after the last result. Not for Lua-to-Lua calls inside the interpreter.
Status call(Vm& vm, Value* function, int argument_count, int result_count);
/// Calls a function at the top of the stack with the arguments; one result. For metamethods.
Result<Value> call_metamethod(Vm& vm, Value function, Value a, Value b);
Result<Value> call_metamethod(Vm& vm, Value function, Value object);  ///< of operations with one argument: __tostring
Status call_metamethod_no_result(Vm& vm, Value function, Value a, Value b, Value c);
/// As lua_pcall: on error the frames above are unwound (to-be-closed variables closed with the error), the stack is cut to
/// `function`, and function[0] is the error value; returns false. `handler`: message handler or nil, called before unwinding.
/// When it returns false and Thread::being_closed or Vm::terminating is set, catch nothing: return Raised at once. (The error is
/// still pending then, and in the former case nothing has been restored.)
bool protected_call(Vm& vm, Value* function, int argument_count, int result_count, Value handler);
/// Reports the paths in flight of every frame of `thread` as cut off (the program ends, or the coroutine died).
void cut_all_paths(Vm& vm, Thread& thread);
/// Grows the usable part of the stack so that `slots` above `top` exist, which is Thread::top: "stack overflow" otherwise. From then
/// on the thread handles an overflow, until a protected call catches the error: for errors that are raised.
Status ensure_stack(Vm& vm, Value* top, int slots);
/// The same of any thread, where another error is raised or none. False: there is no room, and nothing has changed.
bool make_stack_room(Thread& thread, Value* top, int slots);

// --- close.cpp (manual §3.3.8)
void close_upvalues(Thread& thread, Value* level);                      ///< every open upvalue at or above `level`
Upvalue* find_upvalue(Vm& vm, Thread& thread, Value* slot);             ///< the open upvalue of the slot, made when absent
Status mark_to_be_closed(Vm& vm, Value* slot);                          ///< "variable 'x' got a non-closable value"
/// Closes upvalues and calls __close of pending variables at or above `level`, newest first. `error`: nil on normal exit.
/// While an error unwinds (has_error) a __close that raises replaces it, and closing goes on; `handler` is the message
/// handler of the protected call that caught it. Raises the last error.
Status close_variables(Vm& vm, Thread& thread, Value* level, Value error, bool has_error,
                       Value handler = Value::nil());

}  // namespace mangata
