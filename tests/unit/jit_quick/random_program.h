// Random functions of the IR: loops, merges, guards that lead to shared exits, calls in cold and in warm code, many live values; memory of
// several classes, read again after it may have been written; conditions that were decided before.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "jit/ir/builder.h"
#include "tests/unit/jit_quick/ir_interpreter.h"

namespace mangata::jit::ir {

/// function(pointer to kWords words, i64, i64, f64) -> i64. Its result and what is in memory afterwards do not depend on which NaN a float is.
class RandomProgram {
 public:
  static constexpr int kWords = 64;
  /// The first words are Memory::Values, then so many each are Memory::Integers and Memory::Floats. Memory::Any is all of them.
  static constexpr int kWordsOfClass = 16;
  explicit RandomProgram(uint64_t seed, int size = 24, bool has_variables = false);
  Module take() { return std::move(module_); }
  /// What programs call.
  static std::vector<Interpreter::Known> callees();

 private:
  using Pool = std::vector<Value>;
  struct Scope {
    Pool words;
    Pool floats;
    Pool conditions;  ///< Bools
  };
  struct ExitGroup {
    BlockId block;
    Value index;
    Pool words;
    Pool floats;
  };

  uint64_t random(uint64_t limit) { return engine_() % limit; }
  Value word(const Scope& scope) { return scope.words[random(scope.words.size())]; }
  Value real(const Scope& scope) { return scope.floats[random(scope.floats.size())]; }
  Value known(Value number);
  Value condition(Scope& scope);
  Value fresh_condition(const Scope& scope);
  void statements(Scope& scope, int count, int depth);
  void statement(Scope& scope, int depth);
  void integer(Scope& scope);
  void narrow(Scope& scope);
  void floating(Scope& scope);
  void memory(Scope& scope);
  void again(Scope& scope);
  struct Place {
    Value address;
    int64_t offset;
    Memory memory;
  };
  Place place(const Scope& scope);
  void diamond(Scope& scope, int depth);
  void loop(Scope& scope, int depth);
  void guard(Scope& scope);
  void call(Scope& scope);
  void touching_call(Scope& scope);
  void cold_call(Scope& scope);
  void switch_on(Scope& scope);
  void variable(Scope& scope);
  void add_exit_groups();
  void finish_exits();
  void observe(const Scope& scope);

  std::mt19937_64 engine_;
  Module module_;
  Builder b_;
  Value memory_;
  std::vector<ExitGroup> groups_;
  std::vector<Variable> variables_;
  uint64_t exits_ = 1;
};

}  // namespace mangata::jit::ir
