// load of a binary chunk: reading, then verification, and only then a prototype that may run.
//
// Invariant: nothing in a chunk is believed. Every list is bounded by the bytes that are left, every enum by
// its table; what operands mean is for the verifier (vm/bytecode/verifier.h).
#include "vm/bytecode/chunk_format.h"
#include "vm/bytecode/proto.h"
#include "vm/bytecode/proto_lifecycle.h"
#include "vm/bytecode/verifier.h"
#include "vm/object/string.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

constexpr int kMaxNesting = 200;

/// Reads the payload. The first problem is remembered and ends the reading: afterwards everything reads as
/// zero.
class ChunkReader {
 public:
  ChunkReader(Vm& vm, std::string_view bytes) : vm_(vm), bytes_(bytes) {}

  /// Null, or what is wrong with the chunk.
  const char* problem() const { return problem_; }
  /// An error of the machine ("not enough memory") is pending in it.
  bool raised() const { return raised_; }

  template <typename Unsigned>
  Unsigned fixed() {
    Unsigned value = 0;
    const std::string_view piece = take(sizeof value);
    for (size_t i = 0; i < piece.size(); i++) {
      value |= static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(piece[i])) << (8 * i));
    }
    return value;
  }

  Proto* function(String* outer_source, int depth) {
    Proto* const proto = vm_.new_proto();
    if (depth > kMaxNesting) fail("functions nested too deeply");
    String* const source = string();
    proto->source = source != nullptr ? source : outer_source;
    proto->line_defined = static_cast<int32_t>(number(INT32_MAX));
    proto->last_line_defined = static_cast<int32_t>(number(INT32_MAX));
    proto->parameter_count = fixed<uint8_t>();
    proto->is_vararg = fixed<uint8_t>() != 0;
    proto->max_stack_slots = fixed<uint8_t>();
    const size_t cache_count = number(kMaxInlineCaches);
    proto->original_code.resize(count(sizeof(Instruction)));
    if (cache_count > proto->original_code.size()) fail("more inline caches than instructions");
    proto->caches.resize(std::min(cache_count, proto->original_code.size()));
    for (Instruction& instruction : proto->original_code) instruction = code();
    proto->constants.resize(count(1), Value::nil());
    for (Value& value : proto->constants) value = constant();
    proto->upvalues.resize(count(4));
    for (UpvalueDescription& upvalue : proto->upvalues) {
      upvalue.name = string();
      upvalue.from_parent_register = fixed<uint8_t>() != 0;
      upvalue.index = fixed<uint8_t>();
      upvalue.kind = fixed<uint8_t>();
    }
    for (size_t remaining = count(1); remaining > 0 && problem_ == nullptr; remaining--) {
      proto->nested.push_back(function(proto->source, depth + 1));
    }
    debug_information(*proto);
    return proto;
  }

 private:
  void fail(const char* problem) {
    if (problem_ == nullptr) problem_ = problem;
    bytes_ = {};
  }

  std::string_view take(size_t size) {
    if (size > bytes_.size()) {
      fail("truncated chunk");
      return {};
    }
    const std::string_view piece = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return piece;
  }

  uint64_t number(uint64_t limit = UINT64_MAX) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = fixed<uint8_t>();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0) continue;
      if (value > limit) break;
      return value;
    }
    fail("number out of range");
    return 0;
  }

  /// The length of a list whose items take at least `item_bytes` each.
  size_t count(size_t item_bytes) { return number(bytes_.size() / item_bytes); }

  String* string() {
    const size_t size = number(bytes_.size());
    if (size == 0) return nullptr;
    const Result<String*> text = vm_.new_string(take(size - 1));
    if (text) return text.value();
    raised_ = true;
    fail("not enough memory");
    return nullptr;
  }

  Instruction code() {
    const uint8_t op = fixed<uint8_t>();
    if (op >= kOpcodeCount) fail("unknown opcode");
    const uint8_t a = fixed<uint8_t>();
    const uint16_t b = fixed<uint16_t>();
    const auto imm = static_cast<int32_t>(fixed<uint32_t>());
    return Instruction::abi(op < kOpcodeCount ? static_cast<Opcode>(op) : Opcode::Return0, a, b, imm);
  }

  Value constant() {
    switch (static_cast<ConstantTag>(fixed<uint8_t>())) {
      case ConstantTag::Nil:
        return Value::nil();
      case ConstantTag::False:
        return Value::boolean(false);
      case ConstantTag::True:
        return Value::boolean(true);
      case ConstantTag::Integer:
        return {fixed<uint64_t>(), Tag::Integer};
      case ConstantTag::Float:
        return {fixed<uint64_t>(), Tag::Float};
      case ConstantTag::String:
        if (String* const text = string()) return Value::string(text);
        break;
    }
    fail("invalid constant");
    return Value::nil();
  }

  void debug_information(Proto& proto) {
    proto.lines.resize(count(1));
    int64_t line = proto.line_defined;
    for (int32_t& stored : proto.lines) {
      line += unzigzag(number());
      if (line < 0 || line > INT32_MAX) {
        fail("line out of range");
        line = 0;
      }
      stored = static_cast<int32_t>(line);
    }
    proto.locals.resize(count(3));
    for (LocalVariable& local : proto.locals) {
      local.name = string();
      local.start_pc = static_cast<int32_t>(number(INT32_MAX));
      local.end_pc = static_cast<int32_t>(number(INT32_MAX));
    }
  }

  Vm& vm_;
  std::string_view bytes_;
  const char* problem_ = nullptr;
  bool raised_ = false;
};

Raised bad_chunk(Vm& vm, std::string_view chunk_name, std::string_view why) {
  if (!chunk_name.empty() && (chunk_name[0] == '@' || chunk_name[0] == '=')) {
    chunk_name.remove_prefix(1);
  } else if (!chunk_name.empty() && chunk_name[0] == kChunkSignature[0]) {
    chunk_name = "binary string";
  }
  return raise_plain(vm, std::string(chunk_name) + ": bad binary format (" + std::string(why) + ")");
}

/// The payload of a chunk, or null and the problem.
const char* open_chunk(std::string_view bytes, std::string_view* payload) {
  const std::string_view signature = bytes.substr(0, kChunkSignature.size());
  if (signature != kChunkSignature.substr(0, signature.size())) return "not a binary chunk";
  if (bytes.size() > kChunkSignature.size() &&
      static_cast<uint8_t>(bytes[kChunkSignature.size()]) != kChunkVersion) {
    return "version mismatch";
  }
  if (bytes.size() < kChunkHeaderBytes) return "truncated chunk";
  uint64_t size = 0;
  uint32_t checksum = 0;
  const char* const fields = bytes.data() + kChunkSignature.size() + 1;
  for (int i = 0; i < 8; i++) size |= static_cast<uint64_t>(static_cast<unsigned char>(fields[i])) << (8 * i);
  for (int i = 0; i < 4; i++)
    checksum |= static_cast<uint32_t>(static_cast<unsigned char>(fields[8 + i])) << (8 * i);
  bytes.remove_prefix(kChunkHeaderBytes);
  if (size > bytes.size()) return "truncated chunk";
  *payload = bytes.substr(0, size);
  return checksum == chunk_checksum(*payload) ? nullptr : "checksum mismatch";
}

void complete_all(Vm& vm, Proto& proto) {
  for (Proto* nested : proto.nested) complete_all(vm, *nested);
  complete_proto(vm, proto);
}

}  // namespace

Result<Proto*> load_chunk(Vm& vm, std::string_view bytes, std::string_view chunk_name) {
  std::string_view payload;
  if (const char* problem = open_chunk(bytes, &payload)) return bad_chunk(vm, chunk_name, problem);
  ChunkReader reader(vm, payload);
  Proto* const proto = reader.function(nullptr, 0);
  if (reader.raised()) return Raised{};
  if (reader.problem() != nullptr) return bad_chunk(vm, chunk_name, reader.problem());
  VerifierSteps steps(vm);
  const std::string problem = verify(*proto, &steps);
  if (steps.stopped()) return Raised{};
  if (!problem.empty()) return bad_chunk(vm, chunk_name, problem);
  complete_all(vm, *proto);
  TRY(announce_proto(vm, *proto));
  return proto;
}

}  // namespace mangata
