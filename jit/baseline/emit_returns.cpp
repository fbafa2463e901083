// Returns: results go straight to the caller's registers.
#include "jit/abi/runtime_calls_calls.h"
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// More results than this are returned by the runtime.
constexpr int kMaxInlineResults = 6;

}  // namespace

void BaselineCompiler::emit_return_epilogue() {
  masm_.clear(t0);
  masm_.return_from_function();
}

void BaselineCompiler::emit_generic_return() {
  emit_runtime_call(runtime_return);
  masm_.jump(exit_);
}

/// The base of the frame as its caller made it. In a vararg function: in a1, the number of wanted results in
/// t0. Clobbers a3, a2.
Gp BaselineCompiler::load_frame_origin() {
  if (!proto_->is_vararg) return kBase;
  masm_.load(low(a3), short_at(kBase, kCountsOffset));
  masm_.move(low(t0), low(a3));
  masm_.and_(low(t0), kWantedResultsMask);
  masm_.shift_right(low(a3), kWantedResultsBits);
  masm_.load_address(low(a2), word_at(a3, proto_->parameter_count + kCallOverheadSlots));
  masm_.compare_with_zero(low(a3));
  masm_.move_if(Condition::Zero, low(a2), low(a3));
  masm_.shift_left(a2, kSlotShift);
  masm_.move(a1, kBase);
  masm_.subtract(a1, a2);
  return a1;
}

/// Returns R[first], ..., `count` values. All are copied even when fewer are wanted: what lies behind the
/// wanted ones is free.
void BaselineCompiler::emit_return_values(Register first, int count) {
  const Label slow = slow_path([this] { emit_generic_return(); });
  const Label copy = masm_.new_label();
  const Gp origin = load_frame_origin();
  const auto compare_wanted = [this](int to) {
    if (proto_->is_vararg) {
      masm_.compare(low(t0), to);
    } else {
      masm_.compare(short_at(kBase, kCountsOffset), to);  // without extra arguments
    }
  };
  const auto destination = [](int i) { return (i - kCallOverheadSlots) * kSlotBytes; };
  compare_wanted(count);
  const Label more_wanted = slow_path([this, slow, copy, origin, compare_wanted, end = destination(count)] {
    compare_wanted(kWantedResultsMask);
    masm_.branch(Condition::NotEqual, slow);
    masm_.load_address(t0, word_at(origin, end));
    masm_.store(thread_field(offsetof(Thread, top)), t0);
    masm_.jump(copy);
  });
  masm_.branch(Condition::Above, more_wanted);
  masm_.bind(copy);
  for (int i = 0; i < count; ++i) {
    copy_value(word_at(origin, destination(i)), word_at(origin, destination(i) + kTagOffset),
               payload_of(first + i), tag_of(first + i));
  }
  emit_return_epilogue();
}

/// Returns all from R[first] to Thread::top. A native function may have made them: a collection may be due.
void BaselineCompiler::emit_return_open(Register first) {
  const Label slow = slow_path([this] {
    emit_runtime_call(runtime_return_open);
    masm_.jump(exit_);
  });
  const Label copy = masm_.new_label();
  const Gp origin = load_frame_origin();
  if (!proto_->is_vararg) masm_.load(low(t0), short_at(kBase, kCountsOffset));  // without extra arguments
  masm_.compare(vm_field(offsetof(Vm, heap) + HeapLayout::kDebtBytes), 0);
  masm_.branch(Condition::Greater, slow);
  masm_.load_address(a0, payload_of(first));
  masm_.load(a4, thread_field(offsetof(Thread, top)));
  masm_.load_address(a5, word_at(origin, kFunctionOffset));
  masm_.move(a3, a4);
  masm_.subtract(a3, a0);
  const Label all_wanted = slow_path([this, copy] {
    masm_.load_address(a2, word_at(a5, a3));
    masm_.store(thread_field(offsetof(Thread, top)), a2);
    masm_.jump(copy);
  });
  masm_.compare(low(t0), kWantedResultsMask);
  masm_.branch(Condition::Equal, all_wanted);
  masm_.shift_left(low(t0), kSlotShift);
  masm_.compare(t0, a3);
  masm_.branch(Condition::Above, slow);
  masm_.bind(copy);  // all, as in emit_return_values
  emit_copy_values();
  emit_return_epilogue();
}

void BaselineCompiler::emit_Return(const Instruction& in) {
  if (in.c != 0 || in.b - 1 > kMaxInlineResults) return emit_generic_return();
  in.b == 0 ? emit_return_open(in.ra()) : emit_return_values(in.ra(), in.b - 1);
}
void BaselineCompiler::emit_Return0(const Instruction&) { emit_return_values(Register{}, 0); }
void BaselineCompiler::emit_Return1(const Instruction& in) { emit_return_values(in.ra(), 1); }

/// Moves the frame above its arguments when there are more than parameters (vm/object/frame.h).
void BaselineCompiler::emit_PrepareVararg(const Instruction& in) {
  const int parameters = in.b;
  const Label slow = slow_path([this] {
    emit_part(runtime_prepare_vararg);
    masm_.load(kBase, thread_field(offsetof(Thread, base)));
    masm_.store(word_at(kStack), kBase);
    masm_.jump(next_label());
  });
  masm_.load(low(a3), short_at(kBase, kCountsOffset));
  masm_.move(low(a2), low(a3));
  masm_.and_(low(a2), kWantedResultsMask);
  masm_.store(short_at(kBase, kCountsOffset), low(a2));
  masm_.shift_right(low(a3), kWantedResultsBits);  // all arguments
  masm_.compare(low(a3), parameters);
  masm_.branch(Condition::BelowEqual, next_label());
  // a1: the new base
  masm_.load_address(low(t0), word_at(a3, kCallOverheadSlots));
  masm_.move(low(a0), low(t0));
  masm_.shift_left(t0, 4);
  masm_.load_address(a1, word_at(kBase, t0));
  masm_.load_address(t0, word_at(a1, proto_->max_stack_slots * kSlotBytes));
  masm_.compare(t0, thread_field(offsetof(Thread, stack_soft_limit)));
  const Label undo = slow_path([this, slow] {
    masm_.shift_left(low(a3), kWantedResultsBits);
    masm_.or_(short_at(kBase, kCountsOffset), low(a3));
    masm_.jump(slow);
  });
  masm_.branch(Condition::Above, undo);
  const auto copy = [&](int offset) {
    masm_.load(t0, word_at(kBase, offset));
    masm_.store(word_at(a1, offset), t0);
  };
  copy(kFunctionOffset);
  copy(kFunctionOffset + kTagOffset);
  masm_.shift_left(low(a0), 8);
  masm_.add(low(a0), short_at(kBase, kPositionTagOffset + 4));
  masm_.store(short_at(a1, kPositionTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  masm_.store(short_at(a1, kPositionTagOffset + 4), low(a0));
  masm_.subtract(low(a3), parameters);
  masm_.shift_left(low(a3), kWantedResultsBits);
  masm_.or_(low(a3), low(a2));
  masm_.store(short_at(a1, kCountsTagOffset), static_cast<int>(tag_bits(Tag::Frame)));
  masm_.store(short_at(a1, kCountsOffset), low(a3));
  for (int i = 0; i < parameters; ++i) {
    copy(i * kSlotBytes);
    copy(i * kSlotBytes + kTagOffset);
    store_constant(Register{i}, Value::nil());
  }
  masm_.move(kBase, a1);
  masm_.store(word_at(kStack), a1);
}

/// The extra arguments end right below the function of this frame.
void BaselineCompiler::emit_Vararg(const Instruction& in) {
  const int wanted = in.c - 1;
  if (in.b != 0) {
    masm_.load_address(t0, payload_of(in.ra() + in.b));
    masm_.store(thread_field(offsetof(Thread, top)), t0);
    return;
  }
  if (wanted > kMaxInlineResults) return emit_generic();
  const auto source = [](int i) { return (i - kCallOverheadSlots) * kSlotBytes; };
  const Label done = masm_.new_label();
  masm_.load(low(a3), short_at(kBase, kCountsOffset));
  masm_.shift_right(low(a3), kWantedResultsBits);
  masm_.move(low(a2), low(a3));
  masm_.shift_left(a2, 4);
  masm_.move(a1, kBase);
  masm_.subtract(a1, a2);
  if (wanted == kMultipleResults) {
    const Label again = masm_.new_label();
    masm_.load_address(a0, payload_of(in.ra()));
    masm_.load_address(t0, word_at(a0, a2));
    masm_.compare(t0, thread_field(offsetof(Thread, stack_soft_limit)));
    masm_.branch(Condition::Above, generic_slow_path());
    masm_.store(thread_field(offsetof(Thread, top)), t0);
    masm_.compare(a0, t0);
    masm_.branch(Condition::Equal, done);
    masm_.bind(again);
    masm_.load(a3, word_at(a1, source(0)));
    masm_.load(a2, word_at(a1, source(0) + kTagOffset));
    masm_.store(word_at(a0), a3);
    masm_.store(word_at(a0, kTagOffset), a2);
    masm_.add(a1, kSlotBytes);
    masm_.add(a0, kSlotBytes);
    masm_.compare(a0, t0);
    masm_.branch(Condition::NotEqual, again);
  } else {
    for (int i = 0; i < wanted; ++i) {
      const Label missing = slow_path([this, in, i, wanted, done] {
        for (int nil = i; nil < wanted; ++nil) store_constant(in.ra() + nil, Value::nil());
        masm_.jump(done);
      });
      masm_.compare(low(a3), i);
      masm_.branch(Condition::BelowEqual, missing);
      copy_value(payload_of(in.ra() + i), tag_of(in.ra() + i), word_at(a1, source(i)),
                 word_at(a1, source(i) + kTagOffset));
    }
  }
  masm_.bind(done);
}

}  // namespace mangata::jit
