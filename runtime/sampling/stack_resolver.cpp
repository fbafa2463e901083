#include "runtime/sampling/stack_resolver.h"

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

using Kind = SampledFrame::Kind;

/// The instruction that runs in front of a saved pc, which may be any number (BytecodeMap::find).
const Instruction* before(uint64_t saved_pc) { return reinterpret_cast<const Instruction*>(saved_pc - sizeof(Instruction)); }
const Instruction* before(const void* saved_pc) { return before(reinterpret_cast<uint64_t>(saved_pc)); }

}  // namespace

void StackResolver::proto_destroyed(const Proto& proto) {
  bytecode_.remove(proto);
  functions_.erase(&proto);
}

uint32_t StackResolver::function_of(const Proto& proto) {
  const auto found = functions_.find(&proto);
  if (found != functions_.end()) return found->second;
  const ProfiledFunction* profiled = profiled_function(proto);
  return functions_[&proto] = stacks_.function(profiled != nullptr ? static_cast<const FunctionIdentity&>(*profiled) : identity_of(proto));
}

void StackResolver::push_lua(const BytecodePlace& place, SampledStack* stack) {
  if (place.proto == nullptr) return stack->push_back({});
  const bool has_line = place.pc >= OriginalPc{} && static_cast<size_t>(place.pc) < place.proto->original_code.size();
  stack->push_back({Kind::Lua, function_of(*place.proto), has_line ? place.proto->line_at(place.pc) : place.proto->line_defined});
}

void StackResolver::push_native(const RawFrame& frame, SampledStack* stack) {
  stack->push_back({Kind::Native, stacks_.native_name(names_.of_frame(frame.place, frame.name)), -1});
}

/// Of the interpreter, by its registers: the pc points into the code of the frame that runs, as its saved pc does.
BytecodePlace StackResolver::interpreted_place(const RawSample& sample, const RawFrame& frame) const {
  const BytecodePlace saved = saved_place(frame);
  for (const uint64_t word : sample.words) {
    const BytecodePlace place = bytecode_.find(before(word));
    if (place.proto != nullptr && place.proto == saved.proto) return place;
  }
  return saved;
}

/// It is behind the instruction that runs; at the start of a function, at the first one.
BytecodePlace StackResolver::saved_place(const RawFrame& frame) const {
  const BytecodePlace place = bytecode_.find(before(frame.place));
  return place.proto != nullptr ? place : bytecode_.find(static_cast<const Instruction*>(frame.place));
}

/// What runs in the innermost Lua frame: it, and what is inlined there. Empty: the frame is about to begin, in a stub that its caller has
/// called.
std::vector<BytecodePlace> StackResolver::innermost_places(const RawSample& sample, const RawFrame& frame, const RawFrame* caller_frame) const {
  if (sample.code == nullptr) return {sample.is_interpreted ? interpreted_place(sample, frame) : saved_place(frame)};
  const CodeMap::Place place = code_.find(sample.is_return ? sample.code - 1 : sample.code);
  std::vector<BytecodePlace> places;
  for (const Instruction* instruction : place.inlined) places.push_back(bytecode_.find(instruction));
  if (!places.empty()) return places;
  if (place.instruction != nullptr) return {bytecode_.find(place.instruction)};
  if (place.is_region) return {saved_place(frame)};
  for (const uint64_t word : sample.words) {  // a stub that was called by a function
    const CodeMap::Place caller = code_.find(reinterpret_cast<const uint8_t*>(word - 1));
    if (caller.instruction == nullptr) continue;
    if (caller_frame != nullptr && caller_frame->place == caller.instruction + 1) return {};
    return {bytecode_.find(caller.instruction)};
  }
  return {saved_place(frame)};
}

/// The outermost first. *top: what runs in the innermost Lua frame.
void StackResolver::push_frames(const RawSample& sample, const RawFrame* frames, SampledStack* stack, BytecodePlace* top) {
  uint32_t innermost = 0;
  while (innermost < sample.frame_count && (frames[innermost].flags & RawFrame::kNative) != 0) ++innermost;
  if (!sample.is_whole) stack->push_back({});
  for (uint32_t i = sample.frame_count; i-- > 0;) {
    const RawFrame& frame = frames[i];
    if (i + 1 < sample.frame_count && (frame.flags & RawFrame::kBorder) != 0) stack->push_back({Kind::Coroutine, 0, -1});
    if ((frame.flags & RawFrame::kNative) != 0) {
      push_native(frame, stack);
    } else if (i != innermost) {
      push_lua(bytecode_.find(before(frame.place)), stack);
    } else {
      const std::vector<BytecodePlace> places = innermost_places(sample, frame, i + 1 < sample.frame_count ? &frames[i + 1] : nullptr);
      const bool is_beginning = places.size() == 1 && places[0].proto == nullptr && i + 1 < sample.frame_count;  // it belongs to its caller yet
      for (const BytecodePlace& place : places) {
        if (!is_beginning) push_lua(place, stack);
      }
      if (!places.empty()) *top = places.back();
    }
    if ((frame.flags & RawFrame::kFinalizer) != 0 && i > 0) stack->push_back({Kind::Finalizer, 0, -1});
  }
}

void StackResolver::add(const RawSample& sample, const RawFrame* frames) {
  if (!sample.is_valid) return stacks_.add_invalid(sample.nanoseconds);
  SampledStack stack;
  BytecodePlace top;
  push_frames(sample, frames, &stack, &top);
  bool runs_native = sample.frame_count > 0 && (frames[0].flags & RawFrame::kNative) != 0;
  const std::string* direct = names_.of_direct(sample.natives[0]);
  if (direct == nullptr) direct = names_.of_direct(sample.natives[1]);
  if (direct != nullptr && !runs_native && sample.frame_count > 0) {
    stack.push_back({Kind::Native, stacks_.native_name(*direct), -1});
    runs_native = true;
  }
  if (sample.activity == Activity::Collector) stack.push_back({Kind::Collector, 0, -1});
  if (sample.activity == Activity::Compiler) stack.push_back({Kind::Compiler, 0, -1});
  if (top.pc >= OriginalPc{} && sample.activity == Activity::Program && !runs_native)
    stacks_.add_place(function_of(*top.proto), value_of(top.pc), sample.nanoseconds);
  if (stack.empty()) stack.push_back({});
  stacks_.add(stack, sample.nanoseconds);
}

}  // namespace mangata
