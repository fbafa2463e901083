// The second pass: what is in the registers on every path. See verifier.h for why.
#include <optional>

#include "vm/bytecode/cfg.h"
#include "vm/bytecode/register_effects.h"
#include "vm/bytecode/verifier.h"
#include "vm/object/frame.h"

namespace mangata {
namespace {

constexpr int kNoOpenResults = -1;
constexpr int kNumericLoopRegisters = 3;
constexpr int kGenericLoopRegisters = 4;
/// What copying and joining states takes, beside the instructions.
constexpr int kStepsPerBlock = 8;

constexpr int kAllRegisters = 256;

RegisterSet registers_from(int first) { return registers_between(first, kAllRegisters); }
RegisterSet register_range(int first, int count) { return registers_between(first, first + count); }

/// What is known before an instruction. Facts that must hold on all paths are joined by intersection, dangers
/// by union.
struct State {
  RegisterSet defined;                ///< holds a proper value
  RegisterSet tables;                 ///< holds a table that NewTable made
  RegisterSet numeric_loops;          ///< the hidden variables of a prepared numeric loop begin here
  RegisterSet generic_loops;          ///< likewise of a generic loop
  RegisterSet captured;               ///< danger: an open upvalue may refer to it
  RegisterSet to_be_closed;           ///< danger: may be marked to be closed
  int open_results = kNoOpenResults;  ///< first register of results whose end is `top`
  bool overwrote_to_be_closed = false;

  /// False when nothing changed.
  bool join(const State& other) {
    const State before = *this;
    defined &= other.defined;
    tables &= other.tables;
    numeric_loops &= other.numeric_loops;
    generic_loops &= other.generic_loops;
    captured |= other.captured;
    to_be_closed |= other.to_be_closed;
    return defined != before.defined || tables != before.tables || numeric_loops != before.numeric_loops ||
           generic_loops != before.generic_loops || captured != before.captured ||
           to_be_closed != before.to_be_closed;
  }

  void write(const RegisterSet& registers) {
    forget(registers);
    defined |= registers;
  }
  void write_range(int first, int count) { write(register_range(first, count)); }
  void write(int reg) { write_range(reg, 1); }
  /// Afterwards the registers may hold anything, also half of a frame header, or what a collection has freed.
  void undefine(const RegisterSet& registers) {
    forget(registers);
    defined &= ~registers;
  }
  void undefine(int first, int count) { undefine(register_range(first, count)); }
  void undefine_from(int first) { undefine(registers_from(first)); }

 private:
  /// No fact about the old values holds any more; a loop is ruined when one of its hidden variables changes.
  void forget(const RegisterSet& registers) {
    if ((registers & to_be_closed).any()) overwrote_to_be_closed = true;
    tables &= ~registers;
    for (int below = 0; below < kNumericLoopRegisters; below++) numeric_loops &= ~(registers >> below);
    for (int below = 0; below < kGenericLoopRegisters; below++) generic_loops &= ~(registers >> below);
  }
};

/// The effect of one block on a state. The first problem ends it.
class BlockVerifier {
 public:
  BlockVerifier(const Proto& proto, State state) : state_(state), proto_(proto) {}

  const char* problem() const { return problem_; }
  int pc() const { return pc_; }
  /// After the block, along the edge of the given kind.
  const State& after(CfgEdge::Kind kind) const {
    return kind == CfgEdge::Kind::Jump && jump_state_ ? *jump_state_ : state_;
  }

  void run(const BasicBlock& block) {
    for (pc_ = block.first_pc; pc_ < block.end_pc; pc_++) {
      in_ = proto_.original_code[pc_];
      const bool consumes_open_results = takes_open_results();
      require((state_.open_results != kNoOpenResults) == consumes_open_results,
              "open results are not used at once");
      step();
      require(!state_.overwrote_to_be_closed && !(jump_state_ && jump_state_->overwrote_to_be_closed),
              "a variable to be closed is overwritten");
      if (problem_ != nullptr) return;
    }
  }

 private:
  void require(bool ok, const char* problem) {
    if (!ok && problem_ == nullptr) problem_ = problem;
  }
  void read(const RegisterSet& registers) {
    require((registers & ~state_.defined).none(), "register without a value");
  }
  void read(int reg) { read_range(reg, 1); }
  void read_range(int first, int count) { read(register_range(first, count)); }
  RegisterSet registers(uint32_t groups) const { return registers_of(groups, in_, kAllRegisters, kAllRegisters); }
  bool takes_open_results() const {
    constexpr uint32_t kLists = kArguments | kReturned | kListB;
    return (opcode_facts(in_.op).reads & kLists) != 0 && in_.b == 0;
  }
  /// The values of a range that begins at `first`: `count` of them, or up to the end of the open results.
  void read_values(int first, int count) {
    if (!takes_open_results()) return read_range(first, count);
    require(state_.open_results >= first, "open results begin too low");
    read_range(first, state_.open_results - first);
    state_.open_results = kNoOpenResults;
  }
  /// Slots from `reg` on become part of a frame.
  void require_closed_from(int reg) {
    require(((state_.captured | state_.to_be_closed) & registers_from(reg)).none(),
            "a captured variable is overwritten");
  }
  /// A collection after the instruction takes all registers above R[a] for dead.
  void end_life_above(int reg) {
    require_closed_from(reg + 1);
    state_.undefine_from(reg + 1);
  }
  void require_all_closed(bool closes) {
    require(closes || (state_.captured | state_.to_be_closed).none(), "return without closing variables");
  }

  void step() {
    switch (family_of(in_.op)) {
      case OpcodeFamily::Constructor:
        return step_constructor();
      case OpcodeFamily::Vararg:
        return step_vararg();
      case OpcodeFamily::Closure:
        return step_closure();
      case OpcodeFamily::Close:
        return step_close();
      case OpcodeFamily::Call:
        return step_call();
      case OpcodeFamily::Return:
        return step_return();
      case OpcodeFamily::NumericFor:
      case OpcodeFamily::GenericFor:
        return step_loop();
      case OpcodeFamily::Event:
        return require(false, "unexpected instruction");
      default:
        return step_by_effects();
    }
  }

  /// Instructions that read and write registers, and that is all to be said of them.
  void step_by_effects() {
    const OpcodeFacts& facts = opcode_facts(in_.op);
    read(registers(facts.reads));
    if ((facts.writes & kAbove) != 0) end_life_above(in_.a);
    const RegisterSet writes = registers(facts.writes & ~kLost);
    if ((facts.writes & kIfTaken) == 0) return state_.write(writes);
    jump_state_ = state_;
    jump_state_->write(writes);
  }

  void step_constructor() {
    if (in_.op == Opcode::NewTable) {
      step_by_effects();
      state_.tables.set(in_.a);
      return;
    }
    require(state_.tables[in_.a] && !state_.captured[in_.a], "SetList without a new table");
    read_values(in_.a + 1, in_.b);
    end_life_above(in_.a);
  }

  void step_vararg() {
    if (in_.op == Opcode::PrepareVararg) return;  // the fixed parameters move with the frame
    if (in_.c != 0) return state_.write_range(in_.a, in_.c - 1);
    require_closed_from(in_.a + in_.b);  // `top` may end up below
    state_.undefine_from(in_.a + in_.b);
    state_.open_results = in_.a + in_.b;
  }

  void step_close() {
    if (in_.op == Opcode::ToBeClosed) {
      read(in_.a);
      return mark_to_be_closed(in_.a);
    }
    state_.captured &= ~registers_from(in_.a);
    state_.to_be_closed &= ~registers_from(in_.a);
  }

  void mark_to_be_closed(int reg) {
    require((state_.to_be_closed & registers_from(reg)).none(), "variables to be closed out of order");
    state_.to_be_closed.set(reg);
  }

  void step_closure() {
    for (const UpvalueDescription& upvalue : proto_.nested[in_.imm]->upvalues) {
      if (!upvalue.from_parent_register) continue;
      if (upvalue.index != in_.a) read(upvalue.index);
      state_.captured.set(upvalue.index);
    }
    end_life_above(in_.a);
    state_.write(in_.a);
  }

  void step_call() {
    read(in_.a);
    read_values(in_.a + (in_.d == 0 ? kCallOverheadSlots : 1), in_.b - 1);
    if (in_.op == Opcode::TailCall) {
      require(state_.to_be_closed.none(), "tail call with variables to be closed");
      return require_all_closed(in_.c == 1);
    }
    require_closed_from(in_.a);
    state_.undefine_from(in_.a);
    if (in_.c == 0) {
      state_.open_results = in_.a;
    } else {
      state_.write_range(in_.a, in_.c - 1);
    }
  }

  void step_return() {
    if (in_.op == Opcode::Return) {
      read_values(in_.a, in_.b - 1);
      return require_all_closed(in_.c == 1);
    }
    read(registers(opcode_facts(in_.op).reads));
    require_all_closed(false);
  }

  /// The hidden variables of a loop that runs are for its own instructions only: they have no value for
  /// others.
  void step_loop() {
    const int base = in_.a;
    switch (in_.op) {
      case Opcode::ForPrepare:
        read_range(base, kNumericLoopRegisters);
        state_.undefine(base, kNumericLoopRegisters + 1);
        jump_state_ = state_;  // some of them were written, perhaps
        state_.write(base + kNumericLoopRegisters);
        state_.numeric_loops.set(base);
        return;
      case Opcode::ForLoop:
        require(state_.numeric_loops[base], "loop without hidden variables");
        require_not_captured(base, kNumericLoopRegisters);
        jump_state_ = state_;
        jump_state_->write(base + kNumericLoopRegisters);
        return state_.undefine(base, kNumericLoopRegisters + 1);
      case Opcode::GenericForPrepare:
        read_range(base, kGenericLoopRegisters);
        state_.undefine(base, kGenericLoopRegisters);
        mark_to_be_closed(base + 3);
        state_.generic_loops.set(base);
        return;
      case Opcode::GenericForCall:
        require(state_.generic_loops[base], "loop without hidden variables");
        require_not_captured(base, kGenericLoopRegisters);
        require_closed_from(base + kGenericLoopRegisters);
        state_.undefine_from(base + kGenericLoopRegisters);
        return state_.write_range(base + kGenericLoopRegisters, in_.c);
      default:  // GenericForLoop
        require(state_.generic_loops[base], "loop without hidden variables");
        read(base + kGenericLoopRegisters);
        jump_state_ = state_;
        state_.generic_loops.reset(base);
    }
  }
  void require_not_captured(int first, int count) {
    require((state_.captured & register_range(first, count)).none(), "hidden variable captured");
  }

  State state_;
  std::optional<State> jump_state_;  ///< along the jump, when it differs
  const Proto& proto_;
  Instruction in_{};
  int pc_ = 0;
  const char* problem_ = nullptr;
};

}  // namespace

const char* verify_flow(const Proto& proto, int* bad_pc, VerifierSteps* steps) {
  const Cfg cfg = Cfg::build(proto);
  std::vector<std::optional<State>> states(cfg.blocks.size());
  State at_entry;
  for (int i = 0; i < proto.parameter_count; i++) at_entry.defined.set(i);
  states[0] = at_entry;
  std::vector<BlockIndex> pending{cfg.entry()};
  while (!pending.empty()) {
    const BlockIndex index = pending.back();
    pending.pop_back();
    const BasicBlock& block = cfg.block(index);
    if (steps != nullptr && !steps->add(kStepsPerBlock + block.end_pc - block.first_pc)) return nullptr;
    BlockVerifier verifier(proto, *states[to_index(index)]);
    verifier.run(block);
    if (verifier.problem() != nullptr) {
      *bad_pc = verifier.pc();
      return verifier.problem();
    }
    for (const CfgEdge& edge : cfg.successors(index)) {
      if (edge.to == cfg.exit()) continue;
      const State& incoming = verifier.after(edge.kind);
      std::optional<State>& known = states[to_index(edge.to)];
      if (incoming.open_results != kNoOpenResults) {
        *bad_pc = cfg.block(edge.to).first_pc;
        return "open results across a jump";
      }
      if (!known) {
        known = incoming;
      } else if (!known->join(incoming)) {
        continue;
      }
      pending.push_back(edge.to);
    }
  }
  return nullptr;
}

}  // namespace mangata
