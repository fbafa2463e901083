// Bytecode to text, driven by the operand formats: an opcode needs no code here.
#include "vm/bytecode/disassembler.h"

#include <cstdio>

#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr size_t kMaxTextLength = 60;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kMaxTextLength)) {
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (c >= 32 && c < 127) {
      out.push_back(c);
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03d", static_cast<unsigned char>(c));
      out.append(escape);
    }
  }
  return out.append(text.size() > kMaxTextLength ? "\"..." : "\"");
}

/// The operands of one instruction and the remark after them.
class OperandPrinter {
 public:
  OperandPrinter(const Proto& proto, int pc) : proto_(proto), in_(proto.original_code[pc]), pc_(pc) {}

  std::string operands;
  std::string remark;

  OperandPrinter& print() {
    switch (opcode_info(in_.op).format) {
      case OperandFormat::None: return *this;
      case OperandFormat::Ra: return reg(in_.a);
      case OperandFormat::RaRb: return reg(in_.a).reg(in_.b);
      case OperandFormat::RaRbRc: return reg(in_.a).reg(in_.b).reg(in_.c);
      case OperandFormat::RaRbKc: return reg(in_.a).reg(in_.b).constant(in_.c).manner();
      case OperandFormat::RaCountB: return reg(in_.a).number(in_.b);
      case OperandFormat::RaImm: return reg(in_.a).number(in_.imm);
      case OperandFormat::RaKimm: return reg(in_.a).constant(in_.imm);
      case OperandFormat::RaUb: return reg(in_.a).upvalue(in_.b);
      case OperandFormat::RaUbKcIc: return reg(in_.a).upvalue(in_.b).constant(in_.c).cache(in_.d);
      case OperandFormat::UaKbRKcIc: return upvalue(in_.a).constant(in_.b).either(in_.c).cache(in_.d);
      case OperandFormat::RaRbKcIc: return reg(in_.a).reg(in_.b).constant(in_.c).cache(in_.d);
      case OperandFormat::RaRbIc: return reg(in_.a).reg(in_.b).number(in_.c);
      case OperandFormat::RaRbRKc: return reg(in_.a).reg(in_.b).either(in_.c);
      case OperandFormat::RaIbRKc: return reg(in_.a).number(in_.b).either(in_.c);
      case OperandFormat::RaKbRKcIc: return reg(in_.a).constant(in_.b).either(in_.c).cache(in_.d);
      case OperandFormat::RaBC: return reg(in_.a).number(in_.b).number(in_.c);
      case OperandFormat::RaBImm: return reg(in_.a).number(in_.b).number(in_.imm);
      case OperandFormat::Jump: return in_.a != 0 ? jump().note("backedge") : jump();
      case OperandFormat::RaJump: return reg(in_.a).jump();
      case OperandFormat::RaRbJump: return reg(in_.a).reg(in_.b).jump();
      case OperandFormat::RaKbJump: return reg(in_.a).constant(in_.b).jump();
      case OperandFormat::RaProto: return reg(in_.a).add("f", in_.imm);
      case OperandFormat::Event: return reg(in_.a).add("event", in_.imm);
    }
    return *this;
  }

 private:
  OperandPrinter& append(const std::string& text) {
    operands.append(text);
    return *this;
  }
  OperandPrinter& add(const char* prefix, int value) { return append(" " + (prefix + std::to_string(value))); }
  OperandPrinter& reg(int index) { return add("r", index); }
  OperandPrinter& number(int value) { return add("", value); }
  OperandPrinter& jump() { return append(" -> " + std::to_string(pc_ + 1 + in_.imm)); }
  OperandPrinter& manner() { return append(in_.d == kOperandsSwapped ? " swapped" : in_.d == kSubtractsZero ? " subtracted"
                                                                                                            : ""); }
  OperandPrinter& note(const std::string& text) {
    remark.append(remark.empty() ? "" : " ").append(text);
    return *this;
  }
  OperandPrinter& constant(int index) {
    const bool is_valid = index >= 0 && static_cast<size_t>(index) < proto_.constants.size();
    return add("k", index).note(is_valid ? constant_text(proto_.constants[index]) : "?");
  }
  OperandPrinter& upvalue(int index) {
    const bool has_name =
        static_cast<size_t>(index) < proto_.upvalues.size() && proto_.upvalues[index].name != nullptr;
    return add("u", index).note(has_name ? std::string(proto_.upvalues[index].name->view()) : "-");
  }
  OperandPrinter& either(int operand) {
    return (operand & kConstantOperand) != 0 ? constant(operand & ~kConstantOperand) : reg(operand);
  }
  OperandPrinter& cache(int index) { return index == kNoInlineCache ? append(" no-ic") : add("ic", index); }

  const Proto& proto_;
  const Instruction in_;
  const int pc_;
};

std::string counted(size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string column(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

void append_header(const Proto& proto, std::string& out) {
  const std::string source = proto.source == nullptr ? "?" : chunk_id(proto.source->view());
  out.append(proto.line_defined == 0 ? "main <" : "function <").append(source);
  out.append(":" + std::to_string(proto.line_defined) + "," + std::to_string(proto.last_line_defined) +
             "> (");
  out.append(counted(proto.original_code.size(), "instruction")).append(")\n");
  out.append(counted(proto.parameter_count, "parameter")).append(proto.is_vararg ? " and varargs, " : ", ");
  out.append(counted(proto.max_stack_slots, "slot") + ", " + counted(proto.upvalues.size(), "upvalue") +
             ", ");
  out.append(counted(proto.locals.size(), "local") + ", " + counted(proto.constants.size(), "constant") +
             ", ");
  out.append(counted(proto.nested.size(), "function") + ", " + counted(proto.caches.size(), "cache") + "\n");
}

void append_code(const Proto& proto, std::string& out) {
  for (size_t pc = 0; pc < proto.original_code.size(); pc++) {
    OperandPrinter printer(proto, static_cast<int>(pc));
    printer.print();
    const int line = proto.line_at(OriginalPc(pc));
    std::string text =
        column(std::to_string(pc), 6) + column("[" + (line < 0 ? "-" : std::to_string(line)) + "]", 7);
    text.append(column(std::string(opcode_info(proto.original_code[pc].op).name), 28))
        .append(printer.operands, 0);
    if (!printer.remark.empty()) text = column(text, 62) + " ; " + printer.remark;
    out.append("  ").append(text).append("\n");
  }
}

std::string name_text(const String* name) { return name == nullptr ? "-" : std::string(name->view()); }

void append_tables(const Proto& proto, std::string& out) {
  if (!proto.constants.empty()) out.append("constants\n");
  for (size_t i = 0; i < proto.constants.size(); i++) {
    out.append("  k" + column(std::to_string(i), 5) + constant_text(proto.constants[i]) + "\n");
  }
  if (!proto.locals.empty()) out.append("locals\n");
  for (const LocalVariable& local : proto.locals) {
    out.append("  " + column(name_text(local.name), 20) + " pc " + std::to_string(local.start_pc) + " to " +
               std::to_string(local.end_pc) + "\n");
  }
  if (!proto.upvalues.empty()) out.append("upvalues\n");
  for (size_t i = 0; i < proto.upvalues.size(); i++) {
    const UpvalueDescription& upvalue = proto.upvalues[i];
    out.append("  u" + column(std::to_string(i), 5) + column(name_text(upvalue.name), 20));
    out.append(upvalue.from_parent_register ? " register " : " upvalue ")
        .append(std::to_string(upvalue.index) + "\n");
  }
}

}  // namespace

std::string constant_text(const Value& constant) {
  switch (constant.tag) {
    case Tag::Nil:
      return "nil";
    case Tag::False:
      return "false";
    case Tag::True:
      return "true";
    case Tag::String:
      return quoted(constant.as_string()->view());
    case Tag::Integer:
    case Tag::Float: {
      char text[64];
      const int length = format_number(constant, text);
      return std::string(text, static_cast<size_t>(length));
    }
    default:
      return "?";
  }
}

std::string disassemble_instruction(const Proto& proto, OriginalPc pc) {
  OperandPrinter printer(proto, value_of(pc));
  printer.print();
  return std::string(opcode_info(proto.original_code[static_cast<size_t>(pc)].op).name) + printer.operands;
}

std::string disassemble(const Proto& proto) {
  std::string out;
  append_header(proto, out);
  append_code(proto, out);
  append_tables(proto, out);
  return out;
}

}  // namespace mangata
