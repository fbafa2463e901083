#include "jit/passes/strength_reduction.h"

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "jit/ir/division_by_constant.h"
#include "jit/passes/operands.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

bool is_division(Opcode op) { return op == Opcode::SDiv || op == Opcode::SRem || op == Opcode::UDiv; }

class StrengthReduction {
 public:
  explicit StrengthReduction(Function* function) : function_(*function) {}

  void replace() {
    if (!find_uses()) return;
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      block_ = {i};
      made_.clear();
      bool changes = false;
      for (const Value value : function_[block_].operations) {
        changes |= rewrite(value);
        made_.push_back(value);
      }
      if (changes) std::swap(function_[block_].operations, made_);
    }
  }

 private:
  /// Whether there is a division by a constant. Who uses it is looked at only then.
  bool find_uses() {
    bool any = false;
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      for (const Value value : function_[BlockId{i}].operations) any |= divisor_of(value).has_value() || reciprocal_of(value).has_value() || is_doubled(value);
    }
    if (!any) return false;
    uses_ = count_uses(function_);
    rounded_.assign(function_.value_count(), 0);
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      for (const Value value : function_[BlockId{i}].operations) {
        if (const std::optional<Floor> floor = floor_of(value)) {
          ++rounded_[floor->division.index];
          ++rounded_[floor->sign_of.index];
        }
      }
    }
    return true;
  }

  /// Of a division by a constant.
  std::optional<int64_t> divisor_of(Value value) const {
    const Operation& operation = function_[value];
    if (!is_division(operation.op) || operation.type != Type::I64) return {};
    const std::optional<uint64_t> divisor = function_.constant_of(operation.operands[1]);
    if (!divisor || *divisor == 0 || *divisor == uint64_t{1} << 63) return {};
    if (operation.op == Opcode::UDiv && !std::has_single_bit(*divisor)) return {};
    return static_cast<int64_t>(*divisor);
  }

  /// Of a division of floats by a power of two, where it is exact.
  std::optional<double> reciprocal_of(Value value) const {
    const Operation& operation = function_[value];
    if (operation.op != Opcode::FDiv) return {};
    const std::optional<double> divisor = function_.float_constant_of(operation.operands[1]);
    if (!divisor || !std::isnormal(*divisor) || !std::isnormal(1 / *divisor)) return {};
    int exponent = 0;
    if (std::abs(std::frexp(*divisor, &exponent)) != 0.5) return {};
    return 1 / *divisor;
  }

  bool is_doubled(Value value) const {
    const Operation& operation = function_[value];
    return operation.op == Opcode::FMul && (function_.float_constant_of(operation.operands[1]) == 2.0 || function_.float_constant_of(operation.operands[0]) == 2.0);
  }

  /// A quotient or remainder that is corrected by the remainder's sign.
  struct Floor {
    Value division;
    Value sign_of;
    int64_t divisor;
    bool is_remainder;
  };

  /// Of `ashr rest, 63`: the rest, if it is a remainder of a constant above 0.
  Value rest_of_sign(Value value) const {
    const Operation& operation = function_[value];
    if (operation.op != Opcode::AShr || function_.constant_of(operation.operands[1]) != 63u) return {};
    if (function_[operation.operands[0]].op != Opcode::SRem || divisor_of(operation.operands[0]).value_or(0) <= 0) return {};
    return operation.operands[0];
  }

  /// remainder: rest + (rest >> 63 & divisor); quotient: quotient + (rest >> 63)
  std::optional<Floor> floor_of(Value value) const {
    const Operation& operation = function_[value];
    if (operation.op != Opcode::Add) return {};
    for (int i = 0; i < 2; ++i) {
      const Value division = operation.operands[static_cast<size_t>(i)];
      const Value correction = operation.operands[static_cast<size_t>(1 - i)];
      const std::optional<int64_t> divisor = divisor_of(division);
      if (!divisor || *divisor <= 0) continue;
      if (function_[division].op == Opcode::SRem && function_[correction].op == Opcode::And) {
        const Operation& mask = function_[correction];
        for (size_t side = 0; side < 2; ++side) {
          if (rest_of_sign(mask.operands[side]) == division && function_.constant_of(mask.operands[1 - side]) == static_cast<uint64_t>(*divisor)) {
            return Floor{division, division, *divisor, true};
          }
        }
      } else if (function_[division].op == Opcode::SDiv) {
        const Value rest = rest_of_sign(correction);
        if (rest && function_[rest].operands[0] == function_[division].operands[0] && function_[rest].operands[1] == function_[division].operands[1]) {
          return Floor{division, rest, *divisor, false};
        }
      }
    }
    return {};
  }

  /// Whether it has become something else.
  bool rewrite(Value value) {
    place_ = function_[value].place;
    if (const std::optional<double> reciprocal = reciprocal_of(value)) {
      become(value, Opcode::FMul, function_[value].operands[0], function_.constant(Type::F64, std::bit_cast<uint64_t>(*reciprocal)));
      return true;
    }
    if (is_doubled(value)) {
      const Operation& operation = function_[value];
      const Value doubled = operation.operands[function_.float_constant_of(operation.operands[1]) == 2.0 ? 0 : 1];
      return become(value, Opcode::FAdd, doubled, doubled), true;
    }
    if (const std::optional<Floor> floor = floor_of(value)) {
      const Value dividend = function_[floor->division].operands[0];
      return floor->is_remainder ? floor_remainder(value, dividend, floor->divisor) : floor_quotient(value, dividend, floor->divisor);
    }
    const std::optional<int64_t> divisor = divisor_of(value);
    // One that only corrections read is dead when they are replaced: a remainder is read by the sum, and for its sign.
    if (!divisor || uses_[value.index] <= rounded_[value.index]) return false;
    return truncated(value, *divisor);
  }

  bool floor_remainder(Value value, Value dividend, int64_t divisor) {
    if (std::has_single_bit(static_cast<uint64_t>(divisor))) return become(value, Opcode::And, dividend, constant(static_cast<uint64_t>(divisor) - 1)), true;
    const Value quotient = floored(dividend, static_cast<uint64_t>(divisor));
    return become(value, Opcode::Sub, dividend, make(Opcode::Mul, quotient, constant(static_cast<uint64_t>(divisor)))), true;
  }

  bool floor_quotient(Value value, Value dividend, int64_t divisor) {
    const auto positive = static_cast<uint64_t>(divisor);
    if (std::has_single_bit(positive)) {
      become(value, Opcode::AShr, dividend, constant(static_cast<uint64_t>(std::countr_zero(positive))));
    } else {
      const Value sign = sign_of(dividend);
      become(value, Opcode::Xor, divided(make(Opcode::Xor, dividend, sign), positive), sign);
    }
    return true;
  }

  Value floored(Value dividend, uint64_t divisor) {
    const Value sign = sign_of(dividend);
    return make(Opcode::Xor, divided(make(Opcode::Xor, dividend, sign), divisor), sign);
  }

  /// C's operators, which round towards zero, and unsigned ones by powers of two.
  bool truncated(Value value, int64_t divisor) {
    const Operation operation = function_[value];
    const Value dividend = operation.operands[0];
    if (operation.op == Opcode::UDiv) {
      return become(value, Opcode::LShr, dividend, constant(static_cast<uint64_t>(std::countr_zero(static_cast<uint64_t>(divisor))))), true;
    }
    const uint64_t positive = divisor < 0 ? -static_cast<uint64_t>(divisor) : static_cast<uint64_t>(divisor);
    const Value sign = sign_of(dividend);
    const Value magnitude = make(Opcode::Sub, make(Opcode::Xor, dividend, sign), sign);  // unsigned: up to 2^63
    const Value quotient = divided(magnitude, positive);
    if (operation.op == Opcode::SDiv && divisor < 0) {
      become(value, Opcode::Sub, sign, make(Opcode::Xor, quotient, sign));
    } else if (operation.op == Opcode::SDiv) {
      become(value, Opcode::Sub, make(Opcode::Xor, quotient, sign), sign);
    } else {
      const Value signed_quotient = make(Opcode::Sub, make(Opcode::Xor, quotient, sign), sign);
      become(value, Opcode::Sub, dividend, make(Opcode::Mul, signed_quotient, constant(positive)));
    }
    return true;
  }

  /// Of a dividend of at most 2^63.
  Value divided(Value dividend, uint64_t divisor) {
    if (std::has_single_bit(divisor)) return make(Opcode::LShr, dividend, constant(static_cast<uint64_t>(std::countr_zero(divisor))));
    const DivisionByConstant division = division_by_constant(divisor);
    const Value high = make(Opcode::UMulHigh, dividend, constant(division.multiplier));
    return make(Opcode::LShr, high, constant(static_cast<uint64_t>(division.shift)));
  }

  Value sign_of(Value value) { return make(Opcode::AShr, value, constant(63)); }
  Value constant(uint64_t bits) { return function_.constant(Type::I64, bits); }
  Value make(Opcode op, Value a, Value b) {
    const Value value = function_.add({.operands = {a, b}, .place = place_, .op = op, .type = Type::I64});
    made_.push_back(value);
    return value;
  }
  void become(Value value, Opcode op, Value a, Value b) {
    function_[value].op = op;
    function_[value].operands = {a, b, {}};
  }

  Function& function_;
  BlockId block_;
  uint32_t place_ = 0;
  std::vector<Value> made_;        ///< the block as it becomes
  std::vector<uint32_t> uses_;     ///< by value
  std::vector<uint32_t> rounded_;  ///< by value: by sums that are replaced
};

}  // namespace

void reduce_strength(ir::Function* function) { StrengthReduction(function).replace(); }

}  // namespace mangata::jit
