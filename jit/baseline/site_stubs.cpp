#include "jit/baseline/site_stubs.h"

namespace mangata::jit {

using namespace registers;

RuntimeCallOrMetamethod runtime_call_of(SiteAccess access) {
  switch (access) {
    case SiteAccess::GetField: return get_field_or_metamethod;
    case SiteAccess::Self: return self_or_metamethod;
    case SiteAccess::GetGlobal: return get_global_or_metamethod;
    case SiteAccess::SetField: return set_field_or_metamethod;
    case SiteAccess::SetGlobal: return set_global_or_metamethod;
    case SiteAccess::GetIndex: return get_index_or_metamethod;
    case SiteAccess::GetInteger: return get_integer_or_metamethod;
    case SiteAccess::SetIndex: return set_index_or_metamethod;
    case SiteAccess::SetInteger: break;
  }
  return set_integer_or_metamethod;
}

void load_stored_value(Masm& masm, const Gp& pc, const Gp& proto) {
  const Label constant = masm.new_label(), found = masm.new_label();
  masm.load_unsigned(low(a0), half_short_at(pc, offset_in_running(offsetof(Instruction, c))));
  masm.branch_if_bits(low(a0), kConstantOperand, constant);
  masm.shift_left(low(a0), kSlotShift);
  masm.add(a0, kBase);
  masm.jump(found);
  masm.bind(constant);
  masm.and_(low(a0), kMaxRkConstant);
  masm.shift_left(low(a0), kSlotShift);
  masm.add(a0, elements_of(proto, offsetof(Proto, constants)));
  masm.bind(found);
  masm.load(a1, word_at(a0));
  masm.load(a0, word_at(a0, kTagOffset));
}

void emit_access_by_key(Masm& masm, SiteAccess access, const SiteStubLabels& labels) {
  const bool may_be_name = access == SiteAccess::GetIndex || access == SiteAccess::SetIndex;
  if (access == SiteAccess::SetIndex) {
    load_running_proto(masm, t0);
    load_stored_value(masm, a2, t0);
  }
  go_on_at(masm, access, may_be_name ? labels.by_handler : labels.by_runtime);
}

void go_on_at(Masm& masm, SiteAccess access, const Label& there) {
  masm.load_word(t0, reinterpret_cast<uint64_t>(runtime_call_of(access)));
  masm.jump(there);
}

void write_position(Masm& masm, const Gp& base) {
  masm.load_word(a0, tag_bits(Tag::Frame));
  masm.move(a2, base);
  masm.subtract(a2, kBase);
  static_assert(kSlotShift == 4);  // the distance in slots begins at bit 40
  masm.shift_left(a2, 36);
  masm.or_(a2, a0);
  masm.store(word_at(base, kPositionTagOffset), a2);
}

void emit_leave_from_stub(Masm& masm, const Label& leave_to_interpreter, const FrameSize& frame_size) {
  frame_size(24);
  const Label raised = masm.new_label();
  masm.drop_stack(8);
  frame_size(16);
  masm.branch_if_negative(low(t0), raised);
  masm.jump(leave_to_interpreter);
  masm.bind(raised);
  masm.return_from_function();
}

}  // namespace mangata::jit
