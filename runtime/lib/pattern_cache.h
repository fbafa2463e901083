// The compiled patterns of late, so that a pattern in a loop is compiled once.
//
// [DESIGN] A program depends on the text of its pattern and on the locale, and on no machine: the cache
// belongs to the thread of the operating system. It is a table of sets of four; a program that is found moves one
// place ahead in its set, and the last one gives way (with one place for each hash, two of a lexer's twenty
// patterns that met there were compiled anew each time). An entry in use is not replaced: a gsub may call
// functions that need the same set for their own patterns, and then the fifth gets a program that is thrown away
// after use. When the locale has changed, all is compiled anew.
//
// Long patterns are not kept: the program of one takes up to twenty times its memory. It counts as memory of the machine while it is
// in use, and interrupts end its making.
#pragma once

#include <string_view>

#include "runtime/lib/pattern_program.h"
#include "vm/object/string.h"
#include "vm/vm.h"

namespace mangata {

class CompiledPattern {
 public:
  /// `is_anchor`: whether a "^" at the beginning is an anchor and no character. A long pattern is compiled by finish() only.
  CompiledPattern(String* pattern, bool is_anchor);
  ~CompiledPattern() {
    if (use_count_ != nullptr) {
      --*use_count_;
    } else {
      free_own();
    }
  }
  CompiledPattern(const CompiledPattern&) = delete;
  CompiledPattern& operator=(const CompiledPattern&) = delete;

  static bool is_long(const String* pattern) { return pattern->length > kLongestKept; }
  /// Before anything else is asked. Raises "not enough memory", or an interrupt.
  Status finish(Vm& vm) { return program_ != nullptr ? Status() : compile_long(vm); }

  bool is_anchored() const { return is_anchored_; }
  const PatternProgram& program() const { return *program_; }

 private:
  static constexpr size_t kLongestKept = 4096;
  struct Own;

  Status compile_long(Vm& vm);
  void free_own();

  bool is_anchored_;
  int* use_count_ = nullptr;  ///< of the cache's entry; null: the program is our own
  const PatternProgram* program_ = nullptr;
  Own* own_ = nullptr;
};

}  // namespace mangata
