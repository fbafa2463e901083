// asmjit's assembler, with a short way for what compiled code mostly consists of.
//
// [DESIGN] asmjit encodes any instruction from tables, in 50 to 100 nanoseconds, more where its code and tables are not in the caches, as
// in a program that has just begun; that was half of the time of the baseline compiler. Nine tenths of the instructions that compilers
// here emit are moves, integer arithmetic, comparisons and jumps to labels, with operands of 32 or 64 bits. Those are encoded here;
// everything else, and what is not as expected (options, other registers, a full buffer), goes to asmjit. The bytes are the same.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>

namespace mangata::jit {

class Assembler final : public asmjit::x86::Assembler {
 public:
  /// What all instructions come by.
  asmjit::Error _emit(asmjit::InstId id, const asmjit::Operand_& first, const asmjit::Operand_& second, const asmjit::Operand_& third,
                      const asmjit::Operand_* others) override;

 private:
  bool is_plain() const;
  bool encode(asmjit::InstId id, const asmjit::Operand_& first, const asmjit::Operand_& second);
  bool jump(uint32_t code, const asmjit::Operand_& target);
  void end_at(uint8_t* end);
};

}  // namespace mangata::jit
