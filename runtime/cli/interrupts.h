// Signals of the executable, and profiles that are written when they come.
#pragma once

#include "vm/vm.h"

namespace mangata {

/// Who writes the profile, at a safepoint.
class ProfileWriter {
 public:
  virtual ~ProfileWriter() = default;
  virtual void write_at_end() = 0;  ///< the program is about to end
  /// The program goes on.
  virtual void write_snapshot() = 0;
};

/// Ctrl-C raises "interrupted!" in the running script while interrupts are expected; a second one kills. With a writer, it and other
/// signals that end the process write the profile first, and SIGUSR1 writes what there is so far.
void install_interrupt_handlers(Vm& vm, ProfileWriter* writer);
void expect_interrupts(bool on);
/// Before the machine is no more.
void forget_machine();

/// At the next safepoint, the profile so far is written. From a signal handler or another thread; there must be a writer.
void request_snapshot();

/// Ends the process by the signal that was to end it, if there is one.
void end_by_signal();

}  // namespace mangata
