// The bytes of one instruction, as they are written: prefixes, opcode, registers and memory (Intel SDM, volume 2, chapter 2).
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <cstring>

namespace mangata::jit {

/// Whether it is a base with a displacement, and maybe an index, in general registers of 64 bits.
inline bool is_plain_memory(const asmjit::x86::Mem& memory) {
  using asmjit::RegType;
  constexpr uint32_t kStackPointer = 4;  // no index
  if (memory.baseType() != RegType::kX86_Gpq || memory.segmentId() != 0) return false;
  return memory.indexType() == RegType::kNone || (memory.indexType() == RegType::kX86_Gpq && memory.indexId() != kStackPointer);
}

class InstructionBytes {
 public:
  static constexpr size_t kMost = 16;  ///< so many are never written

  explicit InstructionBytes(uint8_t* at) : at_(at) {}

  uint8_t* end() const { return at_; }
  /// Its lowest eight bits.
  void byte(uint32_t value) { *at_++ = static_cast<uint8_t>(value); }
  /// Of a constant, the lower half.
  void int32(int64_t value) { put(static_cast<int32_t>(value)); }
  /// All of it.
  void int64(int64_t value) { put(value); }

  /// An opcode that has a register in its lowest bits.
  void with_register(uint32_t code, bool is_wide, uint32_t reg) {
    rex(is_wide, 0, 0, reg);
    byte(code | (reg & 7));
  }
  /// `reg` is a register or a part of the opcode. Opcodes of two bytes are 0x0F00 and more.
  void registers(uint32_t code, bool is_wide, uint32_t reg, uint32_t other) {
    rex(is_wide, reg, 0, other);
    opcode(code);
    modrm(3, reg, other);
  }
  /// Precondition: is_plain_memory().
  void memory(uint32_t code, bool is_wide, uint32_t reg, const asmjit::x86::Mem& memory) {
    const uint32_t base = memory.baseId();
    const bool has_index = memory.indexType() != asmjit::RegType::kNone;
    const uint32_t index = has_index ? memory.indexId() : kNoIndex;
    rex(is_wide, reg, has_index ? index : 0, base);
    opcode(code);
    const int32_t offset = memory.offsetLo32();
    const bool is_short = offset == static_cast<int8_t>(offset);
    const uint32_t mode = offset == 0 && (base & 7) != kNoBase ? 0 : is_short ? 1
                                                                              : 2;
    if (has_index || (base & 7) == kNoIndex) {
      modrm(mode, reg, kNoIndex);
      modrm(has_index ? memory.shift() : 0, index, base);
    } else {
      modrm(mode, reg, base);
    }
    if (mode == 1) byte(static_cast<uint32_t>(offset));
    if (mode == 2) int32(offset);
  }

 private:
  static constexpr uint32_t kNoIndex = 4, kNoBase = 5;  ///< what these registers would be means something else

  template <typename Integer>
  void put(Integer value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void rex(bool is_wide, uint32_t reg, uint32_t index, uint32_t base) {
    const uint32_t bits = (is_wide ? 8 : 0) | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
    if (bits != 0) byte(0x40 | bits);
  }
  void opcode(uint32_t code) {
    if (code > 0xFF) byte(code >> 8);
    byte(code);
  }
  void modrm(uint32_t mode, uint32_t reg, uint32_t other) { byte(mode << 6 | (reg & 7) << 3 | (other & 7)); }

  uint8_t* at_;
};

}  // namespace mangata::jit
