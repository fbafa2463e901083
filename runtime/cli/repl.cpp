// The read-eval-print loop of lua5.4, with history through libedit when standard input is a terminal.
#include <editline/readline.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "runtime/cli/program.h"
#include "vm/bytecode/chunk.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

class LineReader {
 public:
  LineReader() : terminal_(isatty(STDIN_FILENO) != 0) {
    if (!terminal_) return;
    rl_readline_name = const_cast<char*>("lua");
    rl_inhibit_completion = 1;
    using_history();
  }

  /// The next line without its newline; nothing at the end of input.
  std::optional<std::string> read(const std::string& prompt) {
    if (terminal_) {
      char* line = readline(prompt.c_str());
      if (line == nullptr) return {};
      std::string text = line;
      std::free(line);
      return text;
    }
    std::fputs(prompt.c_str(), stdout);
    std::fflush(stdout);
    std::string text;
    for (int c; (c = std::getchar()) != EOF;) {
      if (c == '\n') return text;
      text += static_cast<char>(c);
    }
    if (text.empty()) return {};
    return text;
  }

  void remember(const std::string& text) {
    if (terminal_ && !text.empty()) add_history(text.c_str());
  }

 private:
  bool terminal_;
};

std::string prompt(Program& program, bool first_line) {
  Vm& vm = program.vm();
  const Value chosen = table_get(vm.globals, vm.string_value(first_line ? "_PROMPT" : "_PROMPT2"));
  if (chosen.is_nil()) return first_line ? "> " : ">> ";
  const Result<String*> text = to_display_string(vm, chosen);
  if (text.ok()) return std::string(text.value()->view());
  vm.error = Value::nil();
  return "> ";
}

bool is_incomplete(Vm& vm) {
  return vm.error.is_string() && vm.error.as_string()->view().ends_with("<eof>");
}

/// Compiles a statement that may go on over several lines. Null: the pending error says why, or the input ended.
LuaFunction* load_statement(Program& program, LineReader& reader, std::string* text) {
  Vm& vm = program.vm();
  for (;;) {
    const Result<LuaFunction*> chunk = load(vm, *text, "=stdin", "t");
    if (chunk.ok()) return chunk.value();
    if (!is_incomplete(vm)) return nullptr;
    const Value error = vm.error;
    const auto more = reader.read(prompt(program, false));
    if (!more) {
      vm.error = error;
      return nullptr;
    }
    *text += '\n';
    *text += *more;
  }
}

/// Calls print with the results of the statement.
void print_results(Program& program, int count) {
  if (count == 0) return;
  Call& call = program.call();
  Vm& vm = program.vm();
  Value* first = call.thread().top - count;
  const Value print = table_get(vm.globals, vm.string_value("print"));
  if (!call.make_room(count + kCallOverheadSlots)) {
    program.report("too many results to print");
    return;
  }
  for (int i = count; i-- > 0;) first[i + kCallOverheadSlots] = first[i];
  first[0] = print;
  first[1].set_nil();
  first[2].set_nil();
  call.thread().top += kCallOverheadSlots;
  if (!protected_call(vm, first, count, 0, Value::nil())) {
    const Result<String*> message = to_display_string(vm, first[0]);
    program.report("error calling 'print' (" + std::string(message.ok() ? message.value()->view() : "?") + ")");
  }
}

}  // namespace

void run_repl(Program& program) {
  Vm& vm = program.vm();
  Call& call = program.call();
  Value* bottom = call.thread().top;
  LineReader reader;
  program.drop_program_name();
  while (auto line = reader.read(prompt(program, true))) {
    std::string text = *line;
    if (text.starts_with('=')) text = "return " + text.substr(1);
    const Result<LuaFunction*> expression = load(vm, "return " + text, "=stdin", "t");
    LuaFunction* chunk = expression.ok() ? expression.value() : nullptr;
    if (chunk == nullptr) {
      vm.error = Value::nil();
      chunk = load_statement(program, reader, &text);
    }
    reader.remember(text);
    if (chunk == nullptr) {
      program.report_pending();
      continue;
    }
    call.push_function(Value::function(chunk));
    if (program.protected_run(0, kMultipleResults)) {
      print_results(program, static_cast<int>(call.thread().top - bottom));
    }
    call.thread().top = bottom;
  }
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

}  // namespace mangata
