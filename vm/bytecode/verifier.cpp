// The first pass: each instruction by itself, and the tables of a prototype.
#include "vm/bytecode/verifier.h"

#include <utility>

#include "vm/bytecode/opcode_facts.h"
#include "vm/object/frame.h"
#include "vm/object/string.h"
#include "vm/poll.h"

namespace mangata {
namespace {

constexpr int kMaxSlots = 254;
constexpr int kMaxUpvalueKind = 3;

/// Checks one function. Its checks return null, or what is wrong.
class InstructionVerifier {
 public:
  explicit InstructionVerifier(const Proto& proto)
      : proto_(proto),
        size_(static_cast<int>(proto.original_code.size())),
        cache_used_(proto.caches.size(), false) {}

  const char* verify_tables(const Proto* parent) {
    if (proto_.max_stack_slots < 2 || proto_.max_stack_slots > kMaxSlots) return "bad number of registers";
    if (proto_.parameter_count > proto_.max_stack_slots) return "bad number of parameters";
    if (size_ == 0) return "no code";
    if (!proto_.lines.empty() && proto_.lines.size() != proto_.original_code.size()) return "bad line table";
    if (proto_.upvalues.size() > 255) return "too many upvalues";
    for (const UpvalueDescription& upvalue : proto_.upvalues) {
      if (upvalue.kind > kMaxUpvalueKind) return "bad upvalue";
      if (parent == nullptr) continue;
      const size_t limit = upvalue.from_parent_register ? parent->max_stack_slots : parent->upvalues.size();
      if (upvalue.index >= limit) return "upvalue out of range";
    }
    return verify_locals();
  }

  const char* verify_instruction(int pc) {
    in_ = proto_.original_code[pc];
    pc_ = pc;
    if (const char* problem = verify_operands()) return problem;
    if (const char* problem = verify_control_flow()) return problem;
    return verify_opcode();
  }

 private:
  /// Each local variable in scope has a register.
  const char* verify_locals() const {
    std::vector<int> change_of_count(static_cast<size_t>(size_) + 1);
    for (const LocalVariable& local : proto_.locals) {
      if (local.name == nullptr || local.start_pc > local.end_pc || local.end_pc > size_)
        return "bad local variable";
      change_of_count[local.start_pc]++;
      change_of_count[local.end_pc]--;
    }
    int count = 0;
    for (const int change : change_of_count) {
      count += change;
      if (count > proto_.max_stack_slots) return "more local variables than registers";
    }
    return nullptr;
  }

  static const char* check(bool ok, const char* problem) { return ok ? nullptr : problem; }
  static const char* first(std::initializer_list<const char*> problems) {
    for (const char* problem : problems) {
      if (problem != nullptr) return problem;
    }
    return nullptr;
  }

  const char* reg(int index) const { return check(index < proto_.max_stack_slots, "register out of range"); }
  /// Registers index .. index + count - 1; an empty range may begin just after the last register.
  const char* registers(int index, int count) const {
    return check(index + count <= proto_.max_stack_slots, "register out of range");
  }
  const char* constant(int index) const {
    return check(index >= 0 && static_cast<size_t>(index) < proto_.constants.size(), "constant out of range");
  }
  const char* either(int operand) const {
    return (operand & kConstantOperand) != 0 ? constant(operand & ~kConstantOperand) : reg(operand);
  }
  const char* upvalue(size_t index) const {
    return check(index < proto_.upvalues.size(), "upvalue out of range");
  }
  const char* name(int index) const {
    if (const char* problem = constant(index)) return problem;
    const Value& key = proto_.constants[index];
    return check(key.is_string() && key.as_string()->is_short(), "field name expected");
  }
  /// A cache belongs to one instruction only: what it remembers depends on the key there.
  const char* cache(size_t index) {
    if (index == kNoInlineCache) return nullptr;
    if (index >= cache_used_.size() || cache_used_[index]) return "bad inline cache";
    cache_used_[index] = true;
    return nullptr;
  }

  const char* verify_operands() {
    switch (opcode_info(in_.op).format) {
      case OperandFormat::None:
      case OperandFormat::Jump:
        return nullptr;
      case OperandFormat::Ra:
      case OperandFormat::RaImm:
      case OperandFormat::RaBImm:
      case OperandFormat::RaCountB:
      case OperandFormat::RaJump:
        return reg(in_.a);
      case OperandFormat::RaBC:  // what returns no values may name the register behind the last
        return in_.op == Opcode::Return && in_.b == 1 ? nullptr : reg(in_.a);
      case OperandFormat::RaRb:
      case OperandFormat::RaRbIc:
      case OperandFormat::RaRbJump:
        return first({reg(in_.a), reg(in_.b)});
      case OperandFormat::RaRbRc:
        return first({reg(in_.a), reg(in_.b), reg(in_.c)});
      case OperandFormat::RaRbKc:
        return first({reg(in_.a), reg(in_.b), constant(in_.c)});
      case OperandFormat::RaKimm:
        return first({reg(in_.a), constant(in_.imm)});
      case OperandFormat::RaUb:
        return first({reg(in_.a), upvalue(in_.b)});
      case OperandFormat::RaUbKcIc:
        return first({reg(in_.a), upvalue(in_.b), name(in_.c), cache(in_.d)});
      case OperandFormat::UaKbRKcIc:
        return first({upvalue(in_.a), name(in_.b), either(in_.c), cache(in_.d)});
      case OperandFormat::RaRbKcIc:
        return first({reg(in_.a), reg(in_.b), name(in_.c), cache(in_.d)});
      case OperandFormat::RaRbRKc:
        return first({reg(in_.a), reg(in_.b), either(in_.c)});
      case OperandFormat::RaIbRKc:
        return first({reg(in_.a), either(in_.c)});
      case OperandFormat::RaKbRKcIc:
        return first({reg(in_.a), name(in_.b), either(in_.c), cache(in_.d)});
      case OperandFormat::RaKbJump:
        return first({reg(in_.a), constant(in_.b)});
      case OperandFormat::RaProto:
        return first({reg(in_.a), check(in_.imm >= 0 && static_cast<size_t>(in_.imm) < proto_.nested.size(),
                                        "function out of range")});
      case OperandFormat::Event:
        return "instrumentation in a chunk";
    }
    return "unknown operand format";
  }

  /// Only loops jump back: `for` loops, and Jump with a = 1. Everything else goes forward.
  const char* verify_control_flow() const {
    const ControlFlow flow = opcode_info(in_.op).flow;
    const bool falls_through = flow == ControlFlow::Next || flow == ControlFlow::Branch;
    if (falls_through && pc_ + 1 >= size_) return "code does not end with a return";
    if (flow != ControlFlow::Jump && flow != ControlFlow::Branch) return nullptr;
    const int64_t target = static_cast<int64_t>(pc_) + 1 + in_.imm;
    if (target < 0 || target >= size_) return "jump out of range";
    if (target == 0 && proto_.is_vararg) return "jump to the vararg prologue";  // it moves the frame
    return check(is_backedge(in_) == (in_.imm < 0) && (in_.op != Opcode::Jump || in_.a <= 1),
                 "bad direction of a jump");
  }

  const Value& constant_operand() const { return proto_.constants[in_.c]; }
  const Instruction* instruction_at(int pc) const {
    return pc >= 0 && pc < size_ ? &proto_.original_code[pc] : nullptr;
  }
  bool is_at(int pc, Opcode op) const {
    const Instruction* other = instruction_at(pc);
    return other != nullptr && other->op == op && other->a == in_.a;
  }
  int target() const { return pc_ + 1 + in_.imm; }

  const char* verify_constant_operator() const {
    if (in_.op == Opcode::AddConstant && in_.d == kSubtractsZero) {
      return check(constant_operand().is_integer() && constant_operand().as_integer() == 0, "zero expected");
    }
    if (family_of(in_.op) == OpcodeFamily::Bitwise)
      return check(constant_operand().is_integer() && in_.d <= 1, "integer expected");
    return check(constant_operand().is_number() && in_.d <= 1, "number expected");
  }

  const char* verify_opcode() const {
    if (has_constant_operand(in_.op)) return verify_constant_operator();
    if (family_of(in_.op) == OpcodeFamily::OrderBranch && opcode_info(in_.op).format == OperandFormat::RaKbJump)
      return check(proto_.constants[in_.b].is_number(), "number expected");
    switch (in_.op) {
      case Opcode::LoadNil:
        return first({check(in_.b >= 1, "empty range"), registers(in_.a, in_.b)});
      case Opcode::Concat:
        return first({check(in_.b >= 2, "empty range"), registers(in_.a, in_.b)});
      case Opcode::Self:
        return registers(in_.a, kCallOverheadSlots + 1);
      case Opcode::SetList:
        return first({check(in_.imm >= 0 && in_.imm <= INT32_MAX - kMaxSlots, "bad index"),
                      registers(in_.a, 1 + in_.b)});
      case Opcode::Call:
      case Opcode::TailCall:
        return verify_call();
      case Opcode::Return:
        return first({registers(in_.a, in_.b == 0 ? 0 : in_.b - 1), check(in_.c <= 1, "bad return")});
      case Opcode::Return0:
      case Opcode::Return1:
        return check(!proto_.is_vararg, "bad return");
      case Opcode::PrepareVararg:
        return check(proto_.is_vararg && pc_ == 0 && in_.b == proto_.parameter_count, "bad vararg prologue");
      case Opcode::Vararg:
        if (in_.b != 0) return first({registers(in_.a, in_.b), check(in_.c == 0, "bad list")});
        return first({check(proto_.is_vararg, "vararg outside a vararg function"),
                      registers(in_.a, in_.c == 0 ? 0 : in_.c - 1)});
      default:
        return verify_loop();  // nothing, for most
    }
  }

  const char* verify_call() const {
    if (in_.d > (in_.b == 0 ? 1 : 0)) return "bad call";
    const int overhead = in_.d == 0 ? kCallOverheadSlots : 1;
    if (const char* problem = registers(in_.a, overhead + (in_.b == 0 ? 0 : in_.b - 1))) return problem;
    if (in_.op == Opcode::TailCall) return check(in_.c <= 1, "bad tail call");
    return registers(in_.a, in_.c == 0 ? 0 : in_.c - 1);
  }

  /// A numeric loop is ForPrepare, body, ForLoop; the first jumps past the last, the last to the body. A
  /// generic loop is GenericForPrepare, body, GenericForCall, GenericForLoop; the first jumps to the call,
  /// the last to the body.
  const char* verify_loop() const {
    switch (in_.op) {
      case Opcode::ForPrepare: {
        const Instruction* loop = instruction_at(target() - 1);
        const bool matches = is_at(target() - 1, Opcode::ForLoop) && target() + loop->imm == pc_ + 1;
        return first({check(matches, "bad loop"), registers(in_.a, 4)});
      }
      case Opcode::ForLoop: {
        const Instruction* prepare = instruction_at(target() - 1);
        return check(is_at(target() - 1, Opcode::ForPrepare) && target() + prepare->imm == pc_ + 1,
                     "bad loop");
      }
      case Opcode::GenericForPrepare: {
        const Instruction* loop = instruction_at(target() + 1);
        const bool matches = is_at(target(), Opcode::GenericForCall) &&
                             is_at(target() + 1, Opcode::GenericForLoop) &&
                             target() + 2 + loop->imm == pc_ + 1;
        return check(matches, "bad loop");
      }
      case Opcode::GenericForCall: {
        if (!is_at(pc_ + 1, Opcode::GenericForLoop)) return "bad loop";
        return first({check(in_.c >= 1, "empty range"), registers(in_.a, 4 + in_.c),
                      registers(in_.a, 4 + kCallOverheadSlots + 2)});
      }
      case Opcode::GenericForLoop: {
        const Instruction* prepare = instruction_at(target() - 1);
        return check(is_at(pc_ - 1, Opcode::GenericForCall) &&
                         is_at(target() - 1, Opcode::GenericForPrepare) && target() + prepare->imm == pc_ - 1,
                     "bad loop");
      }
      default:
        return nullptr;
    }
  }

  const Proto& proto_;
  const int size_;
  std::vector<bool> cache_used_;
  Instruction in_{};
  int pc_ = 0;
};

std::string verify_function(const Proto& proto, const Proto* parent, VerifierSteps* steps) {
  InstructionVerifier verifier(proto);
  if (const char* problem = verifier.verify_tables(parent)) return problem;
  const auto at_pc = [](int pc, const char* problem) { return "pc " + std::to_string(pc) + ": " + problem; };
  for (int pc = 0; pc < static_cast<int>(proto.original_code.size()); pc++) {
    if (const char* problem = verifier.verify_instruction(pc)) return at_pc(pc, problem);
    if (steps != nullptr && !steps->add(1)) return {};
  }
  if (proto.is_vararg && proto.original_code[0].op != Opcode::PrepareVararg)
    return at_pc(0, "bad vararg prologue");
  for (const Proto* nested : proto.nested) {
    if (std::string problem = verify_function(*nested, &proto, steps); !problem.empty()) return problem;
    if (steps != nullptr && steps->stopped()) return {};
  }
  int bad_pc = 0;
  if (const char* problem = verify_loops(proto, &bad_pc)) return at_pc(bad_pc, problem);
  if (const char* problem = verify_flow(proto, &bad_pc, steps)) return at_pc(bad_pc, problem);
  return {};
}

}  // namespace

bool VerifierSteps::add(int64_t steps) {
  steps_ += steps;
  if (steps_ < kNativePollPeriod || stopped_) [[likely]]
    return !stopped_;
  const int64_t work = std::exchange(steps_, 0);
  if (vm_.embedder == nullptr) {
    charge_if_much(vm_, work);
  } else {
    stopped_ = !poll_native(vm_, work).ok();
  }
  return !stopped_;
}

VerifierSteps::~VerifierSteps() { charge_if_much(vm_, steps_); }

std::string verify(const Proto& proto, VerifierSteps* steps) {
  return verify_function(proto, nullptr, steps);
}

}  // namespace mangata
