// The layout of binary chunks, shared by the writer and the reader.
//
//     signature 47 | version 1 | payload size 8 | checksum of the payload 4 | payload: one function
//
// Integers of fixed size are little-endian; others are unsigned, seven bits per byte, lowest first, the high
// bit set on all bytes but the last. A string is its length + 1 and its bytes; 0 is no string. A function is,
// in this order: source name (none: that of the enclosing function), first and last line, parameter count,
// is-vararg, register count, cache count, code, constants, upvalues, nested functions, lines (differences),
// local variables. Lists begin with their length.
#pragma once

#include <cstdint>
#include <string_view>

#include "vm/bytecode/chunk.h"

namespace mangata {

/// Moves on with every change of the layout or of opcodes.def.
inline constexpr uint8_t kChunkVersion = 1;
inline constexpr size_t kChunkHeaderBytes = kChunkSignature.size() + 1 + 8 + 4;

/// How a constant is tagged in a chunk.
enum class ConstantTag : uint8_t {
  Nil,
  False,
  True,
  Integer,
  Float,
  String
};

/// FNV-1a, 32 bits: against damage, not against malice; the verifier is for that.
inline uint32_t chunk_checksum(std::string_view payload) {
  uint32_t hash = 0x811c9dc5u;
  for (const char c : payload) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hash;
}

/// Differences of lines are signed: they alternate 0, -1, 1, -2, 2, ...
inline uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace mangata
