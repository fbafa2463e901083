// Baseline code as tiering uses it, and the entry to optimized code; in a build without a JIT, machine code that never comes into being.
// Read next: region_compiler.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/tiering/loop_meter.h"
#include "runtime/tiering/policy.h"
#include "runtime/tiering/region_compiler.h"
#include "runtime/tiering/snapshot_builder.h"
#include "runtime/tiering/tier_settings.h"
#include "vm/vm.h"

namespace mangata {

class CodeObserver;

class MachineCode {
 public:
  /// Null: this machine has none.
  static std::unique_ptr<MachineCode> make(Vm& vm, const TierSettings& settings);
  virtual ~MachineCode() = default;

  /// Told of all code, from before there is any.
  virtual void observe(std::unique_ptr<CodeObserver> observer) = 0;
  virtual void adopt(Proto& proto) = 0;
  /// Compiles the installed version. False: the code cache is full.
  virtual bool compile(Proto& proto) = 0;
  /// Compiles only the loop around `pc`. False: it cannot be done.
  virtual bool compile_loop(Proto& proto, const Instruction* pc) = 0;
  /// Whether calls of `proto` enter its machine code: more than loops was compiled.
  virtual bool is_whole(const Proto& proto) const = 0;
  virtual void version_changed(Proto& proto) = 0;
  virtual void release(Proto& proto) = 0;
  /// Nothing enters the machine code of `proto` any more; frames that are in it go on.
  virtual void retire(Proto& proto) = 0;
  /// Frees what was retired and no frame is in. Called from a native function.
  virtual void free_retired() = 0;
  /// Code compiled from now on counts calls, too, down in Vm::machine_events.
  /// @param of_leaves  also of functions that are too small for regions of their own
  virtual void count_calls(bool of_leaves) = 0;
  /// Nothing runs any more, and the machine goes: code is not compiled again, and what is released need not be written over.
  virtual void close() = 0;
  /// Where the installed code of `proto` is, and the iterations that it has counted.
  virtual LoopMeter::Place place_of(const Proto& proto) const = 0;
  /// Code compiled from now on can enter regions. Once.
  virtual RegionCompiler& enter_regions(const jit::RegionSettings& settings) = 0;

  /// Frames leave compiled code after one of `period` runtime calls, at random.
  virtual void leave_often(uint32_t period, uint64_t seed) = 0;
  virtual std::optional<std::string> dump(const Proto& proto, std::string* error) = 0;

  virtual CodeSize size_of(const Proto& proto) const = 0;  ///< in bytes; of all versions
};

}  // namespace mangata
