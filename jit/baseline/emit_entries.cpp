// Where a compiled function is called. A caller has written the words of the header but for the saved pc and
// the count of extra arguments, rbx is the new base, and the return address is on the native stack.
//
// A function has an entry for each small number of arguments, and one for any number, in ecx
// (Proto::native_entries). Those that get too few fill in nil out of line; the others are all the same place.
#include "jit/baseline/compiler.h"

namespace mangata::jit {

using namespace asmjit::x86;

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
  const Label body = a_.newLabel();
  entries_.fill(body);
  queue_entries(body);
  a_.bind(body);
  if (!is_leaf(*proto_, code_length_)) emit_stack_check();
  if (proto_->is_vararg) {
    a_.shl(ecx, kWantedResultsBits);
    a_.or_(dword_ptr(kBase, kCountsOffset), ecx);
  }
  a_.push(kBase);
}

/// See Thread::compiled_limit.
void BaselineCompiler::emit_stack_check() {
  const Label slow = slow_path([this] {
    if (!proto_->is_vararg) load_immediate(rcx, proto_->parameter_count);  // all are there
    a_.jmp(asmjit::imm(address_of(thunks_.call_function_counted())));
  });
  const int more_slots = int{proto_->max_stack_slots} - static_cast<int>(Thread::kUncheckedSlots);
  Gp end = kBase;
  if (more_slots > 0) {
    end = rax;
    a_.lea(rax, qword_ptr(kBase, more_slots * kSlotBytes));
  }
  a_.cmp(end, thread_field(offsetof(Thread, compiled_limit)));
  a_.ja(slow);
}

/// The entries that have something to do before `body`.
void BaselineCompiler::queue_entries(const Label& body) {
  constexpr size_t kAnyCount = kNativeEntries - 1;
  const auto parameters = static_cast<size_t>(proto_->parameter_count);
  const size_t special = proto_->is_vararg ? kAnyCount : std::min(parameters, kAnyCount);
  for (size_t count = 0; count < special; ++count) {
    entries_[count] = slow_path([this, count, parameters, body, chained = count + 1 < special] {
      if (proto_->is_vararg) {
        for (size_t i = count; i < parameters; ++i) store_constant(static_cast<int>(i), Value::nil());
        load_immediate(rcx, count);
        a_.jmp(body);
        return;
      }
      store_constant(static_cast<int>(count), Value::nil());
      if (chained) return;  // the next entry follows
      for (size_t i = count + 1; i < parameters; ++i) store_constant(static_cast<int>(i), Value::nil());
      a_.jmp(body);
    });
  }
  if (parameters == 0) return;
  entries_[kAnyCount] = slow_path([this, parameters, body] {
    a_.cmp(ecx, static_cast<int>(parameters));
    a_.jae(body);
    emit_fill_nils(0, static_cast<int>(parameters), ecx, body);
  });
}

}  // namespace mangata::jit
