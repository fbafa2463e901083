// Symbolic execution of bytecode for names; see debug_names.h.
//
// Only the original code is looked at: instrumented copies keep the same registers, and pcs are mapped back
// to it.
#include "vm/operations/debug_names.h"

#include <optional>

#include "vm/bytecode/arithmetic_operator.h"
#include "vm/bytecode/conditions.h"
#include "vm/bytecode/proto.h"
#include "vm/bytecode/register_effects.h"

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

bool is_loop(OpcodeFamily family) { return family == OpcodeFamily::NumericFor || family == OpcodeFamily::GenericFor; }

/// Does the instruction give register `reg` a value that may have a name? What loops keep in registers has none but its own.
bool writes_register(const Instruction& in, int reg) {
  if (in.op == Opcode::PrepareVararg || (is_loop(family_of(in.op)) && in.op != Opcode::GenericForCall)) return false;
  const uint32_t groups = opcode_facts(in.op).writes & ~uint32_t{kAbove | kClosing};
  constexpr int kAllSlots = 255;
  return registers_of(groups, in, kAllSlots, kAllSlots).test(static_cast<size_t>(reg));
}

/// A forward jump over code, as `if`, `and` and `or` make them (loops jump in their own opcodes).
bool skips_code(Opcode op) {
  return has_jump(op) && !is_loop(family_of(op));
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
  if (const String* local = local_name(proto, reg + 1, OriginalPc(pc))) return {"local", std::string(local->view())};
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
  if (in.b > in.a && local_name(proto, in.b + 1, OriginalPc(pc)) == nullptr) return "method";
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

Metamethod metamethod_of(Relation relation) {
  switch (relation) {
    case Relation::Equal: return Metamethod::Equal;
    case Relation::Less: return Metamethod::Less;
    case Relation::LessEqual: return Metamethod::LessEqual;
  }
  return {};
}

/// The metamethod that an instruction may call.
std::optional<Metamethod> metamethod_of(const Instruction& in) {
  if (const auto op = operator_of(in)) return event_of(*op);
  if (const auto form = comparison_form(in.op)) return metamethod_of(form->relation);
  switch (family_of(in.op)) {
    case OpcodeFamily::FieldLoad:
    case OpcodeFamily::ElementLoad: return Metamethod::Index;
    case OpcodeFamily::FieldStore:
    case OpcodeFamily::ElementStore: return Metamethod::NewIndex;
    case OpcodeFamily::Length: return Metamethod::Length;
    case OpcodeFamily::Concat: return Metamethod::Concat;
    default: break;
  }
  if (in.op == Opcode::Close || in.op == Opcode::Return) return Metamethod::Close;
  return std::nullopt;
}

/// The registers (and the upvalue) whose values an instruction operates on, in the order in which messages
/// blame them.
struct Operands {
  int registers[2] = {-1, -1};
  int upvalue = -1;
};

Operands operands_of(const Instruction& in) {
  switch (family_of(in.op)) {
    case OpcodeFamily::FieldLoad:
      if (in.op == Opcode::GetGlobal) return {{-1, -1}, in.b};
      return {{in.b, -1}, -1};
    case OpcodeFamily::FieldStore:
      if (in.op == Opcode::SetGlobal) return {{-1, -1}, in.a};
      return {{in.a, -1}, -1};
    case OpcodeFamily::ElementStore:
      return {{in.a, -1}, -1};
    case OpcodeFamily::ElementLoad:
    case OpcodeFamily::Unary:
    case OpcodeFamily::Length:
      return {{in.b, -1}, -1};
    case OpcodeFamily::Arithmetic:
    case OpcodeFamily::Bitwise:
      return {{in.b, has_constant_operand(in.op) ? -1 : in.c}, -1};
    default:
      return {};
  }
}

}  // namespace

FoundName name_of_callee(Vm& vm, const Proto& proto, OriginalPc pc) {
  const Instruction& in = proto.original_code[value_of(pc)];
  if (family_of(in.op) == OpcodeFamily::Call) return register_name(proto, value_of(pc), in.a);
  if (in.op == Opcode::GenericForCall) return {"for iterator", "for iterator"};
  const std::optional<Metamethod> metamethod = metamethod_of(in);
  if (!metamethod) return {};
  return {"metamethod", std::string(vm.name_of(*metamethod)->view().substr(2))};  // without "__"
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
  const int pc = value_of(current_pc(base));
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
  const int pc = value_of(current_pc(base));
  if (pc < 0) return {};
  const Proto& proto = *function_slot(base)->as_lua_function()->proto;
  if (slot < base || slot >= base + proto.max_stack_slots) return {};
  return register_name(proto, pc, static_cast<int>(slot - base));
}

}  // namespace mangata
