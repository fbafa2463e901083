#include "vm/bytecode/local_registers.h"

#include <algorithm>

namespace mangata {

/// Variables stack up in registers in the order in which their scopes begin, and scopes are nested.
LocalRegisters::LocalRegisters(const Proto& proto) {
  Scopes active;
  for (const LocalVariable& local : proto.locals) {
    while (!active.empty() && active.back()->end_pc <= local.start_pc) active.pop_back();
    if (active.size() >= proto.max_stack_slots) return;  // a chunk that no compiler of ours has written
    if (active.size() == scopes_.size()) scopes_.emplace_back();
    scopes_[active.size()].push_back(&local);
    active.push_back(&local);
  }
}

std::span<const LocalVariable* const> LocalRegisters::scopes_of(Register reg) const {
  if (static_cast<size_t>(reg) >= scopes_.size()) return {};
  return scopes_[static_cast<size_t>(reg)];
}

size_t LocalRegisters::first_behind(std::span<const LocalVariable* const> scopes, OriginalPc pc) {
  const auto behind = std::upper_bound(scopes.begin(), scopes.end(), value_of(pc),
                                       [](int wanted, const LocalVariable* local) { return wanted < local->start_pc; });
  return static_cast<size_t>(behind - scopes.begin());
}

const LocalVariable* LocalRegisters::at(Register reg, OriginalPc pc) const {
  const auto scopes = scopes_of(reg);
  const size_t behind = first_behind(scopes, pc);
  return behind != 0 && value_of(pc) < scopes[behind - 1]->end_pc ? scopes[behind - 1] : nullptr;
}

const LocalVariable* LocalRegisters::next(Register reg, OriginalPc pc) const {
  const auto scopes = scopes_of(reg);
  const size_t behind = first_behind(scopes, pc);
  return behind < scopes.size() ? scopes[behind] : nullptr;
}

}  // namespace mangata
