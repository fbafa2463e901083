// Expressions (Lua 5.4 manual §3.4).
#include "vm/frontend/parser.h"

namespace mangata {
namespace {

struct Priority {
  uint8_t left;   ///< how strongly the operator binds what is before it
  uint8_t right;  ///< and what is after it; lower than `left` for right associative operators
};

constexpr int kUnaryPriority = 12;

/// Manual §3.4.8, in the order of BinaryOperator.
constexpr Priority kPriorities[] = {
    {10, 10}, {10, 10}, {11, 11}, {11, 11}, {11, 11},          // + - * / %
    {14, 13},
    {11, 11},                                        // ^ //
    {6, 6},
    {4, 4},
    {5, 5},
    {7, 7},
    {7, 7},            // & | ~ << >>
    {9, 8},                                                    // ..
    {3, 3},
    {3, 3},
    {3, 3},
    {3, 3},
    {3, 3},
    {3, 3},  // == ~= < <= > >=
    {2, 2},
    {1, 1},
    {0, 0},                                // and or, no operator
};
static_assert(sizeof(kPriorities) / sizeof(Priority) == static_cast<int>(BinaryOperator::None) + 1);

UnaryOperator unary_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Not:
      return UnaryOperator::Not;
    case TokenKind::Minus:
      return UnaryOperator::Negate;
    case TokenKind::Tilde:
      return UnaryOperator::BitNot;
    case TokenKind::Hash:
      return UnaryOperator::Length;
    default:
      return UnaryOperator::None;
  }
}

BinaryOperator binary_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::Plus:
      return BinaryOperator::Add;
    case TokenKind::Minus:
      return BinaryOperator::Sub;
    case TokenKind::Star:
      return BinaryOperator::Mul;
    case TokenKind::Slash:
      return BinaryOperator::Div;
    case TokenKind::Percent:
      return BinaryOperator::Mod;
    case TokenKind::Caret:
      return BinaryOperator::Pow;
    case TokenKind::DoubleSlash:
      return BinaryOperator::FloorDiv;
    case TokenKind::Ampersand:
      return BinaryOperator::BitAnd;
    case TokenKind::Pipe:
      return BinaryOperator::BitOr;
    case TokenKind::Tilde:
      return BinaryOperator::BitXor;
    case TokenKind::ShiftLeft:
      return BinaryOperator::ShiftLeft;
    case TokenKind::ShiftRight:
      return BinaryOperator::ShiftRight;
    case TokenKind::Concat:
      return BinaryOperator::Concat;
    case TokenKind::Equal:
      return BinaryOperator::Equal;
    case TokenKind::NotEqual:
      return BinaryOperator::NotEqual;
    case TokenKind::Less:
      return BinaryOperator::Less;
    case TokenKind::LessEqual:
      return BinaryOperator::LessEqual;
    case TokenKind::Greater:
      return BinaryOperator::Greater;
    case TokenKind::GreaterEqual:
      return BinaryOperator::GreaterEqual;
    case TokenKind::And:
      return BinaryOperator::And;
    case TokenKind::Or:
      return BinaryOperator::Or;
    default:
      return BinaryOperator::None;
  }
}

}  // namespace

/// exp ::= (simple | unop exp) {binop exp}, for operators that bind more strongly than `limit`. Returns the
/// operator that it stopped at. Where no positions are wanted they cost nothing: two functions are made of this one.
template <bool notes_positions>
BinaryOperator Parser::sub_expression(Expression& e, int limit) {
  Nesting nesting(*this);
  const char* begin = notes_positions ? lexer_.token().text.data() : nullptr;
  const UnaryOperator unary = unary_operator(lexer_.kind());
  if (unary != UnaryOperator::None) {
    const int line = lexer_.line();
    lexer_.advance();
    sub_expression<notes_positions>(e, kUnaryPriority);
    code_->prefix(unary, e, line);
  } else {
    simple_expression(e);
  }
  if (notes_positions && !e.has_jumps()) compilation_.positions->set_tested(begin, lexer_.last_end());
  BinaryOperator op = binary_operator(lexer_.kind());
  while (kPriorities[static_cast<int>(op)].left > limit) {
    const int line = lexer_.line();
    if (notes_positions && e.kind == ExpressionKind::Comparison) begin = lexer_.token().text.data();  // a < b == c are two conditions
    lexer_.advance();
    code_->infix(op, e);
    Expression right;
    const BinaryOperator next = sub_expression<notes_positions>(right, kPriorities[static_cast<int>(op)].right);
    code_->postfix(op, e, right, line);
    const bool is_tested = op != BinaryOperator::And && op != BinaryOperator::Or;  // else the right operand is
    if (notes_positions && is_tested) compilation_.positions->set_tested(begin, lexer_.last_end());
    op = next;
  }
  return op;
}
template BinaryOperator Parser::sub_expression<false>(Expression& e, int limit);
template BinaryOperator Parser::sub_expression<true>(Expression& e, int limit);

void Parser::simple_expression(Expression& e) {
  const Token& token = lexer_.token();
  switch (token.kind) {
    case TokenKind::Float:
      e = Expression::of_float(token.number);
      break;
    case TokenKind::Integer:
      e = Expression::of_integer(token.integer);
      break;
    case TokenKind::String:
      e = Expression::of_string(token.string);
      break;
    case TokenKind::Nil:
      e = Expression::of(ExpressionKind::Nil);
      break;
    case TokenKind::True:
      e = Expression::of(ExpressionKind::True);
      break;
    case TokenKind::False:
      e = Expression::of(ExpressionKind::False);
      break;
    case TokenKind::Ellipsis:
      if (!code_->proto().is_vararg) lexer_.error_near_token("cannot use '...' outside a vararg function");
      e = Expression::of_instruction(ExpressionKind::Vararg, code_->emit(Opcode::Vararg, 0, 0, 1));
      break;
    case TokenKind::LeftBrace:
      return table_constructor(e);
    case TokenKind::Function:
      lexer_.advance();
      e = function_body(/*is_method=*/false, lexer_.line());
      return;
    default:
      return suffixed_expression(e);
  }
  lexer_.advance();
}

/// primary {'.' Name | '[' exp ']' | [':' Name] args}
void Parser::suffixed_expression(Expression& e) {
  primary_expression(e);
  for (;;) {
    switch (lexer_.kind()) {
      case TokenKind::Dot:
        field(e);
        break;
      case TokenKind::LeftBracket: {
        Expression key;
        code_->to_register_or_upvalue(e);
        bracketed_key(key);
        code_->index(e, key);
        break;
      }
      case TokenKind::Colon: {
        lexer_.advance();
        String* const method = expect_name();
        code_->self(e, method);
        call_arguments(e);
        break;
      }
      case TokenKind::LeftParenthesis:
      case TokenKind::String:
      case TokenKind::LeftBrace:
        code_->begin_call(e);
        call_arguments(e);
        break;
      default:
        return;
    }
  }
}

/// Name | '(' exp ')'
void Parser::primary_expression(Expression& e) {
  switch (lexer_.kind()) {
    case TokenKind::Name:
      return variable(e);
    case TokenKind::LeftParenthesis: {
      const int line = lexer_.line();
      lexer_.advance();
      expression(e);
      expect_closing(TokenKind::RightParenthesis, TokenKind::LeftParenthesis, line);
      code_->discharge_variables(e);
      return;
    }
    default:
      lexer_.error_near_token("unexpected symbol");
      e = Expression::of(ExpressionKind::Nil);
  }
}

/// A global name x is _ENV.x (manual §2.2).
void Parser::variable(Expression& e) {
  String* const name = expect_name();
  e = code_->resolve(name);
  if (!e.is_void()) return;
  e = code_->resolve(compilation_.environment_name);
  code_->to_register_or_upvalue(e);
  Expression key = Expression::of_string(name);
  code_->index(e, key);
}

/// ('.' | ':') Name
void Parser::field(Expression& e) {
  code_->to_register_or_upvalue(e);
  lexer_.advance();
  Expression key = Expression::of_string(expect_name());
  code_->index(e, key);
}

/// '[' exp ']'
void Parser::bracketed_key(Expression& key) {
  lexer_.advance();
  expression(key);
  code_->to_value(key);
  expect(TokenKind::RightBracket);
}

/// args ::= '(' [explist] ')' | tableconstructor | LiteralString. The function is in a register below the
/// frame header.
void Parser::call_arguments(Expression& function) {
  const int line = lexer_.line();
  Expression last;
  bool has_arguments = true;
  switch (lexer_.kind()) {
    case TokenKind::LeftParenthesis:
      lexer_.advance();
      has_arguments = !is(TokenKind::RightParenthesis);
      if (has_arguments) expression_list(last);
      expect_closing(TokenKind::RightParenthesis, TokenKind::LeftParenthesis, line);
      break;
    case TokenKind::LeftBrace:
      table_constructor(last);
      break;
    case TokenKind::String:
      last = Expression::of_string(lexer_.token().string);
      lexer_.advance();
      break;
    default:
      lexer_.error_near_token("function arguments expected");
      return;
  }
  function = code_->call(function, last, has_arguments, line);
}

/// explist ::= exp {',' exp}. All but the last are in registers. Returns their number.
int Parser::expression_list(Expression& last) {
  int count = 1;
  expression(last);
  while (accept(TokenKind::Comma)) {
    code_->to_next_register(last);
    expression(last);
    count++;
  }
  return count;
}

}  // namespace mangata
