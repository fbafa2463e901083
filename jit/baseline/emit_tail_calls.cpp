// Tail calls: the callee's frame takes the place of this one, inline unless variables are to be closed. What
// a native function returns is returned in place.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

/// Copies the arguments to the frame that begins at `destination_base`; an open number of them is in a3
/// afterwards.
void BaselineCompiler::emit_moved_arguments(const Instruction& in, const Gp& destination_base) {
  if (in.b != 0) {
    for (int i = 0; i < in.b - 1; ++i) {
      const int to = i * kSlotBytes;
      const Register from = in.ra() + (kCallOverheadSlots + i);
      copy_value(word_at(destination_base, to), word_at(destination_base, to + kTagOffset),
                 payload_of(from), tag_of(from));
    }
    return;
  }
  const int first = in.d != 0 ? 1 : kCallOverheadSlots;  // compact: without room for a header
  masm_.load(a4, thread_field(offsetof(Thread, top)));
  masm_.load_address(a0, payload_of(in.ra() + first));
  masm_.move(a3, a4);
  masm_.subtract(a3, a0);
  masm_.shift_right(a3, kSlotShift);
  masm_.load_word(a5, destination_base);
  emit_copy_values();
}

/// R[a] is no Lua function.
void BaselineCompiler::emit_native_tail_call(const Instruction& in, const Label& generic) {
  branch_unless_tag(in.ra(), Tag::NativeFunction, generic);
  masm_.load(a0, payload_of(in.ra()));
  masm_.load(t0, field(a0, offsetof(NativeFunction, direct)));
  masm_.branch_if_zero(t0, generic);
  emit_argument_count(in);
  masm_.move(a0, kVm);
  masm_.load_address(a1, payload_of(in.ra()));
  masm_.move(low(a2), low(a3));
  masm_.call(t0);
  masm_.branch_if_negative(low(t0), generic);
  masm_.shift_left(t0, kSlotShift);
  masm_.load_address(a3, payload_of(in.ra()));
  masm_.add(t0, a3);
  masm_.store(thread_field(offsetof(Thread, top)), t0);
  emit_return_open(in.ra());
}

void BaselineCompiler::emit_TailCall(const Instruction& in) {
  if (in.c != 0) return emit_generic_tail_call();
  const Label generic = slow_path([this] { emit_generic_tail_call(); });
  const bool is_compact = in.b == 0 && in.d != 0;
  const Label not_lua =
      is_compact ? generic : slow_path([this, in, generic] { emit_native_tail_call(in, generic); });
  branch_unless_tag(in.ra(), Tag::LuaFunction, not_lua);
  masm_.compare(byte_at(kVm, offsetof(Vm, interrupt)), 0);
  masm_.branch(Condition::NotEqual, generic);
  const Gp base = load_frame_origin();
  masm_.load(t1, payload_of(in.ra()));
  masm_.store(word_at(base, kFunctionOffset), t1);
  emit_moved_arguments(in, base);
  masm_.load(t0, field(t1, offsetof(LuaFunction, proto)));
  masm_.or_(byte_at(base, kPositionTagOffset + 4), static_cast<int>(FrameHeader::kTailCalled));
  if (proto_->is_vararg) masm_.move(kBase, base);
  masm_.drop_stack(8);
  masm_.jump(load_entry(t0, argument_count(in)));
}

void BaselineCompiler::emit_generic_tail_call() {
  emit_runtime_call_at(reinterpret_cast<uint64_t>(runtime_tail_call), saved_pc());
  const Label returned = masm_.new_label();
  masm_.branch_if_zero(t0, returned);
  masm_.load(kBase, thread_field(offsetof(Thread, base)));
  masm_.store(word_at(kStack), kBase);
  masm_.jump(t0);
  masm_.bind(returned);
  masm_.move(t0, a2);
  masm_.jump(exit_);
}

}  // namespace mangata::jit
