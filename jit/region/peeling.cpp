#include "jit/region/peeling.h"

#include <algorithm>
#include <optional>

#include "vm/bytecode/register_effects.h"

namespace mangata::jit {
namespace {

/// The register of the table that is accessed.
std::optional<uint16_t> accessed_table(const Instruction& in) {
  switch (family_of(in.op)) {
    case OpcodeFamily::FieldLoad:
      if (in.op == Opcode::GetGlobal) return std::nullopt;
      return in.b;
    case OpcodeFamily::FieldStore:
      if (in.op == Opcode::SetGlobal) return std::nullopt;
      return in.a;
    case OpcodeFamily::ElementLoad:
    case OpcodeFamily::Length:
      return in.b;
    case OpcodeFamily::ElementStore:
      return in.a;
    case OpcodeFamily::Move:
    case OpcodeFamily::Load:
    case OpcodeFamily::Upvalue:
    case OpcodeFamily::Constructor:
    case OpcodeFamily::Arithmetic:
    case OpcodeFamily::Bitwise:
    case OpcodeFamily::Unary:
    case OpcodeFamily::Not:
    case OpcodeFamily::Concat:
    case OpcodeFamily::Jump:
    case OpcodeFamily::TruthBranch:
    case OpcodeFamily::CopyBranch:
    case OpcodeFamily::EqualityBranch:
    case OpcodeFamily::OrderBranch:
    case OpcodeFamily::Call:
    case OpcodeFamily::Return:
    case OpcodeFamily::Vararg:
    case OpcodeFamily::Closure:
    case OpcodeFamily::Close:
    case OpcodeFamily::NumericFor:
    case OpcodeFamily::GenericFor:
    case OpcodeFamily::Event:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Instructions that are copied for each access that gains by it. (With 5, bench/suite/dfa.lua is not peeled.)
constexpr size_t kMostForEach = 12;
/// Of larger bodies it is compiling that counts (bench/suite/bytecode_interpreter.lua, where exact paths are counted: 0.8 of the time).
constexpr size_t kMostCopied = 40;

struct Body {
  const Proto& proto;
  const Sites& sites;
  const std::vector<bool>& is_inside;

  bool executes(size_t pc) const { return is_inside[pc] && sites[pc].count > 0; }
  bool writes(size_t pc, size_t reg) const {
    return register_effects(proto.original_code[pc], proto.max_stack_slots).writes.test(reg);
  }
  /// The register's value in front of `pc` is that of the iteration before: it has been loaded from an upvalue, or is never written.
  bool keeps(size_t reg, size_t pc) const {
    for (size_t before = pc; before-- > 0 && is_inside[before];) {
      if (writes(before, reg)) return proto.original_code[before].op == Opcode::GetUpvalue;
    }
    for (size_t behind = pc; behind < is_inside.size(); ++behind) {
      if (executes(behind) && writes(behind, reg)) return false;
    }
    return true;
  }
  /// Of a table that is the same in each iteration.
  bool is_access_of_same(size_t pc) const {
    const Instruction& in = proto.original_code[pc];
    if (in.op == Opcode::GetGlobal || in.op == Opcode::SetGlobal) return true;
    const std::optional<uint16_t> table = accessed_table(in);
    return table && keeps(*table, pc);
  }
};

}  // namespace

bool has_loops(const Proto& proto) { return std::any_of(proto.original_code.begin(), proto.original_code.end(), is_backedge); }

bool is_peeling_profitable(const Proto& proto, const Sites& sites, const std::vector<bool>& body, OriginalPc head_pc,
                           const std::function<bool(const Proto&)>& is_inlined) {
  const Body loop_body{proto, sites, body};
  size_t copied = 0, gaining = 0;
  for (size_t pc = 0; pc < body.size(); ++pc) {
    if (!loop_body.executes(pc)) continue;
    const Instruction& in = proto.original_code[pc];
    if (is_backedge(in) && OriginalPc(pc) + (1 + in.imm) != head_pc) return false;
    ++copied;
    if (loop_body.is_access_of_same(pc)) ++gaining;
    const Proto* callee = sites[pc].many_callees ? nullptr : sites[pc].callee;
    if (callee == nullptr || !is_inlined(*callee)) continue;
    if (has_loops(*callee)) return false;
    copied += callee->original_code.size();
  }
  return copied <= kMostCopied && gaining * kMostForEach >= copied;
}

void leave_out_first_iteration(LoopContexts* loop) {
  if (loop->k != 1 || loop->contexts.size() != 2) return;
  loop->contexts.erase(loop->contexts.begin());
  for (LoopContexts::Next& next : loop->contexts.front().next) next.context = 0;
}

}  // namespace mangata::jit
