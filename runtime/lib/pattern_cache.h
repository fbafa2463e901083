// The compiled patterns of late, so that a pattern in a loop is compiled once.
//
// [DESIGN] A program depends on the text of its pattern and on the locale, and on no machine: the cache
// belongs to the thread of the operating system. It is a direct-mapped table. An entry in use is not
// replaced: a gsub may call a function that needs the same place for its own pattern, which then gets a
// program that is thrown away after use. When the locale has changed, all is compiled anew.
#pragma once

#include <memory>
#include <string_view>

#include "runtime/lib/pattern_program.h"
#include "vm/object/string.h"

namespace mangata {

class CompiledPattern {
 public:
  /// `is_anchor`: whether a "^" at the beginning is an anchor and no character.
  CompiledPattern(String* pattern, bool is_anchor);
  ~CompiledPattern() {
    if (use_count_ != nullptr) --*use_count_;
  }
  CompiledPattern(const CompiledPattern&) = delete;
  CompiledPattern& operator=(const CompiledPattern&) = delete;

  bool is_anchored() const { return is_anchored_; }
  const PatternProgram& program() const { return *program_; }

 private:
  bool is_anchored_;
  int* use_count_ = nullptr;  ///< of the cache's entry; null: the program is our own
  const PatternProgram* program_;
  std::unique_ptr<PatternProgram> own_;
};

}  // namespace mangata
