// From a call into optimized code, and from there back to the caller, or by a side exit to baseline code. The counterpart for loops:
// emit_region_entry.cpp.
//
// kBase is the new base, the arguments are in place, and the return address is on the native stack (emit_entries.cpp).
#include "jit/baseline/function_region_stub.h"

#include "jit/abi/compiled_code.h"
#include "jit/abi/compiled_region.h"
#include "jit/abi/region_runtime.h"
#include "jit/x64/masm.h"

namespace mangata::jit {

using namespace registers;

namespace {

Mem entry_field(const Gp& code, size_t offset) {
  return word_at(code, static_cast<int>(offsetof(CompiledCode, function_entry) + offset));
}

}  // namespace

void emit_plain_exit(Masm& masm, const Label& not_plain) {
  masm.load(a2, field(a3, offsetof(RegionCode, plain_pc_of_exits)));
  masm.sign_extend(a2, short_at(a2, t0, 2));
  masm.branch_if_negative(a2, not_plain);
  masm.load(a4, field(a3, offsetof(RegionCode, counts_of_exits)));
  masm.increment(word_at(a4, t0, 3));
}

void emit_function_region_entries(Masm& masm, const Label& leave_to_interpreter,
                                  size_t (&entry_offsets)[kNativeEntries],
                                  const std::function<void(uint32_t bytes)>& frame_size) {
  frame_size(8);
  const Label counted = masm.new_label(), fill = masm.new_label(), filled = masm.new_label(), other = masm.new_label();
  const Label exits = masm.new_label(), special = masm.new_label(), raised = masm.new_label();
  masm.bind(counted);
  entry_offsets[kNativeEntries - 1] = masm.offset();
  masm.load(t0, word_at(kBase, kFunctionOffset));
  masm.load(t0, field(t0, offsetof(LuaFunction, proto)));
  masm.load_unsigned(low(a2), byte_at(t0, offsetof(Proto, parameter_count)));
  masm.compare(low(a3), low(a2));
  masm.branch(Condition::Below, fill);
  masm.bind(filled);
  masm.load_unsigned(low(a1), byte_at(t0, offsetof(Proto, max_stack_slots)));
  masm.load(a2, field(t0, offsetof(Proto, compiled)));
  masm.shift_left(a1, kSlotShift);
  masm.add(a1, kBase);
  masm.compare(a1, thread_field(offsetof(Thread, compiled_limit)));
  masm.branch(Condition::Above, other);
  masm.compare(kStack, thread_field(offsetof(Thread, region_limit)));
  masm.branch(Condition::Below, other);
  static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
  // Regions installed under kLeaveToSpendFuel are such that need not be left for it.
  masm.branch_if_bits(short_at(kVm, offsetof(Vm, interrupt)), 0xff | kLeaveToCountPaths << 8, other);
  // By the time it comes back, another version and another region may be installed.
  masm.push(kBase);
  masm.push(a2);
  masm.push(entry_field(a2, offsetof(RegionEntry, region)));
  frame_size(32);
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.move(a4, a2);
  masm.move(a2, kVm);
  masm.call(entry_field(a4, offsetof(RegionEntry, entry)));
  masm.compare(t0, static_cast<int>(kRegionReturned));
  masm.branch(Condition::NotEqual, exits);
  masm.clear(t0);
  masm.drop_stack(24);
  masm.return_to_caller();

  masm.bind(exits);
  masm.branch_if_negative(t0, special);
  const Label goes_on = masm.new_label(), not_plain = masm.new_label();
  masm.load(a3, word_at(kStack));
  emit_plain_exit(masm, not_plain);
  masm.jump(goes_on);
  masm.bind(not_plain);
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.move(a2, t0);
  masm.call(complete_exit);
  masm.branch_if_negative(t0, special);
  masm.move(a2, t0);
  masm.bind(goes_on);
  masm.load(a4, word_at(kStack, 8));
  masm.drop_stack(16);
  frame_size(16);
  masm.load(a3, entry_field(a4, offsetof(RegionEntry, resume_offsets)));
  masm.load(low(a3), short_at(a3, a2, 2));
  masm.add(a3, entry_field(a4, offsetof(RegionEntry, code)));
  masm.load(kPath, word_at(kBase, kPathOffset));
  masm.jump(a3);
  masm.bind(special);
  frame_size(32);
  masm.drop_stack(16);
  frame_size(16);
  masm.compare(t0, static_cast<int>(kRegionRaised));
  masm.branch(Condition::NotEqual, leave_to_interpreter);
  masm.bind(raised);
  masm.load_word(t0, static_cast<int64_t>(kRaised));
  masm.return_from_function();

  masm.bind(other);
  frame_size(8);
  masm.load(low(t0), short_at(a2, static_cast<int>(offsetof(CompiledCode, entry_offsets) + (kNativeEntries - 1) * sizeof(uint32_t))));
  masm.add(t0, word_at(a2, static_cast<int>(offsetof(CompiledCode, function_entry) + offsetof(RegionEntry, code))));
  masm.jump(t0);

  masm.bind(fill);
  const Label again = masm.new_label();
  masm.move(low(a1), low(a3));
  masm.shift_left(a1, kSlotShift);
  masm.bind(again);
  masm.store(word_at(kBase, a1), 0);
  masm.store(word_at(kBase, a1, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
  masm.add(a1, kSlotBytes);
  masm.increment(low(a3));
  masm.compare(low(a3), low(a2));
  masm.branch(Condition::Below, again);
  masm.jump(filled);

  for (int count = 0; count < kNativeEntries - 1; ++count) {
    entry_offsets[count] = masm.offset();
    masm.load_word(low(a3), count);
    masm.jump(counted);
  }
}

}  // namespace mangata::jit
