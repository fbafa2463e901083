// Calls, and what ends a block.
#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

void Selector::select_calls(ir::Value value, const ir::Operation& operation) {
  switch (operation.op) {
    case Opcode::Call: select_call(value, operation); return;
    case Opcode::CallCompiled: select_call_compiled(value, operation); return;
    case Opcode::CallFunction: select_call_function(value, operation); return;
    case Opcode::SecondWord:
      for (const auto& [call, second] : second_words_) {
        if (call == operation.operands[0]) value_of_[value.index] = second;
      }
      return;
    case Opcode::Result:
      for (const CallResult& result : call_results_) {
        if (result.call == operation.operands[0] && result.number == operation.immediate) value_of_[value.index] = result.value;
      }
      return;
    case Opcode::Jump: begin(Op::Jump); return;
    case Opcode::Switch: select_switch(operation); return;
    case Opcode::Return: select_return(operation); return;
    case Opcode::Unreachable: begin(Op::Unreachable); return;
    default: return;
  }
}

void Selector::select_call(ir::Value value, const ir::Operation& operation) {
  struct Argument {
    ir::Value value;
    Register reg;
  };
  std::vector<Argument> in_registers;
  size_t words = 0;
  size_t floats = 0;
  uint32_t stack_words = 0;
  for (const ir::Value argument : function_.list(operation)) {
    const bool is_float = function_.type_of(argument) == ir::Type::F64;
    if (is_float ? floats < kFloatArgumentsOfC : words < kArgumentsOfC) {
      in_registers.push_back({argument, is_float ? static_cast<Register>(kXmm0 + floats++) : kArguments[words++]});
      continue;
    }
    begin(is_float ? Op::StoreArgumentFloat : Op::StoreArgument).immediate = 8 * int64_t{stack_words++};
    use(argument);
  }
  selected_.argument_bytes = std::max(selected_.argument_bytes, 8 * stack_words);
  Instruction& in = begin(Op::Call);
  in.is_call = true;
  const std::optional<uint64_t> address = function_.constant_of(operation.operands[0]);
  if (address) in.immediate = static_cast<int64_t>(*address);
  if (!address) use(operation.operands[0]);
  for (const Argument& argument : in_registers) add(value_of(argument.value), Use::Fixed, argument.reg);
  if (operation.has_two_words) {
    const ValueIndex second = new_value(RegisterClass::General);
    second_words_.emplace_back(value, second);
    add(value_of(value), Use::DefineFixed, kRax);
    add(second, Use::DefineFixed, kRdx);
  } else if (operation.type == ir::Type::F64) {
    add(value_of(value), Use::DefineFixed, kXmm0);
  } else if (operation.type != ir::Type::None) {
    const bool is_clean = bytes(operation.type) == 8;
    const ValueIndex raw = is_clean ? value_of(value) : new_value(RegisterClass::General);
    add(raw, Use::DefineFixed, kRax);
    if (!is_clean) extend_result(value, raw, operation.type);
  }
}

/// The thunk is left out: its arguments go where compiled code has them.
void Selector::select_call_compiled(ir::Value value, const ir::Operation& operation) {
  const std::span<const ir::Value> arguments = function_.list(operation);
  Instruction& in = begin(Op::CallCompiled);
  in.is_call = in.is_of_compiled_code = true;
  for (size_t i = 0; i < std::size(kArgumentsOfCompiledCode); ++i) {
    const Register reg = kArgumentsOfCompiledCode[i];
    add(value_of(arguments[i]), reg == kNoRegister ? Use::Register : Use::Fixed, reg);
  }
  add(value_of(value), Use::DefineFixed, kRax);
}

/// C leaves bits above the type as they happen to be.
void Selector::extend_result(ir::Value value, ValueIndex raw, ir::Type type) {
  begin(Op::ZeroExtend, bytes(type));
  add(raw, Use::Register);
  define(value);
}

void Selector::select_call_function(ir::Value value, const ir::Operation& operation) {
  const ir::Function& callee = module_.functions[operation.immediate];
  begin(Op::CallFunction).is_call = true;
  code().instructions.back().immediate = static_cast<int64_t>(operation.immediate);
  size_t words = 0;
  size_t floats = 0;
  for (const ir::Value argument : function_.list(operation)) {
    const bool is_float = function_.type_of(argument) == ir::Type::F64;
    if (is_float ? floats == kFloatArguments : words == std::size(kArguments)) return fail("too many arguments");
    add(value_of(argument), Use::Fixed, is_float ? static_cast<Register>(kXmm0 + floats++) : kArguments[words++]);
  }
  words = floats = 0;
  for (uint64_t number = 0; number < callee.results().size(); ++number) {
    const bool is_float = callee.results()[number] == ir::Type::F64;
    if (is_float ? floats == kFloatArguments : words == std::size(kResults)) return fail("too many results");
    const ValueIndex result = new_value(is_float ? RegisterClass::Float : RegisterClass::General);
    call_results_.push_back({value, number, result});
    add(result, Use::DefineFixed, is_float ? static_cast<Register>(kXmm0 + floats++) : kResults[words++]);
  }
}

void Selector::select_return(const ir::Operation& operation) {
  begin(Op::Return);
  size_t words = 0;
  size_t floats = 0;
  for (const ir::Value result : function_.list(operation)) {
    const bool is_float = function_.type_of(result) == ir::Type::F64;
    if (is_float ? floats == kFloatArguments : words == std::size(kResults)) return fail("too many results");
    add(value_of(result), Use::Fixed, is_float ? static_cast<Register>(kXmm0 + floats++) : kResults[words++]);
  }
}

void Selector::select_switch(const ir::Operation& operation) {
  Instruction& in = begin(Op::Switch);
  in.immediate = static_cast<int64_t>(selected_.cases.size());
  use(operation.operands[0]);
  for (size_t i = 0; i + 1 < function_.target_count(operation); ++i) {
    selected_.cases.push_back(static_cast<int64_t>(*function_.constant_of(function_.case_of(operation, i))));
  }
}

}  // namespace mangata::jit::quick::x64
