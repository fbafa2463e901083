#include "jit/driver/jit.h"

#include <malloc.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "jit/abi/compiled_region.h"
#include "jit/abi/small_function.h"
#include "jit/baseline/compiler.h"
#include "jit/driver/make_thunks.h"
#include "jit/x64/foreign_call.h"
#include "vm/bytecode/proto_lifecycle.h"
#include "vm/heap/collector.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/interpreter/version_change.h"
#include "vm/object/frame.h"

namespace mangata::jit {
namespace {

/// Of a function of which only loops were compiled. Calls by the interpreter come here, too, and are counted.
const Instruction* prepare_to_resume(Vm& vm, Value* base, Proto& proto, const Instruction* pc) {
  if (pc == proto.code && --proto.entry_countdown < 0) {
    report_hot_function(vm, proto);
    pc = proto.code;
  }
  frame_of(base)->saved_pc = pc;
  return pc;
}

int64_t resume(Thread* thread, Value* base, const Instruction* pc) {
  Vm* vm = thread->vm;
  Proto& proto = *function_slot(base)->as_lua_function()->proto;
  if (!proto.compiled_at(pc)->is_whole()) [[unlikely]]
    pc = prepare_to_resume(*vm, base, proto, pc);
  const CompiledCode& code = *proto.compiled_at(pc);
  return static_cast<Tier*>(vm->native_tier)
      ->thunks.enter(thread, base, code.resume_address(pc), frame_of(base)->path_register, vm);
}

struct LoopRange {
  int first_pc, end_pc;
  int size() const { return end_pc - first_pc; }
};

/// The outermost loop around `pc` of at most so many instructions; loops inside end before those around them.
std::optional<LoopRange> loop_around(const Proto& proto, int pc, int most) {
  std::optional<LoopRange> found;
  for (int at = pc; at < static_cast<int>(proto.original_code.size()); ++at) {
    const Instruction& in = proto.original_code[static_cast<size_t>(at)];
    if (!is_backedge(in)) continue;
    const LoopRange loop{.first_pc = at + 1 + in.imm, .end_pc = at + 1};
    if (loop.first_pc > pc || loop.size() > most) continue;
    found = found ? LoopRange{std::min(found->first_pc, loop.first_pc), loop.end_pc} : loop;
  }
  return found;
}

/// Loops of a function that are compiled one by one; each looks at the whole function.
constexpr size_t kMostLoops = 64;
/// What compiling takes for each instruction, generously.
constexpr size_t kBytesPerInstruction = 1024;

/// The assembler's notes about a function take several times the memory of its code. Those about a large one go back to the system:
/// freed among blocks that stay, they would count as memory of the process to its end.
void give_back_notes([[maybe_unused]] const CompiledCode& code) {
#ifdef __GLIBC__
  constexpr size_t kLargeCodeBytes = 256 * 1024;
  if (code.region.size_bytes >= kLargeCodeBytes) malloc_trim(0);
#endif
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
  cache_->set_spare_bytes(observers_.spare_bytes());
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
    observers_.code_added({.start = region->rx, .size_bytes = region->size_bytes - cache_->spare_bytes(), .name = "(call of C: " + place->first + ")", .frame = {{0, 8}}});
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

/// For compiling so many.
bool Jit::has_room(size_t instructions) const {
  return instructions <= kMostInstructions && vm_.heap.may_hold(vm_.heap.total_bytes() + instructions * kBytesPerInstruction);
}

/// Without the memory to describe it, the code is given back.
void Jit::announce(const Proto& proto, CompiledCode& code, std::optional<CodePc> loop_pc) {
  const std::vector<CodePlace> slow_places = std::move(code.slow_places);
  const std::vector<CodeFrameRow> slow_frames = std::move(code.slow_frames);
  if (observers_.empty()) return;
  try {
    const std::vector<uint32_t> offsets = code.instruction_offsets();
    CodeDescription description = describe_function(proto, names_.name_of(proto), code.machine_code(), offsets,
                                                    code.slow_paths_offset, loop_pc);
    description.bytecode = code.bytecode;
    description.places = places_of(offsets, slow_places);
    description.frame.insert(description.frame.end(), slow_frames.begin(), slow_frames.end());
    observers_.code_added(description);
  } catch (...) {
    cache_->release(&code.region);
    throw;
  }
}

bool Jit::compile_loop(Proto& proto, const Instruction* pc) {
  try {
    if (proto.code != proto.original_code.data() || (proto.compiled == nullptr && take_up_retired(proto))) return proto.compiled != nullptr;
    pc = &proto.original_code[value_of(original_pc_behind_events(proto, pc))];  // the frame may be in a version that is installed no more
    if (proto.compiled != nullptr && (proto.compiled->is_whole() || proto.compiled->loop_at(pc) != nullptr)) return true;
    return compile_loop_anew(proto, pc);
  } catch (const std::exception&) {
    return false;
  }
}

bool Jit::compile_loop_anew(Proto& proto, const Instruction* pc) {
  if (!prepare() || (proto.compiled != nullptr && proto.compiled->loops.size() >= kMostLoops)) return false;
  const auto range = loop_around(proto, static_cast<int>(pc - proto.code), kMostInstructions);
  if (!range || !has_room(static_cast<size_t>(range->size()))) return false;
  const size_t bytes_before = proto.compiled == nullptr ? 0 : proto.compiled->memory_bytes();
  std::unique_ptr<CompiledCode> made;
  if (proto.compiled == nullptr) {
    made = std::make_unique<CompiledCode>();
    made->bytecode = proto.code;
    made->outside = static_cast<const uint8_t*>(tier_.thunks.leave_to_interpreter);
  }
  CompiledCode& whole = made != nullptr ? *made : *proto.compiled;
  whole.loops.reserve(whole.loops.size() + 1);
  auto kept = std::make_unique<CompiledCode>();
  add_second_caches(vm_, proto);
  BaselineCompiler compiler(vm_, *cache_, tier_.thunks, {.counts_calls = counts_calls_, .is_interruptible = !was_broken_off_});
  std::optional<CompiledCode> loop = compiler.compile_loop(proto, CodePc(range->first_pc), CodePc(range->end_pc));
  was_broken_off_ = !loop && is_interrupted();
  if (!loop) return false;
  announce(proto, *loop, CodePc(range->first_pc));
  *kept = std::move(*loop);
  whole.code_bytes += kept->code_bytes;
  whole.loops.push_back(std::move(kept));
  if (made != nullptr) proto.compiled = made.release();
  version_changed(proto);
  vm_.heap.account_function(static_cast<ptrdiff_t>(proto.compiled->memory_bytes() - bytes_before));
  return true;
}

bool Jit::compile(Proto& proto) {
  try {
    if (proto.compiled == nullptr && take_up_retired(proto)) return true;
    if (!compile_anew(proto)) return false;
    give_back_notes(*proto.compiled);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

bool Jit::compile_anew(Proto& proto) {
  if (!has_room(static_cast<size_t>(proto.code_length())) || !prepare()) return false;
  auto kept = std::make_unique<CompiledCode>();
  add_second_caches(vm_, proto);
  BaselineCompiler compiler(vm_, *cache_, tier_.thunks, {.counts_calls = counts_calls_ && (counts_leaves_ || !is_too_small(proto)), .enters_regions = enters_regions_, .regions_have_events = regions_have_events_, .measures_loops = measures_loops_, .is_interruptible = !was_broken_off_});
  std::optional<CompiledCode> code = compiler.compile(proto);
  was_broken_off_ = !code && is_interrupted();
  if (!code) return false;
  announce(proto, *code);
  *kept = std::move(*code);
  size_t bytes_before = 0;
  if (proto.compiled != nullptr) {  // frames may be in its loops
    bytes_before = proto.compiled->memory_bytes();
    kept->loops = std::move(proto.compiled->loops);
    delete proto.compiled;
  }
  proto.compiled = kept.release();
  version_changed(proto);
  vm_.heap.account_function(static_cast<ptrdiff_t>(proto.compiled->memory_bytes() - bytes_before));
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
  vm_.heap.account_function(-static_cast<ptrdiff_t>((*code)->memory_bytes()));
  release_code(**code);
  delete *code;
  *code = nullptr;
}

void Jit::release_code(CompiledCode& code) {
  for (const auto& loop : code.loops) release_code(*loop);
  if (!code.is_whole()) return;
  observers_.code_removed(code.region.rx);
  cache_->release(&code.region);
}

bool Jit::install_region(Proto& proto, const Instruction* bytecode, CodePc head, RegionCode* region) {
  CompiledCode* code = proto.compiled_at(bytecode);
  if (code == nullptr) return false;
  for (size_t i = 0; i < code->region_heads.size(); ++i) {
    if (code->region_heads[i] != head) continue;
    code->region_entries[i].region = region;
    code->region_entries[i].entry = region == nullptr ? nullptr : reinterpret_cast<const void*>(region->entry);
    return true;
  }
  return false;
}

bool Jit::install_function_region(Proto& proto, const Instruction* bytecode, RegionCode* region) {
  CompiledCode* code = proto.compiled_at(bytecode);
  if (code == nullptr || !enters_regions_ || !code->is_whole()) return false;
  code->function_entry.region = region;
  code->function_entry.entry = region == nullptr ? nullptr : reinterpret_cast<const void*>(region->entry);
  version_changed(proto);
  return true;
}

void Jit::version_changed(Proto& proto) {
  if (proto.compiled == nullptr || !proto.compiled->is_whole()) return enter_interpreter(proto);
  const bool has_region = proto.compiled->function_entry.entry != nullptr;
  for (int i = 0; i < kNativeEntries; ++i)
    proto.native_entries[i] = has_region ? tier_.thunks.enter_region[i] : proto.compiled->entry(i);
}

}  // namespace mangata::jit
