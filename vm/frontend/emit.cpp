// Emitting instructions: lines, registers, constants, and the last pass over a function's code.
#include <algorithm>
#include <bit>

#include "vm/bytecode/proto_lifecycle.h"
#include "vm/frontend/code_generator.h"

namespace mangata {

CodeGenerator::CodeGenerator(Compilation& compilation, CodeGenerator* parent, Proto* proto, int line_defined)
    : compilation_(compilation),
      parent_(parent),
      proto_(*proto),
      serial_(++compilation.function_count),
      first_variable_(static_cast<int>(compilation.variables.size())),
      first_label_(static_cast<int>(compilation.labels.size())) {
  proto_.source = compilation.source;
  proto_.line_defined = line_defined;
  constexpr size_t kFewInstructions = 16;
  proto_.original_code.reserve(kFewInstructions);
  proto_.lines.reserve(kFewInstructions);
}

namespace {

template <typename T>
size_t bytes_of(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

}  // namespace

size_t CodeGenerator::bytes() const {
  return bytes_of(proto_.original_code) + bytes_of(proto_.lines) + bytes_of(proto_.constants) + bytes_of(proto_.nested) +
         bytes_of(proto_.locals) + bytes_of(proto_.branch_positions) + bytes_of(conditions_);
}

int CodeGenerator::emit(Instruction instruction) {
  proto_.original_code.push_back(instruction);
  proto_.lines.push_back(compilation_.lexer.last_line());
  return pc() - 1;
}

/// Registers first .. first+count-1 := nil. Neighbouring ranges become one instruction.
void CodeGenerator::emit_nil(int first, int count) {
  if (pc() > last_target_ && pc() > 0) {
    Instruction& previous = code(pc() - 1);
    if (previous.op == Opcode::LoadNil) {
      const int end = first + count;
      const int previous_end = previous.a + previous.b;
      if (first <= previous_end && previous.a <= end) {
        const int union_first = std::min<int>(first, previous.a);
        previous.a = static_cast<uint8_t>(union_first);
        previous.b = static_cast<uint16_t>(std::max(end, previous_end) - union_first);
        return;
      }
    }
  }
  emit(Opcode::LoadNil, first, count);
}

void CodeGenerator::emit_integer(int reg, int64_t value) {
  if (value == static_cast<int32_t>(value)) {
    emit_imm(Opcode::LoadInteger, reg, 0, static_cast<int32_t>(value));
  } else {
    emit_constant(reg, Value::integer(value));
  }
}

void CodeGenerator::emit_float(int reg, double value) {
  if (value > -2147483648.0 && value < 2147483647.0) {
    const int32_t integer = static_cast<int32_t>(value);
    if (std::bit_cast<uint64_t>(static_cast<double>(integer)) == std::bit_cast<uint64_t>(value)) {
      emit_imm(Opcode::LoadFloat, reg, 0, integer);
      return;
    }
  }
  emit_constant(reg, Value::number(value));
}

void CodeGenerator::emit_constant(int reg, const Value& value) {
  emit_imm(Opcode::LoadConstant, reg, 0, constant(value));
}

/// Returns `count` values from register `first` on, or all from there up to top.
void CodeGenerator::emit_return(int first, int count) {
  const bool must_close = block_->is_inside_to_be_closed;
  if (count == 0 && !must_close) {
    emit(Opcode::Return0, 0);
  } else if (count == 1 && !must_close) {
    emit(Opcode::Return1, first);
  } else {
    emit(Opcode::Return, first, count + 1, must_close);
  }
}

/// The index of `value` in the function's constants.
int CodeGenerator::constant(const Value& value) {
  const int next = static_cast<int>(proto_.constants.size());
  const int index = compilation_.constants.find_or_add(serial_, value, next);
  if (index == next) proto_.constants.push_back(value);
  return index;
}

/// Makes sure that `count` more registers exist.
void CodeGenerator::check_registers(int count) {
  const int needed = free_register_ + count;
  if (needed <= register_count_) return;
  if (needed > kMaxRegisters) {
    compilation_.needs_registers = true;
    compilation_.lexer.error_near_token("function or expression needs too many registers");
    return;
  }
  register_count_ = needed;
}

void CodeGenerator::reserve(int count) {
  check_registers(count);
  free_register_ += count;
}

/// Where a jump to `target` ends up when the instruction there is a jump itself. Jumps back are not skipped:
/// a loop must pass its own backedge, where interrupts are polled and iterations counted.
int CodeGenerator::final_target(int target) {
  for (int i = 0; i < 100; i++) {
    const Instruction& instruction = code(target);
    if (instruction.op != Opcode::Jump || instruction.a != 0) break;
    target += 1 + instruction.imm;
  }
  return target;
}

void CodeGenerator::finish() {
  emit_return(variable_registers(), 0);
  leave_block();
  if (compilation_.lexer.failed()) return;
  for (int i = 0; i < pc(); i++) {
    Instruction& instruction = code(i);
    switch (instruction.op) {
      case Opcode::Return0:
      case Opcode::Return1:
        if (captures_variables_ || proto_.is_vararg) {
          const int count = instruction.op == Opcode::Return0 ? 0 : 1;
          instruction = Instruction::abcd(Opcode::Return, instruction.a, count + 1, captures_variables_);
        }
        break;
      case Opcode::Return:
      case Opcode::TailCall:
        if (captures_variables_) instruction.c = 1;
        break;
      case Opcode::ForPrepare:
      case Opcode::GenericForPrepare:
        break;  // the jump shows where the loop's last instructions are
      default: {
        const ControlFlow flow = opcode_info(instruction.op).flow;
        const bool may_jump = flow == ControlFlow::Jump || flow == ControlFlow::Branch;
        if (may_jump && instruction.imm >= 0) set_jump(i, final_target(i + 1 + instruction.imm));
      }
    }
  }
  proto_.max_stack_slots = static_cast<uint8_t>(register_count_);
  proto_.caches.resize(cache_count_);
  std::stable_sort(proto_.branch_positions.begin(), proto_.branch_positions.end(),
                   [](const BranchPosition& a, const BranchPosition& b) { return a.pc < b.pc; });
  complete_proto(compilation_.vm, proto_);
  for (const auto& [jump, sense] : conditions_) proto_.feedback[jump] |= sense;
}

}  // namespace mangata
