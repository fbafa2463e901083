// Where a compiled function is called. A caller has written the words of the header but for the saved pc and
// the count of extra arguments, kBase is the new base, and the return address is on the native stack.
//
// A function has an entry for each small number of arguments, and one for any number, in a3
// (Proto::native_entries). Those that get too few fill in nil out of line; the others are all the same place.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace registers;

namespace {

/// Whether `op` may make a call from compiled code.
bool calls_functions(Opcode op) {
  return op == Opcode::Call || op == Opcode::TailCall || op == Opcode::GenericForCall;
}

/// Such a function needs no check of any stack: its caller has made one (vm/object/thread.h).
bool is_leaf(const Proto& proto, int code_length) {
  // A callee's header may begin at the caller's last register.
  if (proto.is_vararg || uint32_t{proto.max_stack_slots} + kFrameHeaderSlots > Thread::kLeafSlots)
    return false;
  for (int pc = 0; pc < code_length; ++pc) {
    if (calls_functions(proto.code[pc].op)) return false;
  }
  return true;
}

}  // namespace

/// Falls into the first instruction.
void BaselineCompiler::emit_prologue() {
  const Label body = masm_.new_label();
  entries_.fill(body);
  queue_entries(body);
  masm_.bind(body);
  if (!is_leaf(*proto_, code_length_)) emit_stack_check();
  if (proto_->is_vararg) {
    masm_.shift_left(low(a3), kWantedResultsBits);
    masm_.or_(short_at(kBase, kCountsOffset), low(a3));
  }
  masm_.push(kBase);
}

/// See Thread::compiled_limit.
void BaselineCompiler::emit_stack_check() {
  const Label slow = slow_path([this] {
    if (!proto_->is_vararg) load_immediate(a3, proto_->parameter_count);  // all are there
    masm_.jump(thunks_.call_function_counted());
  });
  const int more_slots = int{proto_->max_stack_slots} - static_cast<int>(Thread::kUncheckedSlots);
  Gp end = kBase;
  if (more_slots > 0) {
    end = t0;
    masm_.load_address(t0, word_at(kBase, more_slots * kSlotBytes));
  }
  masm_.compare(end, thread_field(offsetof(Thread, compiled_limit)));
  masm_.branch(Condition::Above, slow);
}

/// The entries that have something to do before `body`.
void BaselineCompiler::queue_entries(const Label& body) {
  constexpr size_t kAnyCount = kNativeEntries - 1;
  const auto parameters = static_cast<size_t>(proto_->parameter_count);
  const size_t special = proto_->is_vararg ? kAnyCount : std::min(parameters, kAnyCount);
  for (size_t count = 0; count < special; ++count) {
    entries_[count] = slow_path([this, count, parameters, body, chained = count + 1 < special] {
      if (proto_->is_vararg) {
        for (size_t i = count; i < parameters; ++i) store_constant(Register(i), Value::nil());
        load_immediate(a3, count);
        masm_.jump(body);
        return;
      }
      store_constant(Register(count), Value::nil());
      if (chained) return;  // the next entry follows
      for (size_t i = count + 1; i < parameters; ++i) store_constant(Register(i), Value::nil());
      masm_.jump(body);
    });
  }
  if (parameters == 0) return;
  entries_[kAnyCount] = slow_path([this, parameters, body] {
    masm_.compare(low(a3), static_cast<int>(parameters));
    masm_.branch(Condition::AboveEqual, body);
    emit_fill_nils(Register{}, static_cast<int>(parameters), low(a3), body);
  });
}

}  // namespace mangata::jit
