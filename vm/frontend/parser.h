// The parser: one function per production of the grammar (Lua 5.4 manual §9), calling the code generator as
// it goes.
//
// Read next: parser_statement.cpp, parser_loop.cpp, parser_assignment.cpp, parser_expression.cpp,
// parser_function.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "vm/frontend/code_generator.h"
#include "vm/frontend/lexer.h"
#include "vm/frontend/scope.h"

namespace mangata {

class Parser : private CodeInProgress {
 public:
  explicit Parser(Compilation& compilation)
      : compilation_(compilation),
        lexer_(compilation.lexer),
        depth_(compilation.vm.current->native_depth),
        notes_positions_(compilation.positions != nullptr) {}
  ~Parser() override { lexer_.account_for(nullptr); }
  Parser(const Parser&) = delete;

  /// chunk ::= block. The main function is vararg and has one upvalue, _ENV.
  Proto* parse_chunk();

 private:
  /// A nested statement, expression or function: the depth of the native stack is bounded ("C stack
  /// overflow").
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : depth_(parser.depth_) {
      if (++depth_ >= kMaxNativeDepth) parser.too_deep();
    }
    ~Nesting() { depth_--; }
    Nesting(const Nesting&) = delete;

   private:
    uint32_t& depth_;
  };
  struct TableConstructor;

  // CodeInProgress
  size_t bytes() const override;

  // parser.cpp: tokens
  bool is(TokenKind kind) const { return lexer_.kind() == kind; }
  bool accept(TokenKind kind) {
    if (!is(kind)) return false;
    lexer_.advance();
    return true;
  }
  void check(TokenKind kind);
  void expect(TokenKind kind);
  void expect_closing(TokenKind closing, TokenKind opening, int opening_line);
  String* expect_name();
  bool is_block_end(bool with_until) const;
  void too_deep();

  // parser_statement.cpp
  void statements();
  void statement();
  void simple_or_compound_statement(int line);
  void block();
  void do_statement(int line);
  void if_statement(int line);
  void if_branch(int& to_end);
  void local_statement();
  LocalKind attribute();
  void return_statement();
  void goto_statement();
  void break_statement();
  void label_statement(int line);

  // parser_loop.cpp
  void while_statement(int line);
  void repeat_statement(int line);
  void for_statement(int line);
  void numeric_for(String* name, int line, const char* begin);
  void generic_for(String* name, const char* begin);
  void for_body(int base, int line, const char* begin, int variable_count, bool is_generic);
  int condition();
  void declare_for_state(int count);
  void expression_to_next_register();

  // parser_assignment.cpp
  void expression_statement();
  void assignment(const Expression& first);
  void add_target(std::vector<Expression>& targets, const Expression& target);
  void avoid_conflict(std::vector<Expression>& targets, const Expression& assigned);
  void adjust_results(int wanted, int given, Expression& last);

  // parser_function.cpp
  void function_statement(int line);
  void local_function();
  Expression function_body(bool is_method, int line);
  void parameters();

  // parser_expression.cpp
  void expression(Expression& e) { notes_positions_ ? sub_expression<true>(e, 0) : sub_expression<false>(e, 0); }
  template <bool notes_positions>
  BinaryOperator sub_expression(Expression& e, int limit);
  void simple_expression(Expression& e);
  void suffixed_expression(Expression& e);
  void primary_expression(Expression& e);
  void variable(Expression& e);
  void field(Expression& e);
  void bracketed_key(Expression& key);
  void call_arguments(Expression& function);
  int expression_list(Expression& last);

  // parser_table.cpp
  void table_constructor(Expression& e);
  void table_item(TableConstructor& table);
  void record_field(TableConstructor& table);
  void flush_element(TableConstructor& table);
  void flush_last_elements(TableConstructor& table);

  Compilation& compilation_;
  Lexer& lexer_;
  uint32_t& depth_;
  const bool notes_positions_;
  CodeGenerator* code_ = nullptr;  ///< of the innermost function
};

}  // namespace mangata
