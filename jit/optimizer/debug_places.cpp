#include "jit/optimizer/debug_places.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/IR/DIBuilder.h>

#include "jit/optimizer/lowering.h"

namespace mangata::jit {

/// Its instructions get lines from here on, if places are kept.
void Lowering::describe_function(llvm::Function* function) {
  if (!input_.keeps_places) return;
  module_->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module_->addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  llvm::DIBuilder builder(*module_);
  llvm::DIFile* file = builder.createFile("region", "");
  builder.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "", true, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  described_ = builder.createFunction(file, function->getName(), "", file, 1, type, 1, llvm::DINode::FlagZero,
                                      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  builder.finalize();
  function->setSubprogram(described_);
  b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, 0, 0, described_));
}

/// What is generated from here on comes from the running instruction.
void Lowering::note_place() {
  if (described_ == nullptr) return;
  std::vector<const Instruction*> stack;
  for (size_t i = 0; i < state_.frames.size(); ++i) {
    const bool is_top = i + 1 == state_.frames.size();
    const int pc = is_top ? pc_ : state_.frames[i + 1].return_pc - 1;
    stack.push_back(state_.frames[i].function->address + pc);
  }
  const uint32_t number = place_numbers_.try_emplace(std::move(stack), static_cast<uint32_t>(place_numbers_.size())).first->second;
  b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, number + 1, 0, described_));
}

void Lowering::forget_place() {
  described_ = nullptr;
  b_.SetCurrentDebugLocation(llvm::DebugLoc());
}

std::vector<std::vector<const Instruction*>> Lowering::take_places() {
  std::vector<std::vector<const Instruction*>> stacks(place_numbers_.size());
  for (const auto& [stack, number] : place_numbers_) stacks[number] = stack;
  return stacks;
}

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
    auto its_name = symbol.getName();
    auto value = symbol.getValue();
    if (!its_name || !value) {
      llvm::consumeError(its_name.takeError());
      llvm::consumeError(value.takeError());
      continue;
    }
    if (*its_name == name) return *value;
  }
  return 0;
}

}  // namespace mangata::jit
