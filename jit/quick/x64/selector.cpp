#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick::x64 {

using ir::Opcode;

Selector::Selector(const ir::Module& module, const ir::Function& function, const BlockOrder& order)
    : module_(module),
      function_(function),
      order_(order),
      value_of_(function.value_count(), kNone),
      uses_(function.value_count(), 0),
      address_uses_(function.value_count(), 0),
      folded_(function.value_count(), 0),
      block_of_(function.value_count()) {}

Selected Selector::run() {
  count_uses();
  find_folds();
  select_blocks();
  connect();
  return std::move(selected_);
}

void Selector::select_blocks() {
  code().blocks.resize(order_.entries.size());
  for (block_ = 0; block_ < order_.entries.size() && selected_.error.empty(); ++block_) select_block(block_);
}

void Selector::select_block(BlockIndex index) {
  const BlockOrder::Entry& entry = order_.entries[index];
  Block& block = code().blocks[index];
  block.loop = entry.loop;
  block.outer_loop = entry.outer_loop;
  block.loop_depth = entry.loop_depth;
  block.is_cold = entry.is_cold;
  block.frequency = entry.frequency;
  block.first_parameter = static_cast<uint32_t>(code().parameters.size());
  for (const ir::Value parameter : function_[entry.block].parameters) code().parameters.push_back(value_of(parameter));
  block.parameter_count = static_cast<uint32_t>(code().parameters.size()) - block.first_parameter;
  block.first_instruction = static_cast<uint32_t>(code().instructions.size());
  block.first_successor = static_cast<uint32_t>(code().edges.size());
  if (index == 0) select_entry();
  for (const ir::Value value : function_[entry.block].operations) {
    if (!is_folded(value)) select(value);
  }
  Block& filled_block = code().blocks[index];
  filled_block.instruction_count = static_cast<uint32_t>(code().instructions.size()) - filled_block.first_instruction;
  const ir::Operation& end = function_[function_.terminator(entry.block)];
  for (size_t i = 0; i < function_.target_count(end); ++i) {
    Edge edge{.from = index, .to = order_.number[function_.target(end, i).index]};
    edge.first_argument = static_cast<uint32_t>(code().arguments.size());
    if (end.op == Opcode::Jump) {
      for (const ir::Value argument : function_.list(end)) code().arguments.push_back(value_of(argument));
      edge.argument_count = end.list_count;
    }
    code().edges.push_back(edge);
  }
  filled_block.successor_count = static_cast<uint32_t>(code().edges.size()) - filled_block.first_successor;
}

void Selector::select_entry() {
  begin(Op::Entry);
  size_t words = 0;
  size_t floats = 0;
  for (const ir::Value parameter : function_.parameters()) {
    const bool is_float = function_.type_of(parameter) == ir::Type::F64;
    if (is_float ? floats == kFloatArguments : words == std::size(kArguments)) return fail("too many parameters");
    const auto reg = is_float ? static_cast<Register>(kXmm0 + floats++) : kArguments[words++];
    add(value_of(parameter), Use::DefineFixed, reg);
  }
}

void Selector::connect() {
  Code& all = code();
  for (const Edge& edge : all.edges) ++all.blocks[edge.to].predecessor_count;
  uint32_t sum = 0;
  for (Block& block : all.blocks) {
    block.first_predecessor = sum;
    sum += block.predecessor_count;
    block.predecessor_count = 0;
  }
  all.predecessors.resize(sum);
  for (uint32_t e = 0; e < all.edges.size(); ++e) {
    Block& to = all.blocks[all.edges[e].to];
    all.predecessors[to.first_predecessor + to.predecessor_count++] = e;
  }
}

void Selector::select(ir::Value value) {
  const ir::Operation& operation = function_[value];
  const ir::Effect effect = ir::info_of(operation.op).effect;
  if (uses_[value.index] == 0 && (effect == ir::Effect::Pure || effect == ir::Effect::ReadsStack)) return;
  place_ = operation.place;
  switch (operation.op) {
    case Opcode::Constant:
    case Opcode::Parameter:
    case Opcode::BlockParameter:
      return;
    case Opcode::Variable:
    case Opcode::GetVariable:
    case Opcode::SetVariable:
      return fail("a variable");
    case Opcode::Undefined:
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::SDiv:
    case Opcode::SRem:
    case Opcode::UDiv:
    case Opcode::UMulHigh:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
    case Opcode::RotL:
    case Opcode::RotR:
    case Opcode::BSwap:
    case Opcode::ZExt:
    case Opcode::SExt:
    case Opcode::Truncate:
    case Opcode::PointerToInteger:
    case Opcode::IntegerToPointer:
      return select_integers(value, operation);
    case Opcode::FAdd:
    case Opcode::FSub:
    case Opcode::FMul:
    case Opcode::FDiv:
    case Opcode::FNeg:
    case Opcode::FAbs:
    case Opcode::FSqrt:
    case Opcode::Floor:
    case Opcode::Ceil:
    case Opcode::Trunc:
    case Opcode::Fma:
    case Opcode::IntegerToFloat:
    case Opcode::FloatToInteger:
    case Opcode::FloatToIntegerSaturating:
    case Opcode::BitsOfFloat:
    case Opcode::FloatOfBits:
      return select_floats(value, operation);
    case Opcode::Eq:
    case Opcode::Ne:
    case Opcode::Slt:
    case Opcode::Sle:
    case Opcode::Ult:
    case Opcode::Ule:
    case Opcode::FEq:
    case Opcode::FLt:
    case Opcode::FLe:
    case Opcode::FNe:
    case Opcode::Select:
    case Opcode::Branch:
      return select_conditions(value, operation);
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::Address:
    case Opcode::StackArea:
    case Opcode::StackPointer:
      return select_memory(value, operation);
    case Opcode::Call:
    case Opcode::CallCompiled:
    case Opcode::SecondWord:
    case Opcode::CallFunction:
    case Opcode::Result:
    case Opcode::Jump:
    case Opcode::Switch:
    case Opcode::Return:
    case Opcode::Unreachable:
      return select_calls(value, operation);
  }
}

Instruction& Selector::begin(Op op, uint8_t width) {
  Instruction& in = code().instructions.emplace_back();
  in.opcode = static_cast<uint16_t>(op);
  in.width = width;
  in.place = place_;
  in.first_operand = static_cast<uint32_t>(code().operands.size());
  return in;
}

void Selector::add(ValueIndex value, Use use, Register fixed, bool is_late) {
  code().operands.push_back({.value = value, .use = use, .is_late = is_late, .fixed = fixed});
  ++code().instructions.back().operand_count;
}

void Selector::temporary(RegisterClass kind, Register fixed) { add(new_value(kind), Use::Temporary, fixed); }

ValueIndex Selector::new_value(RegisterClass kind) {
  code().values.push_back({.kind = kind, .block = block_});
  return static_cast<ValueIndex>(code().values.size() - 1);
}

ValueIndex Selector::constant(uint64_t bits, RegisterClass kind) {
  std::vector<ConstantEntry>& entries = constants_[(bits ^ bits >> 7 ^ bits >> 52) % 64 * 2 + static_cast<size_t>(kind)];
  for (const ConstantEntry& entry : entries) {
    if (entry.bits == bits) return entry.value;
  }
  const ValueIndex value = new_value(kind);
  code().values[value].is_constant = true;
  code().values[value].block = kNone;
  code().values[value].bits = bits;
  entries.push_back({bits, value});
  return value;
}

ValueIndex Selector::value_of(ir::Value value) {
  ValueIndex& found = value_of_[value.index];
  if (found != kNone) return found;
  const ir::Operation& operation = function_[value];
  const RegisterClass kind = class_of(operation.type);
  if (operation.op == Opcode::Constant || operation.op == Opcode::Undefined) return found = constant(operation.op == Opcode::Constant ? operation.immediate : 0, kind);
  return found = new_value(kind);
}

std::optional<int32_t> Selector::immediate_of(ir::Value value) const {
  const std::optional<uint64_t> bits = function_.constant_of(value);
  if (!bits) return {};
  const int unused = 64 - 8 * ir::size_bytes(function_.type_of(value));
  const int64_t extended = static_cast<int64_t>(*bits << unused) >> unused;
  if (extended != static_cast<int32_t>(extended)) return {};
  return static_cast<int32_t>(extended);
}

ValueIndex Selector::narrow_result(ir::Value value) {
  return width_of(value) < 4 && function_.type_of(value) != ir::Type::Bool ? new_value(RegisterClass::General) : value_of(value);
}

void Selector::finish_narrow(ir::Value value, ValueIndex result) {
  if (width_of(value) >= 4 || function_.type_of(value) == ir::Type::Bool) return;
  begin(Op::ZeroExtend, width_of(value));
  add(result, Use::Register);
  define(value);
}

}  // namespace mangata::jit::quick::x64
