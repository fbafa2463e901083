#include "jit/driver/make_thunks.h"

#include <algorithm>

#include "jit/abi/compiled_code.h"
#include "jit/abi/runtime_calls.h"
#include "jit/abi/tier.h"
#include "jit/baseline/access_stubs.h"
#include "jit/baseline/function_region_stub.h"
#include "jit/baseline/map_stubs.h"
#include "jit/baseline/metamethod_stubs.h"
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

Thunks make_thunks(CodeCache& cache) {
  const size_t spare = cache.spare_bytes();
  EmitErrors errors;
  asmjit::CodeHolder holder;
  Assembler a;
  if (!errors.attach(holder, a)) return {};
  Masm masm(a);
  std::vector<Thunk> thunks;
  emit_enter(masm, thunks.emplace_back("enter", masm, spare), /*is_call=*/false);
  size_t entry_offsets[kNativeEntries];
  emit_call_function(masm, thunks.emplace_back("call_function", masm, spare), entry_offsets);
  const Label leave_to_interpreter = masm.new_label();
  Thunk& leaving = thunks.emplace_back("leave_to_interpreter", masm, spare);
  masm.bind(leave_to_interpreter);
  emit_leave_to_interpreter(masm, leaving);
  const Label get_by_cache = masm.new_label(), set_by_cache = masm.new_label();
  thunks.emplace_back("get_by_cache", masm, spare).frame_size(8);
  masm.bind(get_by_cache);
  emit_get_by_cache(masm);
  thunks.emplace_back("set_by_cache", masm, spare).frame_size(8);
  masm.bind(set_by_cache);
  emit_set_by_cache(masm);
  Thunk& switching = thunks.emplace_back("switch_coroutine", masm, spare);
  emit_switch_coroutine(masm, [&switching](uint32_t bytes) { switching.frame_size(bytes); });

  const size_t get_by_key = thunks.size();
  Thunk& getting = thunks.emplace_back("get_by_key", masm, spare);
  emit_get_by_key(masm, get_by_cache, [&getting](uint32_t bytes) { getting.frame_size(bytes); });
  Thunk& setting = thunks.emplace_back("set_by_key", masm, spare);
  emit_set_by_key(masm, set_by_cache, [&setting](uint32_t bytes) { setting.frame_size(bytes); });

  const size_t call_compiled = thunks.size();
  emit_enter(masm, thunks.emplace_back("call_compiled", masm, spare), /*is_call=*/true);
  const size_t first_metamethod = thunks.size();
  constexpr const char* kMetamethodNames[] = {"value_or_metamethod", "branch_or_metamethod", "store_or_metamethod"};
  Label metamethod_labels[3];
  for (int i = 0; i < 3; ++i) {
    Thunk& stub = thunks.emplace_back(kMetamethodNames[i], masm, spare);
    masm.bind(metamethod_labels[i] = masm.new_label());
    emit_runtime_call_or_metamethod(masm, static_cast<MetamethodResult>(i), [&stub](uint32_t bytes) { stub.frame_size(bytes); });
  }

  const size_t first_handler = thunks.size();
  constexpr const char* kHandlerNames[] = {"get_by_handler", "set_by_handler", "get_by_key_handler",
                                           "set_by_key_handler", "get_global_by_handler", "set_global_by_handler"};
  for (int i = 0; i < kHandlerAccessCount; ++i) {
    const auto access = static_cast<HandlerAccess>(i);
    Thunk& stub = thunks.emplace_back(kHandlerNames[i], masm, spare);
    const MetamethodResult result = is_store(access) ? MetamethodResult::None : MetamethodResult::Value;
    emit_handler_or_runtime_call(masm, access, metamethod_labels[static_cast<size_t>(result)],
                                 [&stub](uint32_t bytes) { stub.frame_size(bytes); });
  }

  size_t region_offsets[kNativeEntries];
  Thunk& entering = thunks.emplace_back("enter_function_region", masm, spare);
  emit_function_region_entries(masm, leave_to_interpreter, region_offsets,
                               [&entering](uint32_t bytes) { entering.frame_size(bytes); });

  const auto region = emit_region(cache, holder, errors);
  if (!region) return {};
  const auto address = [&](size_t i) { return region->rx + thunks[i].start; };
  Thunks result{.enter = reinterpret_cast<Thunks::Enter>(address(0)),
                .call_compiled = reinterpret_cast<Thunks::CallCompiled>(address(call_compiled)),
                .leave_to_interpreter = address(2),
                .get_by_cache = address(3),
                .set_by_cache = address(4),
                .switch_coroutine = address(5),
                .region = *region,
                .get_by_key = address(get_by_key),
                .set_by_key = address(get_by_key + 1)};
  for (size_t i = 0; i < 3; ++i) result.metamethod[i] = address(first_metamethod + i);
  for (size_t i = 0; i < kHandlerAccessCount; ++i) result.handler[i] = address(first_handler + i);
  for (int i = 0; i < kNativeEntries; ++i) {
    result.call_function[i] = region->rx + entry_offsets[i];
    result.enter_region[i] = region->rx + region_offsets[i];
  }
  for (size_t i = 0; i < thunks.size(); ++i) {
    const size_t end = i + 1 < thunks.size() ? thunks[i + 1].start - spare : holder.codeSize();
    result.descriptions.push_back({.start = address(i),
                                   .size_bytes = end - thunks[i].start,
                                   .name = thunks[i].name,
                                   .frame = std::move(thunks[i].frame)});
  }
  return result;
}

}  // namespace mangata::jit
