// Calls of the runtime in the place of instructions, and what others find in the frames during any call.
#pragma once

#include "jit/build/exits.h"
#include "jit/build/instruction_tally.h"
#include "jit/build/replaced_tables.h"

namespace mangata::jit {

class RuntimeCalls {
 public:
  RuntimeCalls(Writer& writer, RunningWalk& walk, RegisterFile& registers, EventCounter& events, ReplacedTables& tables, Exits& exits,
               InstructionTally& tally, const RegionRuntime& runtime)
      : b_(writer), walk_(walk), registers_(registers), events_(events), tables_(tables), exits_(exits), tally_(tally), runtime_(runtime) {}

  // --- the running instruction
  /// Whether a runtime call can do it, whatever its operands are, and goes on at the next one.
  bool can_do() const;
  /// True: the walk goes on behind it.
  bool do_instruction();
  /// The same, without being counted as an instruction that has no fast path.
  void do_instruction_by(const void* function);
  const void* function_of_instruction() const;

  // --- calls
  /// The whole running instruction by a runtime call; its results are in the frame afterwards. The pc behind it is published, where
  /// the frame goes on when it is to leave. Returns the outcome.
  IrValue call(const void* function) { return call_for(function, walk_.pc); }
  /// The same between two instructions: the running one is done, and of the next one nothing has happened.
  IrValue call_behind(const void* function) { return call_for(function, walk_.pc + 1); }
  /// After a call, the block that goes on. Where it has raised an error, the region returns that; what is generated next is for
  /// where the frame is to leave compiled code.
  Block split_by_outcome(IrValue outcome);
  /// After a call, with its results already forgotten: goes on, or leaves.
  void check_outcome(IrValue outcome);
  /// All is in the frames; they are finished by whoever runs them.
  void leave_behind();
  /// The instruction has been executed elsewhere: its results are in the frame, and tables may have changed.
  void forget_written(const Instruction& in);

  // --- what is in the frames
  /// All values that are needed from `pc` on. What is dead is no more.
  void publish_values(int pc);
  /// Writes the headers of frames that exist only here, and the path registers of all, for whoever looks at the stack during a
  /// call at `pc`.
  void publish_frames(int pc);
  /// Of the frame at slot `base`, all but the saved pc.
  void write_header_tags(FrameSlot base, FrameSlot caller_base, int wanted, uint32_t flags, int varargs = 0);

 private:
  IrValue call_for(const void* function, int live_at_pc);
  void store_dirty(int pc);

  Writer& b_;
  RunningWalk& walk_;
  RegisterFile& registers_;
  EventCounter& events_;
  ReplacedTables& tables_;
  Exits& exits_;
  InstructionTally& tally_;
  const RegionRuntime& runtime_;
};

}  // namespace mangata::jit
