#include "runtime/sampling/capture.h"

#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

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

/// The function in whose frame `base` is, if it is a native one.
bool read_native(const Value* base, NativeFunction* function) {
  const Value& slot = base[-kCallOverheadSlots];
  if (!slot.is_native_function()) return false;
  const iovec to{function, offsetof(NativeFunction, upvalues)};
  const iovec from{slot.as_native_function(), offsetof(NativeFunction, upvalues)};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == static_cast<ssize_t>(to.iov_len) && function->type == ObjectType::NativeFunction;
}

/// Switches between coroutines are inline, and leave Thread::base at the frame of the function that would have switched.
bool may_be_left_over(const Value* base) {
  NativeFunction function;
  if (!read_native(base, &function)) return true;
  const auto id = static_cast<NativeId>(function.type_byte);
  return id == NativeId::Resume || id == NativeId::ResumeWrapped || id == NativeId::Yield;
}

/// The frame that machine code has in its register, unless it has called native functions, which have frames above it.
const Value* innermost(const Thread& thread, const NativePlace& place) {
  const Value* of_code = place.base;
  const Value* base = thread.base;
  if (!place.is_return || base == of_code || !is_frame(thread, base) || may_be_left_over(base)) return of_code;
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
  frame = {.flags = frame.flags | RawFrame::kNative};
  NativeFunction function;
  if (!read_native(base, &function)) return frame;
  frame.place = reinterpret_cast<const void*>(function.code);
  frame.name = function.name;
  return frame;
}

void take_words(const NativePlace& place, const char* stack_high, RawSample* sample) {
  sample->is_interpreted = place.kind == NativePlace::Kind::Interpreter;
  if (sample->is_interpreted) {
    std::copy(std::begin(place.registers), std::end(place.registers), sample->words);
  } else if (place.stack != nullptr && reinterpret_cast<const char*>(place.stack) + sizeof(sample->words) <= stack_high) {
    std::copy_n(place.stack, RawSample::kWords, sample->words);
  }
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
  CodeBounds& all = code_.all;
  if (all.low == nullptr) {
    all.low = start;  // between the two stores the bounds are empty
    std::atomic_signal_fence(std::memory_order_seq_cst);
    all.high = start + bytes;
    return;
  }
  all.low = std::min(all.low, start);
  all.high = std::max(all.high, start + bytes);
}

/// Of more than there is room for, the last ones are told to no handler: these are stubs for calls of C by the library ffi.
void FrameCapture::add_border(const uint8_t* start, size_t bytes) {
  const size_t count = border_count_.load(std::memory_order_relaxed);
  if (count == kMostBorders) return;
  borders_[count] = {start, start + bytes};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  border_count_.store(count + 1, std::memory_order_relaxed);
}

bool FrameCapture::is_border(const uint8_t* code) const {
  const size_t count = border_count_.load(std::memory_order_relaxed);
  return std::any_of(borders_, borders_ + count, [code](const CodeBounds& border) { return border.contains(code); });
}

void FrameCapture::take(const ucontext_t& context, RawSample* sample, RawFrame* frames) const {
  const Thread* thread = vm_.current;
  sample->activity = vm_.activity;
  if (thread == nullptr || thread->stack == nullptr) return;
  const char* own_stack = thread->native_stack;
  const auto* stack_high = own_stack != nullptr ? own_stack : static_cast<const char*>(main_stack_high_);
  NativePlace place = find_lua_code(context, code_, stack_high);
  if (place.kind == NativePlace::Kind::Baseline && is_border(place.code)) place = find_calling_region(context, code_, stack_high);
  std::copy_n(place.natives, 2, sample->natives);
  const Value* base = thread->base;
  if (place.base != nullptr && is_frame(*thread, place.base)) base = innermost(*thread, place);
  if (!is_frame(*thread, base)) return;
  take_words(place, stack_high, sample);
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
