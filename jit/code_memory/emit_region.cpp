#include "jit/code_memory/emit_region.h"

namespace mangata::jit {

std::optional<CodeRegion> emit_region(CodeCache& cache, asmjit::CodeHolder& holder, const EmitErrors& errors) {
  if (errors.any() || holder.flatten() != asmjit::kErrorOk || holder.resolveUnresolvedLinks() != asmjit::kErrorOk ||
      holder.hasUnresolvedLinks()) {
    return {};
  }
  std::optional<CodeRegion> region = cache.allocate(holder.codeSize() + cache.spare_bytes());
  if (!region) return {};
  if (holder.relocateToBase(reinterpret_cast<uint64_t>(region->rx)) != asmjit::kErrorOk ||
      holder.copyFlattenedData(region->rw, region->size_bytes) != asmjit::kErrorOk) {
    cache.release(&*region);
    return {};
  }
  cache.shrink(&*region, holder.codeSize() + cache.spare_bytes());
  CodeCache::finish_writing();
  return region;
}

}  // namespace mangata::jit
