#include "jit/jit.h"

#include <algorithm>
#include <exception>
#include <optional>

#include "jit/baseline/compiler.h"
#include "jit/foreign_call.h"
#include "jit/region/region_input.h"
#include "vm/heap/collector.h"
#include "vm/object/frame.h"

namespace mangata::jit {
namespace {

int64_t resume(Thread* thread, Value* base, const Instruction* pc) {
  Vm* vm = thread->vm;
  const CompiledCode& code = *function_slot(base)->as_lua_function()->proto->compiled_at(pc);
  return static_cast<Tier*>(vm->native_tier)
      ->thunks.enter(thread, base, code.resume_address(pc), frame_of(base)->path_register, vm);
}

int64_t call(Thread* thread, Value* base, int64_t argument_count) {
  Vm* vm = thread->vm;
  const void* entry = function_slot(base)->as_lua_function()->proto->native_entries[kNativeEntries - 1];
  return static_cast<Tier*>(vm->native_tier)->thunks.call_compiled(thread, base, entry, argument_count, vm);
}

}  // namespace

Jit::Jit(Vm& vm, size_t max_code_bytes, CodeObservers observers)
    : vm_(vm), max_code_bytes_(max_code_bytes), observers_(std::move(observers)) {
  tier_.owner = this;
  tier_.resume = resume;
  tier_.call = call;
  vm_.native_tier = &tier_;
}

bool Jit::prepare() {
  if (cache_) return tier_.thunks.enter != nullptr;
  cache_.emplace(max_code_bytes_);
  if (!cache_->ok()) return false;
  tier_.thunks = make_thunks(*cache_);
  if (tier_.thunks.enter == nullptr) return false;
  for (Proto* proto : vm_.heap.collector().protos) enter_interpreter(*proto);
  for (const CodeDescription& thunk : tier_.thunks.descriptions) observers_.code_added(thunk);
  return true;
}

Jit::~Jit() = default;

const void* Jit::foreign_call(std::string_view arguments) {
  try {
    return find_foreign_call(arguments);
  } catch (const std::exception&) {
    return nullptr;
  }
}

const void* Jit::find_foreign_call(std::string_view arguments) {
  if (!prepare()) return nullptr;
  const auto place = foreign_calls_.try_emplace(std::string(arguments)).first;
  if (place->second.rx == nullptr) {
    const std::optional<CodeRegion> region = emit_foreign_call(*cache_, arguments);
    if (!region) return nullptr;
    place->second = *region;
    observers_.code_added({.start = region->rx, .size_bytes = region->size_bytes, .name = "(call of C: " + place->first + ")", .frame = {{0, 8}}});
  }
  return place->second.rx;
}

void Jit::enter_interpreter(Proto& proto) const {
  std::copy_n(tier_.thunks.call_function, kNativeEntries, proto.native_entries);
}

void Jit::adopt(Proto& proto) {
  enter_interpreter(proto);
  if (!observers_.empty()) names_.add(proto);
}

bool Jit::compile(Proto& proto) {
  try {
    return take_up_retired(proto) || compile_anew(proto);
  } catch (const std::exception&) {
    return false;
  }
}

bool Jit::compile_anew(Proto& proto) {
  if (!prepare()) return false;
  auto kept = std::make_unique<CompiledCode>();
  BaselineCompiler compiler(vm_, *cache_, tier_.thunks, {.counts_calls = counts_calls_, .enters_regions = enters_regions_, .regions_have_events = regions_have_events_, .measures_loops = measures_loops_});
  std::optional<CompiledCode> code = compiler.compile(proto);
  if (!code) return false;
  if (!observers_.empty()) {
    try {
      observers_.code_added(describe_function(proto, names_.name_of(proto), code->machine_code(),
                                              code->resume_offsets, code->slow_paths_offset));
    } catch (...) {
      cache_->release(&code->region);
      throw;
    }
  }
  *kept = std::move(*code);
  proto.compiled = kept.release();
  version_changed(proto);
  vm_.heap.account(static_cast<ptrdiff_t>(proto.compiled->memory_bytes()));
  return true;
}

void Jit::leave_often(uint32_t period, uint64_t seed) {
  tier_.leave_period = period;
  tier_.random = seed;
}

void Jit::release(Proto& proto) {
  if (!observers_.empty()) names_.remove(proto);
  release(&proto.compiled);
  release_retired(proto.original_code.data());
  for (const auto& version : proto.versions) {
    release(&version->compiled);
    release_retired(version->code);
  }
  enter_interpreter(proto);
}

void Jit::retire(Proto& proto) {
  retire(&proto.compiled);
  for (const auto& version : proto.versions) retire(&version->compiled);
  enter_interpreter(proto);
}

void Jit::retire(CompiledCode** code) {
  if (*code == nullptr) return;
  for (RegionEntry& entry : (*code)->region_entries) entry.entry = nullptr;
  (*code)->function_entry.entry = nullptr;
  retired_.emplace((*code)->bytecode, *code);
  *code = nullptr;
}

void Jit::free_retired(const std::unordered_set<const Instruction*>& in_use) {
  for (auto place = retired_.begin(); place != retired_.end();) {
    if (in_use.contains(place->first)) {
      ++place;
      continue;
    }
    release(&place->second);
    place = retired_.erase(place);
  }
}

void Jit::release_retired(const Instruction* bytecode) {
  const auto place = retired_.find(bytecode);
  if (place == retired_.end()) return;
  release(&place->second);
  retired_.erase(place);
}

/// So there is never more than one piece of machine code for a version, however often it is retired while
/// frames are in it.
bool Jit::take_up_retired(Proto& proto) {
  const auto place = retired_.find(proto.code);
  if (place == retired_.end()) return false;
  proto.compiled = place->second;
  retired_.erase(place);
  version_changed(proto);
  return true;
}

void Jit::release(CompiledCode** code) {
  if (*code == nullptr) return;
  vm_.heap.account(-static_cast<ptrdiff_t>((*code)->memory_bytes()));
  observers_.code_removed((*code)->region.rx);
  cache_->release(&(*code)->region);
  delete *code;
  *code = nullptr;
}

bool Jit::put_region_in_force(Proto& proto, const Instruction* bytecode, int head_pc, RegionCode* region) {
  CompiledCode* code = proto.compiled_at(bytecode);
  if (code == nullptr) return false;
  for (size_t i = 0; i < code->region_heads.size(); ++i) {
    if (code->region_heads[i] != head_pc) continue;
    code->region_entries[i].region = region;
    code->region_entries[i].entry = region == nullptr ? nullptr : reinterpret_cast<const void*>(region->entry);
    return true;
  }
  return false;
}

bool Jit::put_function_region_in_force(Proto& proto, const Instruction* bytecode, RegionCode* region) {
  CompiledCode* code = proto.compiled_at(bytecode);
  if (code == nullptr || !enters_regions_) return false;
  code->function_entry.region = region;
  code->function_entry.entry = region == nullptr ? nullptr : reinterpret_cast<const void*>(region->entry);
  version_changed(proto);
  return true;
}

void Jit::version_changed(Proto& proto) {
  if (proto.compiled == nullptr) return enter_interpreter(proto);
  const bool has_region = proto.compiled->function_entry.entry != nullptr;
  for (int i = 0; i < kNativeEntries; ++i)
    proto.native_entries[i] = has_region ? tier_.thunks.enter_region[i] : proto.compiled->entry(i);
}

}  // namespace mangata::jit
