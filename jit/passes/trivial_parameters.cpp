#include "jit/passes/trivial_parameters.h"

#include "jit/passes/operands.h"

namespace mangata::jit {

using ir::BlockId;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Value;

namespace {

/// The jumps that have arguments, by the block they lead to.
std::vector<std::vector<Value>> jumps_of(const Function& function) {
  std::vector<std::vector<Value>> jumps(function.block_count());
  for (uint32_t i = 0; i < function.block_count(); ++i) {
    const Value end = function.terminator({i});
    if (!end || function[end].op != Opcode::Jump || function[end].list_count == 0) continue;
    jumps[function.target(function[end], 0).index].push_back(end);
  }
  return jumps;
}

}  // namespace

void remove_parameters(Function* function, const std::vector<std::vector<bool>>& is_removed) {
  for (uint32_t i = 0; i < function->block_count(); ++i) {
    const Value end = function->terminator({i});
    if (!end || (*function)[end].op != Opcode::Jump) continue;
    Operation& jump = (*function)[end];
    const std::vector<bool>& removed = is_removed[function->target(jump, 0).index];
    const std::span<Value> arguments = function->list(jump);
    uint32_t kept = 0;
    for (size_t a = 0; a < arguments.size(); ++a) {
      if (!removed[a]) arguments[kept++] = arguments[a];
    }
    jump.list_count = kept;
  }
  for (uint32_t i = 0; i < function->block_count(); ++i) {
    std::vector<Value>& parameters = (*function)[BlockId{i}].parameters;
    size_t kept = 0;
    for (size_t p = 0; p < parameters.size(); ++p) {
      if (is_removed[i][p]) continue;
      (*function)[parameters[p]].immediate = uint64_t{i} << 32 | kept;
      parameters[kept++] = parameters[p];
    }
    parameters.resize(kept);
  }
}

void remove_trivial_parameters(Function* function) {
  const std::vector<std::vector<Value>> jumps = jumps_of(*function);
  std::vector<std::vector<bool>> is_removed(function->block_count());
  for (uint32_t i = 0; i < function->block_count(); ++i) is_removed[i].resize((*function)[BlockId{i}].parameters.size());
  Replacements replacements(function->value_count());
  for (bool changes = true; changes;) {
    changes = false;
    for (uint32_t i = 0; i < function->block_count(); ++i) {
      const std::vector<Value>& parameters = (*function)[BlockId{i}].parameters;
      for (size_t p = 0; p < parameters.size(); ++p) {
        if (is_removed[i][p] || jumps[i].empty()) continue;
        Value only;
        bool is_trivial = true;
        for (const Value jump : jumps[i]) {
          const Value argument = replacements.find(function->list((*function)[jump])[p]);
          if (argument == parameters[p] || argument == only) continue;
          is_trivial = is_trivial && !only;
          only = argument;
        }
        if (!is_trivial || !only) continue;
        replacements.replace(parameters[p], only);
        is_removed[i][p] = true;
        changes = true;
      }
    }
  }
  if (!replacements.any()) return;
  replacements.apply(function);
  remove_parameters(function, is_removed);
}

}  // namespace mangata::jit
