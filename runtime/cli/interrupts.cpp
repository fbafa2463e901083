// SIGINT and SIGTERM. The handlers only set flags; the interpreter looks at them at its next backedge.
#include <atomic>
#include <csignal>

#include "runtime/cli/program.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<Vm*> g_vm{nullptr};
std::atomic<int> g_pending_signal{0};
void (*g_on_terminate)() = nullptr;

extern "C" void handle_signal(int number) {
  std::signal(number, SIG_DFL);  // the next one kills
  g_pending_signal.store(number);
  if (Vm* vm = g_vm.load()) vm->request_interrupt();
}

Status on_interrupt(Vm& vm) {
  const int number = g_pending_signal.exchange(0);
  if (number == SIGINT) return raise_message(vm, "interrupted!");
  if (number == SIGTERM) {
    if (g_on_terminate != nullptr) g_on_terminate();
    std::raise(SIGTERM);
  }
  return {};
}

}  // namespace

void install_interrupt_handlers(Vm& vm, void (*on_terminate)()) {
  g_vm = &vm;
  vm.on_interrupt = on_interrupt;
  g_on_terminate = on_terminate;
  if (on_terminate != nullptr) std::signal(SIGTERM, handle_signal);
}

void expect_interrupts(bool on) { std::signal(SIGINT, on ? handle_signal : SIG_DFL); }

}  // namespace mangata
