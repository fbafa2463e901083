// See exceptions.h.
#include "runtime/c_boundary/exceptions.h"

#include <cxxabi.h>
#include <unwind.h>

#include <exception>
#include <utility>

#include "runtime/c_boundary/machine_data.h"
#include "vm/operations/operations.h"

namespace mangata::capi {

void prepare_for_exceptions() {
  static const _Unwind_Reason_Code once =
      _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
  (void)once;
}

void keep_exception(Vm& vm) {
  MachineData& data = machine_data(vm);
  if (data.owner == nullptr) throw;
  try {
    throw;
  } catch (const abi::__forced_unwind&) {  // the native thread ends (pthread_exit), which nothing may stop
    throw;
  } catch (...) {
    data.exception = std::current_exception();
  }
  vm.terminating = true;
  vm.error = Value::nil();
}

bool exception_is_kept(Vm& vm) { return vm.terminating && machine_data(vm).exception != nullptr; }

void throw_kept_exception(Thread& thread, Value* base, Value* top) {
  Vm& vm = *thread.vm;
  thread.base = base;
  close_upvalues(thread, base);  // the C code has none
  const auto top_index = static_cast<uint32_t>(top - thread.stack);
  while (!thread.to_be_closed.empty() && thread.to_be_closed.back() >= top_index)
    thread.to_be_closed.pop_back();
  thread.top = top;
  vm.error = Value::nil();
  vm.terminating = false;
  std::rethrow_exception(std::exchange(machine_data(vm).exception, nullptr));
}

}  // namespace mangata::capi
