// The life of a region's code, from its installation to the time when nobody can be in it.
//
// [DESIGN] A region that is superseded, or left too often, has nothing that leads to it, but frames may still be running in it. Counting
// those would cost each entry; what is known anyway is which functions have frames. So its code is freed when no frame of its function is left,
// which is looked at now and then, for walking the stacks takes time. Code by LLVM lies outside the code cache, and counts there
// (--max-code). What is known of a region stays for reports, as long as its function lives.
#include "jit/region/region_builder.h"
#include "vm/interpreter/code_in_use.h"

namespace mangata::jit {

void RegionBuilder::release(RegionCode* code) {
  if (code->entry == nullptr) return;
  if (!jit_.observers().empty()) jit_.observers().code_removed(code->code);
  free_code(code);
}

/// What is known of the region stays, for reports.
void RegionBuilder::free_code(RegionCode* code) {
  if (code->backend == RegionCode::Backend::Quick) {
    quick_->release(code->entry);
  } else {
    CompileThread::instance().release(code->entry);
    jit_.cache().discharge_elsewhere(code->code_bytes);
  }
  code->entry = nullptr;
}

/// Regions that nothing leads to any more, of functions that no frame is in. Walking the stacks takes time, so that is not done each time.
void RegionBuilder::free_superseded() {
  constexpr unsigned kEach = 64;
  if (superseded_ == 0 || ++asked_to_free_ % kEach != 0) return;
  const std::unordered_set<const Proto*> in_use = functions_in_use(vm_);
  for (auto& [proto, regions] : regions_) {
    if (in_use.contains(proto)) continue;
    for (Region& region : regions) {
      if (region.is_installed || region.code->entry == nullptr) continue;
      release(region.code.get());
      --superseded_;
    }
  }
}

/// Nothing leads to its code any more, which may still be running.
void RegionBuilder::supersede(Region* region) {
  region->is_installed = false;
  ++superseded_;
}

void RegionBuilder::announce(const Proto& proto, const RegionCode& code) {
  CodeObservers& observers = jit_.observers();
  if (observers.empty()) return;
  observers.code_added(describe_region(proto, jit_.name_of(proto), {code.code, code.code_bytes}, code.places, code.inlined));
}

void RegionBuilder::proto_destroyed(Proto& proto) {
  cancel(proto);
  chosen_.erase(&proto);
  ledger_.forget(proto);
  if (named_.erase(&proto) != 0) forget(proto);
  const auto found = regions_.find(&proto);
  if (found == regions_.end()) return;
  for (const Region& region : found->second) {
    if (!region.is_installed && region.code->entry != nullptr) --superseded_;
    release(region.code.get());
  }
  regions_.erase(found);
}

/// In all that was recorded.
void RegionBuilder::forget(const Proto& proto) {
  for (auto* recording : {recording_.get(), recorded_.get()}) {
    if (recording != nullptr) recording->types->forget(proto);
  }
  learnt_.erase(&proto);
  lessons_.forget(proto);
  if (lately_ != nullptr) lately_->forget(proto);
  if (lately_ != nullptr && lately_->owners().empty()) lately_ = nullptr;
  for (const auto& [function, types] : learnt_) types->forget(proto);
  for (const auto& [place, postponed] : postponed_) postponed.types->forget(proto);
  for (const auto& [ticket, request] : requests_) request.types->forget(proto);
  for (const auto& [function, regions] : regions_) {
    for (const Region& region : regions) region.types->forget(proto);
  }
}

void RegionBuilder::uninstall(Proto& proto, Region* region) {
  learn(*region);
  learnt_[&proto] = region->types;
  supersede(region);
  forget_upgrade(proto, region);
  enter(proto, region->entry, nullptr);
}

}  // namespace mangata::jit
