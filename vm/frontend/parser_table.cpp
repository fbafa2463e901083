// Table constructors (Lua 5.4 manual §3.4.9).
#include "vm/frontend/parser.h"

namespace mangata {
namespace {

/// Elements are collected in registers and stored this many at a time.
constexpr int kElementsPerFlush = 50;

}  // namespace

struct Parser::TableConstructor {
  int table;              ///< register
  Expression element;     ///< the last one read, if it is not in a register yet
  int pending_count = 0;  ///< elements in registers or in `element`
  int stored_count = 0;
  int field_count = 0;
};

/// tableconstructor ::= '{' [field {(',' | ';') field} [',' | ';']] '}'
void Parser::table_constructor(Expression& e) {
  const int line = lexer_.line();
  const int new_table = code_->emit(Opcode::NewTable, code_->free_register());
  TableConstructor table{.table = code_->free_register(), .element = {}};
  code_->reserve(1);
  expect(TokenKind::LeftBrace);
  do {
    if (is(TokenKind::RightBrace)) break;
    flush_element(table);
    table_item(table);
  } while (accept(TokenKind::Comma) || accept(TokenKind::Semicolon));
  expect_closing(TokenKind::RightBrace, TokenKind::LeftBrace, line);
  flush_last_elements(table);
  code_->set_table_size(new_table, table.stored_count, table.field_count);
  e = Expression::of_register(table.table);
}

/// field ::= '[' exp ']' '=' exp | Name '=' exp | exp
void Parser::table_item(TableConstructor& table) {
  const bool is_field =
      is(TokenKind::LeftBracket) || (is(TokenKind::Name) && lexer_.look_ahead() == TokenKind::Assign);
  if (is_field) {
    record_field(table);
  } else {
    expression(table.element);
    table.pending_count++;
  }
}

void Parser::record_field(TableConstructor& table) {
  const int free_register = code_->free_register();
  Expression key;
  if (is(TokenKind::Name)) {
    key = Expression::of_string(expect_name());
  } else {
    bracketed_key(key);
  }
  table.field_count++;
  expect(TokenKind::Assign);
  Expression target = Expression::of_register(table.table);
  code_->index(target, key);
  Expression value;
  expression(value);
  code_->store(target, value);
  code_->set_free_register(free_register);
}

/// Another item follows: the element gets its register, and a full batch is stored.
void Parser::flush_element(TableConstructor& table) {
  if (table.element.is_void()) return;
  code_->to_next_register(table.element);
  table.element = Expression();
  if (table.pending_count < kElementsPerFlush) return;
  code_->set_list(table.table, table.stored_count, table.pending_count);
  table.stored_count += table.pending_count;
  table.pending_count = 0;
}

/// A call or `...` at the end stores all its values; their number does not count for the size of the table.
void Parser::flush_last_elements(TableConstructor& table) {
  if (table.pending_count == 0) return;
  if (table.element.has_open_results()) {
    code_->set_open_results(table.element);
    code_->set_list(table.table, table.stored_count, kMultipleResults);
    table.stored_count += table.pending_count - 1;
    return;
  }
  if (!table.element.is_void()) code_->to_next_register(table.element);
  code_->set_list(table.table, table.stored_count, table.pending_count);
  table.stored_count += table.pending_count;
}

}  // namespace mangata
