// What is known while a block is built: operations that are there already, and what variables hold.
#pragma once

#include <vector>

#include "jit/ir/function.h"

namespace mangata::jit::ir {

/// Of an extended basic block: it begins empty, and grows as operations are appended. Facts about memory and variables end where
/// something else may have written there.
class Numbering {
 public:
  /// Nothing is known.
  void clear();
  /// An operation of the same value that was appended before; invalid: there is none.
  Value find(const Function& function, const Operation& operation) const;
  /// Takes note of an operation that is appended.
  void add(const Function& function, const Operation& operation, Value value);

  /// Equal for operations that is_same() holds of.
  static uint64_t hash_of(const Operation& operation);
  /// All that an operation without a list computes from is the same; what memory holds is not looked at.
  static bool is_same(const Operation& a, const Operation& b);

 private:
  struct Entry {
    uint64_t hash = 0;
    Value value;
    uint32_t era = 0;         ///< of the table
    uint32_t generation = 0;  ///< of what it reads
  };
  uint32_t generation_of(const Operation& operation) const;
  void insert(uint64_t hash, Value value, uint32_t generation);

  std::vector<Entry> table_ = std::vector<Entry>(256);
  size_t used_ = 0;
  uint32_t era_ = 1;
  uint32_t now_ = 1;                              ///< counts writes
  uint32_t written_[kMemoryClasses] = {};         ///< when each class was written to for the last time
  std::vector<std::pair<Value, uint32_t>> held_;  ///< by variables: what, and in which era
};

}  // namespace mangata::jit::ir
