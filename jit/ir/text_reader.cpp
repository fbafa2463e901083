// A reader by recursive descent; each operation is one line. Values may be used above their line: those are resolved at the end.
#include <bit>
#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <unordered_map>

#include "jit/ir/text.h"

namespace mangata::jit::ir {
namespace {

struct BadText : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Module read() {
    Module module;
    for (skip(true); !rest_.empty(); skip(true)) module.functions.push_back(read_function());
    return module;
  }
  int line() const { return line_; }

 private:
  // --- words
  void skip(bool with_lines = false) {
    while (!rest_.empty()) {
      if (rest_.front() == ';') {
        while (!rest_.empty() && rest_.front() != '\n') rest_.remove_prefix(1);
      } else if (rest_.front() == ' ' || rest_.front() == '\t' || (with_lines && rest_.front() == '\n')) {
        line_ += rest_.front() == '\n';
        rest_.remove_prefix(1);
      } else {
        return;
      }
    }
  }
  bool is_next(std::string_view what) {
    skip();
    return rest_.starts_with(what);
  }
  bool take(std::string_view what) {
    if (!is_next(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  void want(std::string_view what) {
    if (!take(what)) throw BadText("'" + std::string(what) + "' is missing in front of '" + std::string(rest_.substr(0, rest_.find('\n'))) + "'");
  }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  std::string_view word() {
    skip();
    size_t length = 0;
    while (length < rest_.size() && is_word(rest_[length])) ++length;
    const std::string_view letters = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return letters;
  }
  bool take_word(std::string_view what) {
    skip();
    if (!rest_.starts_with(what) || (rest_.size() > what.size() && is_word(rest_[what.size()]))) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  bool is_line_end() {
    skip();
    return rest_.empty() || rest_.front() == '\n';
  }
  void end_line() {
    if (!is_line_end()) throw BadText("the line goes on: '" + std::string(rest_.substr(0, rest_.find('\n'))) + "'");
  }
  uint64_t number() {
    const bool is_negative = take("-");
    const std::string digits(word());
    char* end = nullptr;
    const uint64_t value = std::strtoull(digits.c_str(), &end, 0);
    if (digits.empty() || *end != '\0') throw BadText("'" + digits + "' is no number");
    return is_negative ? 0 - value : value;
  }
  Type type(std::string_view name) {
    for (size_t i = 0; i < kTypes; ++i) {
      if (name == name_of(static_cast<Type>(i))) return static_cast<Type>(i);
    }
    throw BadText("'" + std::string(name) + "' is no type");
  }
  Type type() { return type(word()); }

  // --- functions
  Function read_function() {
    want("function");
    Function function{std::string(word())};
    function_ = &function;
    values_.clear(), blocks_seen_ = 0;
    want("(");
    while (!take(")")) {
      const Type read_type = type();
      define(function.add_parameter(read_type), value_number());
      take(",");
    }
    if (take("->")) {
      do function.add_result(type());
      while (take(","));
    }
    want("{");
    for (skip(true); take_word("variable"); skip(true)) {
      want("v" + std::to_string(function.variables().size()));
      function.add_variable(type());
    }
    for (skip(true); !take("}"); skip(true)) {
      if (is_next("block")) {
        read_block();
      } else if (blocks_seen_ == 0) {
        throw BadText("no block has begun");
      } else {
        read_operation();
      }
    }
    resolve();
    return function;
  }

  void read_block() {
    const BlockId block = this->block();
    if (block.index != blocks_seen_) throw BadText("block" + std::to_string(blocks_seen_) + " should be next");
    ++blocks_seen_;
    block_ = block;
    if (take("(")) {
      while (!take(")")) {
        const Type read_type = type();
        define(function_->add_block_parameter(block, read_type), value_number());
        take(",");
      }
    }
    want(":");
    (*function_)[block].is_cold = take_word("cold");
    end_line();
  }

  uint32_t value_number() {
    want("%");
    return static_cast<uint32_t>(number());
  }
  void define(Value value, uint32_t number) {
    if (!values_.emplace(number, value).second) throw BadText("%" + std::to_string(number) + " is defined twice");
  }
  BlockId block() {
    want("block");
    const auto index = static_cast<uint32_t>(number());
    if (index > 1'000'000) throw BadText("that block is too far away");
    while (function_->block_count() <= index) function_->add_block();
    return {index};
  }

  /// A value with its number has that number, and a mark, until resolve().
  Value operand() {
    if (take("%")) return {kNamed + static_cast<uint32_t>(number())};
    if (take_word("nothing")) return {};
    if (take_word("true")) return function_->constant(Type::Bool, 1);
    if (take_word("false")) return function_->constant(Type::Bool, 0);
    if (take("v")) return variable_operand(static_cast<uint32_t>(number()));
    const Type read_type = type();
    if (read_type == Type::F64) return function_->constant(read_type, float_bits());
    return function_->constant(read_type, number() & mask_of(read_type));
  }
  Value variable_operand(uint32_t index) {
    if (index >= function_->variables().size()) throw BadText("there is no variable v" + std::to_string(index));
    return function_->add({.immediate = index, .op = Opcode::Variable, .type = function_->variables()[index]});
  }
  uint64_t float_bits() {
    size_t length = 0;
    while (length < rest_.size() && std::string_view(" ,)\n\t;").find(rest_[length]) == std::string_view::npos) ++length;
    if (length == 0) {
      skip();
      while (length < rest_.size() && std::string_view(" ,)\n\t;").find(rest_[length]) == std::string_view::npos) ++length;
    }
    const std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (text.starts_with("0b")) return std::strtoull(text.c_str() + 2, nullptr, 16);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0') throw BadText("'" + text + "' is no number");
    return std::bit_cast<uint64_t>(value);
  }
  std::vector<Value> list() {
    std::vector<Value> values;
    want("(");
    while (!take(")")) {
      values.push_back(operand());
      if (!is_next(")")) want(",");
    }
    return values;
  }

  // --- operations
  void read_operation() {
    Operation operation;
    std::optional<uint32_t> number;
    if (is_next("%")) {
      number = value_number();
      want("=");
    }
    operation.op = opcode(word());
    const OperationInfo& info = info_of(operation.op);
    if (take(".")) {
      operation.type = type();
      if (operation.op == Opcode::Call && take(".")) operation.has_two_words = type() == Type::I64;
    }
    read_parts(&operation, info_of(info.shape).text);
    end_line();
    const Value value = function_->add(operation);
    (*function_)[block_].operations.push_back(value);
    if (number) define(value, *number);
  }

  static Opcode opcode(std::string_view name) {
    for (size_t i = 0; i <= static_cast<size_t>(Opcode::Unreachable); ++i) {
      const auto op = static_cast<Opcode>(i);
      if (info_of(op).text == name && op > Opcode::BlockParameter) return op;
    }
    throw BadText("'" + std::string(name) + "' is no operation");
  }

  void read_offset(Operation* operation) {
    if (take("+")) {
      operation->immediate = number();
    } else if (take("-")) {
      operation->immediate = 0 - number();
    }
  }
  void read_access(Operation* operation) {
    read_offset(operation);
    const std::string_view name = word();
    size_t memory = 0;
    while (memory < kMemoryClasses && name != kMemoryNames[memory]) ++memory;
    if (memory == kMemoryClasses) throw BadText("'" + std::string(name) + "' is no class of memory");
    operation->memory = static_cast<Memory>(memory);
    operation->is_volatile = take_word("volatile");
  }

  void read_weights(Operation* operation) {
    if (!take_word("weights")) return;
    const auto first = static_cast<uint32_t>(number());
    Function::set_weights(operation, first, static_cast<uint32_t>(number()));
  }

  std::vector<Value> values_to_line_end() {
    std::vector<Value> values;
    for (; !is_line_end(); take(",")) values.push_back(operand());
    return values;
  }

  /// What stands behind its name: shapes.def.
  void read_parts(Operation* operation, std::string_view parts) {
    size_t operands = 0, targets = 0;
    for (const char part : parts) {
      switch (part) {
        case ',': want(","); break;
        case '%': operation->operands[operands++] = operand(); break;
        case 'v': want("v"); [[fallthrough]];
        case '#': operation->immediate = number(); break;
        case 'b': function_->set_target(operation, targets++, block()); break;
        case '@': read_access(operation); break;
        case '+': read_address(operation); break;
        case '[':
          if (!is_next("(")) break;
          [[fallthrough]];
        case '(': function_->set_list(operation, list()); break;
        case '.': function_->set_list(operation, values_to_line_end()); break;
        case 'w': read_weights(operation); break;
        case 'c': read_cases(operation); break;
        case 't':
          if (take_word("touches")) operation->touches = call_memory(word());
      }
    }
  }

  void read_address(Operation* operation) {
    if (take("-")) {
      operation->immediate = 0 - number();
      return;
    }
    if (!take("+")) return;
    skip();
    if (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      operation->immediate = number();
      return;
    }
    operation->operands[1] = operand();
    want("*");
    operation->list_count = static_cast<uint32_t>(number());
    read_offset(operation);
  }

  void read_cases(Operation* operation) {
    std::vector<Value> cases;
    want(",");
    while (!take_word("else")) {
      cases.push_back(operand());
      want(":");
      cases.push_back({block().index});
      want(",");
    }
    function_->set_list(operation, cases);
    function_->set_target(operation, cases.size() / 2, block());
  }

  static CallMemory call_memory(std::string_view name) {
    for (size_t i = 0; i < kCallMemories; ++i) {
      if (name == kCallMemoryNames[i]) return static_cast<CallMemory>(i);
    }
    throw BadText("a call touches all, reads, private or none");
  }

  /// All values have been read: numbers become what they stand for, and types that follow from operands are given.
  void resolve() {
    if (blocks_seen_ != function_->block_count()) throw BadText("a block that is jumped to is missing");
    for (uint32_t i = 0; i < function_->block_count(); ++i) {
      for (const Value value : (*function_)[BlockId{i}].operations) resolve((*function_)[value]);
    }
    // What follows from operands that stand further down, until nothing changes.
    for (bool changes = true; changes;) {
      changes = false;
      for (uint32_t i = 0; i < function_->block_count(); ++i) {
        for (const Value value : (*function_)[BlockId{i}].operations) changes |= give_type((*function_)[value]);
      }
    }
  }
  void resolve(Operation& operation) {
    const Shape shape = info_of(operation.op).shape;
    for (int i = 0; i < operand_count(shape); ++i) resolve(&operation.operands[i]);
    if (!has_list(shape)) return;
    for (Value& value : function_->list(operation)) resolve(&value);
  }
  void resolve(Value* value) {
    if (!value->is_valid() || value->index < kNamed) return;
    const auto found = values_.find(value->index - kNamed);
    if (found == values_.end()) throw BadText("%" + std::to_string(value->index - kNamed) + " is nowhere defined");
    *value = found->second;
  }
  bool give_type(Operation& operation) {
    const Type before = operation.type;
    switch (info_of(operation.op).result) {
      case ResultRule::Given:
      case ResultRule::None: break;
      case ResultRule::Bool: operation.type = Type::Bool; break;
      case ResultRule::I64: operation.type = Type::I64; break;
      case ResultRule::F64: operation.type = Type::F64; break;
      case ResultRule::Pointer: operation.type = Type::Pointer; break;
      case ResultRule::Operand: operation.type = operation.operands[0] ? function_->type_of(operation.operands[0]) : Type::None; break;
      case ResultRule::Second: operation.type = operation.operands[1] ? function_->type_of(operation.operands[1]) : Type::None; break;
    }
    return operation.type != before;
  }

  static constexpr uint32_t kNamed = uint32_t{1} << 31;
  std::string_view rest_;
  int line_ = 1;
  Function* function_ = nullptr;
  BlockId block_;
  size_t blocks_seen_ = 0;
  std::unordered_map<uint32_t, Value> values_;
};

}  // namespace

std::optional<Module> read_module(std::string_view text, std::string* error) {
  Reader reader(text);
  try {
    return reader.read();
  } catch (const BadText& problem) {
    *error = "line " + std::to_string(reader.line()) + ": " + problem.what();
    return {};
  }
}

}  // namespace mangata::jit::ir
