#include "profiler/content_hash.h"

#include <cstring>

#include "vm/bytecode/proto.h"
#include "vm/object/hash_part.h"
#include "vm/object/string.h"

namespace mangata {
namespace {

/// 64-bit FNV-1a over words, with a final mix.
class Hasher {
 public:
  void add(uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001B3u;
    state_ ^= state_ >> 29;
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<uint64_t>(static_cast<unsigned char>(c)));
  }
  uint64_t result() const {
    uint64_t hash = state_;
    hash = (hash ^ (hash >> 32)) * kHashMultiplier;
    return hash ^ (hash >> 29);
  }

 private:
  uint64_t state_ = 0xCBF29CE484222325u;
};

void add_constant(Hasher& hasher, const Value& constant) {
  hasher.add(static_cast<uint64_t>(constant.tag));
  if (constant.is_string()) {
    hasher.add(constant.as_string()->view());
  } else {
    hasher.add(constant.payload);
  }
}

}  // namespace

uint64_t content_hash(const Proto& proto) {
  Hasher hasher;
  hasher.add(proto.parameter_count);
  hasher.add(proto.is_vararg ? 1 : 0);
  hasher.add(proto.original_code.size());
  for (const Instruction& instruction : proto.original_code) {
    uint64_t word;
    static_assert(sizeof word == sizeof instruction);
    std::memcpy(&word, &instruction, sizeof word);
    hasher.add(word);
  }
  for (const Value& constant : proto.constants) add_constant(hasher, constant);
  for (const UpvalueDescription& upvalue : proto.upvalues) hasher.add(upvalue.index * 2u + upvalue.from_parent_register);
  return hasher.result();
}

uint64_t place_hash(const Proto& proto, uint64_t content) {
  Hasher hasher;
  hasher.add(content);
  hasher.add(static_cast<uint64_t>(proto.line_defined));
  if (proto.column_defined != 0) hasher.add(static_cast<uint64_t>(proto.column_defined));
  for (const int32_t line : proto.lines) hasher.add(static_cast<uint64_t>(line));
  if (proto.source != nullptr) hasher.add(proto.source->view());
  return hasher.result();
}

}  // namespace mangata
