// Makes operations, at the end of a block. Read next: fold.h, numbering.h.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "jit/ir/function.h"
#include "jit/ir/numbering.h"

namespace mangata::jit::ir {

/// What is not made because it is known: of constants; of one operand (x + 0); because it has been made (in the same extended block).
struct Folding {
  bool constants = true;
  bool identities = true;
  bool repetitions = true;
  /// Addresses with constant offsets, which mostly become part of accesses, are made where something else uses them.
  bool addresses = false;
};

/// Values that are passed, as a list or as an array.
class Values : public std::span<const Value> {
 public:
  Values() = default;
  Values(std::initializer_list<Value> values) : std::span<const Value>(values.begin(), values.size()) {}
  Values(const std::vector<Value>& values) : std::span<const Value>(values) {}
  Values(std::span<const Value> values) : std::span<const Value>(values) {}
};

class Builder {
 public:
  explicit Builder(Function* function, const Folding& folding = {}) : function_(function), folding_(folding) {}

  Function& function() const { return *function_; }
  /// Operations go to another function.
  void set_function(Function* function);

  // --- where
  /// Appends to the block; what was known is forgotten.
  void set_position(BlockId block);
  /// The same, where the block is reached from the current one only: what is known there stays known.
  void continue_in(BlockId block) { block_ = block; }
  BlockId position() const { return block_; }
  BlockId new_block(const char* name = "", bool is_cold = false) { return function_->add_block(name, is_cold); }
  Value add_parameter(BlockId block, Type type) { return ++made_, function_->add_block_parameter(block, type); }
  /// Of operations that are made from here on: Operation::place.
  void set_place(uint32_t place) { place_ = place; }
  /// Operations and parameters of blocks that were made, as many as LLVM has instructions for them. For whoever limits or prices code.
  size_t made() const { return made_; }

  // --- constants
  Value constant(Type type, uint64_t bits) { return function_->constant(type, bits & mask_of(type)); }
  Value i64(uint64_t value) { return function_->constant(Type::I64, value); }
  Value i32(uint32_t value) { return function_->constant(Type::I32, value); }
  Value i16(uint16_t value) { return function_->constant(Type::I16, value); }
  Value i8(uint8_t value) { return function_->constant(Type::I8, value); }
  Value boolean(bool value) { return function_->constant(Type::Bool, value ? 1 : 0); }
  Value f64(double value);
  Value pointer(const void* address) { return function_->constant(Type::Pointer, reinterpret_cast<uint64_t>(address)); }
  Value null() { return function_->constant(Type::Pointer, 0); }
  Value undefined(Type type) { return make({.op = Opcode::Undefined, .type = type}); }

  // --- integers
  Value add(Value a, Value b) { return binary(Opcode::Add, a, b); }
  Value sub(Value a, Value b) { return binary(Opcode::Sub, a, b); }
  Value mul(Value a, Value b) { return binary(Opcode::Mul, a, b); }
  Value sdiv(Value a, Value b) { return binary(Opcode::SDiv, a, b); }
  Value srem(Value a, Value b) { return binary(Opcode::SRem, a, b); }
  Value udiv(Value a, Value b) { return binary(Opcode::UDiv, a, b); }
  Value umulhigh(Value a, Value b) { return binary(Opcode::UMulHigh, a, b); }
  Value bit_and(Value a, Value b) { return binary(Opcode::And, a, b); }
  Value bit_or(Value a, Value b) { return binary(Opcode::Or, a, b); }
  Value bit_xor(Value a, Value b) { return binary(Opcode::Xor, a, b); }
  Value shl(Value a, Value count) { return binary(Opcode::Shl, a, count); }
  Value lshr(Value a, Value count) { return binary(Opcode::LShr, a, count); }
  Value ashr(Value a, Value count) { return binary(Opcode::AShr, a, count); }
  Value shl(Value a, uint64_t count) { return shl(a, constant(function_->type_of(a), count)); }
  Value lshr(Value a, uint64_t count) { return lshr(a, constant(function_->type_of(a), count)); }
  Value rotl(Value a, Value count) { return binary(Opcode::RotL, a, count); }
  Value rotr(Value a, Value count) { return binary(Opcode::RotR, a, count); }
  Value bswap(Value a) { return unary(Opcode::BSwap, a); }
  Value neg(Value a) { return sub(constant(function_->type_of(a), 0), a); }
  /// All bits are others; of a Bool: it does not hold.
  Value bit_not(Value a) { return bit_xor(a, constant(function_->type_of(a), ~uint64_t{0})); }

  // --- floats
  Value fadd(Value a, Value b) { return binary(Opcode::FAdd, a, b); }
  Value fsub(Value a, Value b) { return binary(Opcode::FSub, a, b); }
  Value fmul(Value a, Value b) { return binary(Opcode::FMul, a, b); }
  Value fdiv(Value a, Value b) { return binary(Opcode::FDiv, a, b); }
  Value fneg(Value a) { return unary(Opcode::FNeg, a); }
  Value fabs(Value a) { return unary(Opcode::FAbs, a); }
  Value fsqrt(Value a) { return unary(Opcode::FSqrt, a); }
  Value floor(Value a) { return unary(Opcode::Floor, a); }
  Value ceil(Value a) { return unary(Opcode::Ceil, a); }
  Value trunc(Value a) { return unary(Opcode::Trunc, a); }
  Value fma(Value a, Value b, Value c);

  // --- comparisons
  Value eq(Value a, Value b) { return binary(Opcode::Eq, a, b); }
  Value ne(Value a, Value b) { return binary(Opcode::Ne, a, b); }
  Value slt(Value a, Value b) { return binary(Opcode::Slt, a, b); }
  Value sle(Value a, Value b) { return binary(Opcode::Sle, a, b); }
  Value sgt(Value a, Value b) { return slt(b, a); }
  Value sge(Value a, Value b) { return sle(b, a); }
  Value ult(Value a, Value b) { return binary(Opcode::Ult, a, b); }
  Value ule(Value a, Value b) { return binary(Opcode::Ule, a, b); }
  Value ugt(Value a, Value b) { return ult(b, a); }
  Value uge(Value a, Value b) { return ule(b, a); }
  Value feq(Value a, Value b) { return binary(Opcode::FEq, a, b); }
  Value fne(Value a, Value b) { return binary(Opcode::FNe, a, b); }
  Value flt(Value a, Value b) { return binary(Opcode::FLt, a, b); }
  Value fle(Value a, Value b) { return binary(Opcode::FLe, a, b); }
  Value fgt(Value a, Value b) { return flt(b, a); }
  Value fge(Value a, Value b) { return fle(b, a); }
  Value is_null(Value pointer) { return eq(pointer, null()); }
  Value is_not_null(Value pointer) { return ne(pointer, null()); }
  Value select(Value condition, Value where_it_holds, Value otherwise);

  // --- conversions
  Value zext(Value a, Type type) { return convert(Opcode::ZExt, a, type); }
  Value sext(Value a, Type type) { return convert(Opcode::SExt, a, type); }
  Value truncate(Value a, Type type) { return convert(Opcode::Truncate, a, type); }
  Value integer_to_float(Value a) { return unary(Opcode::IntegerToFloat, a); }
  Value float_to_integer(Value a) { return unary(Opcode::FloatToInteger, a); }
  Value float_to_integer_saturating(Value a) { return unary(Opcode::FloatToIntegerSaturating, a); }
  Value bits_of_float(Value a) { return unary(Opcode::BitsOfFloat, a); }
  Value float_of_bits(Value a) { return unary(Opcode::FloatOfBits, a); }
  Value pointer_to_integer(Value a) { return unary(Opcode::PointerToInteger, a); }
  Value integer_to_pointer(Value a) { return unary(Opcode::IntegerToPointer, a); }

  // --- memory
  /// An address that is a pointer with a constant added is taken apart: the offset belongs to the access.
  Value load(Type type, Value address, int64_t offset, Memory memory, bool is_volatile = false);
  Value load(Type type, Value address, Memory memory) { return load(type, address, 0, memory); }
  Value store(Value value, Value address, int64_t offset, Memory memory, bool is_volatile = false);
  Value store(Value value, Value address, Memory memory) { return store(value, address, 0, memory); }
  Value address(Value pointer, int64_t offset);
  Value address(Value pointer, Value index, uint32_t scale, int64_t offset = 0);
  Variable new_variable(Type type) { return function_->add_variable(type); }
  Value get(Variable variable);
  Value set(Variable variable, Value value);
  /// For a store or jump: what the variable holds there, without an operation that reads it.
  Value held_by(Variable variable);
  Value stack_area(uint64_t bytes) { return make({.immediate = bytes, .op = Opcode::StackArea, .type = Type::Pointer}); }
  Value stack_pointer() { return make({.op = Opcode::StackPointer, .type = Type::I64}); }

  // --- calls
  Value call(Type type, Value address, const Values& arguments, CallMemory touches = CallMemory::All);
  /// Of a function that returns two words: the first. second_word() has the other.
  Value call_two_words(Value address, const Values& arguments, CallMemory touches = CallMemory::All);
  Value second_word(Value call) { return make({.operands = {call}, .op = Opcode::SecondWord, .type = Type::I64}); }
  /// Of compiled code of Lua: the thread, the base, the code, the number of arguments, the virtual machine.
  Value call_compiled(Value thunk, const Values& arguments);
  /// Of a function of the module. Its results are given by result().
  Value call_function(uint32_t index, const Values& arguments);
  Value result(Value call, uint32_t number, Type type);

  // --- terminators
  Value jump(BlockId block, const Values& arguments = {});
  /// Weights say how often which way is taken; 0 and 0: nobody knows.
  Value branch(Value condition, BlockId where_it_holds, BlockId otherwise, uint32_t weight = 0, uint32_t other_weight = 0);
  void set_weights(Value branch, uint32_t weight, uint32_t other_weight) { Function::set_weights(&(*function_)[branch], weight, other_weight); }
  struct Case {
    uint64_t value;
    BlockId block;
  };
  Value switch_on(Value value, std::span<const Case> cases, BlockId otherwise);
  Value return_values(const Values& values);
  Value unreachable() { return make({.op = Opcode::Unreachable}); }

  // --- any
  Value unary(Opcode op, Value a);
  Value binary(Opcode op, Value a, Value b);
  Value convert(Opcode op, Value a, Type type) { return make({.operands = {a}, .op = op, .type = type}); }

 private:
  Value make(Operation operation);
  Value append(Operation operation);
  Value put(Operation operation);
  /// While the address is another one with a constant offset: that one, and the offset is added.
  void take_apart(Value* address, int64_t* offset) const;
  /// Addresses among the operands that no block has.
  void make_addresses(Operation* operation);

  Function* function_;
  const Folding folding_;
  Numbering known_;
  BlockId block_;
  std::vector<Value> variables_;  ///< by variable: what held_by() gives
  uint32_t place_ = 0;
  size_t made_ = 0;
};

}  // namespace mangata::jit::ir
