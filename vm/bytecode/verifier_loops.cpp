// Where control may go around `for` loops. See verifier.h for why.
#include "vm/bytecode/verifier.h"

namespace mangata {
namespace {

/// The instructions of a `for` loop behind the one that prepares it.
struct LoopRange {
  int first_pc;
  int last_pc;  ///< ForLoop or GenericForLoop
  bool contains(int pc) const { return first_pc <= pc && pc <= last_pc; }
};

constexpr int kNoLoop = -1;

class LoopVerifier {
 public:
  explicit LoopVerifier(const std::vector<Instruction>& code)
      : code_(code), innermost_(code.size(), kNoLoop) {}

  const char* find_loops(int* bad_pc) {
    std::vector<int> open;
    for (int pc = 0; pc < static_cast<int>(code_.size()); pc++) {
      while (!open.empty() && pc > loops_[open.back()].last_pc) open.pop_back();
      innermost_[pc] = open.empty() ? kNoLoop : open.back();
      const Instruction& in = code_[pc];
      if (in.op != Opcode::ForPrepare && in.op != Opcode::GenericForPrepare) continue;
      const int target = pc + 1 + in.imm;
      const int last_pc = in.op == Opcode::ForPrepare ? target - 1 : target + 1;
      if (!open.empty() && last_pc >= loops_[open.back()].last_pc)
        return *bad_pc = pc, "loops are not nested";
      open.push_back(static_cast<int>(loops_.size()));
      loops_.push_back({pc + 1, last_pc});
    }
    return nullptr;
  }

  /// Null, or why control may not go from `pc` to where the instruction there jumps to.
  const char* verify_jump(int pc) const {
    const Instruction& in = code_[pc];
    const ControlFlow flow = opcode_info(in.op).flow;
    if (flow != ControlFlow::Jump && flow != ControlFlow::Branch) return nullptr;
    const int target = pc + 1 + in.imm;
    if (code_[target].op == Opcode::GenericForLoop) return "jump into a loop";
    const int loop = innermost_[target];
    if (loop == kNoLoop || loops_[loop].contains(pc)) return nullptr;
    const bool begins_it = in.op == Opcode::GenericForPrepare && loops_[loop].first_pc == pc + 1;
    return begins_it ? nullptr : "jump into a loop";
  }

 private:
  const std::vector<Instruction>& code_;
  std::vector<LoopRange> loops_;
  std::vector<int> innermost_;  ///< per pc: the innermost loop around it
};

}  // namespace

const char* verify_loops(const Proto& proto, int* bad_pc) {
  LoopVerifier verifier(proto.original_code);
  if (const char* problem = verifier.find_loops(bad_pc)) return problem;
  for (int pc = 0; pc < static_cast<int>(proto.original_code.size()); pc++) {
    if (const char* problem = verifier.verify_jump(pc)) return *bad_pc = pc, problem;
  }
  return nullptr;
}

}  // namespace mangata
