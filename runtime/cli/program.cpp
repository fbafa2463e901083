#include "runtime/cli/program.h"

#include "runtime/cli/interrupts.h"

#include <cstdio>

#include "runtime/lib/load_file.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/debug_info.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// The message handler of every chunk: appends a traceback to strings; objects speak through __tostring.
Result<int> message_handler(Call& call) {
  Vm& vm = call.vm();
  const Value error = call[0];
  std::string message;
  if (error.is_string() || error.is_number()) {
    message = TRY(to_string_coercion(vm, error))
    ->view();
  } else {
    const Value method = vm.metamethod(error, Metamethod::ToString);
    if (!method.is_nil()) {
      const Value text = TRY(call.call_value(method, {error}));
      if (text.is_string()) return call.ret(text);
    }
    message = "(error object is a " + std::string(type_name(error)) + " value)";
  }
  const std::string_view view = message;
  return call.ret_string(traceback(vm, call.thread(), &view, 1));
}

}  // namespace

Program::Program(Call& call, std::string_view program_name)
    : call_(call), program_name_(program_name), handler_(Value::function(call.vm().new_native(message_handler, "?"))) {
  call.push(handler_);
}

void Program::report(std::string_view message) {
  std::fflush(stdout);
  if (!program_name_.empty()) {
    std::fprintf(stderr, "%.*s: ", static_cast<int>(program_name_.size()), program_name_.data());
  }
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
}

bool Program::report_pending() {
  const Value error = vm().error;
  vm().error = Value::nil();
  if (error.is_string()) {
    report(error.as_string()->view());
  } else {
    report("(error message not a string)");
  }
  return false;
}

bool Program::protected_run(int argument_count, int result_count) {
  Thread& thread = call_.thread();
  Value* function = thread.top - argument_count - kCallOverheadSlots;
  expect_interrupts(true);
  const bool ok = protected_call(vm(), function, argument_count, result_count, handler_);
  expect_interrupts(false);
  if (ok) return true;
  vm().error = function[0];
  thread.top = function;
  return report_pending();
}

bool Program::run_text(std::string_view text, std::string_view chunk_name) {
  const Result<LuaFunction*> chunk = load(vm(), text, chunk_name);
  if (!chunk.ok()) return report_pending();
  call_.push_function(Value::function(chunk.value()));
  return protected_run(0, 0);
}

bool Program::push_file(const char* file_name) {
  const Result<LuaFunction*> chunk = load_file(vm(), file_name, "bt");
  if (!chunk.ok()) return report_pending();
  call_.push_function(Value::function(chunk.value()));
  return true;
}

bool Program::run_file(const char* file_name) { return push_file(file_name) && protected_run(0, 0); }

bool Program::run_script(const char* file_name) {
  if (!push_file(file_name)) return false;
  const Value arguments = table_get(vm().globals, vm().string_value("arg"));
  if (!arguments.is_table()) {
    report("'arg' is not a table");
    return false;
  }
  const int64_t count = table_length(arguments.as_table());
  if (!call_.reserve_slots(static_cast<int>(count) + 3).ok()) return report_pending();
  for (int64_t i = 1; i <= count; ++i) call_.push(table_get_integer(arguments.as_table(), i));
  return protected_run(static_cast<int>(count), 0);
}

bool Program::require_library(std::string_view argument) {
  std::string_view global = argument;
  std::string_view module = argument;
  const size_t equals = argument.find('=');
  if (equals != std::string_view::npos) {
    global = argument.substr(0, equals);
    module = argument.substr(equals + 1);
  } else {
    global = argument.substr(0, argument.find('-'));  // the part after - is a version
  }
  const Result<Value> require = get_index(vm(), Value::table(vm().globals), vm().string_value("require"));
  if (!require.ok()) return report_pending();
  call_.push_function(require.value());
  call_.push(vm().string_value(module));
  if (!protected_run(1, 1)) return false;
  const Value library = call_.top(1);
  call_.pop(1);
  if (!set_index(vm(), Value::table(vm().globals), vm().string_value(global), library).ok()) return report_pending();
  return true;
}

}  // namespace mangata
