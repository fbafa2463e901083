// What conditional jumps test (conditions.def).
#pragma once

#include <optional>

#include "vm/bytecode/opcode.h"

namespace mangata {

enum class Relation : uint8_t {
  Equal,
  Less,
  LessEqual
};

struct ComparisonForm {
  Relation relation;
  bool swapped;   ///< the operand from b is the left one
  bool expected;  ///< jump when the relation holds
};

/// Nothing: it compares nothing.
constexpr std::optional<ComparisonForm> comparison_form(Opcode op) {
  switch (op) {
#define TRUTH(if_so, if_not)
#define COMPARISON(if_so, if_not, relation, swapped)                            \
  case Opcode::if_so: return ComparisonForm{Relation::relation, swapped, true}; \
  case Opcode::if_not: return ComparisonForm{Relation::relation, swapped, false};
#include "vm/bytecode/conditions.def"
    default: return std::nullopt;
  }
}

/// The jump is taken when what it tests does not hold.
constexpr bool jumps_if_not(Opcode op) {
  switch (op) {
#define TRUTH(if_so, if_not) case Opcode::if_not:
#define COMPARISON(if_so, if_not, relation, swapped) case Opcode::if_not:
#include "vm/bytecode/conditions.def"
    return true;
    default: return false;
  }
}

/// The other one of the pair.
constexpr Opcode opposite_jump(Opcode op) {
  switch (op) {
#define TRUTH(if_so, if_not)                 \
  case Opcode::if_so: return Opcode::if_not; \
  case Opcode::if_not: return Opcode::if_so;
#define COMPARISON(if_so, if_not, relation, swapped) TRUTH(if_so, if_not)
#include "vm/bytecode/conditions.def"
    default: return op;
  }
}

}  // namespace mangata
