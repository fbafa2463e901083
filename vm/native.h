// Writing native functions: arguments, results, errors, calls back into Lua. The counterpart of lauxlib.
//
// [DESIGN] A native function runs in a frame of its own on the VM stack. Its arguments are call[0..count-1]; it pushes
// results and returns their number: `return call.ret(value)`. It has kMinimumNativeSlots free slots above its arguments;
// more after reserve_slots().
//
// The rooting rule. Allocation never collects, so a function that only allocates may hold Values in C++ variables
// freely. Anything that can run Lua code (invoke, get_index, tostring with __tostring, less_than, ...) is a safepoint: a value
// needed after it must be an argument or on the stack (push it).
//
// Messages are those of Lua 5.4, byte for byte: "bad argument #1 to 'insert' (table expected, got no value)".
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "vm/vm.h"

namespace mangata {

inline constexpr int kMinimumNativeSlots = 20;

class Call {
 public:
  Call(Vm& vm, Thread& thread) : vm_(vm), thread_(thread) {}

  Vm& vm() { return vm_; }
  Thread& thread() { return thread_; }
  Value* base() { return thread_.base; }
  NativeFunction* callee() { return function_slot(thread_.base)->as_native_function(); }
  Value upvalue(int i) { return callee()->upvalues[i]; }
  void set_upvalue(int i, Value value);  ///< i as of upvalue()

  // --- arguments; i is 0-based, messages count from 1
  /// Number of values in the frame: the arguments, as long as nothing was pushed.
  int count() const { return static_cast<int>(thread_.top - thread_.base); }
  Value operator[](int i) const { return i < count() ? thread_.base[i] : Value::nil(); }
  bool is_none(int i) const { return i >= count(); }
  bool is_none_or_nil(int i) const { return is_none(i) || thread_.base[i].is_nil(); }

  Result<int64_t> check_integer(int i);          ///< converts floats with integer value and numeric strings
  Result<double> check_number(int i);            ///< converts numeric strings
  Result<Value> check_number_value(int i);       ///< an integer or float Value
  Result<String*> check_string(int i);           ///< numbers are converted, in place in the frame
  Result<std::string_view> check_view(int i);    ///< check_string as bytes; valid while the argument stays in the frame
  Result<Table*> check_table(int i);  ///< no conversion
  Result<Value> check_function(int i);  ///< of Lua or native
  Status check_any(int i);                       ///< "value expected"
  Status check_type(int i, const char* expected, bool ok);  ///< the error of a bad argument, unless ok
  Result<int64_t> optional_integer(int i, int64_t fallback);  ///< nil and none are the fallback, as in the next two
  Result<double> optional_number(int i, double fallback);  ///< converts numeric strings
  Result<std::string_view> optional_view(int i, std::string_view fallback);  ///< numbers are converted, as by check_string
  /// The index of the string argument in `options` (null-terminated list), as luaL_checkoption.
  Result<int> check_option(int i, const char* fallback, const char* const options[]);

  // --- errors
  Raised bad_argument(int i, std::string_view message);  ///< luaL_argerror
  Raised type_error(int i, const char* expected);        ///< "X expected, got Y"
  Raised error(std::string_view message);                ///< luaL_error: with the position of the caller ("file:line: ")
  Raised errorf(const char* format, ...) __attribute__((format(printf, 2, 3)));  ///< the same, printf format
  Raised raise(Value value);                             ///< any value, no position

  // --- results and the stack
  void push(Value value) { *thread_.top++ = value; }
  void pop(int n) { thread_.top -= n; }
  Value& top(int from_top) { return thread_.top[-from_top]; }   ///< top(1): the last value
  void set_count(int n);                                 ///< lua_settop: truncates, or fills with nil
  Status reserve_slots(int n);                           ///< "stack overflow" when there is no room
  bool make_room(int n);                                 ///< lua_checkstack: the same without an error
  Result<int> ret() { return 0; }
  Result<int> ret(Value a) {
    push(a);
    return 1;
  }
  Result<int> ret(Value a, Value b) {
    push(a);
    push(b);
    return 2;
  }
  Result<int> ret(Value a, Value b, Value c) {
    push(a);
    push(b);
    push(c);
    return 3;
  }
  Result<int> ret_string(std::string_view text);
  /// nil, message, errno: what io and os functions return on failure (luaL_fileresult).
  Result<int> ret_errno(int error_number, std::string_view name);

  // --- calling Lua (safepoints)
  /// Pushes a function and reserves its frame header; then push the arguments, then invoke.
  void push_function(Value function);
  /// Calls the function under its `argument_count` arguments at the top; replaces them by the results, adjusted to
  /// `result_count` (kMultipleResults: all). Returns the number of results, which are at the top.
  Result<int> invoke(int argument_count, int result_count);
  /// The same, and the called function may yield (lua_callk): only for functions that hold nothing across the call but
  /// what is on the stack.
  Result<int> invoke_yieldable(int argument_count, int result_count);
  /// push_function + push + invoke with one result, popped and returned (unrooted from then on).
  Result<Value> call_value(Value function, std::initializer_list<Value> arguments);
  /// The same with invoke_yieldable.
  Result<Value> call_value_yieldable(Value function, std::initializer_list<Value> arguments);

 private:
  Status push_call(Value function, std::initializer_list<Value> arguments);

  Vm& vm_;
  Thread& thread_;
};

/// One function of a library.
struct LibraryFunction {
  const char* name;  ///< in the library's table
  NativeCode code;
  NativeId id = NativeId::None;  ///< by which tiers know it
  DirectCode direct = nullptr;  ///< for compiled code that calls it without a frame; null: there is none
};

/// Stores `functions` in `library` (luaL_setfuncs).
void set_functions(Vm& vm, Table* library, std::initializer_list<LibraryFunction> functions);
void set_functions(Vm& vm, Table* library, const LibraryFunction* functions, int count);
/// table[name] = value, for building libraries.
void set_field(Vm& vm, Table* table, std::string_view name, Value value);
/// package.loaded[name] = _G[name] = library.
void register_library(Vm& vm, std::string_view name, Table* library);

}  // namespace mangata
