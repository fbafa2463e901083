// Statements (Lua 5.4 manual §3.3), except loops, assignments and functions.
#include "vm/frontend/parser.h"
#include "vm/object/string.h"

namespace mangata {

/// block ::= {stat} [retstat]
void Parser::statements() {
  while (!is_block_end(/*with_until=*/true)) {
    const bool is_last = is(TokenKind::Return);
    statement();
    if (is_last) return;
  }
}

void Parser::statement() {
  Nesting nesting(*this);
  simple_or_compound_statement(lexer_.line());
  code_->set_free_register(code_->variable_registers());
}

/// `line` is where the statement begins.
void Parser::simple_or_compound_statement(int line) {
  switch (lexer_.kind()) {
    case TokenKind::Semicolon:
      return lexer_.advance();
    case TokenKind::If:
      return if_statement(line);
    case TokenKind::While:
      return while_statement(line);
    case TokenKind::Do:
      return do_statement(line);
    case TokenKind::For:
      return for_statement(line);
    case TokenKind::Repeat:
      return repeat_statement(line);
    case TokenKind::Function:
      return function_statement(line);
    case TokenKind::Local:
      lexer_.advance();
      return accept(TokenKind::Function) ? local_function() : local_statement();
    case TokenKind::DoubleColon:
      return label_statement(line);
    case TokenKind::Return:
      return return_statement();
    case TokenKind::Break:
      return break_statement();
    case TokenKind::Goto:
      return goto_statement();
    default:
      return expression_statement();
  }
}

void Parser::block() {
  Block block;
  code_->enter_block(block, /*is_loop=*/false);
  statements();
  code_->leave_block();
}

/// stat ::= do block end
void Parser::do_statement(int line) {
  lexer_.advance();
  block();
  expect_closing(TokenKind::End, TokenKind::Do, line);
}

/// stat ::= if exp then block {elseif exp then block} [else block] end
void Parser::if_statement(int line) {
  int to_end = kNoJump;
  if_branch(to_end);
  while (is(TokenKind::Elseif)) if_branch(to_end);
  if (accept(TokenKind::Else)) block();
  expect_closing(TokenKind::End, TokenKind::If, line);
  code_->patch_jumps_to_here(to_end);
}

/// (if | elseif) exp then block. A branch that only breaks jumps straight to the end of the loop when the
/// condition holds.
void Parser::if_branch(int& to_end) {
  lexer_.advance();
  Expression condition;
  expression(condition);
  expect(TokenKind::Then);
  Block block;
  int to_next = kNoJump;
  if (is(TokenKind::Break)) {
    const int line = lexer_.line();
    code_->go_if_false(condition);
    lexer_.advance();
    code_->enter_block(block, /*is_loop=*/false);
    code_->add_goto(compilation_.break_name, line, condition.true_jumps);
    while (accept(TokenKind::Semicolon)) {
    }
    if (is_block_end(/*with_until=*/false)) {
      code_->leave_block();
      return;
    }
    to_next = code_->jump();
  } else {
    code_->go_if_true(condition);
    code_->enter_block(block, /*is_loop=*/false);
    to_next = condition.false_jumps;
  }
  statements();
  code_->leave_block();
  if (is(TokenKind::Else) || is(TokenKind::Elseif)) code_->join_jumps(to_end, code_->jump());
  code_->patch_jumps_to_here(to_next);
}

/// attrib ::= ['<' Name '>']
LocalKind Parser::attribute() {
  if (!accept(TokenKind::Less)) return LocalKind::Regular;
  const String* const name = expect_name();
  expect(TokenKind::Greater);
  if (name->view() == "const") return LocalKind::Constant;
  if (name->view() == "close") return LocalKind::ToBeClosed;
  lexer_.error("unknown attribute '" + std::string(name->view()) + "'");
  return LocalKind::Regular;
}

/// stat ::= local attnamelist ['=' explist]
void Parser::local_statement() {
  int to_be_closed = -1;
  int count = 0;
  int last = 0;
  do {
    last = code_->declare(expect_name());
    const LocalKind kind = attribute();
    code_->variable(last).kind = kind;
    if (kind == LocalKind::ToBeClosed) {
      if (to_be_closed >= 0) lexer_.error("multiple to-be-closed variables in local list");
      to_be_closed = last;
    }
    count++;
  } while (accept(TokenKind::Comma));
  Expression value;
  const int value_count = accept(TokenKind::Assign) ? expression_list(value) : 0;
  Variable& last_variable = code_->variable(last);
  if (count == value_count && last_variable.kind == LocalKind::Constant &&
      code_->to_compile_time_constant(value, &last_variable.constant)) {
    last_variable.kind = LocalKind::CompileTimeConstant;
    code_->activate(count - 1);
    code_->activate_constant();
  } else {
    adjust_results(count, value_count, value);
    code_->activate(count);
  }
  if (to_be_closed >= 0) {
    code_->mark_to_be_closed();
    code_->emit(Opcode::ToBeClosed, code_->variable(to_be_closed).reg);
  }
}

/// retstat ::= return [explist] [';']. A single call is a tail call, unless to-be-closed variables are
/// pending.
void Parser::return_statement() {
  lexer_.advance();
  int first = code_->variable_registers();
  int count = 0;
  if (!is_block_end(/*with_until=*/true) && !is(TokenKind::Semicolon)) {
    Expression last;
    count = expression_list(last);
    if (last.has_open_results()) {
      code_->set_open_results(last);
      const bool is_single_call = last.kind == ExpressionKind::Call && count == 1;
      if (is_single_call && !code_->block().is_inside_to_be_closed) {
        Instruction& call = code_->code(last.pc);
        call.op = Opcode::TailCall;
        call.c = 0;
        accept(TokenKind::Semicolon);
        return;
      }
      count = kMultipleResults;
    } else if (count == 1) {
      first = code_->to_any_register(last);
    } else {
      code_->to_next_register(last);
    }
  }
  code_->emit_return(first, count);
  accept(TokenKind::Semicolon);
}

/// stat ::= goto Name
void Parser::goto_statement() {
  const std::string_view keyword = lexer_.token().text;
  lexer_.advance();
  const int line = lexer_.line();
  String* const name = expect_name();
  const Label* const label = code_->find_label(name);
  if (label == nullptr) {
    code_->add_goto(name, line, code_->jump());
    return;
  }
  const int label_level = code_->register_level(label->variable_count);
  if (code_->variable_registers() > label_level) code_->emit(Opcode::Close, label_level);
  code_->jump_back(label->pc, keyword);
}

/// stat ::= break
void Parser::break_statement() {
  const int line = lexer_.line();
  lexer_.advance();
  code_->add_goto(compilation_.break_name, line, code_->jump());
}

/// label ::= '::' Name '::'. Void statements after it are skipped first: a label at the end of its block is
/// special.
void Parser::label_statement(int line) {
  lexer_.advance();
  String* const name = expect_name();
  expect(TokenKind::DoubleColon);
  while (is(TokenKind::Semicolon) || is(TokenKind::DoubleColon)) statement();
  if (const Label* const earlier = code_->find_label(name)) {
    lexer_.error("label '" + std::string(name->view()) + "' already defined on line " +
                 std::to_string(earlier->line));
  }
  code_->create_label(name, line, is_block_end(/*with_until=*/false));
}

}  // namespace mangata
