// Assignments and call statements (Lua 5.4 manual §3.3.3, §3.3.6).
#include "vm/frontend/parser.h"

namespace mangata {

/// stat ::= varlist '=' explist | functioncall
void Parser::expression_statement() {
  Expression e;
  suffixed_expression(e);
  if (is(TokenKind::Assign) || is(TokenKind::Comma)) {
    assignment(e);
  } else if (e.kind == ExpressionKind::Call) {
    code_->code(e.pc).c = 1;
  } else {
    lexer_.error_near_token("syntax error");
  }
}

/// The values are assigned from the last target to the first. All are computed before the first assignment.
void Parser::assignment(const Expression& first) {
  if (is(TokenKind::Assign)) {  // by far the most common form needs no list
    if (!first.is_assignable()) lexer_.error_near_token("syntax error");
    code_->check_assignable(first);
    lexer_.advance();
    Expression value;
    const int count = expression_list(value);
    if (count == 1) {
      code_->set_one_result(value);
    } else {
      adjust_results(1, count, value);
      value = Expression::of_register(code_->free_register() - 1);
    }
    return code_->store(first, value);
  }
  std::vector<Expression> targets;
  const uint32_t outer_depth = depth_;
  add_target(targets, first);
  while (accept(TokenKind::Comma)) {
    Expression target;
    suffixed_expression(target);
    if (!target.is_indexed()) avoid_conflict(targets, target);
    if (++depth_ >= kMaxNativeDepth) too_deep();  // a limit on targets, like the one on nesting
    add_target(targets, target);
  }
  expect(TokenKind::Assign);
  Expression value;
  const int target_count = static_cast<int>(targets.size());
  const int count = expression_list(value);
  if (count == target_count) {
    code_->set_one_result(value);
    code_->store(targets.back(), value);
    targets.pop_back();
  } else {
    adjust_results(target_count, count, value);
  }
  for (; !targets.empty(); targets.pop_back()) {
    value = Expression::of_register(code_->free_register() - 1);
    code_->store(targets.back(), value);
  }
  depth_ = outer_depth;
}

void Parser::add_target(std::vector<Expression>& targets, const Expression& target) {
  if (!target.is_assignable()) lexer_.error_near_token("syntax error");
  code_->check_assignable(target);
  targets.push_back(target);
}

/// In `t[i], t = 1, 2` the variable t is assigned before t[i], and yet t[i] must use its old value. When an
/// earlier target uses the variable as table or key, the variable is copied to a new register, for all of
/// them.
void Parser::avoid_conflict(std::vector<Expression>& targets, const Expression& assigned) {
  const int copy = code_->free_register();
  const bool is_local = assigned.kind == ExpressionKind::Local;
  const bool is_upvalue = assigned.kind == ExpressionKind::Upvalue;
  bool has_conflict = false;
  for (Expression& target : targets) {
    if (target.kind == ExpressionKind::Global) {
      if (is_upvalue && target.access.table == assigned.upvalue) {
        has_conflict = true;
        target.kind = ExpressionKind::Field;
        target.access.table = copy;
      }
    } else if (target.is_indexed() && is_local) {
      if (target.access.table == assigned.local.reg) {
        has_conflict = true;
        target.access.table = copy;
      }
      if (target.kind == ExpressionKind::Index && target.access.key == assigned.local.reg) {
        has_conflict = true;
        target.access.key = copy;
      }
    }
  }
  if (!has_conflict) return;
  if (is_local) {
    code_->emit(Opcode::Move, copy, assigned.local.reg);
  } else {
    code_->emit(Opcode::GetUpvalue, copy, assigned.upvalue);
  }
  code_->reserve(1);
}

/// Makes `wanted` values, in consecutive registers, of a list of `given` expressions; all but the last are in
/// registers.
void Parser::adjust_results(int wanted, int given, Expression& last) {
  const int missing = wanted - given;
  if (last.has_open_results()) {
    code_->set_result_count(last, missing + 1 > 0 ? missing + 1 : 0);
  } else {
    if (!last.is_void()) code_->to_next_register(last);
    if (missing > 0) code_->emit_nil(code_->free_register(), missing);
  }
  if (missing > 0) {
    code_->reserve(missing);
  } else {
    code_->set_free_register(code_->free_register() + missing);
  }
}

}  // namespace mangata
