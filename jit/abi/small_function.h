// Which functions get no optimized code of their own: who makes regions, and who counts calls to find out where, agree on it.
#pragma once

#include <algorithm>

#include "vm/bytecode/opcode_facts.h"
#include "vm/bytecode/proto.h"

namespace mangata::jit {

/// It neither calls others nor goes back, and is not worth a call of optimized code: it is optimized where it is called.
inline bool is_too_small(const Proto& proto) {
  constexpr size_t kLeastOfLeaf = 12;  // bytecodes
  const auto goes_on = [](const Instruction& in) { return is_backedge(in) || family_of(in.op) == OpcodeFamily::Call; };
  return proto.original_code.size() < kLeastOfLeaf && std::none_of(proto.original_code.begin(), proto.original_code.end(), goes_on);
}

}  // namespace mangata::jit
