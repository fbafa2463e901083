// The one upward call: what the virtual machine tells the layers above it.
#pragma once

#include <cstdint>
#include <string_view>

#include "vm/bytecode/pc.h"

namespace mangata {

struct Proto;
struct Thread;
struct Value;
struct Vm;

class TierHooks {
 public:
  virtual ~TierHooks() = default;
  /// A text is about to be compiled. True: Proto::branch_positions are wanted of it.
  virtual bool text_compiling(std::string_view /*text*/, std::string_view /*chunk_name*/) { return false; }
  /// A function prototype was made (compiled or loaded) and no closure of it exists yet. May install instrumented code.
  virtual void proto_created(Proto& proto) = 0;
  /// A prototype is about to be destroyed by the collector.
  virtual void proto_destroyed(Proto& proto) = 0;
  /// The frame at `base` of an instrumented function is being discarded before its current path ended: an error, a closed
  /// coroutine, or the end of the program. Its path register is still in the frame; saved_pc says where it stopped.
  virtual void path_cut(Proto& proto, const Value* base) = 0;
  /// The interpreter has called `proto` as often as its entry_countdown asked, or run so many of its backedges. May compile it.
  /// May also install another version of the code.
  /// The countdown is at its maximum again; set it to be asked earlier.
  virtual void function_is_hot(Proto&) {}
  virtual void loop_is_hot(Proto&) {}
  /// Machine code has counted `events` backedges (and calls), the last of them in `proto`. May install another version of the
  /// code, and arm Vm::machine_events to be called earlier or later the next time.
  virtual void sample_is_due(Proto&, int32_t /*events*/) {}
  /// Optimized code of `proto` was left once more where that was not expected, many times by now. May uninstall it: a program that
  /// does nothing but enter and leave it may have no other events.
  virtual void region_is_left(Proto&) {}
  /// The interpreter has counted events down (Vm::interpreter_events), and is about to let another one happen. May arm the countdown.
  virtual void events_interpreted() {}
  /// What was to be recorded of `proto` (InstructionRecorder) has been recorded. May compile it.
  virtual void recording_ended(Proto&) {}
  /// A native function that takes long has done `work` steps since it began or last said so (vm/poll.h); a step is about as much as a
  /// backedge.
  virtual void native_worked(int64_t /*work*/) {}
  /// os.exit is about to end the process; with its second argument true, the machine has been closed before.
  virtual void process_exiting(Vm&) {}
};

/// Watches threads that have kRecording in their hook_mask: the interpreter calls it directly, before each instruction of theirs.
class InstructionRecorder {
 public:
  virtual ~InstructionRecorder() = default;
  /// The thread is about to execute an instruction, in the frame at Thread::base. May take the bit out again. Not a safepoint.
  virtual void instruction_starts(Thread& thread, Proto& proto, OriginalPc pc) noexcept = 0;
};

}  // namespace mangata
