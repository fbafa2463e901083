// Pending jumps and conditions. A list of pending jumps is linked through the imm operands of its
// instructions.
#include "vm/bytecode/conditions.h"
#include "vm/frontend/code_generator.h"

namespace mangata {
namespace {

/// What a constant decides is no condition of the program.
bool is_constant(ExpressionKind kind) {
  return kind == ExpressionKind::Nil || kind == ExpressionKind::False || kind == ExpressionKind::True ||
         kind == ExpressionKind::Integer || kind == ExpressionKind::Float || kind == ExpressionKind::String;
}

bool is_copying_jump(Opcode op) { return op == Opcode::CopyJumpIfTrue || op == Opcode::CopyJumpIfFalse; }

}  // namespace

/// A loop's backedge. `keyword`: what the loop begins with, or the `goto` that makes it one.
void CodeGenerator::jump_back(int target, std::string_view keyword) {
  const int backedge = emit_imm(Opcode::Jump, 1, 0, 0);
  set_jump(backedge, target);
  note_position(backedge, proto_.lines[static_cast<size_t>(target)], keyword);  // the loop's name has the line of its first instruction
}

/// Adds the members of `other` to `list`. The order in a list means nothing, so the shorter one goes in front: long chains of `elseif`
/// or `and` are joined jump by jump, and would be walked along for each.
void CodeGenerator::join_jumps(int& list, int other) {
  if (other == kNoJump) return;
  if (list == kNoJump) {
    list = other;
    return;
  }
  int last = list, last_of_other = other;
  while (code(last).imm != kNoJump && code(last_of_other).imm != kNoJump) {
    last = code(last).imm;
    last_of_other = code(last_of_other).imm;
  }
  if (code(last).imm == kNoJump) {
    code(last).imm = other;
  } else {
    code(last_of_other).imm = list;
    list = other;
  }
}

void CodeGenerator::patch_jumps(int list, int target) { patch_jumps(list, target, kNoRegister, target); }

/// Resolves a list. Jumps that copy a value copy it to `reg` and go to `value_target`, the others go to
/// `target`.
void CodeGenerator::patch_jumps(int list, int value_target, int reg, int target) {
  while (list != kNoJump) {
    const int next = code(list).imm;
    set_jump(list, set_value_register(list, reg) ? value_target : target);
    list = next;
  }
}

/// Gives a copying jump its destination; without one, or when the value is there already, it becomes a plain
/// test. False for other jumps.
bool CodeGenerator::set_value_register(int pc, int reg) {
  Instruction& instruction = code(pc);
  if (!is_copying_jump(instruction.op)) return false;
  if (reg != kNoRegister && reg != instruction.b) {
    instruction.a = static_cast<uint8_t>(reg);
  } else {
    instruction.op = instruction.op == Opcode::CopyJumpIfTrue ? Opcode::JumpIfTrue : Opcode::JumpIfFalse;
    instruction.a = static_cast<uint8_t>(instruction.b);
    instruction.b = 0;
  }
  return true;
}

/// No jump of the list copies its value.
void CodeGenerator::drop_values(int list) {
  for (; list != kNoJump; list = code(list).imm) set_value_register(list, kNoRegister);
}

/// Whether some jump of the list does not copy its value, so that a boolean must be loaded for it.
bool CodeGenerator::needs_value(int list) {
  for (; list != kNoJump; list = code(list).imm) {
    if (!is_copying_jump(code(list).op)) return true;
  }
  return false;
}

/// Emits a jump that is taken when e is truthy (`condition`) or falsy. `not x` is tested as x with the
/// opposite jump.
int CodeGenerator::jump_if(Expression& e, bool condition) {
  if (e.kind == ExpressionKind::Relocatable && code(e.pc).op == Opcode::Not) {
    const int operand = code(e.pc).b;
    proto_.original_code.pop_back();
    proto_.lines.pop_back();
    return emit_imm(condition ? Opcode::JumpIfFalse : Opcode::JumpIfTrue, operand, 0, kNoJump);
  }
  discharge_to_any_register(e);
  free_expression(e);
  return emit_imm(condition ? Opcode::CopyJumpIfTrue : Opcode::CopyJumpIfFalse, kNoRegister, e.reg, kNoJump);
}

/// Remembers what it means that `jump` is taken, for those who tell the paths of a program.
void CodeGenerator::note_condition(int jump, ConditionSense sense) {
  if (jump == kNoJump) return;
  conditions_.emplace_back(jump, sense);
  if (compilation_.positions != nullptr) [[unlikely]]
    note_tested(jump);
}

/// Where the condition stands: it is what the parser has read last.
[[gnu::noinline]] void CodeGenerator::note_tested(int jump) { note_position(jump, compilation_.positions->tested()); }

/// Remembers where the text stands that the branch or backedge at `pc` is about. No effect unless positions are wanted.
void CodeGenerator::note_position(int pc, std::string_view text) { note_position(pc, proto_.lines[static_cast<size_t>(pc)], text); }

void CodeGenerator::note_position(int pc, int line, std::string_view text) {
  if (compilation_.positions != nullptr) compilation_.positions->note(proto_, pc, line, text);
}

void CodeGenerator::go_if_true(Expression& e) {
  discharge_variables(e);
  const bool decides = !is_constant(e.kind);
  int pending = kNoJump;
  switch (e.kind) {
    case ExpressionKind::Comparison:
      code(e.pc).op = opposite_jump(code(e.pc).op);
      pending = e.pc;
      break;
    case ExpressionKind::True:
    case ExpressionKind::Integer:
    case ExpressionKind::Float:
    case ExpressionKind::String:
      break;
    default:
      pending = jump_if(e, false);
  }
  if (decides) note_condition(pending, kFalseWhenTaken);
  join_jumps(e.false_jumps, pending);
  patch_jumps_to_here(e.true_jumps);
  e.true_jumps = kNoJump;
}

void CodeGenerator::go_if_false(Expression& e) {
  discharge_variables(e);
  const bool decides = !is_constant(e.kind);
  int pending = kNoJump;
  switch (e.kind) {
    case ExpressionKind::Comparison:
      pending = e.pc;
      break;
    case ExpressionKind::Nil:
    case ExpressionKind::False:
      break;
    default:
      pending = jump_if(e, true);
  }
  if (decides) note_condition(pending, kTrueWhenTaken);
  join_jumps(e.true_jumps, pending);
  patch_jumps_to_here(e.false_jumps);
  e.false_jumps = kNoJump;
}

}  // namespace mangata
