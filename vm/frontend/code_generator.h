// Generates the code of one function while the parser reads it.
//
// [DESIGN] Registers are a stack: the active local variables, then temporaries. `free_register_` is the first
// unused one, and temporaries are released in reverse order. A statement ends with only the variables left. A
// call takes its function at register f, leaves kFrameHeaderSlots holes for the callee's frame header, and
// has its arguments above; its results come to f, f+1, ... The line of an instruction is the line of the last
// token that was consumed when it was emitted, or what fix_line() says: messages and tracebacks must be those
// of Lua 5.4.
//
// Read next: emit.cpp, jumps.cpp, discharge.cpp, operators.cpp, access.cpp, scope.cpp, labels.cpp;
// vm/frontend/parser.h.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "vm/bytecode/condition_sense.h"
#include "vm/bytecode/proto.h"
#include "vm/frontend/expression.h"
#include "vm/frontend/operators.h"
#include "vm/frontend/scope.h"
#include "vm/object/frame.h"

namespace mangata {

/// Registers 0 .. kMaxRegisters - 1 at most.
inline constexpr int kMaxRegisters = 254;
inline constexpr int kMaxLocalVariables = 200;
inline constexpr int kMaxUpvalues = 255;
inline constexpr int kNoRegister = 255;
/// Calls from this register on keep no holes while their arguments are computed: see CodeGenerator::call.
inline constexpr int kFirstCompactCall = 64;

class CodeGenerator {
 public:
  /// `parent` is the function around it, null for a main chunk; `proto` is filled in, and must be reachable for the collector.
  CodeGenerator(Compilation& compilation, CodeGenerator* parent, Proto* proto, int line_defined);
  CodeGenerator(const CodeGenerator&) = delete;
  CodeGenerator& operator=(const CodeGenerator&) = delete;

  Proto& proto() { return proto_; }
  CodeGenerator* parent() { return parent_; }
  const CodeGenerator* parent() const { return parent_; }
  /// What it has made so far takes, of which the heap knows nothing before finish().
  size_t bytes() const;
  Block& block() { return *block_; }

  // --- emit.cpp: instructions, lines, registers, constants
  int pc() const { return static_cast<int>(proto_.original_code.size()); }
  Instruction& code(int pc) { return proto_.original_code[pc]; }
  int emit(Instruction instruction);
  int emit(Opcode op, int a, int b = 0, int c = 0, int d = 0) {
    return emit(Instruction::abcd(op, a, b, c, d));
  }
  int emit_imm(Opcode op, int a, int b, int imm) { return emit(Instruction::abi(op, a, b, imm)); }
  void fix_line(int line) { proto_.lines.back() = line; }
  void note_position(int pc, std::string_view text);
  void emit_nil(int first, int count);
  void emit_integer(int reg, int64_t value);
  void emit_float(int reg, double value);
  void emit_constant(int reg, const Value& value);
  void emit_return(int first, int count);
  int new_cache() { return cache_count_ < kMaxInlineCaches ? cache_count_++ : kNoInlineCache; }
  int constant(const Value& value);
  void check_registers(int count);
  void reserve(int count);
  int free_register() const { return free_register_; }
  void set_free_register(int reg) { free_register_ = reg; }
  /// Appends the final return, and makes the prototype complete.
  void finish();

  // --- jumps.cpp
  /// The current pc, which from now on may be the target of a jump.
  int here() { return last_target_ = pc(); }
  int jump() { return emit_imm(Opcode::Jump, 0, 0, kNoJump); }
  void jump_back(int target, std::string_view keyword);
  void join_jumps(int& list, int other);
  void patch_jumps(int list, int target);
  void patch_jumps_to_here(int list) { patch_jumps(list, here()); }
  void set_jump(int pc, int target) { code(pc).imm = target - (pc + 1); }
  /// Continue if the value is true; e.false_jumps are taken otherwise.
  void go_if_true(Expression& e);
  /// Continue if the value is false; e.true_jumps are taken otherwise.
  void go_if_false(Expression& e);

  // --- discharge.cpp: from descriptions to values
  void discharge_folded(Expression& e);
  void discharge_variables(Expression& e);
  void to_next_register(Expression& e);
  int to_any_register(Expression& e);
  void to_register_or_upvalue(Expression& e);
  void to_value(Expression& e);
  void to_register(Expression& e, int reg);
  void set_result_count(Expression& e, int count);
  void set_open_results(Expression& e) { set_result_count(e, kMultipleResults); }
  void set_one_result(Expression& e);
  bool to_compile_time_constant(const Expression& e, Value* value);
  void free_expression(const Expression& e);
  void free_expressions(const Expression& e1, const Expression& e2);
  /// A register or constant operand.
  int register_or_constant(Expression& e);

  // --- access.cpp: tables and variables
  void index(Expression& table, Expression& key);
  void self(Expression& object, String* method);
  void store(const Expression& target, Expression& value);
  void set_list(int table, int stored_count, int count);
  void set_table_size(int pc, int element_count, int field_count);
  void begin_call(Expression& function);
  Expression call(const Expression& function, Expression& last_argument, bool has_arguments, int line);
  Expression closure(int nested_index);

  // --- operators.cpp
  void prefix(UnaryOperator op, Expression& e, int line);
  /// After the first operand, before the second is read.
  void infix(BinaryOperator op, Expression& e);
  void postfix(BinaryOperator op, Expression& e1, Expression& e2, int line);

  // --- scope.cpp
  void enter_block(Block& block, bool is_loop);
  void leave_block();
  int declare(String* name);  ///< a new variable, not active yet; its index in the function
  void activate(int count);   ///< starts the scope of the last `count` declared variables
  void activate_constant() { active_count_++; }  ///< likewise of one compile-time constant
  Variable& variable(int index) { return compilation_.variables[first_variable_ + index]; }
  int active_count() const { return active_count_; }
  /// The number of registers that the first `variable_count` variables occupy.
  int register_level(int variable_count);
  int variable_registers() { return register_level(active_count_); }
  LocalVariable& debug_variable(int index) { return proto_.locals[variable(index).debug_index]; }
  /// Local, Upvalue, Folded, or Void for a global name.
  Expression resolve(String* name);
  int add_upvalue(String* name, bool from_parent_register, int index, LocalKind kind);
  void check_assignable(const Expression& e);
  void mark_to_be_closed();
  void limit_error(int limit, const char* what);

  // --- labels.cpp
  void add_goto(String* name, int line, int pc);
  /// True when it added a Close.
  bool create_label(String* name, int line, bool is_last_statement);
  /// The same at the end of a loop, for `break`, which only gotos before it see.
  bool create_break_label();
  Label* find_label(String* name);

 private:
  // jumps.cpp
  int jump_if(Expression& e, bool condition);
  bool set_value_register(int pc, int reg);
  void drop_values(int list);
  void note_condition(int jump, ConditionSense sense);
  void note_tested(int jump);
  void note_position(int pc, int line, std::string_view text);
  bool needs_value(int list);
  void patch_jumps(int list, int value_target, int reg, int target);
  int final_target(int target);

  // discharge.cpp
  void discharge_to(Expression& e, int reg);
  void discharge_to_any_register(Expression& e);
  void free_if_temporary(int reg);
  void free_two(int reg1, int reg2);

  // access.cpp
  int first_argument(int function);
  bool is_field_name(const Expression& key, int* constant_index);

  // operators.cpp
  void apply_not(Expression& e);
  void apply_unary(Opcode op, Expression& e, int line);
  void arithmetic_operation(BinaryOperator op, Expression& e1, Expression& e2, int line);
  void subtract_zero(Expression& e1, Expression& e2, int line);
  void finish_binary(Opcode op, Expression& e1, Expression& e2, int operand, int role, int line);
  void concat(Expression& e1, Expression& e2, int line);
  void equality(BinaryOperator op, Expression& e1, Expression& e2);
  void order(bool or_equal, Expression& e1, Expression& e2);

  // scope.cpp
  void remove_variables(int count);
  bool find_local(String* name, Expression& e);
  bool resolve_in(String* name, Expression& e, bool is_innermost);
  int find_upvalue(String* name);
  void mark_upvalue(int variable_index);

  // labels.cpp
  bool close_at(const Label& label);
  void remove_labels(int count);
  bool resolve_pending(const Label& label);
  void jump_into_scope_error(const Label& label, const PendingGoto& pending);
  void move_gotos_out(const Block& block);
  void remove_gotos(int count);
  void undefined_goto_error(const PendingGoto& pending);

  Compilation& compilation_;
  CodeGenerator* parent_;
  Proto& proto_;
  Block* block_ = nullptr;
  uint32_t serial_;       ///< names the function in ConstantIndex
  int first_variable_;    ///< in Compilation::variables
  int first_label_;       ///< in Compilation::labels
  int active_count_ = 0;  ///< active variables
  int free_register_ = 0;
  int register_count_ = 2;  ///< becomes max_stack_slots
  int last_target_ = 0;     ///< instructions before and after it are not merged
  int cache_count_ = 0;
  std::vector<std::pair<int, ConditionSense>> conditions_;  ///< of conditional jumps, by pc
  bool captures_variables_ = false;  ///< some local is captured: returns must close upvalues
};

/// Constant folding (folding.cpp): replaces e1 by the result of `op` when both are numerals and nothing can
/// go wrong at run time. Unary operators take the operand twice.
bool fold(ArithmeticOperator op, Expression& e1, const Expression& e2);

}  // namespace mangata
