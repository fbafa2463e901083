// Functions of the IR: operations in one flat array, and blocks that list them.
//
// [DESIGN] A Value is the index of the operation that defines it; constants and parameters are operations that no block lists, and
// equal constants are one. So what a value is, is one look into an array, and what belongs to a value (a register, a use count, what
// replaces it) is an array beside it. An operation has at most three operands of its own; what has more (arguments, results) has them
// in one array for all. Control merges by parameters of blocks: only a jump gives arguments, so what a branch or switch leads to has
// no parameters (an edge that needs both goes through a block of its own). A variable is a mutable cell without an address, for whoever
// builds code before its merges are known; a pass makes values of them.
//
// The first block is the entry: nothing jumps there, and it has no parameters. Read next: builder.h (makes them), text.h, verifier.h.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jit/ir/alias_classes.h"
#include "jit/ir/operation.h"

namespace mangata::jit::ir {

struct Operation {
  /// Bits of a constant; an offset or a size in bytes; a number; weights of a branch.
  uint64_t immediate = 0;
  std::array<Value, 3> operands = {};
  /// Where its list is: arguments, results, cases of a switch. In Address, list_count is the scale.
  uint32_t list_begin = 0;
  uint32_t list_count = 0;
  uint32_t place = 0;  ///< where it comes from, for whoever keeps such places; 0: nowhere
  Opcode op = Opcode::Undefined;
  Type type = Type::None;
  Memory memory = Memory::Any;
  bool is_volatile = false;
  bool has_two_words = false;  ///< a call of which two I64 come back
  CallMemory touches = CallMemory::All;
};

struct Block {
  std::vector<Value> parameters;
  std::vector<Value> operations;  ///< the last is a terminator
  const char* name = "";          ///< a hint for readers; it has to outlive the block
  bool is_cold = false;
};

class Function {
 public:
  static constexpr size_t kSmallLoop = 512;  ///< operations that it has
  /// There is room for so many operations, constants included, without moving any. What is not used of it costs address space only:
  /// growing by doubling touches twice the memory, and where programs are young that is memory which nobody has touched yet.
  explicit Function(std::string name, size_t expected_operations = kSmallLoop);

  const std::string& name() const { return name_; }
  std::span<const Value> parameters() const { return parameters_; }
  std::span<const Type> results() const { return results_; }
  std::span<const Type> variables() const { return variables_; }
  size_t block_count() const { return blocks_.size(); }
  size_t value_count() const { return operations_.size(); }

  Operation& operator[](Value value) { return operations_[value.index]; }
  const Operation& operator[](Value value) const { return operations_[value.index]; }
  Block& operator[](BlockId block) { return blocks_[block.index]; }
  const Block& operator[](BlockId block) const { return blocks_[block.index]; }
  Type type_of(Value value) const { return operations_[value.index].type; }
  Type type_of(Variable variable) const { return variables_[variable.index]; }

  // --- what operations consist of
  /// Arguments of a call or jump, values of a return.
  std::span<const Value> list(const Operation& operation) const { return {lists_.data() + operation.list_begin, operation.list_count}; }
  std::span<Value> list(const Operation& operation) { return {lists_.data() + operation.list_begin, operation.list_count}; }
  /// The operation need not be the function's yet; the values may be a list of it.
  void set_list(Operation* operation, std::span<const Value> values);
  /// The bits; none: it is no constant of an integer type, Bool or Pointer.
  std::optional<uint64_t> constant_of(Value value) const;
  std::optional<double> float_constant_of(Value value) const;
  bool is_constant(Value value) const { return operations_[value.index].op == Opcode::Constant; }
  static Variable variable_of(const Operation& operation) { return {static_cast<uint32_t>(operation.immediate)}; }
  static int64_t offset_of(const Operation& operation) { return static_cast<int64_t>(operation.immediate); }
  /// Of an Address with an index.
  static uint32_t scale_of(const Operation& operation) { return operation.list_count; }
  static uint32_t weight_of(const Operation& branch, int arm) { return static_cast<uint32_t>(branch.immediate >> (arm == 0 ? 32 : 0)); }
  static void set_weights(Operation* branch, uint32_t first, uint32_t second) { branch->immediate = uint64_t{first} << 32 | second; }
  /// Where the terminator leads; of a switch the last is the one for what has no case.
  size_t target_count(const Operation& terminator) const {
    if (terminator.op == Opcode::Jump) return 1;
    if (terminator.op == Opcode::Branch) return 2;
    return terminator.op == Opcode::Switch ? terminator.list_count / 2 + 1 : 0;
  }
  BlockId target(const Operation& terminator, size_t number) const {
    // Blocks are where values of other operations are: of a jump in the first operand, of a branch behind its condition, of a switch with
    // each constant, and that of all others behind its operand.
    if (terminator.op == Opcode::Jump) return {terminator.operands[0].index};
    if (terminator.op == Opcode::Branch) return {terminator.operands[1 + number].index};
    if (number == terminator.list_count / 2) return {terminator.operands[1].index};
    return {lists_[terminator.list_begin + 2 * number + 1].index};
  }
  void set_target(Operation* terminator, size_t number, BlockId block);
  /// The constant of a switch for target(terminator, number).
  Value case_of(const Operation& terminator, size_t number) const { return lists_[terminator.list_begin + 2 * number]; }
  /// Invalid: the block has none yet.
  Value terminator(BlockId block) const {
    const std::vector<Value>& operations = (*this)[block].operations;
    if (operations.empty() || info_of((*this)[operations.back()].op).effect != Effect::Control) return {};
    return operations.back();
  }

  // --- making
  Value add_parameter(Type type);
  void add_result(Type type) { results_.push_back(type); }
  Variable add_variable(Type type);
  BlockId add_block(const char* name = "", bool is_cold = false);
  Value add_block_parameter(BlockId block, Type type);
  /// Makes one of an operation that belongs to no block yet.
  void append_block_parameter(BlockId block, Value parameter);
  /// Precondition: no operation that a block lists names one.
  void forget_variables() { variables_.clear(); }
  /// `bits` has no more than the type. Equal ones are one.
  Value constant(Type type, uint64_t bits);
  /// Belongs to no block yet.
  Value add(const Operation& operation);

 private:
  static size_t hash_of(Type type, uint64_t bits) { return static_cast<size_t>(((bits ^ bits >> 31) * kHashMultiplier >> 32) ^ static_cast<uint64_t>(type)); }
  void grow_constants();

  std::string name_;
  std::vector<Operation> operations_;
  std::vector<Value> lists_;
  std::vector<Block> blocks_;
  std::vector<Value> parameters_;
  std::vector<Type> results_;
  std::vector<Type> variables_;
  std::vector<Value> constants_;  ///< a hash table of a power of two, less than half full
  size_t constant_count_ = 0;
};

/// Functions that may call each other. The first is what is entered from outside.
struct Module {
  std::vector<Function> functions;
};

}  // namespace mangata::jit::ir
