#include "jit/optimizer/debug_places.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

namespace mangata::jit {

std::vector<CodePlace> read_places(const llvm::object::ObjectFile& object) {
  std::vector<CodePlace> places;
  const auto context = llvm::DWARFContext::create(object);
  for (const auto& unit : context->compile_units()) {
    const llvm::DWARFDebugLine::LineTable* table = context->getLineTableForUnit(unit.get());
    if (table == nullptr) continue;
    for (const llvm::DWARFDebugLine::Row& row : table->Rows) {
      const uint32_t index = row.EndSequence || row.Line == 0 ? CodePlace::kNone : row.Line - 1;
      const auto offset = static_cast<uint32_t>(row.Address.Address);
      if (!places.empty() && places.back().offset == offset) places.pop_back();
      if (places.empty() || places.back().index != index) places.push_back({offset, index});
    }
  }
  return places;
}

uint64_t offset_of(const llvm::object::ObjectFile& object, const std::string& name) {
  for (const llvm::object::SymbolRef& symbol : object.symbols()) {
    auto symbol_name = symbol.getName();
    auto value = symbol.getValue();
    if (!symbol_name || !value) {
      llvm::consumeError(symbol_name.takeError());
      llvm::consumeError(value.takeError());
      continue;
    }
    if (*symbol_name == name) return *value;
  }
  return 0;
}

}  // namespace mangata::jit
