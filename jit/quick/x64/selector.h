// Selection: operations of the IR become instructions of the machine.
//
// [DESIGN] Forward, block by block in the order of BlockOrder, after a look at all operations that finds which ones need no instruction of
// their own: addresses that only loads and stores use, loads that are used once with no write between, comparisons before the branch
// that wants them, constants. Bool, I8, I16 and I32 are in registers with all bits above zero, so that extending them and converting
// between words and pointers is nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/ir/function.h"
#include "jit/quick/code/code.h"
#include "jit/quick/order/block_order.h"
#include "jit/quick/x64/opcodes.h"

namespace mangata::jit::quick::x64 {

/// A function in instructions, and what encoding has to know besides.
struct Selected {
  Code code;
  std::vector<int64_t> cases;        ///< of switches: Instruction::immediate is where they begin
  uint32_t argument_bytes = 0;       ///< of the native stack, for calls
  uint32_t area_bytes = 0;           ///< of stack areas
  std::string error;                 ///< not empty: what the backend does not know
};

class Selector {
 public:
  Selector(const ir::Module& module, const ir::Function& function, const BlockOrder& order);
  Selected run();

 private:
  struct Address {
    ir::Value base;  ///< invalid: the displacement is the address
    ir::Value index;
    uint8_t scale = 0;
    int32_t displacement = 0;
    uint8_t shift = 0;  ///< of the index, before it is scaled
    bool is_too_far = false;
  };
  /// What a condition is made of.
  struct Condition {
    Compare compare = Compare::None;
    uint8_t condition = 0;
    uint8_t width = 8;
    ir::Value left, right;
  };

  // --- select_folds.cpp
  void count_uses();
  void find_folds();
  void find_folds_of(ir::Value value, std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block);
  bool may_fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block) const;
  void fold_load(ir::Value load, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block);
  void fold_compared(const ir::Operation& operation, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block);
  void fold_condition(ir::Value condition, const std::vector<uint32_t>& epochs, uint32_t epoch, ir::BlockId block);
  bool is_folded(ir::Value value) const { return folded_[value.index] != 0; }
  bool is_folded_load(ir::Value value) const { return is_folded(value) && function_[value].op == ir::Opcode::Load; }
  bool is_single_use_here(ir::Value value, ir::BlockId block) const { return uses_[value.index] == 1 && block_of_[value.index] == block; }

  // --- selector.cpp
  void select_blocks();
  void select_block(BlockIndex index);
  void select_entry();
  void connect();
  void select(ir::Value value);
  // --- select_integers.cpp
  void select_integers(ir::Value value, const ir::Operation& operation);
  void select_add(ir::Value value, const ir::Operation& operation);
  void select_binary(ir::Value value, const ir::Operation& operation, Op op);
  bool select_shifted_product(ir::Value value, const ir::Operation& operation);
  void select_and(ir::Value value, const ir::Operation& operation);
  void select_shift(ir::Value value, const ir::Operation& operation);
  void select_rotation(ir::Value value, const ir::Operation& operation);
  void select_division(ir::Value value, const ir::Operation& operation);
  void select_high_product(ir::Value value, const ir::Operation& operation);
  void select_one(Op op, ir::Value value, ir::Value operand, uint8_t width);
  void select_extension(ir::Value value, const ir::Operation& operation);
  // --- select_floats.cpp
  void select_floats(ir::Value value, const ir::Operation& operation);
  void select_float_binary(ir::Value value, const ir::Operation& operation, Op op);
  void select_float_unary(ir::Value value, const ir::Operation& operation, Op op, int64_t mode = 0);
  // --- select_conditions.cpp
  void select_conditions(ir::Value value, const ir::Operation& operation);
  Condition comparison_of(const ir::Operation& operation) const;
  Condition condition_of(ir::Value value) const;
  void add_condition(const Condition& condition);
  void select_select(ir::Value value, const ir::Operation& operation);
  void select_branch(const ir::Operation& operation);
  // --- select_memory.cpp
  void select_memory(ir::Value value, const ir::Operation& operation);
  Address address_of(ir::Value pointer, int64_t offset) const;
  void prepare(Address* address);
  void add_address(const Address& address);
  void add_loaded(ir::Value load);
  void select_load(ir::Value value, const ir::Operation& operation);
  void select_store(const ir::Operation& operation);
  // --- select_calls.cpp
  void select_calls(ir::Value value, const ir::Operation& operation);
  void select_call(ir::Value value, const ir::Operation& operation);
  void select_call_compiled(ir::Value value, const ir::Operation& operation);
  void select_call_function(ir::Value value, const ir::Operation& operation);
  void select_return(const ir::Operation& operation);
  void select_switch(const ir::Operation& operation);
  void extend_result(ir::Value value, ValueIndex raw, ir::Type type);

  // --- making instructions
  Instruction& begin(Op op, uint8_t width = 8);
  void add(ValueIndex value, Use use, Register fixed = kNoRegister, bool is_late = false);
  void use(ir::Value value, Use kind = Use::Register, bool is_late = false) { add(value_of(value), kind, kNoRegister, is_late); }
  void define(ir::Value value, Use kind = Use::Define) { add(value_of(value), kind); }
  /// The result of an instruction that works on at least four bytes, where bits above the value's type may come out; then
  /// finish_narrow() clears them.
  ValueIndex narrow_result(ir::Value value);
  void finish_narrow(ir::Value value, ValueIndex result);
  void temporary(RegisterClass kind, Register fixed = kNoRegister);
  ValueIndex new_value(RegisterClass kind);
  ValueIndex constant(uint64_t bits, RegisterClass kind);
  ValueIndex value_of(ir::Value value);
  void fail(const std::string& what) {
    if (selected_.error.empty()) selected_.error = what;
  }
  static RegisterClass class_of(ir::Type type) { return type == ir::Type::F64 ? RegisterClass::Float : RegisterClass::General; }
  static uint8_t bytes(ir::Type type) { return static_cast<uint8_t>(ir::size_bytes(type)); }
  uint8_t width_of(ir::Value value) const { return bytes(function_.type_of(value)); }
  /// A constant that an instruction may have, sign-extended from the width.
  std::optional<int32_t> immediate_of(ir::Value value) const;
  Code& code() { return selected_.code; }

  const ir::Module& module_;
  const ir::Function& function_;
  const BlockOrder& order_;
  Selected selected_;
  std::vector<ValueIndex> value_of_;
  std::vector<uint32_t> uses_, address_uses_;
  std::vector<uint8_t> folded_;
  std::vector<ir::BlockId> block_of_;
  std::vector<std::pair<ir::Value, ValueIndex>> second_words_;
  struct CallResult {
    ir::Value call;
    uint64_t number;
    ValueIndex value;
  };
  std::vector<CallResult> call_results_;
  struct ConstantEntry {
    uint64_t bits;
    ValueIndex value;
  };
  std::vector<std::vector<ConstantEntry>> constants_ = std::vector<std::vector<ConstantEntry>>(128);
  BlockIndex block_ = 0;
  uint32_t place_ = 0;  ///< of the operation that is selected
  ValueIndex shifted_index_ = kNone;
};

}  // namespace mangata::jit::quick::x64
