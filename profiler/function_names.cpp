#include "profiler/function_names.h"

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

/// The register of local variable `index`: locals stack up in the order of their scopes.
int register_of_local(const Proto& proto, size_t index) {
  const int start = proto.locals[index].start_pc;
  int reg = 0;
  for (size_t i = 0; i < index; ++i) {
    if (proto.locals[i].start_pc <= start && proto.locals[i].end_pc > start) ++reg;
  }
  return reg;
}

bool leaves_register_alone(const Instruction& in, int reg) {
  switch (in.op) {
    case Opcode::SetGlobal:
    case Opcode::SetField:
    case Opcode::SetIndex:
    case Opcode::SetInteger:
    case Opcode::SetList:
    case Opcode::SetUpvalue: return true;
    default: break;
  }
  const ControlFlow flow = opcode_info(in.op).flow;
  return flow == ControlFlow::Next && in.a > reg && in.op != Opcode::LoadNil;
}

/// The variable that begins its life in `reg` with the value it has at `pc`.
std::string coming_local(const Proto& proto, int reg, int pc) {
  for (size_t i = 0; i < proto.locals.size(); ++i) {
    const LocalVariable& local = proto.locals[i];
    if (local.start_pc <= pc || local.start_pc > pc + kMaxDistance || register_of_local(proto, i) != reg) continue;
    for (int between = pc + 1; between < local.start_pc; ++between) {
      if (!leaves_register_alone(proto.original_code[static_cast<size_t>(between)], reg)) return {};
    }
    return text_of(local.name);
  }
  return {};
}

std::string local_in_register(const Proto& proto, int reg, int pc) {
  const std::string active = text_of(local_name(proto, reg + 1, pc));
  return active.empty() ? coming_local(proto, reg, pc) : active;
}

/// The table in `reg`, as it is called at `pc`: "M", "a.b", or empty.
std::string table_name(const Proto& proto, int reg, int pc) {
  std::string name = local_in_register(proto, reg, pc);
  if (!name.empty()) return name;
  if (name_of_register(proto, pc, reg, &name) == nullptr) return {};
  return name;
}

bool is_self(const Proto& function) {
  return function.parameter_count > 0 && text_of(local_name(function, 1, 0)) == "self";
}

std::string field_name(const std::string& table, const std::string& key, const Proto& function) {
  if (table.empty()) return key;
  return table + (is_self(function) ? ":" : ".") + key;
}

}  // namespace

std::string name_of_nested(const Proto& parent, int index) {
  const auto& code = parent.original_code;
  const Proto& function = *parent.nested[static_cast<size_t>(index)];
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    if (code[i].op != Opcode::Closure || code[i].imm != index) continue;
    const int reg = code[i].a;
    const int pc = static_cast<int>(i);
    const std::string local = local_in_register(parent, reg, pc);
    if (!local.empty() && local[0] != '(') return local;
    const Instruction& next = code[i + 1];
    switch (next.op) {
      case Opcode::SetGlobal:
        if (next.c == reg) return constant_text(parent, next.b);
        break;
      case Opcode::SetField:
        if (next.c == reg) {
          return field_name(table_name(parent, next.a, pc + 1), constant_text(parent, next.b), function);
        }
        break;
      case Opcode::SetUpvalue:
        if (next.a == reg) return text_of(parent.upvalues[next.b].name);
        break;
      case Opcode::Move:
        if (next.b == reg) return local_in_register(parent, next.a, pc + 2);
        break;
      default: break;
    }
    return {};
  }
  return {};
}

}  // namespace mangata
