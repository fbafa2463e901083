// From the description of an expression to its value in a register.
#include "vm/frontend/code_generator.h"

namespace mangata {

using Kind = ExpressionKind;

/// A constant variable: its value.
void CodeGenerator::discharge_folded(Expression& e) {
  const Value value = compilation_.variables[e.variable].constant;
  switch (value.tag) {
    case Tag::Integer:
      e.kind = Kind::Integer;
      e.integer = value.as_integer();
      break;
    case Tag::Float:
      e.kind = Kind::Float;
      e.number = value.as_float();
      break;
    case Tag::String:
      e.kind = Kind::String;
      e.string = value.as_string();
      break;
    case Tag::True:
      e.kind = Kind::True;
      break;
    case Tag::False:
      e.kind = Kind::False;
      break;
    default:
      e.kind = Kind::Nil;
  }
}

/// Afterwards e is no variable and has no open results: constants stay, everything else is Register,
/// Relocatable or Comparison. Its pending jumps stay.
void CodeGenerator::discharge_variables(Expression& e) {
  switch (e.kind) {
    case Kind::Folded:
      discharge_folded(e);
      break;
    case Kind::Local: {
      const int reg = e.local.reg;
      e.kind = Kind::Register;
      e.reg = reg;
      break;
    }
    case Kind::Upvalue:
      e.pc = emit(Opcode::GetUpvalue, 0, e.upvalue);
      e.kind = Kind::Relocatable;
      break;
    case Kind::Global:
      e.pc = emit(Opcode::GetGlobal, 0, e.access.table, e.access.key, new_cache());
      e.kind = Kind::Relocatable;
      break;
    case Kind::Field:
      free_if_temporary(e.access.table);
      e.pc = emit(Opcode::GetField, 0, e.access.table, e.access.key, new_cache());
      e.kind = Kind::Relocatable;
      break;
    case Kind::Element:
      free_if_temporary(e.access.table);
      e.pc = emit(Opcode::GetInteger, 0, e.access.table, e.access.key);
      e.kind = Kind::Relocatable;
      break;
    case Kind::Index:
      free_two(e.access.table, e.access.key);
      e.pc = emit(Opcode::GetIndex, 0, e.access.table, e.access.key);
      e.kind = Kind::Relocatable;
      break;
    case Kind::Call:
    case Kind::Vararg:
      set_one_result(e);
      break;
    default:
      break;
  }
}

/// The value, pending jumps aside, goes to `reg`. Comparisons stay what they are.
void CodeGenerator::discharge_to(Expression& e, int reg) {
  discharge_variables(e);
  switch (e.kind) {
    case Kind::Nil:
      emit_nil(reg, 1);
      break;
    case Kind::False:
      emit(Opcode::LoadFalse, reg);
      break;
    case Kind::True:
      emit(Opcode::LoadTrue, reg);
      break;
    case Kind::String:
      emit_constant(reg, Value::string(e.string));
      break;
    case Kind::Integer:
      emit_integer(reg, e.integer);
      break;
    case Kind::Float:
      emit_float(reg, e.number);
      break;
    case Kind::Relocatable:
      code(e.pc).a = static_cast<uint8_t>(reg);
      break;
    case Kind::Register:
      if (e.reg != reg) emit(Opcode::Move, reg, e.reg);
      break;
    default:
      return;
  }
  e.kind = Kind::Register;
  e.reg = reg;
}

void CodeGenerator::discharge_to_any_register(Expression& e) {
  if (e.kind == Kind::Register) return;
  reserve(1);
  discharge_to(e, free_register_ - 1);
}

/// The final value goes to `reg`, also from pending jumps: those that copy their value go to the end, for the
/// others a boolean is loaded.
void CodeGenerator::to_register(Expression& e, int reg) {
  discharge_to(e, reg);
  if (e.kind == Kind::Comparison) {
    note_condition(e.pc, kTrueWhenTaken);
    join_jumps(e.true_jumps, e.pc);
  }
  if (e.has_jumps()) {
    const bool needs_false = e.kind == Kind::Comparison || needs_value(e.false_jumps);
    const bool needs_true = needs_value(e.true_jumps);
    const int over_both = e.kind != Kind::Comparison && (needs_false || needs_true) ? jump() : kNoJump;
    int over_true = kNoJump;
    int load_false = kNoJump;
    int load_true = kNoJump;
    if (needs_false) {
      load_false = here();
      emit(Opcode::LoadFalse, reg);
      if (needs_true) over_true = jump();
    }
    if (needs_true) {
      load_true = here();
      emit(Opcode::LoadTrue, reg);
    }
    patch_jumps_to_here(over_true);
    patch_jumps_to_here(over_both);
    const int end = here();
    patch_jumps(e.false_jumps, end, reg, load_false);
    patch_jumps(e.true_jumps, end, reg, load_true);
  }
  e = Expression::of_register(reg);
}

void CodeGenerator::to_next_register(Expression& e) {
  discharge_variables(e);
  free_expression(e);
  reserve(1);
  to_register(e, free_register_ - 1);
}

/// The register that holds the final value: the one of a local if it is one.
int CodeGenerator::to_any_register(Expression& e) {
  discharge_variables(e);
  if (e.kind == Kind::Register) {
    if (!e.has_jumps()) return e.reg;
    if (e.reg >= variable_registers()) {
      to_register(e, e.reg);
      return e.reg;
    }
    // The register of a local cannot take the values of the jumps: use a new one.
  }
  to_next_register(e);
  return e.reg;
}

void CodeGenerator::to_register_or_upvalue(Expression& e) {
  if (e.kind != Kind::Upvalue || e.has_jumps()) to_any_register(e);
}

/// Afterwards e is a constant, or its value is in (or about to go to) a register, without pending jumps.
void CodeGenerator::to_value(Expression& e) {
  if (e.kind == Kind::Comparison || e.has_jumps()) {
    to_any_register(e);
  } else {
    discharge_variables(e);
  }
}

/// Fixes the number of results of an expression with open results; kMultipleResults for all of them.
void CodeGenerator::set_result_count(Expression& e, int count) {
  Instruction& instruction = code(e.pc);
  instruction.c = static_cast<uint16_t>(count + 1);
  if (e.kind == Kind::Vararg) {
    instruction.a = static_cast<uint8_t>(free_register_);
    reserve(1);
  }
}

/// Calls were emitted with one result, at the register of the function.
void CodeGenerator::set_one_result(Expression& e) {
  if (e.kind == Kind::Call) {
    e.kind = Kind::Register;
    e.reg = code(e.pc).a;
  } else if (e.kind == Kind::Vararg) {
    code(e.pc).c = 2;
    e.kind = Kind::Relocatable;
  }
}

bool CodeGenerator::to_compile_time_constant(const Expression& e, Value* value) {
  if (e.has_jumps()) return false;
  if (e.kind == Kind::Folded) {
    *value = compilation_.variables[e.variable].constant;
    return true;
  }
  if (!e.is_constant()) return false;
  *value = e.constant_value();
  return true;
}

void CodeGenerator::free_if_temporary(int reg) {
  if (reg >= variable_registers()) free_register_--;
}

/// Temporaries are released in reverse order.
void CodeGenerator::free_two(int reg1, int reg2) {
  free_if_temporary(reg1 > reg2 ? reg1 : reg2);
  free_if_temporary(reg1 > reg2 ? reg2 : reg1);
}

void CodeGenerator::free_expression(const Expression& e) {
  if (e.kind == Kind::Register) free_if_temporary(e.reg);
}

void CodeGenerator::free_expressions(const Expression& e1, const Expression& e2) {
  free_two(e1.kind == Kind::Register ? e1.reg : -1, e2.kind == Kind::Register ? e2.reg : -1);
}

/// An RK operand. The constant stays a constant if its index fits.
int CodeGenerator::register_or_constant(Expression& e) {
  if (e.is_constant() && !e.has_jumps()) {
    const int index = constant(e.constant_value());
    if (index <= kMaxRkConstant) return index | kConstantOperand;
  }
  return to_any_register(e);
}

}  // namespace mangata
