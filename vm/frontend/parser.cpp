// What all productions share: tokens, and the chunk.
#include "vm/frontend/parser.h"

#include "vm/operations/operations.h"

namespace mangata {

Proto* Parser::parse_chunk() {
  Proto* const proto = compilation_.vm.new_proto();
  CodeGenerator code(compilation_, nullptr, proto, 0);
  code_ = &code;
  lexer_.account_for(this);
  Block body;
  code.enter_block(body, /*is_loop=*/false);
  proto->is_vararg = true;
  code.emit(Opcode::PrepareVararg, 0, 0);
  code.add_upvalue(compilation_.environment_name, true, 0, LocalKind::Regular);
  lexer_.advance();
  statements();
  check(TokenKind::EndOfText);
  code.finish();
  lexer_.account_for(nullptr);
  return proto;
}

/// Functions that are finished are in the account already.
size_t Parser::bytes() const {
  size_t bytes = compilation_.bytes();
  for (const CodeGenerator* code = code_; code != nullptr; code = code->parent()) bytes += code->bytes();
  return bytes;
}

void Parser::check(TokenKind kind) {
  if (!is(kind)) lexer_.error_near_token(describe_token_kind(kind) + " expected");
}

void Parser::expect(TokenKind kind) {
  check(kind);
  lexer_.advance();
}

/// The message names the opening token when it is on another line.
void Parser::expect_closing(TokenKind closing, TokenKind opening, int opening_line) {
  if (accept(closing)) return;
  if (opening_line == lexer_.line()) return check(closing);
  lexer_.error_near_token(describe_token_kind(closing) + " expected (to close " +
                          describe_token_kind(opening) + " at line " + std::to_string(opening_line) + ")");
}

/// After an error any name does.
String* Parser::expect_name() {
  check(TokenKind::Name);
  if (lexer_.failed()) return compilation_.break_name;
  String* const name = lexer_.token().string;
  lexer_.advance();
  return name;
}

bool Parser::is_block_end(bool with_until) const {
  switch (lexer_.kind()) {
    case TokenKind::Else:
    case TokenKind::Elseif:
    case TokenKind::End:
    case TokenKind::EndOfText:
      return true;
    case TokenKind::Until:
      return with_until;
    default:
      return false;
  }
}

void Parser::too_deep() {
  if (lexer_.failed()) return;
  static_cast<void>(raise_message(compilation_.vm, "C stack overflow"));
  lexer_.stop();
}

}  // namespace mangata
