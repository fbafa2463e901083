// Signals of the executable. The handlers only set flags; the program looks at them at its next backedge.
//
// [DESIGN] Nothing here is of a host that embeds the machine: its signals are its own. Ctrl-C raises "interrupted!" in the script, and a
// second one kills, as in lua5.4. When a profile is to be written, that second one, SIGTERM, SIGHUP and SIGPIPE write it first, then end
// the process as they would have: what the system call that they meet was waiting for is given up (no SA_RESTART), so that the program
// gets to its next backedge. The same signal once more kills at once. SIGUSR1 writes the profile so far, and the program goes on.
#include <unistd.h>
#include <csignal>

#include <atomic>

#include "runtime/cli/interrupts.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

enum Request : unsigned {
  kBreak = 1,
  kSnapshot = 2
};

// A signal handler can reach nothing but globals.
std::atomic<Vm*> g_vm{nullptr};
std::atomic<unsigned> g_requests{0};
std::atomic<int> g_last_signal{0};  ///< the one that ends the process; 0: none
ProfileWriter* g_writer = nullptr;

void notify() {
  if (Vm* vm = g_vm.load()) vm->request_interrupt();
}

void on_signal(int number, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

extern "C" void handle_end(int number) {
  on_signal(number, SIG_DFL, 0);  // the next one kills
  g_last_signal.store(number);
  notify();
}

extern "C" void handle_break(int number) {
  on_signal(number, g_writer != nullptr ? handle_end : SIG_DFL, 0);
  g_requests.fetch_or(kBreak);
  notify();
}

extern "C" void handle_snapshot(int) { request_snapshot(); }

/// A signal that is ignored, as under nohup, stays so.
void on_signal_unless_ignored(int number, void (*handler)(int), int flags) {
  struct sigaction before;
  if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) on_signal(number, handler, flags);
}

Status on_interrupt(Vm& vm) {
  const unsigned requests = g_requests.exchange(0);
  if ((requests & kSnapshot) != 0) g_writer->write_snapshot();
  if (g_last_signal.load() != 0) {
    g_writer->write_at_end();
    end_by_signal();
  }
  if ((requests & kBreak) != 0) return raise_message(vm, "interrupted!");
  return {};
}

}  // namespace

void install_interrupt_handlers(Vm& vm, ProfileWriter* writer) {
  g_vm = &vm;
  g_writer = writer;
  vm.on_interrupt = on_interrupt;
  if (writer == nullptr) return;
  for (const int number : {SIGTERM, SIGHUP, SIGPIPE, SIGINT}) on_signal_unless_ignored(number, handle_end, 0);
  on_signal_unless_ignored(SIGUSR1, handle_snapshot, SA_RESTART);
}

void forget_machine() { g_vm = nullptr; }

void request_snapshot() {
  g_requests.fetch_or(kSnapshot);
  notify();
}

void expect_interrupts(bool on) {
  if (on) return on_signal(SIGINT, handle_break, SA_RESTART);
  on_signal(SIGINT, g_writer != nullptr ? handle_end : SIG_DFL, 0);
}

void end_by_signal() {
  const int number = g_last_signal.load();
  if (number == 0) return;
  std::raise(number);
  _exit(128 + number);  // the first process of a container does not die of its own signals
}

}  // namespace mangata
