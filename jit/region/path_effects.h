// What an iteration along one path through a loop does to the registers that its branches test, as far as the bytecode says.
//
// [DESIGN] A path is executed on symbols: a register is what it was at the head (plus a constant), a constant, or unknown. A branch that
// tests what came from the head says what that register must have been, or must not have been, for this path to be taken; one that tests
// a constant has been decided before the iteration began. Values are integers, booleans, nil and short strings: those of which equality
// is that of the bits. Registers that closures have captured are unknown throughout, as calls may change them. Pure: tested from literals
// and against an interpreter of random automata.
//
// Read next: loop_facts.h (what is made of it).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "profiler/loop_paths.h"
#include "vm/bytecode/instruction.h"
#include "vm/bytecode/register_effects.h"
#include "vm/value/value.h"

namespace mangata::jit {

/// Registers of which the value is known.
class KnownRegisters {
 public:
  using Map = std::map<uint16_t, Value>;
  /// Null: the value is not known.
  const Value* find(uint16_t reg) const {
    const auto found = values_.find(reg);
    return found == values_.end() ? nullptr : &found->second;
  }
  /// From now on the register has it.
  void set(uint16_t reg, const Value& value) { values_.insert_or_assign(reg, value); }
  /// From now on the value is not known.
  void forget(uint16_t reg) { values_.erase(reg); }
  bool empty() const { return values_.empty(); }
  size_t size() const { return values_.size(); }
  Map::const_iterator begin() const { return values_.begin(); }
  Map::const_iterator end() const { return values_.end(); }
  /// Whatever `other` says is known here, too.
  bool implies(const KnownRegisters& other) const {
    return std::all_of(other.begin(), other.end(), [&](const auto& entry) {
      const Value* here = find(entry.first);
      return here != nullptr && here->is_identical(entry.second);
    });
  }
  friend bool operator==(const KnownRegisters& a, const KnownRegisters& b) { return a.size() == b.size() && a.implies(b); }
  friend bool operator<(const KnownRegisters& a, const KnownRegisters& b);

 private:
  Map values_;
};

/// What is looked at: one function's code, where `paths` have their places.
struct PathCode {
  const std::vector<Instruction>& code;  ///< as compiled from source
  const std::vector<Value>& constants;  ///< what the code refers to
  int register_count = 0;  ///< of a frame
  RegisterSet captured;                     ///< by closures
  std::vector<bool> is_always_boolean = {};  ///< per pc of a branch on truth: only true or false was met there; empty: nothing is known
};

/// Along an iteration: visit(pc, instruction, step), with no step but at branches. False: `visit` has said so, or the path does not lead to the
/// head, for it returns or says nothing of a branch.
template <typename Visit>
bool walk_path(const PathCode& code, OriginalPc head_pc, const LoopPath& path, Visit&& visit) {
  size_t steps = 0;
  OriginalPc pc = head_pc;
  do {
    const Instruction& in = code.code[static_cast<size_t>(pc)];
    const ControlFlow flow = opcode_info(in.op).flow;
    const bool branches = flow == ControlFlow::Branch;
    if (flow == ControlFlow::Return || (branches && steps == path.size())) return false;
    const BranchStep* step = branches ? &path[steps++] : nullptr;
    if (!visit(pc, in, step)) return false;
    const bool jumps = branches ? step->taken : flow == ControlFlow::Jump;
    pc = pc + (1 + (jumps ? in.imm : 0));
  } while (pc != head_pc);
  return true;
}

struct RegisterChange {
  enum class How : uint8_t {
    Kept,
    Constant,
    Added,
    Unknown
  };
  How how = How::Kept;
  Value value = Value::nil();  ///< of a Constant
  uint16_t from = 0;           ///< Added: to what this register was at the head; of what is not an integer, 0 is added
  int64_t added = 0;  ///< per iteration; wraps
  friend bool operator==(const RegisterChange& a, const RegisterChange& b) {
    return a.how == b.how && a.from == b.from && a.added == b.added && a.value.is_identical(b.value);
  }
};

struct PathEffects {
  bool is_possible = true;               ///< no branch contradicts what is known at the head
  KnownRegisters before;                 ///< at the head: what was known, and what the branches say
  std::vector<std::pair<uint16_t, Value>> excluded;  ///< at the head, what a register was not
  std::vector<RegisterChange> changes;   ///< by register
  std::vector<OriginalPc> decided;       ///< branches whose outcome follows from what is known at the head
  RegisterSet decided_by;                ///< of what was known: the registers that these test
  RegisterSet tested;                    ///< registers whose value at the head a branch tests
  KnownRegisters after() const;          ///< at the next head
};

/// Of an iteration that begins with `known` in its registers.
PathEffects effects_of(const PathCode& code, OriginalPc head_pc, const LoopPath& path, const KnownRegisters& known = {});

}  // namespace mangata::jit
