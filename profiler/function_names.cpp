#include "profiler/function_names.h"

#include <algorithm>

#include "vm/bytecode/local_registers.h"
#include "vm/bytecode/opcode_facts.h"
#include "vm/bytecode/proto.h"
#include "vm/object/string.h"
#include "vm/operations/debug_info.h"

namespace mangata {
namespace {

/// How many instructions may stand between a function and the end of the table constructor or list it belongs to.
constexpr int kMaxDistance = 2000;

std::string text_of(const String* string) { return string == nullptr ? std::string() : std::string(string->view()); }

std::string constant_text(const Proto& proto, int index) {
  const Value& constant = proto.constants[static_cast<size_t>(index)];
  return constant.is_string() ? std::string(constant.as_string()->view()) : std::string();
}

/// Whether an instruction of the expression behind the value in `reg` keeps that.
bool leaves_register_alone(const Instruction& in, int reg) {
  if (opcode_info(in.op).flow != ControlFlow::Next) return false;
  const bool is_store = (opcode_facts(in.op).writes & ~kAbove) == kNone;
  return is_store || (in.a > reg && in.op != Opcode::LoadNil);
}

bool is_self(const Proto& function) {
  return function.parameter_count > 0 && text_of(local_name(function, 1, OriginalPc{})) == "self";
}

std::string field_name(const std::string& table, const std::string& key, const Proto& function) {
  if (table.empty()) return key;
  return table + (is_self(function) ? ":" : ".") + key;
}

/// Whether a jump shortly before `pc` leads there, so that what the instruction before it has done is only one way.
bool is_jumped_to(const Proto& proto, int pc) {
  constexpr int kFarthest = 64;
  for (int from = std::max(pc - kFarthest, 0); from < pc; ++from) {
    const Instruction& in = proto.original_code[static_cast<size_t>(from)];
    const ControlFlow flow = opcode_info(in.op).flow;
    if ((flow == ControlFlow::Jump || flow == ControlFlow::Branch) && from + 1 + in.imm == pc) return true;
  }
  return false;
}

/// Names the functions that one function makes.
class Namer {
 public:
  explicit Namer(const Proto& parent) : parent_(parent), locals_(parent) {}

  /// Of the Closure at `pc`.
  std::string name_at(int pc) const {
    const auto& code = parent_.original_code;
    const int reg = code[static_cast<size_t>(pc)].a;
    const Proto& function = *parent_.nested[static_cast<size_t>(code[static_cast<size_t>(pc)].imm)];
    const std::string local = local_in_register(reg, pc);
    if (!local.empty() && local[0] != '(') return local;
    const Instruction& next = code[static_cast<size_t>(pc) + 1];
    switch (next.op) {
      case Opcode::SetGlobal:
        return next.c == reg ? constant_text(parent_, next.b) : std::string();
      case Opcode::SetField:
        return next.c == reg ? field_name(table_name(next.a, pc), constant_text(parent_, next.b), function) : std::string();
      case Opcode::SetUpvalue:
        return next.a == reg ? text_of(parent_.upvalues[next.b].name) : std::string();
      case Opcode::Move:
        return next.b == reg ? local_in_register(next.a, pc + 2) : std::string();
      default: return {};
    }
  }

 private:
  /// The variable that begins its life in `reg` with the value it has at `pc`.
  std::string coming_local(int reg, int pc) const {
    const LocalVariable* local = locals_.next(Register{reg}, OriginalPc(pc));
    if (local == nullptr || local->start_pc > pc + kMaxDistance) return {};
    for (int between = pc + 1; between < local->start_pc; ++between) {
      if (!leaves_register_alone(parent_.original_code[static_cast<size_t>(between)], reg)) return {};
    }
    return text_of(local->name);
  }

  std::string local_in_register(int reg, int pc) const {
    const LocalVariable* active = locals_.at(Register{reg}, OriginalPc(pc));
    return active != nullptr && active->name != nullptr ? text_of(active->name) : coming_local(reg, pc);
  }

  /// The table in `reg` that the function which the Closure at `pc` makes is stored into: "M", or the last name of "a.b"; or empty.
  std::string table_name(int reg, int pc) const {
    std::string name = local_in_register(reg, pc + 1);
    return name.empty() && pc > 0 && !is_jumped_to(parent_, pc) ? loaded_name(reg, pc - 1) : name;
  }

  /// What the instruction at `pc` has loaded into `reg`.
  std::string loaded_name(int reg, int pc) const {
    const Instruction& in = parent_.original_code[static_cast<size_t>(pc)];
    if (in.a != reg) return {};
    switch (in.op) {
      case Opcode::GetGlobal:
      case Opcode::GetField: return constant_text(parent_, in.c);
      case Opcode::GetUpvalue: return text_of(parent_.upvalues[in.b].name);
      default: return {};
    }
  }

  const Proto& parent_;
  const LocalRegisters locals_;
};

}  // namespace

std::vector<std::string> names_of_nested(const Proto& parent) {
  std::vector<std::string> names(parent.nested.size());
  if (names.empty()) return names;
  std::vector<bool> is_named(names.size());
  const Namer namer(parent);
  for (size_t pc = 0; pc + 1 < parent.original_code.size(); ++pc) {
    const Instruction& in = parent.original_code[pc];
    if (in.op != Opcode::Closure || is_named[static_cast<size_t>(in.imm)]) continue;
    is_named[static_cast<size_t>(in.imm)] = true;
    names[static_cast<size_t>(in.imm)] = namer.name_at(static_cast<int>(pc));
  }
  return names;
}

}  // namespace mangata
