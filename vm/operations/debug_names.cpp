// Symbolic execution of bytecode for names; see debug_names.h.
//
// Only the original code is looked at: instrumented copies keep the same registers, and pcs are mapped back
// to it.
#include "vm/operations/debug_names.h"

#include "vm/bytecode/proto.h"

namespace mangata {
namespace {

constexpr int kUnknownSetter = -1;
/// The largest index that Lua 5.4 puts into its own instruction, and so calls "integer index".
constexpr int kMaxNamedIntegerIndex = 255;

std::string upvalue_name(const Proto& proto, int index) {
  const String* name = proto.upvalues[index].name;
  return name == nullptr ? "?" : std::string(name->view());
}

/// The string constant `index`, or "?".
FoundName constant_name(const Proto& proto, int index) {
  const Value& constant = proto.constants[index];
  if (!constant.is_string()) return {nullptr, "?"};
  return {"constant", constant.as_string()->data};  // up to a zero byte, as messages show names
}

/// Does the instruction write register `reg`?
bool writes_register(const Instruction& in, int reg) {
  switch (in.op) {
    case Opcode::LoadNil:
      return reg >= in.a && reg < in.a + in.b;
    case Opcode::Self:
      return reg == in.a || reg == in.a + kCallOverheadSlots;
    case Opcode::Call:
    case Opcode::TailCall:
      return reg >= in.a;  // a call may leave anything above its function
    case Opcode::GenericForCall:
      return reg >= in.a + 4;
    case Opcode::Vararg:
      return in.b == 0 && reg >= in.a;
    case Opcode::SetUpvalue:
    case Opcode::SetGlobal:
    case Opcode::SetField:
    case Opcode::SetIndex:
    case Opcode::SetInteger:
    case Opcode::SetList:
    case Opcode::Return:
    case Opcode::Return0:
    case Opcode::Return1:
    case Opcode::PrepareVararg:
    case Opcode::Close:
    case Opcode::ToBeClosed:
    case Opcode::GenericForPrepare:
    case Opcode::GenericForLoop:
    case Opcode::ForPrepare:
    case Opcode::PathEvent:
      return false;
    case Opcode::CopyJumpIfTrue:
    case Opcode::CopyJumpIfFalse:
      return reg == in.a;
    default:
      return opcode_info(in.op).flow == ControlFlow::Next && reg == in.a;
  }
}

/// A forward jump over code, as `if`, `and` and `or` make them (loops jump in their own opcodes).
bool skips_code(Opcode op) {
  const ControlFlow flow = opcode_info(op).flow;
  if (flow != ControlFlow::Jump && flow != ControlFlow::Branch) return false;
  return op != Opcode::ForPrepare && op != Opcode::ForLoop && op != Opcode::GenericForPrepare &&
         op != Opcode::GenericForLoop;
}

/// The last instruction before `last_pc` that set `reg`, or kUnknownSetter when none did, or only some paths
/// run it.
int find_setter(const Proto& proto, int last_pc, int reg) {
  int setter = kUnknownSetter;
  int jump_target = 0;  // code before it may have been jumped over
  for (int pc = 0; pc < last_pc; ++pc) {
    const Instruction& in = proto.original_code[pc];
    if (writes_register(in, reg)) setter = pc < jump_target ? kUnknownSetter : pc;
    if (skips_code(in.op)) {
      const int target = pc + 1 + in.imm;
      if (target <= last_pc && target > jump_target) jump_target = target;
    }
  }
  return setter;
}

/// A local variable, an upvalue or a constant; *setter is the instruction that set the register when it is no
/// local.
FoundName simple_name(const Proto& proto, int pc, int reg, int* setter) {
  *setter = kUnknownSetter;
  if (const String* local = local_name(proto, reg + 1, pc)) return {"local", std::string(local->view())};
  *setter = find_setter(proto, pc, reg);
  if (*setter == kUnknownSetter) return {};
  const Instruction& in = proto.original_code[*setter];
  switch (in.op) {
    case Opcode::Move:
      if (in.b < in.a) return simple_name(proto, *setter, in.b, setter);
      return {};
    case Opcode::GetUpvalue:
      return {"upvalue", upvalue_name(proto, in.b)};
    case Opcode::LoadConstant: {
      FoundName found = constant_name(proto, in.imm);
      return found.kind == nullptr ? FoundName{} : found;
    }
    default:
      return {};
  }
}

/// What the table access at `pc` reads: a method when the table was copied above the target to become an
/// argument (a call that has no use for Self), "global" when the table is the variable _ENV, else a field.
const char* kind_of_field(const Proto& proto, int pc) {
  const Instruction& in = proto.original_code[pc];
  if (in.b > in.a && local_name(proto, in.b + 1, pc) == nullptr) return "method";
  int setter;
  const FoundName table = simple_name(proto, pc, in.b, &setter);
  const bool is_variable = table.is("local") || table.is("upvalue");
  return is_variable && table.name == "_ENV" ? "global" : "field";
}

FoundName register_name(const Proto& proto, int pc, int reg) {
  int setter;
  FoundName found = simple_name(proto, pc, reg, &setter);
  if (found.kind != nullptr || setter == kUnknownSetter) return found;
  const Instruction& in = proto.original_code[setter];
  switch (in.op) {
    case Opcode::GetGlobal:
      return {upvalue_name(proto, in.b) == "_ENV" ? "global" : "field", constant_name(proto, in.c).name};
    case Opcode::GetField:
      return {kind_of_field(proto, setter), constant_name(proto, in.c).name};
    case Opcode::GetInteger:
      return {"field", in.c <= kMaxNamedIntegerIndex ? "integer index" : "?"};
    case Opcode::GetIndex: {
      int ignored;
      const FoundName key = simple_name(proto, setter, in.c, &ignored);
      if (!key.is("constant")) return {"field", "?"};
      return {kind_of_field(proto, setter), key.name};
    }
    case Opcode::Self:
      return {"method", constant_name(proto, in.c).name};
    default:
      return {};
  }
}

/// The metamethod that an instruction may call, or kMetamethodCount.
int metamethod_of(Opcode op) {
  const int code = static_cast<int>(op);
  const auto in_range = [code](Opcode first, Opcode last) {
    return code >= static_cast<int>(first) && code <= static_cast<int>(last);
  };
  const auto event = [](Metamethod metamethod) { return static_cast<int>(metamethod); };
  if (in_range(Opcode::Add, Opcode::ShiftRight))
    return event(Metamethod::Add) + code - static_cast<int>(Opcode::Add);
  if (in_range(Opcode::AddConstant, Opcode::ShiftRightConstant)) {
    return event(Metamethod::Add) + code - static_cast<int>(Opcode::AddConstant);
  }
  switch (op) {
    case Opcode::GetGlobal:
    case Opcode::GetField:
    case Opcode::GetIndex:
    case Opcode::GetInteger:
    case Opcode::Self:
      return event(Metamethod::Index);
    case Opcode::SetGlobal:
    case Opcode::SetField:
    case Opcode::SetIndex:
    case Opcode::SetInteger:
      return event(Metamethod::NewIndex);
    case Opcode::Negate:
      return event(Metamethod::Negate);
    case Opcode::BitNot:
      return event(Metamethod::BitNot);
    case Opcode::Length:
      return event(Metamethod::Length);
    case Opcode::Concat:
      return event(Metamethod::Concat);
    case Opcode::JumpIfEqual:
    case Opcode::JumpIfNotEqual:
    case Opcode::JumpIfEqualConstant:
    case Opcode::JumpIfNotEqualConstant:
      return event(Metamethod::Equal);
    case Opcode::JumpIfLess:
    case Opcode::JumpIfNotLess:
    case Opcode::JumpIfLessConstant:
    case Opcode::JumpIfNotLessConstant:
    case Opcode::JumpIfGreaterConstant:
    case Opcode::JumpIfNotGreaterConstant:
      return event(Metamethod::Less);
    case Opcode::JumpIfLessEqual:
    case Opcode::JumpIfNotLessEqual:
    case Opcode::JumpIfLessEqualConstant:
    case Opcode::JumpIfNotLessEqualConstant:
    case Opcode::JumpIfGreaterEqualConstant:
    case Opcode::JumpIfNotGreaterEqualConstant:
      return event(Metamethod::LessEqual);
    case Opcode::Close:
    case Opcode::Return:
      return event(Metamethod::Close);
    default:
      return kMetamethodCount;
  }
}

/// The registers (and the upvalue) whose values an instruction operates on, in the order in which messages
/// blame them.
struct Operands {
  int registers[2] = {-1, -1};
  int upvalue = -1;
};

Operands operands_of(const Instruction& in) {
  switch (in.op) {
    case Opcode::GetGlobal:
      return {{-1, -1}, in.b};
    case Opcode::SetGlobal:
      return {{-1, -1}, in.a};
    case Opcode::SetField:
    case Opcode::SetIndex:
    case Opcode::SetInteger:
      return {{in.a, -1}, -1};
    case Opcode::GetField:
    case Opcode::GetIndex:
    case Opcode::GetInteger:
    case Opcode::Self:
    case Opcode::Negate:
    case Opcode::BitNot:
    case Opcode::Length:
      return {{in.b, -1}, -1};
    default:
      break;
  }
  if (in.op >= Opcode::Add && in.op <= Opcode::ShiftRight) return {{in.b, in.c}, -1};
  if (in.op >= Opcode::AddConstant && in.op <= Opcode::ShiftRightConstant) return {{in.b, -1}, -1};
  return {};
}

}  // namespace

FoundName name_of_callee(Vm& vm, const Proto& proto, int pc) {
  const Instruction& in = proto.original_code[pc];
  if (in.op == Opcode::Call || in.op == Opcode::TailCall) return register_name(proto, pc, in.a);
  if (in.op == Opcode::GenericForCall) return {"for iterator", "for iterator"};
  const bool subtracts = in.op == Opcode::AddConstant && in.d == kSubtractsZero;
  const int metamethod = metamethod_of(subtracts ? Opcode::SubConstant : in.op);
  if (metamethod == kMetamethodCount) return {};
  return {"metamethod", std::string(vm.metamethod_names[metamethod]->view().substr(2))};  // without "__"
}

FoundName name_from_caller(Vm& vm, Value* base) {
  const uint32_t flags = frame_of(base)->flags;
  if ((flags & (FrameHeader::kTailCalled | FrameHeader::kBottom)) != 0) return {};
  Value* caller = outer_frame(base);
  const uint32_t caller_flags = frame_of(caller)->flags;
  if ((caller_flags & FrameHeader::kHooked) != 0) return {"hook", "?"};
  if ((caller_flags & FrameHeader::kFinalizer) != 0) return {"metamethod", "__gc"};
  if ((caller_flags & (FrameHeader::kNative | FrameHeader::kBottom)) != 0) return {};
  return name_of_callee(vm, *function_slot(caller)->as_lua_function()->proto, current_pc(caller));
}

FoundName name_of_operand(Vm& vm, const Value& culprit) {
  Value* base = vm.current->base;
  const int pc = current_pc(base);
  if (pc < 0) return {};
  const LuaFunction* function = function_slot(base)->as_lua_function();
  const Proto& proto = *function->proto;
  const Operands operands = operands_of(proto.original_code[pc]);
  if (operands.upvalue >= 0 && function->upvalues[operands.upvalue]->location->is_identical(culprit)) {
    return {"upvalue", upvalue_name(proto, operands.upvalue)};
  }
  for (const int reg : operands.registers) {
    if (reg >= 0 && base[reg].is_identical(culprit)) return register_name(proto, pc, reg);
  }
  return {};
}

FoundName name_of_slot(Vm& vm, const Value* slot) {
  Value* base = vm.current->base;
  const int pc = current_pc(base);
  if (pc < 0) return {};
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  if (slot < base || slot >= base + proto.max_stack_slots) return {};
  return register_name(proto, pc, static_cast<int>(slot - base));
}

const char* name_of_register(const Proto& proto, int pc, int register_index, std::string* name) {
  FoundName found = register_name(proto, pc, register_index);
  *name = std::move(found.name);
  return found.kind;
}

}  // namespace mangata
