#include "tests/chunks/mutator.h"

#include <algorithm>

#include "vm/bytecode/chunk.h"

namespace mangata {
namespace {

void collect(Proto& proto, std::vector<Proto*>* all) {
  all->push_back(&proto);
  for (Proto* nested : proto.nested) collect(*nested, all);
}

bool has_jump(const Instruction& in) {
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Jump || flow == ControlFlow::Branch;
}

/// Effects that must happen once, or in a certain place only, and those that depend on them.
constexpr Opcode kDelicate[] = {Opcode::PrepareVararg, Opcode::Vararg,
                                Opcode::ToBeClosed, Opcode::Close,
                                Opcode::Closure, Opcode::NewTable,
                                Opcode::SetList, Opcode::Concat,
                                Opcode::Call, Opcode::TailCall,
                                Opcode::Return, Opcode::ForPrepare,
                                Opcode::ForLoop, Opcode::GenericForPrepare,
                                Opcode::GenericForCall, Opcode::GenericForLoop,
                                Opcode::Self, Opcode::LoadNil,
                                Opcode::SetUpvalue, Opcode::GetUpvalue};

}  // namespace

std::string Mutator::mutate(Vm& vm, std::string_view chunk) {
  Proto* const main = load_chunk(vm, chunk, "=mutated").value();
  std::vector<Proto*> functions;
  collect(*main, &functions);
  for (int changes = 1 + below(4); changes > 0; changes--) {
    Proto& proto = *functions[static_cast<size_t>(below(static_cast<int>(functions.size())))];
    one_in(12) ? change_tables(proto) : change(proto);
  }
  return dump_chunk(*main, one_in(4));
}

void Mutator::change(Proto& proto) {
  const int size = static_cast<int>(proto.original_code.size());
  const int pc = below(size), other = below(size);
  std::vector<Instruction>& code = proto.original_code;
  switch (below(8)) {
    case 0:
      return std::swap(code[pc], code[other]);
    case 1:
      code[pc] = code[other];
      return;
    case 2:
      return insert(proto, pc, code[other]);
    case 3:
      return change_jump(proto, pc);
    case 4:
      return replace(proto, pc);
    case 5: {
      code[pc] = Instruction::abi(Opcode::Jump, 0, 0, 0);  // as if it were not there
      return;
    }
    default:
      return change_operand(proto, code[pc]);
  }
}

void Mutator::change_operand(Proto& proto, Instruction& in) {
  const int reg = some_register(proto);
  const int nearby = below(5) - 2;
  switch (below(8)) {
    case 0:
      in.a = static_cast<uint8_t>(reg);
      return;
    case 1:
      in.a = static_cast<uint8_t>(in.a + nearby);
      return;
    case 2:
      in.b = static_cast<uint16_t>(reg);
      return;
    case 3:
      in.b = static_cast<uint16_t>(in.b + nearby);
      return;
    case 4:
      in.c = static_cast<uint16_t>(reg);
      return;
    case 5:
      in.c = static_cast<uint16_t>(in.c + nearby);
      return;
    case 6:
      in.d = static_cast<uint16_t>(below(3));
      return;
    default:
      in.op = static_cast<Opcode>(below(kOpcodeCount));
  }
}

/// A branch or a loop from `pc` to anywhere; some of them as a detour, so that nothing else goes.
void Mutator::change_jump(Proto& proto, int pc) {
  std::vector<Instruction>& code = proto.original_code;
  const int size = static_cast<int>(code.size());
  const int target = one_in(3) ? below(std::min(size, 3)) : below(size);
  const int distance = target - pc - 1;
  if (has_jump(code[pc]) && one_in(2)) {
    code[pc].imm = distance;
    return;
  }
  const Opcode branch = one_in(2) ? Opcode::JumpIfTrue : Opcode::JumpIfFalse;
  const int reg = one_in(2) ? some_register(proto) : code[below(pc + 1)].a;  // one that has a value, perhaps
  if (distance >= 0) return insert(proto, pc, Instruction::abi(branch, reg, 0, distance));
  // Around the jump back, which most programs must take some time not to.
  insert(proto, pc, Instruction::abi(Opcode::Jump, 1, 0, distance - 1));
  insert(proto, pc, Instruction::abi(branch, reg, 0, 1));
}

void Mutator::replace(Proto& proto, int pc) {
  constexpr int kCount = static_cast<int>(std::size(kDelicate));
  const Opcode op = kDelicate[static_cast<size_t>(below(kCount))];
  const int reg = some_register(proto);
  Instruction in = opcode_info(op).format == OperandFormat::RaProto
                       ? Instruction::abi(op, reg, 0, below(static_cast<int>(proto.nested.size())))
                       : Instruction::abcd(op, reg, below(4), below(4), 0);
  one_in(2) ? insert(proto, pc, in) : static_cast<void>(proto.original_code[pc] = in);
}

/// Jumps over the place are made longer, so that they go where they went.
void Mutator::insert(Proto& proto, int pc, Instruction in) {
  std::vector<Instruction>& code = proto.original_code;
  for (int from = 0; from < static_cast<int>(code.size()); from++) {
    if (!has_jump(code[from])) continue;
    const int target = from + 1 + code[from].imm;
    if (from < pc && target > pc) code[from].imm++;
    if (from >= pc && target <= pc) code[from].imm--;
  }
  code.insert(code.begin() + pc, in);
  if (!proto.lines.empty()) proto.lines.insert(proto.lines.begin() + pc, proto.lines[pc]);
  for (LocalVariable& local : proto.locals) {
    if (local.start_pc > pc) local.start_pc++;
    if (local.end_pc > pc) local.end_pc++;
  }
}

void Mutator::change_tables(Proto& proto) {
  const auto some_of = [this](auto& list) -> auto& { return list[below(static_cast<int>(list.size()))]; };
  switch (below(7)) {
    case 0:
      proto.max_stack_slots = static_cast<uint8_t>(proto.max_stack_slots + below(9) - 4);
      return;
    case 1:
      proto.parameter_count = static_cast<uint8_t>(below(6));
      return;
    case 2:
      proto.is_vararg = !proto.is_vararg;
      return;
    case 3:
      if (!proto.constants.empty()) some_of(proto.constants) = Value(some_of(proto.constants));
      return;
    case 4:
      if (!proto.upvalues.empty()) some_of(proto.upvalues).index = static_cast<uint8_t>(below(12));
      return;
    case 5:
      if (!proto.upvalues.empty()) some_of(proto.upvalues).from_parent_register = one_in(2);
      return;
    default:
      if (!proto.locals.empty())
        some_of(proto.locals).end_pc = below(static_cast<int>(proto.original_code.size()));
  }
}

}  // namespace mangata
