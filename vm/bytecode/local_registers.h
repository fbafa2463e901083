// Which local variable a register holds, at each instruction of a function: an index of Proto::locals, for those who ask about many
// instructions. (local_name() of vm/operations/debug_info.h looks through the whole list each time.)
#pragma once

#include <span>
#include <vector>

#include "vm/bytecode/proto.h"

namespace mangata {

class LocalRegisters {
 public:
  /// `proto` outlives this. Costs time and memory in proportion to the number of its variables.
  explicit LocalRegisters(const Proto& proto);

  /// The variable that is active in `reg` at `pc`; null: none.
  const LocalVariable* at(Register reg, OriginalPc pc) const;
  /// The first one in `reg` whose scope begins behind `pc`; null: none.
  const LocalVariable* next(Register reg, OriginalPc pc) const;

 private:
  using Scopes = std::vector<const LocalVariable*>;
  /// Of one register, in the order in which they begin.
  std::span<const LocalVariable* const> scopes_of(Register reg) const;
  static size_t first_behind(std::span<const LocalVariable* const> scopes, OriginalPc pc);

  std::vector<Scopes> scopes_;
};

}  // namespace mangata
