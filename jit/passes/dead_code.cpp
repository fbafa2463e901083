#include "jit/passes/dead_code.h"

#include "jit/ir/block_order.h"
#include "jit/passes/operands.h"
#include "jit/passes/remove_parameters.h"

namespace mangata::jit {
namespace {

using ir::BlockId;
using ir::Effect;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Value;

bool has_effect(const Operation& operation) {
  switch (ir::info_of(operation.op).effect) {
    case Effect::Pure:
    case Effect::ReadsVariable:
    case Effect::ReadsStack: return false;
    case Effect::Reads: return operation.is_volatile;
    case Effect::Calls: return operation.op != Opcode::Call || operation.touches != ir::CallMemory::None;
    case Effect::Writes:
    case Effect::WritesVariable:
    case Effect::Control: return true;
  }
  return true;
}

}  // namespace

void remove_dead_code(Function* function) {
  Function& f = *function;
  const ir::BlockOrder order(f);
  std::vector<bool> is_needed(f.value_count(), false);
  std::vector<Value> pending;
  std::vector<std::vector<Value>> jumps(f.block_count());
  const auto need = [&](Value value) {
    if (is_needed[value.index]) return;
    is_needed[value.index] = true;
    pending.push_back(value);
  };
  for (const BlockId block : order.blocks()) {
    for (const Value value : f[block].operations) {
      if (has_effect(f[value])) need(value);
    }
    const Value end = f.terminator(block);
    if (f[end].op == Opcode::Jump) jumps[f.target(f[end], 0).index].push_back(end);
  }
  while (!pending.empty()) {
    const Value value = pending.back();
    pending.pop_back();
    Operation& operation = f[value];
    if (operation.op == Opcode::BlockParameter) {
      const auto block = static_cast<uint32_t>(operation.immediate >> 32);
      const auto number = static_cast<uint32_t>(operation.immediate);
      for (const Value jump : jumps[block]) need(f.list(f[jump])[number]);
    } else if (operation.op != Opcode::Jump) {  // whose arguments are needed where the parameters are
      for_each_operand(f, operation, [&](Value& operand) { need(operand); });
    }
  }
  std::vector<std::vector<bool>> is_removed(f.block_count());
  for (uint32_t i = 0; i < f.block_count(); ++i) {
    for (const Value parameter : f[BlockId{i}].parameters) is_removed[i].push_back(!is_needed[parameter.index]);
  }
  for (uint32_t i = 0; i < f.block_count(); ++i) {
    if (order.is_reachable({i})) {
      std::erase_if(f[BlockId{i}].operations, [&](Value value) { return !is_needed[value.index]; });
    } else {
      f[BlockId{i}].operations = {f.add({.op = Opcode::Unreachable})};
    }
  }
  remove_parameters(function, is_removed);
}

}  // namespace mangata::jit
