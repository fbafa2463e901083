// See resumed_main.h.
#include "runtime/capi/resumed_main.h"

#include "runtime/c_boundary/machine_data.h"
#include "runtime/c_boundary/protect.h"

namespace mangata::capi {
namespace {

/// `thread` is the running one on the host's native stack.
void run_as(Vm& vm, Thread& thread) {
  thread.status = ThreadStatus::Running;
  thread.non_yieldable = 1;
  vm.current = &thread;
  arrive_anew(vm);
}

}  // namespace

bool is_idle_main(const Thread& thread) {
  const Vm& vm = *thread.vm;
  return &thread == vm.main_thread && vm.current == &thread && thread.base == thread.stack + kCallOverheadSlots &&
         thread.c_boundary == nullptr && thread.resumer == nullptr && thread.activations == 0;
}

bool put_stand_in(Vm& vm) {
  MachineData& data = machine_data(vm);
  if (data.stand_in == nullptr) {
    data.stand_in = vm.new_thread();
    if (data.stand_in == nullptr) return false;
    keep_object(vm, Value::light_userdata(&data.stand_in), Value::thread(data.stand_in));
  }
  Thread& main = *vm.main_thread;
  data.stand_in->native_depth = main.native_depth;
  run_as(vm, *data.stand_in);
  main.status = ThreadStatus::Dead;  // as a coroutine that was not started, or has returned
  main.non_yieldable = 0;
  main.native_depth = 0;
  return true;
}

void take_stand_in_away(Vm& vm) {
  Thread* stand_in = machine_data(vm).stand_in;
  Thread& main = *vm.main_thread;
  if (stand_in == nullptr || vm.current != stand_in || main.status != ThreadStatus::Dead) return;
  stand_in->status = ThreadStatus::Dead;
  main.native_depth = stand_in->native_depth;
  run_as(vm, main);
}

}  // namespace mangata::capi
