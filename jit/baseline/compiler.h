// The baseline compiler: one pass over the bytecode of a function, one emitter per opcode.
//
// [DESIGN] Each emitter writes the fast path of its opcode and queues what is rare as a slow path, emitted behind the last
// instruction. Nothing is kept in machine registers between instructions only but the pinned ones (jit/abi/frame_layout.h), so every
// instruction has a label at which a frame may be resumed, and a slow path may be anything that executes the instruction: the
// simplest one lets the interpreter execute it (RuntimeCall step), so that semantics exist once. Profiling events are
// instructions like any other (PathEvent); this compiler knows no profiling modes.
//
// Inline caches are read from Proto::caches: data, never patched code. The code is position-independent apart from calls into
// the runtime, and refers to constants, caches and counters by address: they live as long as the Proto.
//
// Read next: runtime_calls.h, emit_*.cpp (emitters by family).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jit/abi/compiled_code.h"
#include "jit/abi/runtime_calls.h"
#include "jit/abi/runtime_calls_tables.h"
#include "jit/abi/runtime_metamethods.h"
#include "jit/abi/thunks.h"
#include "jit/baseline/integer_bound.h"
#include "jit/baseline/known_types.h"
#include "jit/baseline/metamethod_stubs.h"
#include "jit/baseline/path_locations.h"
#include "jit/baseline/pc_labels.h"
#include "jit/code_memory/code_cache.h"
#include "jit/code_memory/emit_region.h"
#include "jit/x64/masm.h"
#include "jit/x64/registers.h"
#include "vm/bytecode/local_registers.h"
#include "vm/bytecode/proto.h"
#include "vm/interpreter/path_event.h"

namespace mangata::jit {

class BaselineCompiler {
 public:
  struct Options {
    bool counts_calls = false;    ///< the code counts calls, too, down in Vm::machine_events
    bool enters_regions = false;  ///< loops can go on in optimized code
    bool regions_have_events = false;  ///< also those of code with events
    bool measures_loops = false;  ///< loops that regions can take over count their iterations, and the cycles in regions
    bool is_interruptible = true;  ///< an interrupt breaks compiling off
  };
  BaselineCompiler(Vm& vm, CodeCache& cache, const Thunks& thunks, Options options)
      : vm_(vm),
        cache_(cache),
        thunks_(thunks),
        counts_calls_(options.counts_calls),
        enters_regions_(options.enters_regions),
        regions_have_events_(options.regions_have_events),
        measures_loops_(options.measures_loops),
        is_interruptible_(options.is_interruptible) {}

  /// Compiles proto.code. Empty: the code cache is full, or the function needs more than a jump can span, or an interrupt has come
  /// (Vm::interrupt, Options::is_interruptible); it stays where it is. Throws std::bad_alloc; nothing is left in the cache then.
  std::optional<CompiledCode> compile(const Proto& proto);
  /// The instructions from `first_pc` to `end_pc` of a loop only: jumps out of it lead into the interpreter. It has no entries.
  /// Precondition: the code has no events.
  std::optional<CompiledCode> compile_loop(const Proto& proto, CodePc first_pc, CodePc end_pc);

 private:
  /// Code that runs rarely, emitted after the last instruction.
  struct SlowPath {
    Label entry;
    int pc = 0;  ///< of the instruction it belongs to
    std::function<void()> emit;
  };

  /// Arguments that end at Thread::top, or whose number is in a3.
  static constexpr int kAnyCount = -1;
  static constexpr Register kNoRegister{-1};

#define OP(name, ...) void emit_##name(const Instruction& in);
#include "vm/bytecode/opcodes.def"

  // --- compiler.cpp: the pass
  bool begin(const Proto& proto);
  bool emit_range(int first_pc, int end_pc);
  void emit_instruction();
  bool emit_slow_paths();
  void emit_exits();
  void emit_exit_to_interpreter(size_t pc);
  std::optional<CompiledCode> finish(int first_pc, uint32_t slow_paths_offset);
  bool is_interrupted(size_t step) const;

  /// The label of the instruction that `in` jumps to.
  Label jump_target(const Instruction& in) { return labels_[static_cast<size_t>(pc_ + 1 + in.imm)]; }
  Label next_label() { return labels_[static_cast<size_t>(pc_ + 1)]; }
  /// The interpreter's pc for "the running instruction is `pc_`": one past it.
  const Instruction* saved_pc() const { return proto_->code + pc_ + 1; }

  /// Queues `emit` to run once the fast paths are done, with pc_ as it is now; returns the label it will start at.
  Label slow_path(std::function<void()> emit);
  void queue_slow_path(const Label& entry, std::function<void()> emit);

  // --- entries (emit_entries.cpp)
  void emit_prologue();
  void emit_stack_check();
  void queue_entries(const Label& body);

  // --- runtime calls (emit_runtime_calls.cpp)
  /// call(thread, base, saved_pc()); the outcome is in t0. Spills the path register. Clobbers all caller-saved registers.
  void emit_runtime_call(RuntimeCall call);
  void emit_runtime_call_at(uint64_t call_address, const Instruction* pc);
  /// After a runtime call or a Lua call: leaves the function when it raised, or when it must go on in the interpreter.
  void emit_check_outcome();
  /// The whole instruction by a runtime call, and on to the next instruction (fallthrough).
  void emit_generic(RuntimeCall call = runtime_step);
  /// What comes before the instruction's effect, the rest of which follows.
  void emit_part(RuntimePart call);
  /// The same as a slow path that comes back behind the instruction; returns its entry.
  Label generic_slow_path(RuntimeCall call = runtime_step);
  /// A conditional branch by a runtime call that returns kTaken or kDone.
  void emit_generic_branch(const Instruction& in, RuntimeCall call = runtime_step);
  void emit_branch_on_outcome(const Instruction& in);
  Label generic_branch_slow_path(const Instruction& in, RuntimeCall call = runtime_step);

  /// The same, or a call of the metamethod that is a Lua function (metamethod_stubs.h).
  Label metamethod_slow_path(RuntimeCallOrMetamethod call, MetamethodResult result = MetamethodResult::Value);
  /// The whole instruction by a stub that all sites share (site_stubs.h), and on to the next.
  Label site_stub_slow_path(SiteAccess access);
  Label metamethod_branch_slow_path(const Instruction& in);
  void emit_call_or_metamethod(RuntimeCallOrMetamethod call, MetamethodResult result);

  // --- the path register, in functions that have one (emit_path_register.cpp)
  const PathLocation& path_location() const { return path_locations_->before(pc_); }
  /// To the frame header, unless it is there. Clobbers t2.
  void spill_path();
  void spill_path(const PathLocation& location);
  /// After kPath was clobbered, which the frame header has kept: to where it is expected behind the instruction.
  void reload_path();
  /// To kPath, from wherever it is.
  void load_path(const PathLocation& location);

  // --- values (emit_loads.cpp)
  void copy_value(Mem to_payload, Mem to_tag, Mem from_payload, Mem from_tag);
  /// The values from a0 on, up to a4, to a5 on. Clobbers t0, a2, a0 and a5.
  void emit_copy_values();
  void copy_register(Register to, Register from);
  void store_tag(Register reg, Tag tag) { masm_.store(tag_of(reg), static_cast<int32_t>(tag_bits(tag))); }
  void store_constant(Register reg, const Value& value);
  void branch_unless_tag(Register reg, Tag tag, const Label& target);
  void load_immediate(Gp reg, uint64_t value) { masm_.load_immediate(reg, value); }
  /// The closure that runs, into `reg`.
  void load_function(Gp reg) { masm_.load(reg, word_at(kBase, kFunctionOffset)); }
  /// Address of the Value of upvalue `index`, into `reg`.
  void load_upvalue_location(Gp reg, int index);

  // --- numbers (emit_numbers.cpp)
  /// What an operator works on: a register, or a constant that is a number.
  struct Operand {
    Register reg = kNoRegister;           ///< of a constant: none
    uint64_t payload = 0;                 ///< of a constant
    NumberKind kind = NumberKind::Unknown;
    NumberKind likely_kind = NumberKind::Unknown;
    bool is_constant() const { return reg == kNoRegister; }
    bool is_integer(int64_t value) const {
      return is_constant() && kind == NumberKind::Integer && payload == static_cast<uint64_t>(value);
    }
    /// As an immediate of an instruction.
    bool fits_immediate() const {
      return is_constant() && static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(payload))) == payload;
    }
    double as_double() const { return Value(payload, tag_of_kind(kind)).as_number(); }
    /// Behind the check.
    Operand as_float() const { return {.reg = reg, .payload = payload, .kind = is_constant() ? kind : NumberKind::Float}; }
    static Tag tag_of_kind(NumberKind kind) { return kind == NumberKind::Integer ? Tag::Integer : Tag::Float; }
  };
  /// The two cases of an operator on numbers.
  struct NumberCases {
    std::function<void(const Operand& to)> integers;  ///< all but the checks; empty: there is no such case
    std::function<void()> floats;                     ///< f0 := f0 op f1; empty: there is no such case
  };
  Operand register_operand(Register reg) const;
  Operand constant_operand(int index) const;
  /// The operands of a binary operator, in the order of the source.
  Operand left_operand(const Instruction& in) const;
  Operand right_operand(const Instruction& in) const;
  void emit_number_cases(const Instruction& in, const Operand& left, const Operand& right, const NumberCases& cases);
  void emit_float_case(const Operand& to, const Operand& left, const Operand& right, const NumberCases& cases,
                       const Label& otherwise, const Label& operate);
  /// R[to] := an integer in `reg`, or a float in f0. A tag that is known to be there already is not stored again.
  void store_integer(const Operand& to, Gp reg);
  void store_float(const Operand& to);
  void branch_unless_number(const Operand& operand, NumberKind kind, const Label& target);
  void load_integer(Gp reg, const Operand& operand);
  /// Converts integers; what is no number goes to `slow`. is_held: the payload is in `reg`.
  void load_double(Xmm reg, const Operand& operand, const Label& slow, bool is_held = false);
  void convert_integer(Xmm reg, Register from);
  void load_float_constant(Xmm reg, double value);

  /// A conditional jump: to `target` when the condition is as expected, otherwise to the next instruction.
  struct Branch {
    Label target, next;
    bool expected;
    Label equal() const { return expected ? target : next; }
    Label unequal() const { return expected ? next : target; }
  };

  // --- floats held in a register (emit_held_float.cpp)
  void bind_instruction(const Instruction& in);
  bool takes_float(const Instruction& in, Register reg) const;
  void load_two_doubles(const Operand& left, const Operand& right, const Label& slow);

  // --- integers beside floats (emit_mixed_numbers.cpp)
  void emit_exact_integer(const Label& other);
  void load_as_integer(const Operand& operand, const Label& other);
  void emit_element_index(Register reg, const Label& other);
  void emit_loop_limit(Register reg, bool upwards, const Label& slow);
  void load_exact_double(Xmm reg, const Operand& operand, const Label& other);
  void emit_mixed_order(Order order, const Operand& left, const Operand& right, const Branch& branch, const Label& other);
  void emit_integer_order_with_float(Order order, const Operand& left, double constant, const Branch& branch);
  void emit_mixed_equality(Register integer, Register real, const Branch& branch);

  // --- arithmetic (emit_arithmetic*.cpp)
  enum class Arithmetic : uint8_t {
    Add,
    Sub,
    Mul
  };
  enum class Bitwise : uint8_t {
    And,
    Or,
    Xor
  };
  void emit_arithmetic(const Instruction& in, Arithmetic op);
  void emit_integer_arithmetic(const Operand& to, Arithmetic op, Operand left, Operand right);
  void emit_float_division(const Instruction& in);
  void emit_power(const Instruction& in);
  void emit_division(const Instruction& in, bool remainder);
  void emit_float_modulo(const Operand& right);
  void emit_integer_division(const Operand& to, const Operand& left, const Operand& right, bool remainder,
                             const Label& slow);
  void emit_division_by_constant(const Operand& to, const Operand& left, int64_t divisor, bool remainder);
  void emit_bitwise(const Instruction& in, Bitwise op);
  template <typename Right>
  void emit_bitwise_on_t0(Bitwise op, const Right& right);
  void emit_shift(const Instruction& in, bool to_left);
  void emit_shift_by_constant(const Operand& to, const Operand& left, int64_t count, bool to_left);

  // --- comparisons (emit_equality.cpp, emit_order.cpp)
  /// Jumps when `R[a] order operand` is `expected`; the operand is a register or a constant.
  void emit_order(const Instruction& in, Order order, bool constant, bool expected);
  void branch_on(Condition condition, const Branch& branch);
  void emit_integer_order(Order order, const Operand& left, const Operand& right, const Branch& branch);
  void emit_order_with_constant(const Instruction& in, Order order, const Branch& branch);
  void emit_float_order(Order order, const Operand& left, const Operand& right, const Branch& branch);
  Label other_order_slow_path(const Instruction& in, Order order, const Branch& branch);
  void emit_jump_on_float_order(Order order, const Branch& branch);
  void emit_equality(const Instruction& in, bool expected);
  void emit_constant_equality(const Instruction& in, bool expected);
  void emit_number_constant_equality(const Instruction& in, const Value& k, const Branch& branch);
  void emit_tag_constant_equality(const Instruction& in, const Value& k, const Branch& branch);
  Label same_tags_slow_path(const Instruction& in, const Branch& branch, const Label& runtime);
  Label different_tags_slow_path(const Instruction& in, const Branch& branch, const Label& runtime);
  Label other_tag_slow_path(const Instruction& in, const Branch& branch);
  void emit_jump_on_float_equality(const Branch& branch);

  // --- jumps and numeric loops (emit_branches.cpp, emit_loops.cpp)
  void emit_integer_for_loop(const Instruction& in);
  void emit_float_for_loop(const Instruction& in, const Operand& index, const Operand& variable);
  void emit_backedge(const Instruction& in);
  void emit_poll(const Instruction& backedge);
  void find_region_entries();
  /// The RegionEntry of a loop, for instructions.
  struct RegionEntryWord {
    uint64_t address;
    bool is_low;  ///< the address fits into a displacement; otherwise it is in t0
    Mem at(size_t offset) const;
  };
  void load_region_entry(const RegionEntryWord& entry);
  void emit_call_of_region(const RegionEntryWord& entry);
  void emit_exit_of_region(const RegionEntryWord& entry);
  void emit_region_entry(CodePc head, const PathLocation& location);
  void emit_poll_at_start();

  // --- access by field name (emit_fields.cpp, emit_cached_access.cpp)
  void emit_cached_get(int cache_index, Register to, InlineCache::Kind expected, const Label& slow);
  void emit_cached_set(int cache_index, const Value& key, int operand, const Label& slow);
  void load_cache(int index);
  void emit_cache_guard(int cache_index, InlineCache::Kind kind, const Label& other);
  void emit_store_at(int operand);
  void emit_get_own(Register to, const Label& slow);
  void emit_get_from_holder(Register to, const Label& slow);
  void emit_get_absent(Register to, const Label& slow);
  void emit_set_own(int operand, const Label& slow);
  void emit_set_new(const Value& key, int operand, const Label& slow);
  void load_environment(int index, const Label& miss);
  /// The RK operand: register or constant.
  void load_operand(Gp payload, Gp tag, int operand);
  bool may_be_collectable(int operand) const;
  /// After a store to `location` inside `owner`: tells the collector while it is marking. `owner` is not a2.
  void emit_barrier(Gp owner, Gp location, StoreBarrier barrier);

  // --- access by integer key (emit_elements.cpp)
  void emit_get_element(Register to, const Label& slow);
  void emit_set_element(int operand, const Label& by_key, const Label& slow);
  void emit_append(int operand, const Label& by_key, const Label& slow);
  void emit_store_number(int operand, const Label& slow);
  void emit_prepare_store_any(int operand, const Label& slow);
  void emit_store_any(int operand);
  void load_elements();

  // --- access by other keys (emit_keys.cpp)
  Label get_by_key_slow_path(const Instruction& in, const Label& miss);
  Label set_by_key_slow_path(const Instruction& in, const Label& miss);
  void load_key_operand(const Instruction& in, Register key);

  // --- allocation (emit_allocation.cpp, emit_constructors.cpp)
  void emit_allocate(size_t size_bytes, const Label& full);
  void emit_safepoint_below();
  void emit_first_elements(bool any, Register first, int count, const Label& slow);

  // --- closures (emit_closures.cpp)
  void emit_find_upvalue(Register reg, const Label& slow);

  // --- profiling events (emit_events.cpp)
  void emit_event(const PathEventRecord& event);
  void emit_jump(const Instruction& in);
  bool emit_known_event(const PathEventRecord& event, uint64_t word);
  void emit_event_on_register(const PathEventRecord& event);
  void emit_rare_event(const PathEventRecord& event);
  void emit_allocation_event(const PathEventRecord& event);
  Label rare_event_slow_path(const PathEventRecord& event, const Label& resume);
  void emit_path_add(int64_t value);
  void emit_count(const PathEventRecord& event);
  void emit_count_of_hash(const PathEventRecord& event, HashedCounts& counts, bool packed);
  void emit_hashed_increment(HashedCounts& counts, const Label& other_slot);
  void emit_preferred_count(const PathEventRecord& event);
  void emit_enter_loop(const PathEventRecord& event);
  void emit_window_backedge(const PathEventRecord& event);
  void emit_first_iteration(const PathEventRecord& event, const Label& resume);
  void emit_added_rare_event(const PathEventRecord& event, const Label& resume);
  void emit_leave_loop(const PathEventRecord& event);
  Mem element_of(const void* array, Gp index, unsigned shift, int64_t offset_bytes);
  std::optional<Mem> low_element_of(const void* array, Gp index, unsigned shift, int64_t offset_bytes);
  void emit_increment(const uint64_t* counter);

  // --- calls (emit_calls.cpp)
  int argument_count(const Instruction& in) const { return in.b != 0 ? in.b - 1 : kAnyCount; }
  void emit_argument_count(const Instruction& in);
  void emit_lua_call(Register function, int argument_count, int wanted_results);
  Mem load_entry(const Gp& proto, int argument_count);
  void emit_fill_nils(Register first, int wanted, const Gp& present, const Label& done);
  void emit_call_of_other(const Instruction& in);
  void emit_direct_results(const Instruction& in, const Label& not_direct);
  void emit_safepoint_after_call();
  // --- tail calls (emit_tail_calls.cpp)
  void emit_moved_arguments(const Instruction& in, const Gp& destination_base);
  void emit_native_tail_call(const Instruction& in, const Label& generic);
  void emit_generic_tail_call();

  void emit_any_call(const Instruction& in);
  int likely_argument_count(const Instruction& in) const;

  // --- library functions inline (emit_intrinsics.cpp)
  NativeId guess_intrinsic(const Instruction& call);
  bool emit_intrinsic(const Instruction& in, NativeId id, const Label& otherwise);
  void emit_native_guard(Register function, NativeId id, const Label& otherwise);
  void emit_abs(Register to, Register from, const Label& otherwise);
  void emit_round(Register to, Register from, bool up, const Label& otherwise);
  void emit_square_root(Register to, Register from, const Label& otherwise);
  void emit_extreme(Register to, Register from, bool greatest, const Label& otherwise);
  void emit_byte(Register to, Register from, int argument_count, const Label& otherwise);

  // --- the library bit (emit_bit_library.cpp)
  bool emit_bit_intrinsic(const Instruction& in, NativeId id, const Label& otherwise);
  void emit_bit_operator(NativeId id, Register from, int count, const Label& otherwise);
  void load_bits(Gp reg, Register from, const Label& otherwise);

  // --- coroutines (emit_switch.cpp)
  void emit_call_or_switch(const Instruction& in, Register function, int argument_count, int wanted_results,
                           RuntimeCall call);

  // --- returns (emit_returns.cpp)
  Gp load_frame_origin();
  void emit_return_values(Register first, int count);
  void emit_return_open(Register first);
  void emit_return_epilogue();
  void emit_generic_return();

  // --- the generic loop (emit_generic_for.cpp)
  void emit_iterator_arguments(Register function);
  void emit_load_cursor(const Instruction& in, const Label& otherwise);
  void emit_elements_step(const Instruction& in, NativeId iterator, const Label& otherwise);

  Vm& vm_;
  CodeCache& cache_;
  const Thunks& thunks_;
  const bool counts_calls_;
  bool enters_regions_, regions_have_events_;
  const bool measures_loops_;
  const bool is_interruptible_;
  LowArray<RegionEntry> region_entries_;
  std::vector<CodePc> region_heads_;

  const Proto* proto_ = nullptr;
  bool has_events_ = false;
  int code_length_ = 0;
  int pc_ = 0;  ///< of the instruction being emitted
  std::optional<KnownTypes> types_;
  std::optional<PathLocations> path_locations_;  ///< in functions with events
  std::optional<LocalRegisters> locals_;         ///< once somebody has asked for a variable
  EmitErrors errors_;
  asmjit::CodeHolder holder_;
  Assembler a_;
  Masm masm_{a_};
  PcLabels labels_;
  std::vector<SlowPath> slow_paths_;
  std::vector<CodePlace> slow_places_;
  std::vector<CodeFrameRow> slow_frames_;
  std::vector<CodePlace> deferred_;     ///< CompiledCode::deferred
  Register held_float_ = kNoRegister;        ///< the register whose payload is in f0, too, where the instruction begins
  Register computed_float_ = kNoRegister;    ///< the same behind the instruction that is emitted
  std::array<Label, kNativeEntries> entries_;
  Label exit_;   ///< leaves with the outcome in t0
  Label leave_;  ///< t0 != 0 after a call: raised, or to the interpreter
};

}  // namespace mangata::jit
