// The second pass: what is in the registers on every path. See verifier.h for why.
#include <bitset>
#include <optional>

#include "vm/bytecode/cfg.h"
#include "vm/bytecode/verifier.h"
#include "vm/object/frame.h"

namespace mangata {
namespace {

using RegisterSet = std::bitset<256>;

constexpr int kNoOpenResults = -1;
constexpr int kNumericLoopRegisters = 3;
constexpr int kGenericLoopRegisters = 4;
/// What copying and joining states takes, beside the instructions.
constexpr int kStepsPerBlock = 8;

RegisterSet registers_from(int first) { return RegisterSet().set() << first; }
RegisterSet register_range(int first, int count) {
  return registers_from(first) & ~registers_from(first + count);
}

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

  void write_range(int first, int count) {
    forget(first, count);
    defined |= register_range(first, count);
  }
  void write(int reg) { write_range(reg, 1); }
  /// Afterwards the registers may hold anything, also half of a frame header, or what a collection has freed.
  void undefine(int first, int count) {
    forget(first, count);
    defined &= ~register_range(first, count);
  }
  void undefine_from(int first) { undefine(first, static_cast<int>(defined.size()) - first); }

 private:
  /// No fact about the old values holds any more; a loop is ruined when one of its hidden variables changes.
  void forget(int first, int count) {
    const RegisterSet registers = register_range(first, count);
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
  void read(int reg) { require(state_.defined[reg], "register without a value"); }
  void read_range(int first, int count) {
    for (int i = 0; i < count; i++) read(first + i);
  }
  void read_either(int operand) {
    if ((operand & kConstantOperand) == 0) read(operand);
  }
  bool takes_open_results() const {
    const bool is_consumer = in_.op == Opcode::Call || in_.op == Opcode::TailCall ||
                             in_.op == Opcode::Return || in_.op == Opcode::SetList;
    return is_consumer && in_.b == 0;
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
    switch (in_.op) {
      case Opcode::LoadNil:
        return state_.write_range(in_.a, in_.b);
      case Opcode::Concat:
        read_range(in_.a, in_.b);
        end_life_above(in_.a);
        return state_.write(in_.a);
      case Opcode::NewTable:
        end_life_above(in_.a);
        state_.write(in_.a);
        state_.tables.set(in_.a);
        return;
      case Opcode::SetList:
        require(state_.tables[in_.a] && !state_.captured[in_.a], "SetList without a new table");
        read_values(in_.a + 1, in_.b);
        return end_life_above(in_.a);
      case Opcode::Self:
        read(in_.b);
        state_.write(in_.a);
        return state_.write(in_.a + kCallOverheadSlots);
      case Opcode::Vararg:
        if (in_.c == 0) {
          require_closed_from(in_.a + in_.b);  // `top` may end up below
          state_.undefine_from(in_.a + in_.b);
          state_.open_results = in_.a + in_.b;
        } else {
          state_.write_range(in_.a, in_.c - 1);
        }
        return;
      case Opcode::Closure:
        return step_closure();
      case Opcode::Close:
        state_.captured &= ~registers_from(in_.a);
        state_.to_be_closed &= ~registers_from(in_.a);
        return;
      case Opcode::ToBeClosed:
        read(in_.a);
        return mark_to_be_closed(in_.a);
      case Opcode::Call:
      case Opcode::TailCall:
      case Opcode::Return:
      case Opcode::Return0:
      case Opcode::Return1:
        return step_call();
      case Opcode::ForPrepare:
      case Opcode::ForLoop:
      case Opcode::GenericForPrepare:
      case Opcode::GenericForCall:
      case Opcode::GenericForLoop:
        return step_loop();
      default:
        return step_by_format();
    }
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
    switch (in_.op) {
      case Opcode::Call:
        read(in_.a);
        read_values(in_.a + (in_.d == 0 ? kCallOverheadSlots : 1), in_.b - 1);
        require_closed_from(in_.a);
        state_.undefine_from(in_.a);
        if (in_.c == 0) {
          state_.open_results = in_.a;
        } else {
          state_.write_range(in_.a, in_.c - 1);
        }
        return;
      case Opcode::TailCall:
        read(in_.a);
        read_values(in_.a + (in_.d == 0 ? kCallOverheadSlots : 1), in_.b - 1);
        require(state_.to_be_closed.none(), "tail call with variables to be closed");
        return require_all_closed(in_.c == 1);
      case Opcode::Return:
        read_values(in_.a, in_.b - 1);
        return require_all_closed(in_.c == 1);
      case Opcode::Return1:
        read(in_.a);
        [[fallthrough]];
      default:
        return require_all_closed(false);
    }
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

  /// Instructions whose reads and writes follow from their operand format.
  void step_by_format() {
    switch (opcode_info(in_.op).format) {
      case OperandFormat::RaRbRc:
        read(in_.c);
        [[fallthrough]];
      case OperandFormat::RaRb:
      case OperandFormat::RaRbIc:
      case OperandFormat::RaRbKc:
      case OperandFormat::RaRbKcIc:
        read(in_.b);
        return state_.write(in_.a);
      case OperandFormat::Ra:
      case OperandFormat::RaImm:
      case OperandFormat::RaKimm:
      case OperandFormat::RaUbKcIc:
        return state_.write(in_.a);
      case OperandFormat::RaUb:
        return in_.op == Opcode::SetUpvalue ? read(in_.a) : state_.write(in_.a);
      case OperandFormat::UaKbRKcIc:
        return read_either(in_.c);
      case OperandFormat::RaRbRKc:
        read(in_.b);
        [[fallthrough]];
      case OperandFormat::RaIbRKc:
      case OperandFormat::RaKbRKcIc:
        read(in_.a);
        return read_either(in_.c);
      case OperandFormat::RaJump:
      case OperandFormat::RaKbJump:
        return read(in_.a);
      case OperandFormat::RaRbJump:
        read(in_.b);
        if (in_.op == Opcode::CopyJumpIfTrue || in_.op == Opcode::CopyJumpIfFalse) {
          jump_state_ = state_;
          jump_state_->write(in_.a);
        } else {
          read(in_.a);
        }
        return;
      case OperandFormat::Jump:
      case OperandFormat::RaCountB:
        return;  // Jump; PrepareVararg
      default:
        require(false, "unexpected instruction");
    }
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
