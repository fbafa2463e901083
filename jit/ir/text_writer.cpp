#include <bit>
#include <cmath>
#include <cstdio>
#include <utility>

#include "jit/ir/text.h"

namespace mangata::jit::ir {
namespace {

int64_t as_signed(uint64_t bits, Type type) {
  const int unused = 64 - width_bits(type);
  return static_cast<int64_t>(bits << unused) >> unused;
}

std::string float_text(uint64_t bits) {
  const auto value = std::bit_cast<double>(bits);
  char text[40];
  if (!std::isfinite(value)) {
    std::snprintf(text, sizeof text, "0b%llx", static_cast<unsigned long long>(bits));
  } else if (value == std::trunc(value) && std::fabs(value) < 1e15 && !(value == 0 && std::signbit(value))) {
    std::snprintf(text, sizeof text, "%.1f", value);
  } else {
    std::snprintf(text, sizeof text, "%a", value);
  }
  return text;
}

std::string constant_text(const Operation& operation) {
  const std::string type = name_of(operation.type);
  switch (operation.type) {
    case Type::None:
      return type;
    case Type::Bool:
      return operation.immediate != 0 ? "true" : "false";
    case Type::Pointer: {
      char text[40];
      std::snprintf(text, sizeof text, "pointer 0x%llx", static_cast<unsigned long long>(operation.immediate));
      return text;
    }
    case Type::F64:
      return type + " " + float_text(operation.immediate);
    case Type::I8:
    case Type::I16:
    case Type::I32:
    case Type::I64:
      return type + " " + std::to_string(as_signed(operation.immediate, operation.type));
  }
  return type;
}

class Writer {
 public:
  explicit Writer(const Function& function) : function_(function), numbers_(function.value_count(), 0) {
    number_values();
  }

  std::string write() {
    text_ += "function " + function_.name() + "(";
    const char* separator = "";
    for (const Value parameter : function_.parameters()) text_ += std::exchange(separator, ", ") + typed(parameter);
    text_ += ")";
    separator = " -> ";
    for (const Type type : function_.results()) text_ += std::string(std::exchange(separator, ", ")) + name_of(type);
    text_ += " {\n";
    for (uint32_t i = 0; i < function_.variables().size(); ++i) {
      text_ += "  variable v" + std::to_string(i) + " " + name_of(function_.variables()[i]) + "\n";
    }
    for (uint32_t i = 0; i < function_.block_count(); ++i) write_block({i});
    return std::move(text_) + "}\n";
  }

  std::string operand(Value value) const {
    if (!value) return "nothing";
    const Operation& operation = function_[value];
    if (operation.op == Opcode::Variable) return "v" + std::to_string(operation.immediate);
    return operation.op == Opcode::Constant ? constant_text(operation) : "%" + std::to_string(numbers_[value.index]);
  }

 private:
  /// In the order of the text, from 0 on, without those that are printed as constants or define nothing.
  void number_values() {
    uint32_t next = 0;
    for (const Value parameter : function_.parameters()) numbers_[parameter.index] = next++;
    for (uint32_t i = 0; i < function_.block_count(); ++i) {
      const Block& block = function_[BlockId{i}];
      for (const Value parameter : block.parameters) numbers_[parameter.index] = next++;
      for (const Value value : block.operations) {
        if (defines(value)) numbers_[value.index] = next++;
      }
    }
  }
  bool defines(Value value) const { return function_.type_of(value) != Type::None || function_[value].op == Opcode::CallFunction; }

  std::string typed(Value parameter) const { return std::string(name_of(function_.type_of(parameter))) + " " + operand(parameter); }
  static std::string block_text(BlockId block) { return "block" + std::to_string(block.index); }

  void write_block(BlockId id) {
    const Block& block = function_[id];
    text_ += block_text(id);
    if (!block.parameters.empty()) {
      const char* separator = "(";
      for (const Value parameter : block.parameters) text_ += std::exchange(separator, ", ") + typed(parameter);
      text_ += ")";
    }
    text_ += block.is_cold ? ": cold" : ":";
    if (block.name[0] != '\0') text_ += std::string("  ; ") + block.name;
    text_ += "\n";
    for (const Value value : block.operations) write_operation(value);
  }

  void write_operation(Value value) {
    const Operation& operation = function_[value];
    const OperationInfo& info = info_of(operation.op);
    text_ += "  ";
    if (defines(value)) text_ += operand(value) + " = ";
    text_ += info.text;
    if (info.result == ResultRule::Given && operation.type != Type::None) text_ += std::string(".") + name_of(operation.type);
    if (operation.has_two_words) text_ += ".i64";
    write_parts(operation, info_of(info.shape).text);
    text_ += "\n";
  }

  void write_list(std::span<const Value> values) {
    const char* separator = "(";
    for (const Value value : values) text_ += std::exchange(separator, ", ") + operand(value);
    text_ += values.empty() ? "()" : ")";
  }

  void write_offset(const Operation& operation) {
    const int64_t offset = Function::offset_of(operation);
    if (offset != 0) text_ += (offset > 0 ? " + " : " - ") + std::to_string(offset > 0 ? static_cast<uint64_t>(offset) : 0 - static_cast<uint64_t>(offset));
  }

  void write_access(const Operation& operation) {
    write_offset(operation);
    text_ += std::string(" ") + kMemoryNames[static_cast<size_t>(operation.memory)] + (operation.is_volatile ? " volatile" : "");
  }

  void write_cases(const Operation& operation) {
    const size_t others = function_.target_count(operation) - 1;
    for (size_t i = 0; i < others; ++i) text_ += ", " + operand(function_.case_of(operation, i)) + ": " + block_text(function_.target(operation, i));
    text_ += ", else " + block_text(function_.target(operation, others));
  }

  void write_address(const Operation& operation) {
    if (operation.operands[1]) text_ += " + " + operand(operation.operands[1]) + " * " + std::to_string(Function::scale_of(operation));
    write_offset(operation);
  }

  void write_values(std::span<const Value> values) {
    const char* separator = " ";
    for (const Value value : values) text_ += std::exchange(separator, ", ") + operand(value);
  }

  void write_weights(const Operation& operation) {
    if (operation.immediate != 0) text_ += " weights " + std::to_string(Function::weight_of(operation, 0)) + " " + std::to_string(Function::weight_of(operation, 1));
  }

  /// What stands behind its name: shapes.def.
  void write_parts(const Operation& operation, std::string_view parts) {
    size_t operands = 0, targets = 0;
    for (const char part : parts) {
      if (std::string_view("%v#b").find(part) != std::string_view::npos) text_ += " ";
      switch (part) {
        case ',': text_ += ","; break;
        case '%': text_ += operand(operation.operands[operands++]); break;
        case 'v': text_ += "v" + std::to_string(operation.immediate); break;
        case '#': text_ += std::to_string(operation.immediate); break;
        case 'b': text_ += block_text(function_.target(operation, targets++)); break;
        case '@': write_access(operation); break;
        case '+': write_address(operation); break;
        case '[':
          if (operation.list_count == 0) break;
          [[fallthrough]];
        case '(': write_list(function_.list(operation)); break;
        case '.': write_values(function_.list(operation)); break;
        case 'w': write_weights(operation); break;
        case 'c': write_cases(operation); break;
        case 't':
          if (operation.touches != CallMemory::All) text_ += std::string(" touches ") + kCallMemoryNames[static_cast<size_t>(operation.touches)];
      }
    }
  }

  const Function& function_;
  std::vector<uint32_t> numbers_;
  std::string text_;
};

}  // namespace

std::string to_text(const Function& function) { return Writer(function).write(); }

std::string to_text(const Module& module) {
  std::string text;
  for (const Function& function : module.functions) text += (text.empty() ? "" : "\n") + to_text(function);
  return text;
}

std::string operand_text(const Function& function, Value value) { return Writer(function).operand(value); }

}  // namespace mangata::jit::ir
