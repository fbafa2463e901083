// Function definitions (Lua 5.4 manual §3.4.11).
#include <memory>

#include "vm/frontend/parser.h"

namespace mangata {

/// stat ::= function Name {'.' Name} [':' Name] funcbody
void Parser::function_statement(int line) {
  lexer_.advance();
  Expression target;
  variable(target);
  while (is(TokenKind::Dot)) field(target);
  const bool is_method = is(TokenKind::Colon);
  if (is_method) field(target);
  Expression function = function_body(is_method, line);
  code_->check_assignable(target);
  code_->store(target, function);
  if (!lexer_.failed()) code_->fix_line(line);
}

/// stat ::= local function Name funcbody. The function sees itself; debuggers see the variable once it has
/// its value.
void Parser::local_function() {
  const int index = code_->active_count();
  code_->declare(expect_name());
  code_->activate(1);
  function_body(/*is_method=*/false, lexer_.line());
  code_->debug_variable(index).start_pc = code_->pc();
}

/// funcbody ::= '(' [parlist] ')' block end. The closure is in the next register. `line` is where the
/// definition begins.
Expression Parser::function_body(bool is_method, int line) {
  CodeGenerator* const outer = code_;
  Proto* const proto = compilation_.vm.new_proto();
  outer->proto().nested.push_back(proto);
  if (notes_positions_) compilation_.positions->note_function(*proto, lexer_.function_begin());
  const auto inner = std::make_unique<CodeGenerator>(compilation_, outer, proto, line);
  code_ = inner.get();
  Block body;
  code_->enter_block(body, /*is_loop=*/false);
  expect(TokenKind::LeftParenthesis);
  if (is_method) {
    code_->declare(compilation_.vm.intern("self"));
    code_->activate(1);
  }
  parameters();
  expect(TokenKind::RightParenthesis);
  statements();
  proto->last_line_defined = lexer_.line();
  expect_closing(TokenKind::End, TokenKind::Function, line);
  Expression closure = outer->closure(static_cast<int>(outer->proto().nested.size()) - 1);
  code_->finish();
  code_ = outer;
  return closure;
}

/// parlist ::= namelist [',' '...'] | '...'
void Parser::parameters() {
  int count = 0;
  bool is_vararg = false;
  if (!is(TokenKind::RightParenthesis)) {
    do {
      if (is(TokenKind::Name)) {
        code_->declare(expect_name());
        count++;
      } else if (accept(TokenKind::Ellipsis)) {
        is_vararg = true;
      } else {
        lexer_.error_near_token("<name> or '...' expected");
      }
    } while (!is_vararg && accept(TokenKind::Comma));
  }
  code_->activate(count);
  Proto& proto = code_->proto();
  proto.parameter_count = static_cast<uint8_t>(code_->active_count());
  proto.is_vararg = is_vararg;
  if (is_vararg) code_->emit(Opcode::PrepareVararg, 0, proto.parameter_count);
  code_->reserve(code_->active_count());
}

}  // namespace mangata
