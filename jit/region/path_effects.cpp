#include "jit/region/path_effects.h"

#include <algorithm>
#include <optional>

#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/conditions.h"
#include "vm/bytecode/loaded_value.h"
#include "vm/bytecode/opcode_facts.h"
#include "vm/object/string.h"

namespace mangata::jit {

bool operator<(const KnownRegisters& a, const KnownRegisters& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    if (x.first != y.first) return x.first < y.first;
    return x.second.tag != y.second.tag ? x.second.tag < y.second.tag : x.second.payload < y.second.payload;
  });
}

namespace {

/// What a register holds during the iteration.
struct Symbol {
  bool is_of_head = false;  ///< what `reg` was at the head, plus `added`
  uint16_t reg = 0;
  int64_t added = 0;
  std::optional<Value> value;  ///< if it is known; neither this nor is_of_head: unknown
};

/// Equality is that of the bits.
bool may_be_known(const Value& value) {
  return value.is_nil() || value.is_boolean() || value.is_integer() || (value.is_string() && value.as_string()->is_short());
}

int64_t wrapping_sum(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t negative(int64_t a) { return static_cast<int64_t>(0 - static_cast<uint64_t>(a)); }

std::optional<int64_t> computed(ArithmeticOperator op, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  if (op == ArithmeticOperator::Add) return static_cast<int64_t>(x + y);
  if (op == ArithmeticOperator::Sub) return static_cast<int64_t>(x - y);
  if (op == ArithmeticOperator::Mul) return static_cast<int64_t>(x * y);
  if (op == ArithmeticOperator::BitAnd) return static_cast<int64_t>(x & y);
  if (op == ArithmeticOperator::BitOr) return static_cast<int64_t>(x | y);
  if (op == ArithmeticOperator::BitXor) return static_cast<int64_t>(x ^ y);
  return {};
}

/// Whether the branch jumps, where its operands are a and b.
bool jumps_by_order(const ComparisonForm& form, int64_t a, int64_t b) {
  if (form.swapped) std::swap(a, b);
  const bool holds = form.relation == Relation::Less ? a < b : a <= b;
  return holds == form.expected;
}

class Execution {
 public:
  Execution(const PathCode& code, const KnownRegisters& known) : code_(code), registers_(static_cast<size_t>(code.register_count)) {
    for (size_t reg = 0; reg < registers_.size(); ++reg) {
      if (code.captured.test(reg)) continue;
      registers_[reg] = {.is_of_head = true, .reg = static_cast<uint16_t>(reg)};
      if (const Value* value = known.find(static_cast<uint16_t>(reg))) registers_[reg].value = *value;
    }
    result_.before = known;
  }

  PathEffects run(OriginalPc head_pc, const LoopPath& path) {
    const bool is_whole = walk_path(code_, head_pc, path, [this](OriginalPc pc, const Instruction& in, const BranchStep* step) {
      if (step == nullptr) return execute(in), true;
      if (step->pc != pc) return false;  // no path of this code
      return branch(pc, in, step->taken), true;
    });
    if (!is_whole) return unknown();
    for (size_t reg = 0; reg < registers_.size(); ++reg) result_.changes.push_back(change_of(reg));
    return std::move(result_);
  }

 private:
  /// Nothing is known behind it.
  PathEffects unknown() {
    result_.changes.assign(registers_.size(), {.how = RegisterChange::How::Unknown});
    return std::move(result_);
  }

  RegisterChange change_of(size_t reg) const {
    using How = RegisterChange::How;
    const Symbol& symbol = registers_[reg];
    if (symbol.is_of_head) {
      if (symbol.reg == reg && symbol.added == 0) return {};
      return {.how = How::Added, .from = symbol.reg, .added = symbol.added};
    }
    if (symbol.value) return {.how = How::Constant, .value = *symbol.value};
    return {.how = How::Unknown};
  }

  void write(size_t reg, const Symbol& symbol) {
    if (reg < registers_.size() && !code_.captured.test(reg)) registers_[reg] = symbol;
  }

  static Symbol known(const Value& value) { return may_be_known(value) ? Symbol{.value = value} : Symbol{}; }

  void forget_written(const Instruction& in) {
    const RegisterSet writes = register_effects(in, code_.register_count).writes;
    for (size_t reg = 0; reg < registers_.size(); ++reg) {
      if (writes.test(reg)) registers_[reg] = {};
    }
  }

  void execute(const Instruction& in) {
    switch (family_of(in.op)) {
      case OpcodeFamily::Move: return write(in.a, Symbol(registers_[in.b]));
      case OpcodeFamily::Load: return load(in);
      case OpcodeFamily::Arithmetic:
      case OpcodeFamily::Bitwise: return arithmetic(in, has_constant_operand(in.op));
      case OpcodeFamily::Not:
        if (registers_[in.b].value) return write(in.a, known(Value::boolean(registers_[in.b].value->is_falsy())));
        break;
      case OpcodeFamily::Upvalue:
      case OpcodeFamily::FieldLoad:
      case OpcodeFamily::FieldStore:
      case OpcodeFamily::ElementLoad:
      case OpcodeFamily::ElementStore:
      case OpcodeFamily::Constructor:
      case OpcodeFamily::Unary:
      case OpcodeFamily::Length:
      case OpcodeFamily::Concat:
      case OpcodeFamily::Jump:
      case OpcodeFamily::TruthBranch:
      case OpcodeFamily::CopyBranch:
      case OpcodeFamily::EqualityBranch:
      case OpcodeFamily::OrderBranch:
      case OpcodeFamily::Call:
      case OpcodeFamily::Return:
      case OpcodeFamily::Vararg:
      case OpcodeFamily::Closure:
      case OpcodeFamily::Close:
      case OpcodeFamily::NumericFor:
      case OpcodeFamily::GenericFor:
      case OpcodeFamily::Event:
        break;
    }
    forget_written(in);
  }

  void load(const Instruction& in) {
    const Symbol value = known(loaded_value(code_.constants, in));
    const int count = in.op == Opcode::LoadNil ? in.b : 1;
    for (int i = 0; i < count; ++i) write(static_cast<size_t>(in.a + i), value);
  }

  void arithmetic(const Instruction& in, bool with_constant) {
    const Symbol left = registers_[in.b];
    const Symbol right = with_constant ? known(code_.constants[in.c]) : registers_[in.c];
    const bool is_swapped = with_constant && in.d == kOperandsSwapped;
    Symbol result;
    if (right.value && right.value->is_integer()) {
      const int64_t by = right.value->as_integer();
      if (left.value && left.value->is_integer()) {
        const int64_t left_integer = left.value->as_integer();
        const auto op = operator_of(in.op);
        const auto sum = !op ? std::nullopt : is_swapped ? computed(*op, by, left_integer)
                                                         : computed(*op, left_integer, by);
        if (sum) result.value = Value::integer(*sum);
      }
      const bool adds = in.op == Opcode::AddConstant, subtracts = in.op == Opcode::SubConstant && !is_swapped;
      if (left.is_of_head && (adds || subtracts) && (!left.value || result.value)) {
        result.is_of_head = true;
        result.reg = left.reg;
        result.added = wrapping_sum(left.added, adds ? by : negative(by));
      }
    }
    write(in.a, result);
  }

  // --- branches

  /// A branch has found out that it is this value.
  void refine(const Symbol& symbol, const Value& value) {
    if (!symbol.is_of_head || symbol.value || !may_be_known(value)) return;
    if (symbol.added != 0 && !value.is_integer()) return;
    const Value at_head = symbol.added == 0 ? value : Value::integer(wrapping_sum(value.as_integer(), negative(symbol.added)));
    result_.before.set(symbol.reg, at_head);
    for (Symbol& each : registers_) {
      if (!each.is_of_head || each.reg != symbol.reg) continue;
      each.value = each.added == 0 ? at_head : Value::integer(wrapping_sum(at_head.as_integer(), each.added));
    }
  }

  void exclude(const Symbol& symbol, const Value& value) {
    if (!symbol.is_of_head || symbol.value || !may_be_known(value) || (symbol.added != 0 && !value.is_integer())) return;
    result_.excluded.emplace_back(symbol.reg, symbol.added == 0 ? value : Value::integer(wrapping_sum(value.as_integer(), negative(symbol.added))));
  }

  /// The outcome of this branch follows from values.
  void decide(OriginalPc pc, const Symbol& symbol, bool jumps, bool would_jump) {
    if (jumps != would_jump) result_.is_possible = false;
    if (!symbol.is_of_head) return;  // it would anyway
    result_.decided.push_back(pc);
    result_.decided_by.set(symbol.reg);
  }

  void branch(OriginalPc pc, const Instruction& in, bool jumps) {
    const OpcodeFamily family = family_of(in.op);
    if (family == OpcodeFamily::TruthBranch) return test_truth(pc, registers_[in.a], !jumps_if_not(in.op), jumps);
    if (family == OpcodeFamily::CopyBranch) {
      test_truth(pc, registers_[in.b], !jumps_if_not(in.op), jumps);
      if (jumps) write(in.a, Symbol(registers_[in.b]));
      return;
    }
    const auto form = comparison_form(in.op);
    if (!form) return forget_written(in);  // loops
    const bool with_constant = opcode_info(in.op).format == OperandFormat::RaKbJump;
    const Symbol right = with_constant ? known(code_.constants[in.b]) : registers_[in.b];
    if (form->relation == Relation::Equal) return test_equality(pc, registers_[in.a], right, form->expected, jumps);
    test_order(pc, *form, registers_[in.a], right, jumps);
  }

  void note_test(const Symbol& symbol) {
    if (symbol.is_of_head) result_.tested.set(symbol.reg);
  }

  void test_truth(OriginalPc pc, const Symbol tested, bool wanted, bool jumps) {
    note_test(tested);
    if (tested.value) return decide(pc, tested, jumps, tested.value->is_truthy() == wanted);
    const auto at = static_cast<size_t>(pc);
    if (at < code_.is_always_boolean.size() && code_.is_always_boolean[at]) refine(tested, Value::boolean(jumps == wanted));
  }

  void test_equality(OriginalPc pc, const Symbol left, const Symbol right, bool wanted, bool jumps) {
    note_test(left);
    note_test(right);
    if (left.value && right.value) return decide(pc, left.is_of_head ? left : right, jumps, left.value->is_identical(*right.value) == wanted);
    if (!left.value && !right.value) return;
    const bool is_equal = jumps == wanted;
    const Symbol& open = left.value ? right : left;
    const Value value = left.value ? *left.value : *right.value;
    is_equal ? refine(open, value) : exclude(open, value);
  }

  void test_order(OriginalPc pc, const ComparisonForm& form, const Symbol left, const Symbol right, bool jumps) {
    note_test(left);
    note_test(right);
    if (!left.value || !right.value || !left.value->is_integer() || !right.value->is_integer()) return;
    decide(pc, left.is_of_head ? left : right, jumps, jumps_by_order(form, left.value->as_integer(), right.value->as_integer()));
  }

  const PathCode& code_;
  std::vector<Symbol> registers_;
  PathEffects result_;
};

}  // namespace

KnownRegisters PathEffects::after() const {
  KnownRegisters all;
  for (size_t reg = 0; reg < changes.size(); ++reg) {
    const RegisterChange& change = changes[reg];
    const auto name = static_cast<uint16_t>(reg);
    switch (change.how) {
      case RegisterChange::How::Constant: all.set(name, change.value); break;
      case RegisterChange::How::Kept:
        if (const Value* value = before.find(name)) all.set(name, *value);
        break;
      case RegisterChange::How::Added:
        if (const Value* value = before.find(change.from)) {
          if (change.added == 0) all.set(name, *value);
          if (change.added != 0 && value->is_integer()) all.set(name, Value::integer(wrapping_sum(value->as_integer(), change.added)));
        }
        break;
      case RegisterChange::How::Unknown: break;
    }
  }
  return all;
}

PathEffects effects_of(const PathCode& code, OriginalPc head_pc, const LoopPath& path, const KnownRegisters& known) {
  return Execution(code, known).run(head_pc, path);
}

}  // namespace mangata::jit
