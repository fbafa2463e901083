// Reading and writing variables and table fields, table constructors, method lookups and calls.
#include <algorithm>

#include "vm/frontend/code_generator.h"
#include "vm/object/string.h"

namespace mangata {

using Kind = ExpressionKind;

/// Whether `key` may be the name operand of a Field opcode.
bool CodeGenerator::is_field_name(const Expression& key, int* constant_index) {
  if (key.kind != Kind::String || key.has_jumps() || !key.string->is_short()) return false;
  *constant_index = constant(Value::string(key.string));
  return *constant_index <= kMaxShortConstant;
}

/// `table` becomes table[key]. It is in a register or an upvalue.
void CodeGenerator::index(Expression& table, Expression& key) {
  int name = 0;
  const bool has_name = is_field_name(key, &name);
  if (table.kind == Kind::Upvalue && !has_name) to_any_register(table);
  if (table.kind == Kind::Upvalue) {
    const int upvalue = table.upvalue;
    table.kind = Kind::Global;
    table.access = {upvalue, name};
    return;
  }
  const int reg = table.kind == Kind::Local ? table.local.reg : table.reg;
  if (has_name) {
    table.kind = Kind::Field;
    table.access = {reg, name};
  } else if (key.is_integer() && key.integer >= 0 && key.integer <= 0xffff) {
    table.kind = Kind::Element;
    table.access = {reg, static_cast<int>(key.integer)};
  } else {
    const int key_reg = to_any_register(key);
    table.kind = Kind::Index;
    table.access = {reg, key_reg};
  }
}

/// `object` becomes the function object.method at the next register, with room for the frame header and the
/// object as the first argument.
void CodeGenerator::self(Expression& object, String* method) {
  const int source = to_any_register(object);
  free_expression(object);
  const int base = free_register_;
  const int receiver = first_argument(base);
  reserve(receiver + 1 - base);
  Expression key = Expression::of_string(method);
  int name = 0;
  if (!is_field_name(key, &name)) {
    check_registers(1);
    emit(Opcode::Move, receiver, source);
    emit_constant(receiver + 1, Value::string(method));
    emit(Opcode::GetIndex, base, receiver, receiver + 1);
  } else if (receiver == base + kCallOverheadSlots) {
    emit(Opcode::Self, base, source, name, new_cache());
  } else {
    emit(Opcode::Move, receiver, source);
    emit(Opcode::GetField, base, receiver, name, new_cache());
  }
  object = Expression::of_register(base);
}

void CodeGenerator::store(const Expression& target, Expression& value) {
  switch (target.kind) {
    case Kind::Local:
      free_expression(value);
      to_register(value, target.local.reg);
      return;
    case Kind::Upvalue: {
      const int reg = to_any_register(value);
      emit(Opcode::SetUpvalue, reg, target.upvalue);
      break;
    }
    case Kind::Global: {
      const int operand = register_or_constant(value);
      emit(Opcode::SetGlobal, target.access.table, target.access.key, operand, new_cache());
      break;
    }
    case Kind::Field: {
      const int operand = register_or_constant(value);
      emit(Opcode::SetField, target.access.table, target.access.key, operand, new_cache());
      break;
    }
    case Kind::Element: {
      const int operand = register_or_constant(value);
      emit(Opcode::SetInteger, target.access.table, target.access.key, operand);
      break;
    }
    case Kind::Index: {
      const int operand = register_or_constant(value);
      emit(Opcode::SetIndex, target.access.table, target.access.key, operand);
      break;
    }
    default:
      break;  // not assignable: an error was reported
  }
  free_expression(value);
}

/// table[stored_count + 1], ... := the `count` values above the register `table` (kMultipleResults: up to
/// top).
void CodeGenerator::set_list(int table, int stored_count, int count) {
  emit_imm(Opcode::SetList, table, count == kMultipleResults ? 0 : count, stored_count);
  free_register_ = table + 1;
}

void CodeGenerator::set_table_size(int pc, int element_count, int field_count) {
  code(pc).b = static_cast<uint16_t>(std::min(element_count, 0xffff));
  code(pc).c = static_cast<uint16_t>(std::min(field_count, 0xffff));
}

/// The function goes to the next register, and its arguments will follow.
void CodeGenerator::begin_call(Expression& function) {
  to_next_register(function);
  reserve(first_argument(function.reg) - function.reg - 1);
}

/// Where the arguments of a call are computed. In f(f(f(...))) the holes for the frame headers would soon use
/// up all registers: high up, arguments come right after the function, and are moved when all are there.
int CodeGenerator::first_argument(int function) {
  const bool is_compact = function >= kFirstCompactCall || compilation_.saves_registers;
  return function + (is_compact ? 1 : kCallOverheadSlots);
}

/// A call of the function in the register `function`. Its arguments are in registers, except the last one.
Expression CodeGenerator::call(const Expression& function, Expression& last_argument, bool has_arguments,
                               int line) {
  const int base = function.reg;
  const int first = first_argument(base);
  const int distance = base + kCallOverheadSlots - first;
  int call_pc = kNoJump;
  const bool is_open = has_arguments && last_argument.has_open_results();
  if (is_open) {
    set_open_results(last_argument);
  } else if (has_arguments) {
    to_next_register(last_argument);
  }
  const bool has_room = free_register_ + distance <= kMaxRegisters || !compilation_.saves_registers;
  if (is_open || !has_room) {
    if (!is_open) {  // the call makes the room itself, as for an open list
      emit(Opcode::Vararg, base, free_register_ - base, 0);
      fix_line(line);
    }
    call_pc = emit(Opcode::Call, base, 0, 2, distance > 0);
  } else {
    const int count = free_register_ - first;
    check_registers(distance);
    for (int i = distance > 0 ? count - 1 : -1; i >= 0; i--)
      emit(Opcode::Move, first + distance + i, first + i);
    call_pc = emit(Opcode::Call, base, count + 1, 2);
  }
  fix_line(line);
  free_register_ = base + 1;
  return Expression::of_instruction(Kind::Call, call_pc);
}

Expression CodeGenerator::closure(int nested_index) {
  Expression e = Expression::of_instruction(Kind::Relocatable, emit_imm(Opcode::Closure, 0, 0, nested_index));
  to_next_register(e);
  return e;
}

}  // namespace mangata
