#include "runtime/sampling/capture.h"

#include <pthread.h>

#include <algorithm>

#include "vm/bytecode/proto.h"
#include "vm/object/frame.h"
#include "vm/object/function.h"
#include "vm/object/thread.h"

namespace mangata {
namespace {

/// Coroutines that have resumed each other; more is no stack but a mistake.
constexpr int kMostThreads = 256;

bool has_frame_tag(uint32_t word) { return word == static_cast<uint32_t>(Tag::Frame); }

/// Whether the header of a frame may be read at `base`, and is one.
bool is_frame(const Thread& thread, const Value* base) {
  const auto address = reinterpret_cast<uintptr_t>(base);
  const auto bottom = reinterpret_cast<uintptr_t>(thread.stack);
  const auto end = reinterpret_cast<uintptr_t>(thread.stack_end + Thread::kErrorStackSlots);
  if (address < bottom + kCallOverheadSlots * sizeof(Value) || address > end || (address - bottom) % sizeof(Value) != 0) return false;
  const FrameHeader* header = frame_of(base);
  return has_frame_tag(header->tag_low_1) && has_frame_tag(header->tag_low_2);
}

/// The frame that machine code has in its register, unless it has called native functions, which have frames above it.
const Value* innermost(const Thread& thread, const Value* of_code) {
  const Value* base = thread.base;
  while (base != of_code) {
    if (base < of_code || !is_frame(thread, base) || !frame_of(base)->is_native()) return of_code;
    const uint32_t delta = frame_of(base)->caller_delta_slots;
    if (delta == 0) return of_code;
    base -= delta;
  }
  return thread.base;
}

RawFrame raw_frame(const Value* base) {
  const FrameHeader* header = frame_of(base);
  RawFrame frame{.place = header->saved_pc};
  if ((header->flags & FrameHeader::kFinalizer) != 0) frame.flags |= RawFrame::kFinalizer;
  if (!header->is_native()) return frame;
  frame.flags |= RawFrame::kNative;
  const Value& function = base[-kCallOverheadSlots];
  if (!function.is_native_function()) return frame;
  const NativeFunction* native = function.as_native_function();
  frame.place = reinterpret_cast<const void*>(native->code);
  frame.name = native->name;
  return frame;
}

/// The pc of the interpreter: of its registers the one that points into the code of the running function.
const Instruction* pc_in_registers(const NativePlace& place, const Value* base) {
  const Value& function = base[-kCallOverheadSlots];
  if (!function.is_lua_function()) return nullptr;
  const Proto& proto = *function.as_lua_function()->proto;
  const auto code = reinterpret_cast<uintptr_t>(proto.code);
  const uint64_t bytes = static_cast<uint64_t>(proto.code_length()) * sizeof(Instruction);
  for (const uint64_t candidate : place.registers) {
    const uint64_t offset = candidate - code;
    if (offset - 1 < bytes && offset % sizeof(Instruction) == 0) return reinterpret_cast<const Instruction*>(candidate);
  }
  return nullptr;
}

}  // namespace

FrameCapture::FrameCapture(Vm& vm) : vm_(vm), main_stack_high_(nullptr) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) main_stack_high_ = static_cast<char*>(low) + bytes;
  pthread_attr_destroy(&attributes);
}

void FrameCapture::add_code(const uint8_t* start, size_t bytes) {
  if (code_.low == nullptr) {
    code_.low = start;  // between the two stores the bounds are empty
    std::atomic_signal_fence(std::memory_order_seq_cst);
    code_.high = start + bytes;
    return;
  }
  code_.low = std::min(code_.low, start);
  code_.high = std::max(code_.high, start + bytes);
}

void FrameCapture::take(const ucontext_t& context, RawSample* sample, RawFrame* frames) const {
  const Thread* thread = vm_.current;
  sample->activity = vm_.activity;
  if (thread == nullptr || thread->stack == nullptr) return;
  const char* own_stack = thread->native_stack;
  const NativePlace place = find_lua_code(context, code_, own_stack != nullptr ? own_stack : main_stack_high_);
  sample->native = place.native;
  const Value* base = thread->base;
  if (place.base != nullptr && is_frame(*thread, place.base)) base = innermost(*thread, place.base);
  if (!is_frame(*thread, base)) return;
  if (place.kind == NativePlace::Kind::Interpreter) sample->pc = pc_in_registers(place, base);
  sample->code = place.code;
  sample->is_return = place.is_return;
  int threads = 0;
  while (sample->frame_count < kMostFrames) {
    const FrameHeader* header = frame_of(base);
    if ((header->flags & FrameHeader::kBottom) != 0) {
      sample->is_valid = true;
      if (sample->frame_count > 0) frames[sample->frame_count - 1].flags |= RawFrame::kBorder;
      thread = thread->resumer;
      sample->is_whole = thread == nullptr;
      if (thread == nullptr || ++threads > kMostThreads) return;
      base = thread->base;
    } else {
      frames[sample->frame_count++] = raw_frame(base);
      if (header->caller_delta_slots == 0) return;
      base -= header->caller_delta_slots;
    }
    if (!is_frame(*thread, base)) return;
  }
  sample->is_valid = true;
}

}  // namespace mangata
