// What the code generator knows about an expression that was parsed but not (completely) put into a register.
//
// [DESIGN] Code is generated in one pass, so an expression stays a description as long as it can: a constant
// may yet be folded, a local needs no instruction, and a field may turn out to be assigned to. A description
// is *discharged* when its value must be somewhere. Besides its kind it has two lists of pending jumps, of
// `and`, `or`, `not` and comparisons: jumps taken when the value is known to be true, and to be false.
// Pending jumps are linked through their own imm operand.
//
// Read next: vm/frontend/code_generator.h.
#pragma once

#include <cstdint>

#include "vm/value/value.h"

namespace mangata {

struct String;

/// The end of a list of pending jumps, and the target of a jump that is not known yet.
inline constexpr int kNoJump = -1;

enum class ExpressionKind : uint8_t {
  Void,  ///< an empty list of expressions
  Nil,
  False,
  True,
  Integer,
  Float,
  String,
  Folded,  ///< a local that is a compile-time constant (`local x <const> = 5`)
  Local,   ///< a local in its register
  Upvalue,
  Global,       ///< upvalue[short string constant]
  Field,        ///< register[short string constant]
  Element,      ///< register[integer that fits an operand]
  Index,        ///< register[register]
  Register,     ///< the value is in a register
  Relocatable,  ///< an instruction computes it, its destination (operand a) is still open
  Comparison,   ///< an instruction jumps if it is true; the jump is pending
  Call,         ///< a call with an open number of results
  Vararg,       ///< likewise for `...`
};

struct Expression {
  ExpressionKind kind = ExpressionKind::Void;
  int true_jumps = kNoJump;   ///< pending jumps to where the value is true
  int false_jumps = kNoJump;  ///< pending jumps to where the value is false
  union {
    int64_t integer = 0;  ///< Integer
    double number;        ///< Float
    String* string;       ///< String
    int pc;               ///< Relocatable, Comparison, Call, Vararg: the instruction
    int reg;              ///< Register
    int upvalue;          ///< Upvalue
    int variable;         ///< Folded: index in Compilation::variables
    struct {
      int variable;  ///< index among the function's active variables
      int reg;
    } local;  ///< Local
    struct {
      int table;  ///< a register, or for Global an upvalue
      int key;    ///< a constant (Global, Field), the integer (Element), or a register (Index)
    } access;
  };

  /// With the operands still to be filled in, if the kind has any.
  static Expression of(ExpressionKind kind) {
    Expression e;
    e.kind = kind;
    return e;
  }
  /// A literal: becomes a constant of the function where one is needed.
  static Expression of_string(String* string) {
    Expression e = of(ExpressionKind::String);
    e.string = string;
    return e;
  }
  /// A literal, as of_string.
  static Expression of_integer(int64_t integer) {
    Expression e = of(ExpressionKind::Integer);
    e.integer = integer;
    return e;
  }
  /// A literal, as of_string.
  static Expression of_float(double number) {
    Expression e = of(ExpressionKind::Float);
    e.number = number;
    return e;
  }
  /// A value that is in a register.
  static Expression of_register(int reg) {
    Expression e = of(ExpressionKind::Register);
    e.reg = reg;
    return e;
  }
  /// What the instruction at pc gives: Relocatable, Comparison, Call or Vararg.
  static Expression of_instruction(ExpressionKind kind, int pc) {
    Expression e = of(kind);
    e.pc = pc;
    return e;
  }

  bool has_jumps() const { return true_jumps != false_jumps; }
  bool is_void() const { return kind == ExpressionKind::Void; }
  bool is_numeral() const {
    return (kind == ExpressionKind::Integer || kind == ExpressionKind::Float) && !has_jumps();
  }
  bool is_integer() const { return kind == ExpressionKind::Integer && !has_jumps(); }
  bool has_open_results() const { return kind == ExpressionKind::Call || kind == ExpressionKind::Vararg; }
  bool is_indexed() const { return kind >= ExpressionKind::Global && kind <= ExpressionKind::Index; }
  bool is_assignable() const { return kind >= ExpressionKind::Folded && kind <= ExpressionKind::Index; }
  /// Nil to String: a value that needs no code (pending jumps aside).
  bool is_constant() const { return kind >= ExpressionKind::Nil && kind <= ExpressionKind::String; }
  /// The value of a constant without pending jumps.
  Value constant_value() const {
    switch (kind) {
      case ExpressionKind::False:
        return Value::boolean(false);
      case ExpressionKind::True:
        return Value::boolean(true);
      case ExpressionKind::Integer:
        return Value::integer(integer);
      case ExpressionKind::Float:
        return Value::number(number);
      case ExpressionKind::String:
        return Value::string(string);
      default:
        return Value::nil();
    }
  }
};

}  // namespace mangata
