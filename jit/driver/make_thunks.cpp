#include "jit/driver/make_thunks.h"

#include <algorithm>

#include "jit/abi/compiled_code.h"
#include "jit/abi/runtime_calls.h"
#include "jit/abi/tier.h"
#include "jit/baseline/access_stubs.h"
#include "jit/baseline/function_region_stub.h"
#include "jit/baseline/map_stubs.h"
#include "jit/baseline/metamethod_stubs.h"
#include "jit/baseline/site_stubs.h"
#include "jit/baseline/switch_stub.h"
#include "jit/code_memory/emit_region.h"
#include "jit/x64/masm.h"
#include "vm/interpreter/compiled_frame.h"
#include "vm/operations/operations.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// Runs a frame that compiled code leaves. It comes back when it is hot: then `address` is where it goes on.
TailTarget leave_frame(Thread* thread, Value* base) {
  thread->base = base;
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  if (!follows_open_results(proto, frame_of(base)->saved_pc)) thread->top = base + proto.max_stack_slots;
  const RunOutcome outcome = run_left_frame(*thread->vm, *thread);
  if (outcome == RunOutcome::Hot) {
    // A tail call may have put another function there.
    const CompiledCode& code = *function_slot(base)->as_lua_function()->proto->compiled_at(frame_of(base)->saved_pc);
    return {code.resume_address(frame_of(base)->saved_pc), kDone};
  }
  if (outcome != RunOutcome::Returned) return {nullptr, kRaised};
  return {nullptr, thread->hook_mask != 0 ? kLeave : kDone};
}

/// How far beyond the limit of the native stack a frame may still be run in the interpreter.
bool native_stack_exhausted(const Thread& thread) {
  return static_cast<const char*>(__builtin_frame_address(0)) < thread.native_limit - kNestedCallBytes - kNativeLeafBytes / 2;
}

/// One of them while it is emitted, with what a debugger needs to walk through its frame.
struct Thunk {
  /// `spare_bytes` behind the one before: CodeCache::spare_bytes.
  Thunk(const char* thunk_name, Masm& masm_of_all, size_t spare_bytes) : name(thunk_name), masm(masm_of_all) {
    masm.align_function(spare_bytes);
    start = masm.offset();
  }
  /// From here on, the return address lies below rsp + `bytes`.
  void frame_size(uint32_t bytes, int saved_register = -1) {
    frame.push_back({static_cast<uint32_t>(masm.offset() - start), bytes, saved_register});
  }

  const char* name;
  Masm& masm;
  size_t start = 0;
  std::vector<CodeFrameRow> frame = {};
};

/// A frame that goes on, or a call of a function. The frame pointer is pushed first (runtime/sampling/native_walk.cpp).
void emit_enter(Masm& masm, Thunk& thunk, bool is_call) {
  uint32_t frame_bytes = 8;
  thunk.frame_size(frame_bytes);
  for (const auto& [reg, dwarf_number] : kCalleeSaved) {
    masm.push(reg);
    thunk.frame_size(frame_bytes += 8, dwarf_number);
  }
  masm.reserve_stack(8);
  thunk.frame_size(frame_bytes += 8);
  masm.move(kThread, a0);
  masm.move(kBase, a1);
  masm.move(kVm, a4);
  const Label body = masm.new_label();
  if (is_call) {
    masm.call(a2);  // the number of arguments is in a3
  } else {
    masm.move(kPath, a3);
    masm.call(body);
  }
  masm.drop_stack(8);
  for (size_t i = std::size(kCalleeSaved); i-- > 0;) masm.pop(kCalleeSaved[i].reg);
  masm.return_to_caller();
  if (is_call) return;
  masm.bind(body);
  thunk.frame_size(frame_bytes + 8);
  masm.push(kBase);
  thunk.frame_size(frame_bytes + 16);
  masm.jump(a2);
}

/// With the number of arguments in a3; then the entries for small numbers.
void emit_call_function(Masm& masm, Thunk& thunk, size_t (&entry_offsets)[kNativeEntries]) {
  thunk.frame_size(8);
  const Label raised = masm.new_label(), counted = masm.new_label();
  masm.bind(counted);
  masm.push(kBase);
  thunk.frame_size(16);
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.move(low(a2), low(a3));
  masm.call(prepare_call);
  masm.branch_if_zero(t0, raised);
  masm.jump(t0);
  masm.bind(raised);
  masm.load_word(t0, static_cast<int64_t>(kRaised));
  masm.return_from_function();
  thunk.frame_size(8);
  for (int count = 0; count < kNativeEntries - 1; ++count) {
    entry_offsets[count] = masm.offset();
    masm.load_word(low(a3), count);
    masm.jump(counted);
  }
  entry_offsets[kNativeEntries - 1] = thunk.start;
}

void emit_leave_to_interpreter(Masm& masm, Thunk& thunk) {
  thunk.frame_size(16);
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.call(leave_frame);
  const Label returned = masm.new_label();
  masm.branch_if_zero(t0, returned);
  masm.load(kPath, word_at(kBase, kPathOffset));
  masm.jump(t0);
  masm.bind(returned);
  masm.move(t0, a2);
  masm.return_from_function();
}

}  // namespace

const void* prepare_call(Thread* thread, Value* base, int64_t argument_count) {
  Vm& vm = *thread->vm;
  FrameHeader* frame = frame_of(base);
  Proto& proto = *function_slot(base)->as_lua_function()->proto;
  // Until the frame is complete, errors are the caller's.
  thread->base = caller_base(base);
  const int count = static_cast<int>(argument_count);
  int slots = std::max(count, int{proto.max_stack_slots});
  // So that calls at this depth need not come here again.
  constexpr int kUnchecked = Thread::kUncheckedSlots;
  if (slots < kUnchecked &&
      base + kUnchecked <= std::min(thread->stack_end, thread->stack + Thread::kMaxValueSlots))
    slots = kUnchecked;
  if (!ensure_stack(vm, base, slots).ok()) return nullptr;
  if (native_stack_exhausted(*thread)) {
    (void)raise_message(vm, "stack overflow");
    return nullptr;
  }
  for (int i = count; i < proto.parameter_count; ++i) base[i].set_nil();
  frame->extra_args = proto.is_vararg ? static_cast<uint32_t>(count) : 0;
  if ((proto.compiled == nullptr || !proto.compiled->is_whole()) && --proto.entry_countdown < 0) report_hot_function(vm, proto);
  frame->saved_pc = proto.code;
  thread->base = base;
  thread->top = base + proto.max_stack_slots;
  if (!count_call(vm).ok()) return nullptr;
  const Thunks& thunks = static_cast<Tier*>(vm.native_tier)->thunks;
  if (!may_run_compiled(proto, *thread, proto.code)) return thunks.leave_to_interpreter;
  return proto.compiled->resume_address(proto.code);
}

namespace {

/// The thunks in the order of their addresses, and those that others call or jump to.
class ThunkEmitter {
 public:
  ThunkEmitter(Masm& masm, size_t spare_bytes) : masm_(masm), spare_bytes_(spare_bytes) {}

  void emit() {
    enter_ = thunks_.size();
    emit_enter(masm_, add("enter"), /*is_call=*/false);
    emit_call_function(masm_, add("call_function"), call_function_offsets_);
    leave_to_interpreter_ = thunks_.size();
    emit_leave_to_interpreter(masm_, add("leave_to_interpreter", leave_label_));
    call_compiled_ = thunks_.size();
    emit_enter(masm_, add("call_compiled"), /*is_call=*/true);
    switch_coroutine_ = thunks_.size();
    emit_switch_coroutine(masm_, frame_size(add("switch_coroutine", switch_label_)));
    emit_function_region_entries(masm_, leave_label_, region_offsets_, frame_size(add("enter_function_region")));
    emit_site_stubs();
  }

  /// Of the code in `region`, of which `code_bytes` are used.
  Thunks finish(const CodeRegion& region, size_t code_bytes) {
    const auto address = [&](size_t i) { return region.rx + thunks_[i].start; };
    Thunks result{.enter = reinterpret_cast<Thunks::Enter>(address(enter_)),
                  .call_compiled = reinterpret_cast<Thunks::CallCompiled>(address(call_compiled_)),
                  .leave_to_interpreter = address(leave_to_interpreter_),
                  .switch_coroutine = address(switch_coroutine_),
                  .call_of_other = address(call_of_other_),
                  .get_by_key = address(get_by_key_),
                  .set_by_key = address(get_by_key_ + 1),
                  .region = region};
    for (size_t i = 0; i < kMetamethodResultCount; ++i) result.metamethod[i] = address(first_metamethod_ + i);
    for (size_t i = 0; i < kSiteAccessCount; ++i) result.access[i] = address(accesses_[i]);
    for (int i = 0; i < kNativeEntries; ++i) {
      result.call_function[i] = region.rx + call_function_offsets_[i];
      result.enter_region[i] = region.rx + region_offsets_[i];
    }
    for (size_t i = 0; i < thunks_.size(); ++i) {
      const size_t end = i + 1 < thunks_.size() ? thunks_[i + 1].start - spare_bytes_ : code_bytes;
      result.descriptions.push_back({.start = address(i),
                                     .size_bytes = end - thunks_[i].start,
                                     .name = thunks_[i].name,
                                     .frame = std::move(thunks_[i].frame)});
    }
    return result;
  }

 private:
  Thunk& add(const char* name) { return thunks_.emplace_back(name, masm_, spare_bytes_); }
  Thunk& add(const char* name, const Label& label) {
    Thunk& thunk = add(name);
    masm_.bind(label);
    return thunk;
  }
  /// Valid until the next one is added.
  static FrameSize frame_size(Thunk& thunk) {
    return [&thunk](uint32_t bytes) { thunk.frame_size(bytes); };
  }

  void emit_site_stubs() {
    SiteStubLabels labels{.get_by_cache = masm_.new_label(), .set_by_cache = masm_.new_label(), .leave = masm_.new_label(), .by_handler = {}, .by_runtime = {}};
    add("get_by_cache", labels.get_by_cache).frame_size(8);
    emit_get_by_cache(masm_);
    add("set_by_cache", labels.set_by_cache).frame_size(8);
    emit_set_by_cache(masm_);
    get_by_key_ = thunks_.size();
    emit_get_by_key(masm_, labels.get_by_cache, frame_size(add("get_by_key")));
    emit_set_by_key(masm_, labels.set_by_cache, frame_size(add("set_by_key")));
    emit_leave_from_stub(masm_, leave_label_, frame_size(add("leave_from_stub", labels.leave)));
    constexpr const char* kMetamethodNames[] = {"value_or_metamethod", "branch_or_metamethod", "store_or_metamethod"};
    Label by_runtime[kMetamethodResultCount];
    first_metamethod_ = thunks_.size();
    for (int i = 0; i < kMetamethodResultCount; ++i) {
      by_runtime[i] = masm_.new_label();
      emit_runtime_call_or_metamethod(masm_, static_cast<MetamethodResult>(i), labels.leave, frame_size(add(kMetamethodNames[i], by_runtime[i])));
    }
    for (int i = 0; i < kSiteAccessCount; ++i) {
      const auto access = static_cast<SiteAccess>(i);
      labels.by_runtime = by_runtime[static_cast<size_t>(is_store(access) ? MetamethodResult::None : MetamethodResult::Value)];
      labels.by_handler = masm_.new_label();
      emit_access(access, labels);
    }
    call_of_other_ = thunks_.size();
    emit_call_of_other(masm_, switch_label_, frame_size(add("call_of_other")));
  }

  void emit_access(SiteAccess access, const SiteStubLabels& labels) {
    constexpr const char* kNames[] = {"get_field", "get_method", "get_global", "set_field", "set_global",
                                      "get_index", "get_integer", "set_index", "set_integer"};
    constexpr const char* kHandlerNames[] = {"get_field_by_handler", "get_method_by_handler", "get_global_by_handler",
                                             "set_field_by_handler", "set_global_by_handler", "get_index_by_handler",
                                             "", "set_index_by_handler", ""};
    const auto i = static_cast<size_t>(access);
    const bool has_handler = access != SiteAccess::GetInteger && access != SiteAccess::SetInteger;
    if (has_handler)
      emit_handler_or_runtime_call(masm_, access, labels.by_runtime, labels.leave, frame_size(add(kHandlerNames[i], labels.by_handler)));
    accesses_[i] = thunks_.size();
    const FrameSize sized = frame_size(add(kNames[i]));
    sized(8);
    is_by_name(access) ? emit_access_by_name(masm_, access, labels, sized) : emit_access_by_key(masm_, access, labels);
  }

  Masm& masm_;
  const size_t spare_bytes_;
  std::vector<Thunk> thunks_;
  Label leave_label_ = masm_.new_label(), switch_label_ = masm_.new_label();
  size_t call_function_offsets_[kNativeEntries] = {}, region_offsets_[kNativeEntries] = {};
  size_t enter_ = 0, call_compiled_ = 0, leave_to_interpreter_ = 0, switch_coroutine_ = 0, first_metamethod_ = 0, call_of_other_ = 0, get_by_key_ = 0;
  size_t accesses_[kSiteAccessCount] = {};
};

}  // namespace

Thunks make_thunks(CodeCache& cache) {
  EmitErrors errors;
  asmjit::CodeHolder holder;
  Assembler a;
  if (!errors.attach(holder, a)) return {};
  Masm masm(a);
  ThunkEmitter emitter(masm, cache.spare_bytes());
  emitter.emit();
  const auto region = emit_region(cache, holder, errors);
  return region ? emitter.finish(*region, holder.codeSize()) : Thunks{};
}

}  // namespace mangata::jit
