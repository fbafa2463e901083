// Blocks, local variables and upvalues (Lua 5.4 manual §3.5).
#include "vm/frontend/code_generator.h"
#include "vm/object/string.h"

namespace mangata {

using Kind = ExpressionKind;

void CodeGenerator::enter_block(Block& block, bool is_loop) {
  block.parent = block_;
  block.first_label = static_cast<int>(compilation_.labels.size());
  block.first_goto = static_cast<int>(compilation_.gotos.size());
  block.outer_variable_count = active_count_;
  block.is_loop = is_loop;
  block.is_inside_to_be_closed = block_ != nullptr && block_->is_inside_to_be_closed;
  block_ = &block;
}

/// Ends the scope of the block's variables, closes them if need be, and puts the label "break" at the end of
/// a loop.
void CodeGenerator::leave_block() {
  const Block& block = *block_;
  const int outer_registers = register_level(block.outer_variable_count);
  remove_variables(block.outer_variable_count);
  const bool closed_at_label = block.is_loop && create_break_label();
  if (!closed_at_label && block.parent != nullptr && block.has_upvalue) emit(Opcode::Close, outer_registers);
  free_register_ = outer_registers;
  remove_labels(block.first_label);
  block_ = block.parent;
  move_gotos_out(block);
}

int CodeGenerator::declare(String* name) {
  const int count = static_cast<int>(compilation_.variables.size()) + 1 - first_variable_;
  if (count > kMaxLocalVariables) limit_error(kMaxLocalVariables, "local variables");
  compilation_.variables.push_back({.name = name});
  return count - 1;
}

void CodeGenerator::activate(int count) {
  int reg = variable_registers();
  for (int i = 0; i < count; i++) {
    Variable& activated = variable(active_count_++);
    activated.reg = static_cast<uint8_t>(reg++);
    activated.debug_index = static_cast<int>(proto_.locals.size());
    proto_.locals.push_back({activated.name, pc(), 0});
  }
}

/// Ends the scope of all variables but the first `count`.
void CodeGenerator::remove_variables(int count) {
  while (active_count_ > count) {
    active_count_--;
    if (variable(active_count_).kind != LocalKind::CompileTimeConstant)
      debug_variable(active_count_).end_pc = pc();
  }
  compilation_.variables.resize(first_variable_ + count, Variable{.name = nullptr});
}

int CodeGenerator::register_level(int variable_count) {
  for (int i = variable_count - 1; i >= 0; i--) {
    const Variable& candidate = variable(i);
    if (candidate.kind != LocalKind::CompileTimeConstant) return candidate.reg + 1;
  }
  return 0;
}

/// Looks among the active variables of this function, innermost first.
bool CodeGenerator::find_local(String* name, Expression& e) {
  for (int i = active_count_ - 1; i >= 0; i--) {
    const Variable& candidate = variable(i);
    if (candidate.name != name) continue;
    if (candidate.kind == LocalKind::CompileTimeConstant) {
      e = Expression::of(Kind::Folded);
      e.variable = first_variable_ + i;
    } else {
      e = Expression::of(Kind::Local);
      e.local = {i, candidate.reg};
    }
    return true;
  }
  return false;
}

Expression CodeGenerator::resolve(String* name) {
  Expression e;
  resolve_in(name, e, /*is_innermost=*/true);
  return e;
}

/// False for a global name. A variable of an enclosing function becomes an upvalue of all functions in
/// between.
bool CodeGenerator::resolve_in(String* name, Expression& e, bool is_innermost) {
  if (find_local(name, e)) {
    if (e.kind == Kind::Local && !is_innermost) mark_upvalue(e.local.variable);
    return true;
  }
  int upvalue = find_upvalue(name);
  if (upvalue < 0) {
    if (parent_ == nullptr || !parent_->resolve_in(name, e, /*is_innermost=*/false)) return false;
    if (e.kind == Kind::Folded) return true;
    if (e.kind == Kind::Local) {
      upvalue = add_upvalue(name, true, e.local.reg, parent_->variable(e.local.variable).kind);
    } else {
      upvalue = add_upvalue(name, false, e.upvalue,
                            static_cast<LocalKind>(parent_->proto_.upvalues[e.upvalue].kind));
    }
  }
  e = Expression::of(Kind::Upvalue);
  e.upvalue = upvalue;
  return true;
}

int CodeGenerator::find_upvalue(String* name) {
  for (size_t i = 0; i < proto_.upvalues.size(); i++) {
    if (proto_.upvalues[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int CodeGenerator::add_upvalue(String* name, bool from_parent_register, int index, LocalKind kind) {
  if (proto_.upvalues.size() >= kMaxUpvalues) {
    limit_error(kMaxUpvalues, "upvalues");
    return 0;
  }
  proto_.upvalues.push_back(
      {name, from_parent_register, static_cast<uint8_t>(index), static_cast<uint8_t>(kind)});
  return static_cast<int>(proto_.upvalues.size()) - 1;
}

/// The block that declared the variable must close it.
void CodeGenerator::mark_upvalue(int variable_index) {
  Block* declaring = block_;
  while (declaring->outer_variable_count > variable_index) declaring = declaring->parent;
  declaring->has_upvalue = true;
  captures_variables_ = true;
}

void CodeGenerator::mark_to_be_closed() {
  block_->has_upvalue = true;
  block_->is_inside_to_be_closed = true;
}

void CodeGenerator::check_assignable(const Expression& e) {
  const String* constant_name = nullptr;
  if (e.kind == Kind::Folded) {
    constant_name = compilation_.variables[e.variable].name;
  } else if (e.kind == Kind::Local) {
    const Variable& local = variable(e.local.variable);
    if (local.kind != LocalKind::Regular) constant_name = local.name;
  } else if (e.kind == Kind::Upvalue) {
    const UpvalueDescription& upvalue = proto_.upvalues[e.upvalue];
    if (static_cast<LocalKind>(upvalue.kind) != LocalKind::Regular) constant_name = upvalue.name;
  }
  if (constant_name != nullptr) {
    compilation_.lexer.error("attempt to assign to const variable '" + std::string(constant_name->view()) +
                             "'");
  }
}

/// "too many upvalues (limit is 255) in function at line 3 near 'x'".
void CodeGenerator::limit_error(int limit, const char* what) {
  const int line = proto_.line_defined;
  const std::string where = line == 0 ? "main function" : "function at line " + std::to_string(line);
  compilation_.lexer.error_near_token(std::string("too many ") + what + " (limit is " +
                                      std::to_string(limit) + ") in " + where);
}

}  // namespace mangata
