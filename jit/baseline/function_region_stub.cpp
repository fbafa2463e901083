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

void emit_call_of_complete_exit(Masm& masm) {
  masm.move(a0, kThread);
  masm.move(a1, kBase);
  masm.move(a2, t0);
  masm.call(complete_exit);
}

void emit_jump_to_baseline(Masm& masm, const Mem& resume_offsets, const Mem& code, bool has_path) {
  masm.load(a3, resume_offsets);
  masm.load(low(a3), short_at(a3, a2, 2));
  masm.add(a3, code);
  if (has_path) masm.load(kPath, word_at(kBase, kPathOffset));
  masm.jump(a3);
}

namespace {

/// Emits the entries. In all of it a2 is the CompiledCode, and t0 the function's prototype up to the call.
class FunctionRegionEntries {
 public:
  FunctionRegionEntries(Masm& masm, const Label& leave_to_interpreter, const std::function<void(uint32_t bytes)>& frame_size)
      : masm_(masm), leave_to_interpreter_(leave_to_interpreter), frame_size_(frame_size) {}

  void emit(size_t (&entry_offsets)[kNativeEntries]) {
    frame_size_(8);
    const Label counted = masm_.new_label();
    masm_.bind(counted);
    entry_offsets[kNativeEntries - 1] = masm_.offset();
    emit_checks();
    emit_call();
    emit_exits();
    emit_own_entry();
    emit_fill();
    emit_make_room();
    for (int count = 0; count < kNativeEntries - 1; ++count) {
      entry_offsets[count] = masm_.offset();
      masm_.load_word(low(a3), count);
      masm_.jump(counted);
    }
  }

 private:
  /// a3: how many arguments there are.
  void emit_checks() {
    masm_.bind(again_);
    masm_.load(t0, word_at(kBase, kFunctionOffset));
    masm_.load(t0, field(t0, offsetof(LuaFunction, proto)));
    masm_.load_unsigned(low(a2), byte_at(t0, offsetof(Proto, parameter_count)));
    masm_.compare(low(a3), low(a2));
    masm_.branch(Condition::Below, fill_);
    masm_.bind(filled_);
    masm_.load_unsigned(low(a1), byte_at(t0, offsetof(Proto, max_stack_slots)));
    masm_.load(a2, field(t0, offsetof(Proto, compiled)));
    masm_.shift_left(a1, kSlotShift);
    masm_.add(a1, kBase);
    masm_.compare(a1, thread_field(offsetof(Thread, compiled_limit)));
    masm_.branch(Condition::Above, short_);
    masm_.compare(kStack, thread_field(offsetof(Thread, region_limit)));
    masm_.branch(Condition::Below, other_);
    static_assert(offsetof(Vm, leave_regions) == offsetof(Vm, interrupt) + 1);
    // Regions installed under kLeaveToSpendFuel are such that need not be left for it.
    masm_.branch_if_bits(short_at(kVm, offsetof(Vm, interrupt)), 0xff | kLeaveToCountPaths << 8, other_);
  }

  /// By the time it comes back, another version and another region may be installed.
  void emit_call() {
    masm_.push(kBase);
    masm_.push(a2);
    masm_.push(entry_field(a2, offsetof(RegionEntry, region)));
    frame_size_(32);
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.move(a4, a2);
    masm_.move(a2, kVm);
    masm_.call(entry_field(a4, offsetof(RegionEntry, entry)));
    masm_.compare(t0, static_cast<int>(kRegionReturned));
    masm_.branch(Condition::NotEqual, exits_);
    masm_.clear(t0);
    masm_.drop_stack(24);
    masm_.return_to_caller();
  }

  void emit_exits() {
    const Label special = masm_.new_label(), goes_on = masm_.new_label(), not_plain = masm_.new_label();
    masm_.bind(exits_);
    masm_.branch_if_negative(t0, special);
    masm_.load(a3, word_at(kStack));
    emit_plain_exit(masm_, not_plain);
    masm_.jump(goes_on);
    masm_.bind(not_plain);
    emit_call_of_complete_exit(masm_);
    masm_.branch_if_negative(t0, special);
    masm_.move(a2, t0);
    masm_.bind(goes_on);
    masm_.load(a4, word_at(kStack, 8));
    masm_.drop_stack(16);
    frame_size_(16);
    emit_jump_to_baseline(masm_, entry_field(a4, offsetof(RegionEntry, resume_offsets)), entry_field(a4, offsetof(RegionEntry, code)),
                          /*has_path=*/true);
    masm_.bind(special);
    frame_size_(32);
    masm_.drop_stack(16);
    frame_size_(16);
    masm_.compare(t0, static_cast<int>(kRegionRaised));
    masm_.branch(Condition::NotEqual, leave_to_interpreter_);
    masm_.load_word(t0, static_cast<int64_t>(kRaised));
    masm_.return_from_function();
  }

  void emit_own_entry() {
    masm_.bind(other_);
    frame_size_(8);
    masm_.load(low(t0), short_at(a2, static_cast<int>(offsetof(CompiledCode, entry_offsets) + (kNativeEntries - 1) * sizeof(uint32_t))));
    masm_.add(t0, word_at(a2, static_cast<int>(offsetof(CompiledCode, function_entry) + offsetof(RegionEntry, code))));
    masm_.jump(t0);
  }

  /// Parameters from a3 on, up to a2, are nil.
  void emit_fill() {
    const Label again = masm_.new_label();
    masm_.bind(fill_);
    masm_.move(low(a1), low(a3));
    masm_.shift_left(a1, kSlotShift);
    masm_.bind(again);
    masm_.store(word_at(kBase, a1), 0);
    masm_.store(word_at(kBase, a1, 0, kTagOffset), static_cast<int>(tag_bits(Tag::Nil)));
    masm_.add(a1, kSlotBytes);
    masm_.increment(low(a3));
    masm_.compare(low(a3), low(a2));
    masm_.branch(Condition::Below, again);
    masm_.jump(filled_);
  }

  /// A function that calls nothing may run beyond the limit, and would for ever: nobody below it raises that.
  void emit_make_room() {
    masm_.bind(short_);
    masm_.push(a3);
    frame_size_(16);
    masm_.move(a0, kThread);
    masm_.move(a1, kBase);
    masm_.call(make_room_for_region);
    masm_.pop(a3);
    frame_size_(8);
    masm_.branch_if_not_zero(low(t0), again_);
    masm_.load(t0, word_at(kBase, kFunctionOffset));
    masm_.load(t0, field(t0, offsetof(LuaFunction, proto)));
    masm_.load(a2, field(t0, offsetof(Proto, compiled)));
    masm_.jump(other_);
  }

  Masm& masm_;
  const Label& leave_to_interpreter_;
  const std::function<void(uint32_t bytes)>& frame_size_;
  const Label fill_ = masm_.new_label(), filled_ = masm_.new_label(), short_ = masm_.new_label(), again_ = masm_.new_label(), other_ = masm_.new_label(), exits_ = masm_.new_label();
};

}  // namespace

void emit_function_region_entries(Masm& masm, const Label& leave_to_interpreter,
                                  size_t (&entry_offsets)[kNativeEntries],
                                  const std::function<void(uint32_t bytes)>& frame_size) {
  FunctionRegionEntries(masm, leave_to_interpreter, frame_size).emit(entry_offsets);
}

}  // namespace mangata::jit
