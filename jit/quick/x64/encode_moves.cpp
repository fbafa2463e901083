#include "jit/quick/x64/encoder.h"

namespace mangata::jit::quick::x64 {

namespace x86 = asmjit::x86;
using Kind = Location::Kind;

x86::Mem Encoder::slot(ValueIndex value) const {
  return x86::qword_ptr(x86::rsp, static_cast<int32_t>(selected_.argument_bytes + 8 * code_.values[value].slot));
}

void Encoder::move_register(Register from, Register to) {
  if (to < 16) {
    a_.mov(word(to), word(from));
  } else {
    a_.vmovapd(xmm(to), xmm(from));
  }
}

void Encoder::load_constant(uint64_t bits, Register to) {
  if (to >= 16) {
    if (bits == 0) {
      a_.vxorpd(xmm(to), xmm(to), xmm(to));
    } else {
      a_.vmovsd(xmm(to), pool_.of(bits));
    }
  } else if (bits == 0) {
    a_.xor_(half(to), half(to));
  } else if (bits <= 0xffffffff) {
    a_.mov(half(to), bits);
  } else {
    a_.mov(word(to), bits);  // with a sign-extended immediate where it fits
  }
}

void Encoder::move(const Move& move) {
  const Location& from = move.from;
  const Location& to = move.to;
  const Xmm scratch = xmm(kMachine.float_scratch);
  if (move.is_exchange) {
    if (to.reg < 16) {
      a_.xchg(word(to.reg), word(from.reg));
      return;
    }
    a_.vmovapd(scratch, xmm(to.reg));
    a_.vmovapd(xmm(to.reg), xmm(from.reg));
    a_.vmovapd(xmm(from.reg), scratch);
    return;
  }
  if (to.kind == Kind::Register) {
    if (from.kind == Kind::Register) return move_register(from.reg, to.reg);
    if (from.kind == Kind::Constant) return load_constant(code_.values[from.value].bits, to.reg);
    if (to.reg < 16) {
      a_.mov(word(to.reg), slot(from.value));
    } else {
      a_.vmovsd(xmm(to.reg), slot(from.value));
    }
    return;
  }
  if (from.kind == Kind::Register) {
    if (from.reg < 16) {
      a_.mov(slot(to.value), word(from.reg));
    } else {
      a_.vmovsd(slot(to.value), xmm(from.reg));
    }
    return;
  }
  if (from.kind == Kind::Constant) {
    const auto bits = static_cast<int64_t>(code_.values[from.value].bits);
    if (bits == static_cast<int32_t>(bits)) {
      a_.mov(slot(to.value), static_cast<int32_t>(bits));
      return;
    }
    a_.vmovsd(scratch, pool_.of(static_cast<uint64_t>(bits)));
  } else {
    a_.vmovsd(scratch, slot(from.value));
  }
  a_.vmovsd(slot(to.value), scratch);
}

}  // namespace mangata::jit::quick::x64
