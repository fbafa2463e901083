// Running chunks for the command line: what lua.c calls docall, report and friends (manual §7).
#pragma once

#include <string>
#include <string_view>

#include "vm/native.h"

namespace mangata {

class Program {
 public:
  /// Keeps its message handler in the frame of `call`, so nothing may cut that frame below what is on it now.
  Program(Call& call, std::string_view program_name);

  Call& call() { return call_; }
  Vm& vm() { return call_.vm(); }

  /// Compiles and runs; errors go to stderr with a traceback. False on error.
  bool run_text(std::string_view text, std::string_view chunk_name);
  /// null: standard input.
  bool run_file(const char* file_name);
  /// The same, with the values of the global `arg` as arguments.
  bool run_script(const char* file_name);
  /// -l: global = require(module).
  bool require_library(std::string_view argument);

  /// Calls the function under its arguments at the top of the stack, with tracebacks and SIGINT as in lua.c. On error the message is
  /// reported and nothing is left on the stack.
  bool protected_run(int argument_count, int result_count);

  /// Interactive mode: messages come without the program's name.
  void drop_program_name() { program_name_ = {}; }
  /// The message for the user: "program: message".
  void report(std::string_view message);
  /// Reports and clears the pending error.
  bool report_pending();

 private:
  bool push_file(const char* file_name);

  Call& call_;
  std::string_view program_name_;
  Value handler_;  ///< rooted by the stack
};

/// The read-eval-print loop; returns at the end of input.
void run_repl(Program& program);

/// "Lua 5.4 ..." as -v and the REPL print it.
std::string_view version_line();

}  // namespace mangata
