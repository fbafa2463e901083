#include "jit/quick/quick_compiler.h"

#include "jit/assembler/assembler.h"
#include "jit/code_memory/emit_region.h"
#include "jit/quick/allocation/allocation.h"
#include "jit/quick/liveness/liveness.h"
#include "jit/quick/order/block_order.h"
#include "jit/quick/x64/encoder.h"
#include "jit/quick/x64/selector.h"

namespace mangata::jit::quick {

bool is_supported() {
  const auto& features = asmjit::CpuInfo::host().features().x86();
  return features.hasAVX2() && features.hasBMI2() && features.hasFMA();
}

std::optional<QuickCode> compile(CodeCache& cache, const ir::Module& module, std::string* error, bool keeps_places) {
  EmitErrors errors;
  asmjit::CodeHolder holder;
  Assembler assembler;
  if (!errors.attach(holder, assembler)) {
    *error = "no memory";
    return {};
  }
  x64::ConstantPool pool(assembler);
  std::vector<asmjit::Label> entries;
  for (size_t i = 0; i < module.functions.size(); ++i) entries.push_back(assembler.newLabel());
  QuickCode result;
  for (size_t i = 0; i < module.functions.size(); ++i) {
    const BlockOrder order = order_blocks(module.functions[i]);
    x64::Selected selected = x64::Selector(module, module.functions[i], order).run();
    if (!selected.error.empty()) {
      *error = selected.error;
      return {};
    }
    const Liveness liveness(selected.code);
    allocate_registers(selected.code, liveness, keeps_places ? x64::kMachineWithFramePointer : x64::kMachine);
    const bool has_places = keeps_places && i + 1 == module.functions.size();
    x64::Encoder(assembler, pool, selected, entries, {.has_frame_pointer = keeps_places, .places = has_places ? &result.places : nullptr}).encode(entries[i]);
    result.instructions += selected.code.instructions.size();
    if (i == 0) result.frame_slots = selected.code.slot_count;
  }
  pool.emit();
  const std::optional<CodeRegion> region = emit_region(cache, holder, errors);
  if (!region) {
    *error = "no room for code";
    return {};
  }
  result.region = *region;
  result.code_bytes = holder.codeSize();
  return result;
}

}  // namespace mangata::jit::quick
