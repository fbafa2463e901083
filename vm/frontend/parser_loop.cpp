// while, repeat and for (Lua 5.4 manual §3.3.4, §3.3.5). Only loops (and goto) jump back: see
// CodeGenerator::jump_back.
#include "vm/frontend/parser.h"

namespace mangata {

/// The pending jumps taken when the condition is false.
int Parser::condition() {
  Expression e;
  expression(e);
  if (e.kind == ExpressionKind::Nil) e.kind = ExpressionKind::False;
  code_->go_if_true(e);
  return e.false_jumps;
}

/// stat ::= while exp do block end
void Parser::while_statement(int line) {
  const std::string_view keyword = lexer_.token().text;
  lexer_.advance();
  const int start = code_->here();
  const int to_end = condition();
  Block loop;
  code_->enter_block(loop, /*is_loop=*/true);
  expect(TokenKind::Do);
  block();
  code_->jump_back(start, keyword);
  expect_closing(TokenKind::End, TokenKind::While, line);
  code_->leave_block();
  code_->patch_jumps_to_here(to_end);
}

/// stat ::= repeat block until exp. The condition sees the variables of the block, so both ways out of it may
/// close them.
void Parser::repeat_statement(int line) {
  const std::string_view keyword = lexer_.token().text;
  const int start = code_->here();
  Block loop;
  Block scope;
  code_->enter_block(loop, /*is_loop=*/true);
  code_->enter_block(scope, /*is_loop=*/false);
  lexer_.advance();
  statements();
  expect_closing(TokenKind::Until, TokenKind::Repeat, line);
  Expression e;
  expression(e);
  const bool is_always_true = e.is_constant() && !e.has_jumps() && e.constant_value().is_truthy();
  if (!is_always_true) {
    code_->go_if_false(e);
    if (scope.has_upvalue) code_->emit(Opcode::Close, code_->register_level(scope.outer_variable_count));
    code_->jump_back(start, keyword);
    code_->patch_jumps_to_here(e.true_jumps);
  }
  code_->leave_block();
  code_->leave_block();
}

/// stat ::= for Name '=' exp ',' exp [',' exp] do block end | for namelist in explist do block end
void Parser::for_statement(int line) {
  Block loop;
  code_->enter_block(loop, /*is_loop=*/true);
  const char* const begin = lexer_.token().text.data();
  lexer_.advance();
  String* const name = expect_name();
  switch (lexer_.kind()) {
    case TokenKind::Assign:
      numeric_for(name, line, begin);
      break;
    case TokenKind::Comma:
    case TokenKind::In:
      generic_for(name, begin);
      break;
    default:
      lexer_.error_near_token("'=' or 'in' expected");
  }
  expect_closing(TokenKind::End, TokenKind::For, line);
  code_->leave_block();
}

void Parser::declare_for_state(int count) {
  String* const name = compilation_.vm.intern("(for state)");
  for (int i = 0; i < count; i++) code_->declare(name);
}

void Parser::expression_to_next_register() {
  Expression e;
  expression(e);
  code_->to_next_register(e);
}

void Parser::numeric_for(String* name, int line, const char* begin) {
  const int base = code_->free_register();
  declare_for_state(3);
  code_->declare(name);
  lexer_.advance();
  expression_to_next_register();
  expect(TokenKind::Comma);
  expression_to_next_register();
  if (accept(TokenKind::Comma)) {
    expression_to_next_register();
  } else {
    code_->emit_integer(code_->free_register(), 1);
    code_->reserve(1);
  }
  code_->activate(3);
  for_body(base, line, begin, 1, /*is_generic=*/false);
}

/// The hidden variables are the iterator, its state, the control variable and the closing value.
void Parser::generic_for(String* name, const char* begin) {
  const int base = code_->free_register();
  declare_for_state(4);
  code_->declare(name);
  int variable_count = 1;
  while (accept(TokenKind::Comma)) {
    code_->declare(expect_name());
    variable_count++;
  }
  expect(TokenKind::In);
  const int line = lexer_.line();
  Expression last;
  const int count = expression_list(last);
  adjust_results(4, count, last);
  code_->activate(4);
  code_->mark_to_be_closed();
  code_->check_registers(kCallOverheadSlots + 2);  // GenericForCall calls the iterator with two arguments
  for_body(base, line, begin, variable_count, /*is_generic=*/true);
}

/// `begin`: of the keyword.
void Parser::for_body(int base, int line, const char* begin, int variable_count, bool is_generic) {
  const std::string_view header(begin, notes_positions_ ? static_cast<size_t>(lexer_.last_end() - begin) : 0);
  expect(TokenKind::Do);
  const Opcode prepare_opcode = is_generic ? Opcode::GenericForPrepare : Opcode::ForPrepare;
  const int prepare = code_->emit_imm(prepare_opcode, base, 0, 0);
  if (!is_generic) code_->note_position(prepare, header);
  Block body;
  code_->enter_block(body, /*is_loop=*/false);
  code_->activate(variable_count);
  code_->reserve(variable_count);
  block();
  code_->leave_block();
  if (is_generic) {
    code_->set_jump(prepare, code_->here());
    code_->emit(Opcode::GenericForCall, base, 0, variable_count);
    code_->fix_line(line);
  }
  const int loop = code_->emit_imm(is_generic ? Opcode::GenericForLoop : Opcode::ForLoop, base, 0, 0);
  code_->fix_line(line);
  code_->note_position(loop, header);
  code_->set_jump(loop, prepare + 1);
  const int end = code_->here();
  if (!is_generic) code_->set_jump(prepare, end);
}

}  // namespace mangata
