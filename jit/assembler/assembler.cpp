#include "jit/assembler/assembler.h"

#include <algorithm>

#include "jit/assembler/instruction_bytes.h"

namespace mangata::jit {
namespace {

using asmjit::Imm;
using asmjit::Operand_;
using asmjit::x86::Gp;
namespace Inst = asmjit::x86::Inst;
using asmjit::x86::Mem;

using asmjit::Support::isInt32;
using asmjit::Support::isInt8;
int64_t value_of(const Operand_& constant) { return constant.as<Imm>().value(); }

/// In bytes; 0: it is no general register of 32 or 64 bits.
uint32_t width_of_register(const Operand_& operand) {
  if (!operand.isReg()) return 0;
  return operand.as<Gp>().isGpq() ? 8 : operand.as<Gp>().isGpd() ? 4
                                                                 : 0;
}
bool is_memory(const Operand_& operand) { return operand.isMem() && is_plain_memory(operand.as<Mem>()); }
bool is_float_register(const Operand_& operand) { return operand.isReg() && operand.as<asmjit::x86::Reg>().isXmm() && operand.id() < 16; }

/// In bytes; 0: neither such a register nor plain memory, or the size of the memory is not said.
uint32_t width_of(const Operand_& operand) { return is_memory(operand) ? operand.as<Mem>().size() : width_of_register(operand); }

/// Of two operands, one is a general register and the other one, too, or memory. `code` is the opcode that writes to the register or
/// memory that ModRM's last part names; two more, it reads from there, if the instruction has such a form.
bool move_or_compute(InstructionBytes* bytes, uint32_t code, const Operand_& to, const Operand_& from, bool has_load = true) {
  const uint32_t width = width_of_register(to), other = width_of_register(from);
  if (width != 0 && other == width) return bytes->registers(code, width == 8, from.id(), to.id()), true;
  if (width != 0 && has_load && is_memory(from)) return bytes->memory(code + 2, width == 8, to.id(), from.as<Mem>()), true;
  if (other != 0 && is_memory(to)) return bytes->memory(code, other == 8, from.id(), to.as<Mem>()), true;
  return false;
}

/// Of an instruction with a constant, which follows. `number` is the part of the opcode that ModRM has.
void begin_with_constant(InstructionBytes* bytes, uint32_t code, uint32_t number, const Operand_& to) {
  const bool is_wide = width_of(to) == 8;
  if (to.isMem()) {
    bytes->memory(code, is_wide, number, to.as<Mem>());
  } else {
    bytes->registers(code, is_wide, number, to.id());
  }
}

/// The same with 32 bits of it; rax has an opcode of its own.
bool with_int32(InstructionBytes* bytes, uint32_t code_of_rax, uint32_t code, uint32_t number, const Operand_& to, int64_t value) {
  if (to.isReg() && to.id() == 0) {
    bytes->with_register(code_of_rax, width_of(to) == 8, 0);
  } else {
    begin_with_constant(bytes, code, number, to);
  }
  return bytes->int32(value), true;
}

bool with_int8(InstructionBytes* bytes, uint32_t code, uint32_t number, const Operand_& to, int64_t value) {
  begin_with_constant(bytes, code, number, to);
  return bytes->byte(static_cast<uint32_t>(value)), true;
}

bool move(InstructionBytes* bytes, const Operand_& to, const Operand_& from) {
  if (!from.isImm()) return move_or_compute(bytes, 0x89, to, from);
  const int64_t value = value_of(from);
  const uint32_t width = width_of(to);
  if (width != 4 && width != 8) return false;
  if (to.isMem() || (width == 8 && isInt32(value))) {
    begin_with_constant(bytes, 0xC7, 0, to);
    return bytes->int32(value), true;
  }
  bytes->with_register(0xB8, width == 8, to.id());
  return width == 8 ? bytes->int64(value) : bytes->int32(value), true;
}

/// Addition is number 0, comparison 7.
bool compute(InstructionBytes* bytes, uint32_t number, const Operand_& to, const Operand_& from) {
  if (!from.isImm()) return move_or_compute(bytes, number << 3 | 1, to, from);
  const uint32_t width = width_of(to);
  int64_t value = value_of(from);
  if (width == 1) return with_int8(bytes, 0x80, number, to, value);
  if (width == 4) value = static_cast<int32_t>(value);
  if ((width != 4 && width != 8) || !isInt32(value)) return false;
  if (isInt8(value)) return with_int8(bytes, 0x83, number, to, value);
  return with_int32(bytes, number << 3 | 5, 0x81, number, to, value);
}

bool test(InstructionBytes* bytes, const Operand_& value, const Operand_& bits) {
  if (!bits.isImm()) return move_or_compute(bytes, 0x85, value, bits, false);
  const uint32_t width = width_of(value);
  if (width == 1) return with_int8(bytes, 0xF6, 0, value, value_of(bits));
  return (width == 4 || width == 8) && with_int32(bytes, 0xA9, 0xF7, 0, value, value_of(bits));
}

bool shift(InstructionBytes* bytes, uint32_t number, const Operand_& value, const Operand_& count) {
  const uint32_t width = width_of_register(value);
  if (width == 0 || !count.isImm()) return false;
  const auto bits = static_cast<uint32_t>(value_of(count) & 0xFF);
  if (bits == 1) return bytes->registers(0xD1, width == 8, number, value.id()), true;
  bytes->registers(0xC1, width == 8, number, value.id());
  return bytes->byte(bits), true;
}

bool load(InstructionBytes* bytes, uint32_t code, const Operand_& to, const Operand_& from) {
  const uint32_t width = width_of_register(to);
  if (width == 0 || !is_memory(from)) return false;
  return bytes->memory(code, width == 8, to.id(), from.as<Mem>()), true;
}

bool load_unsigned(InstructionBytes* bytes, const Operand_& to, const Operand_& from) {
  if (!from.isMem() || from.as<Mem>().size() == 0 || from.as<Mem>().size() > 2) return false;
  return load(bytes, from.as<Mem>().size() == 1 ? 0x0FB6 : 0x0FB7, to, from);
}

bool move_float(InstructionBytes* bytes, const Operand_& to, const Operand_& from) {
  const bool is_load = is_float_register(to) && is_memory(from);
  if (!is_load && !(is_float_register(from) && is_memory(to))) return false;
  bytes->byte(0xF2);
  bytes->memory(is_load ? 0x0F10 : 0x0F11, false, is_load ? to.id() : from.id(), (is_load ? from : to).as<Mem>());
  return true;
}

/// The opcode of a jump by eight bits; 0: it is none. That by 32 bits follows from it.
uint32_t jump_code(asmjit::InstId id) {
  switch (id) {
    case Inst::kIdJmp: return 0xEB;
    case Inst::kIdJo: return 0x70;
    case Inst::kIdJno: return 0x71;
    case Inst::kIdJb:
    case Inst::kIdJc: return 0x72;
    case Inst::kIdJae:
    case Inst::kIdJnc: return 0x73;
    case Inst::kIdJe:
    case Inst::kIdJz: return 0x74;
    case Inst::kIdJne:
    case Inst::kIdJnz: return 0x75;
    case Inst::kIdJbe: return 0x76;
    case Inst::kIdJa: return 0x77;
    case Inst::kIdJs: return 0x78;
    case Inst::kIdJns: return 0x79;
    case Inst::kIdJp:
    case Inst::kIdJpe: return 0x7A;
    case Inst::kIdJnp: return 0x7B;
    case Inst::kIdJl: return 0x7C;
    case Inst::kIdJge: return 0x7D;
    case Inst::kIdJle: return 0x7E;
    case Inst::kIdJg: return 0x7F;
    default: return 0;
  }
}

/// False: it has to be encoded otherwise, and what was written does not count.
bool write(InstructionBytes* bytes, asmjit::InstId id, const Operand_& first, const Operand_& second) {
  switch (id) {
    case Inst::kIdMov: return move(bytes, first, second);
    case Inst::kIdAdd: return compute(bytes, 0, first, second);
    case Inst::kIdOr: return compute(bytes, 1, first, second);
    case Inst::kIdAnd: return compute(bytes, 4, first, second);
    case Inst::kIdSub: return compute(bytes, 5, first, second);
    case Inst::kIdXor: return compute(bytes, 6, first, second);
    case Inst::kIdCmp: return compute(bytes, 7, first, second);
    case Inst::kIdTest: return test(bytes, first, second);
    case Inst::kIdLea: return load(bytes, 0x8D, first, second);
    case Inst::kIdShl: return shift(bytes, 4, first, second);
    case Inst::kIdShr: return shift(bytes, 5, first, second);
    case Inst::kIdSar: return shift(bytes, 7, first, second);
    case Inst::kIdMovzx: return load_unsigned(bytes, first, second);
    case Inst::kIdMovsd: return move_float(bytes, first, second);
    default: return false;
  }
}

}  // namespace

/// Nothing was asked for besides the instruction, and there is room for it.
bool Assembler::is_plain() const {
  return (forcedInstOptions() | instOptions()) == asmjit::InstOptions::kNone && !hasExtraReg() && inlineComment() == nullptr &&
         encodingOptions() == asmjit::EncodingOptions::kNone && remainingSpace() >= InstructionBytes::kMost;
}

[[gnu::flatten]] bool Assembler::encode(asmjit::InstId id, const Operand_& first, const Operand_& second) {
  if (first.isLabel()) {
    const uint32_t code = second.isNone() ? jump_code(id) : 0;
    return code != 0 && jump(code, first);
  }
  InstructionBytes bytes(_bufferPtr);
  if (!write(&bytes, id, first, second)) return false;
  end_at(bytes.end());
  return true;
}

void Assembler::end_at(uint8_t* end) {
  _bufferPtr = end;
  asmjit::CodeBuffer& buffer = _section->buffer();
  buffer._size = std::max(buffer._size, static_cast<size_t>(end - _bufferData));
}

bool Assembler::jump(uint32_t code, const Operand_& target) {
  constexpr uint32_t kJump = 0xEB, kLongJump = 0xE9;
  asmjit::LabelEntry* const label = this->code()->labelEntry(target.as<asmjit::Label>());
  if (label == nullptr) return false;
  InstructionBytes bytes(_bufferPtr);
  const auto begin_long = [&] {
    if (code != kJump) bytes.byte(0x0F);
    bytes.byte(code == kJump ? kLongJump : code + 0x10);
  };
  if (label->isBoundTo(_section)) {
    const int64_t distance = static_cast<int64_t>(label->offset()) - static_cast<int64_t>(offset());
    if (isInt8(distance - 2)) {
      bytes.byte(code);
      bytes.byte(static_cast<uint32_t>(distance - 2));
    } else {
      begin_long();
      bytes.int32(distance - (bytes.end() - _bufferPtr) - 4);
    }
  } else {
    if (label->isBound()) return false;
    begin_long();
    asmjit::OffsetFormat format;
    format.resetToSimpleValue(asmjit::OffsetType::kSignedOffset, 4);
    if (this->code()->newLabelLink(label, _section->id(), static_cast<size_t>(bytes.end() - _bufferData), -4, format) == nullptr) return false;
    bytes.int32(0);
  }
  end_at(bytes.end());
  return true;
}

asmjit::Error Assembler::_emit(asmjit::InstId id, const Operand_& first, const Operand_& second, const Operand_& third, const Operand_* others) {
  if (third.isNone() && is_plain() && encode(id, first, second)) return asmjit::kErrorOk;
  return asmjit::x86::Assembler::_emit(id, first, second, third, others);
}

}  // namespace mangata::jit
