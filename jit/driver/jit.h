// The JIT of one virtual machine: its code cache, thunks and compiled functions. Knows how to compile, not when; that is
// decided in runtime/tiering.
//
// Read next: jit/abi/frame_layout.h, jit/baseline/compiler.h.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "jit/abi/compiled_code.h"
#include "jit/abi/tier.h"
#include "jit/code_memory/code_cache.h"
#include "jit/observers/code_description.h"
#include "jit/observers/code_observer.h"
#include "vm/vm.h"

namespace mangata::jit {

class Jit {
 public:
  /// Attaches to `vm`, which must not run anything once this is destroyed. Nothing is compiled where the system gives no
  /// executable memory, which is asked for with the first code. `observers` are told of all code.
  Jit(Vm& vm, size_t max_code_bytes, CodeObservers observers = {});
  ~Jit();
  Jit(const Jit&) = delete;
  Jit& operator=(const Jit&) = delete;

  /// Told of all code, too. To be called before there is any.
  void observe(std::unique_ptr<CodeObserver> observer) { observers_.add(std::move(observer)); }
  CodeObservers& observers() { return observers_; }
  std::string name_of(const Proto& proto) const { return names_.name_of(proto); }

  /// Makes the code cache and the thunks, unless they are there, as whatever makes code does first: short-lived machines need
  /// neither. False: the system gives no executable memory.
  bool prepare();
  /// A prototype was made: until it is compiled, compiled callers reach it through the interpreter.
  void adopt(Proto& proto);
  /// Larger code is not compiled: it would take longer than a deadline may be late, and memory in proportion.
  static constexpr int kMostInstructions = 1 << 15;

  /// Compiles proto.code; false when that cannot be done now, also for want of memory. Calls enter the machine code from then on.
  bool compile(Proto& proto);
  /// Only the outermost loop around the instruction at `pc` that is not too large, unless it has machine code already: for functions
  /// that are large. Calls enter the interpreter still. False: it cannot be done, as for code with events, whose edges lie behind it.
  bool compile_loop(Proto& proto, const Instruction* pc);
  /// Another version of the code is installed.
  void version_changed(Proto& proto);
  /// The prototype dies; no frame runs it.
  void release(Proto& proto);
  /// Nothing enters the machine code of `proto` any more. Frames that are in it go on; compile() may take it
  /// up again.
  void retire(Proto& proto);
  /// Frees retired code, but that of bytecode whose first instruction is in `in_use`.
  void free_retired(const std::unordered_set<const Instruction*>& in_use);

  /// Code compiled from now on counts calls, too, down in Vm::machine_events.
  /// @param of_leaves  also of functions that are too small for regions of their own (is_too_small())
  void count_calls(bool of_leaves) { counts_calls_ = true, counts_leaves_ = of_leaves; }
  /// Loops of code compiled from now on can go on in optimized code.
  void enter_regions() { enters_regions_ = true; }
  /// The same for code with events, too: regions execute them.
  void enter_regions_with_events() { enters_regions_ = regions_have_events_ = true; }
  /// Code compiled from now on counts the iterations of its loops and the cycles in regions.
  void measure_loops() { measures_loops_ = true; }
  /// The loop of the function at `head` goes on in `region` from its next backedge in the baseline code of `bytecode` on, a
  /// version of the function; null: no longer. False: there is no baseline code that could.
  bool install_region(Proto& proto, const Instruction* bytecode, CodePc head, RegionCode* region);

  /// The same for the function as a whole, from its next call on.
  bool install_function_region(Proto& proto, const Instruction* bytecode, RegionCode* region);

  /// For tests: frames go on in the interpreter after one of `period` runtime calls, at random.
  void leave_often(uint32_t period, uint64_t seed);

  /// The stub for calls of C functions with these arguments (jit/x64/foreign_call.h), made at its first use; null: no room.
  const void* foreign_call(std::string_view arguments);

  size_t used_bytes() const { return cache_ ? cache_->used_bytes() : 0; }
  /// Precondition of both: prepare() was called.
  const CodeCache& cache() const { return *cache_; }
  CodeCache& cache() { return *cache_; }
  const Thunks& thunks() const { return tier_.thunks; }

 private:
  void release(CompiledCode** code);
  void release_code(CompiledCode& code);
  bool has_room(size_t instructions) const;
  void retire(CompiledCode** code);
  void release_retired(const Instruction* bytecode);
  bool take_up_retired(Proto& proto);
  bool is_interrupted() const { return vm_.interrupt.load(std::memory_order_relaxed); }
  bool compile_anew(Proto& proto);
  bool compile_loop_anew(Proto& proto, const Instruction* pc);
  void announce(const Proto& proto, CompiledCode& code, std::optional<CodePc> loop_pc = {});
  const void* find_foreign_call(std::string_view arguments);
  /// Compiled callers of `proto` go on in the interpreter.
  void enter_interpreter(Proto& proto) const;

  Vm& vm_;
  size_t max_code_bytes_;
  std::optional<CodeCache> cache_;
  Tier tier_;
  bool counts_calls_ = false, counts_leaves_ = false;
  bool measures_loops_ = false;
  bool enters_regions_ = false, regions_have_events_ = false;
  /// An interrupt broke the last compiling off. The next one is not: interrupts that come more often than a large function takes would
  /// leave the program no time.
  bool was_broken_off_ = false;
  CodeObservers observers_;
  CodeNames names_;  ///< kept only for observers
  std::unordered_map<std::string, CodeRegion> foreign_calls_;  ///< by their arguments
  std::unordered_map<const Instruction*, CompiledCode*>
      retired_;  ///< by the bytecode that it was compiled from
};

}  // namespace mangata::jit
