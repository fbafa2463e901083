#include "jit/passes/remove_parameters.h"

namespace mangata::jit {

using ir::BlockId;
using ir::Function;
using ir::Opcode;
using ir::Operation;
using ir::Value;

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

}  // namespace mangata::jit
