// string.dump: a prototype as a binary chunk.
#include "vm/bytecode/chunk_format.h"
#include "vm/bytecode/proto.h"
#include "vm/object/string.h"

namespace mangata {
namespace {

class ChunkWriter {
 public:
  explicit ChunkWriter(bool strip) : strip_(strip) {}

  std::string bytes;

  template <typename Unsigned>
  void fixed(Unsigned value) {
    for (size_t i = 0; i < sizeof value; i++) bytes.push_back(static_cast<char>(value >> (8 * i)));
  }

  void function(const Proto& proto, const String* outer_source) {
    string(strip_ || proto.source == outer_source ? nullptr : proto.source);
    number(static_cast<uint64_t>(proto.line_defined));
    number(static_cast<uint64_t>(proto.last_line_defined));
    fixed(proto.parameter_count);
    fixed(static_cast<uint8_t>(proto.is_vararg));
    fixed(proto.max_stack_slots);
    number(proto.caches.size());
    number(proto.original_code.size());
    for (const Instruction& instruction : proto.original_code) code(instruction);
    number(proto.constants.size());
    for (const Value& value : proto.constants) constant(value);
    number(proto.upvalues.size());
    for (const UpvalueDescription& upvalue : proto.upvalues) {
      string(strip_ ? nullptr : upvalue.name);
      fixed(static_cast<uint8_t>(upvalue.from_parent_register));
      fixed(upvalue.index);
      fixed(upvalue.kind);
    }
    number(proto.nested.size());
    for (const Proto* nested : proto.nested) function(*nested, proto.source);
    debug_information(proto);
  }

 private:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
  }

  void string(const String* text) {
    if (text == nullptr) return number(0);
    number(text->length + 1);
    bytes.append(text->view());
  }

  void code(const Instruction& instruction) {
    fixed(static_cast<uint8_t>(instruction.op));
    fixed(instruction.a);
    fixed(instruction.b);
    fixed(static_cast<uint32_t>(instruction.imm));
  }

  void constant(const Value& value) {
    switch (value.tag) {
      case Tag::False:
        return fixed(static_cast<uint8_t>(ConstantTag::False));
      case Tag::True:
        return fixed(static_cast<uint8_t>(ConstantTag::True));
      case Tag::Integer:
        fixed(static_cast<uint8_t>(ConstantTag::Integer));
        return fixed(value.payload);
      case Tag::Float:
        fixed(static_cast<uint8_t>(ConstantTag::Float));
        return fixed(value.payload);
      case Tag::String:
        fixed(static_cast<uint8_t>(ConstantTag::String));
        return string(value.as_string());
      default:
        return fixed(static_cast<uint8_t>(ConstantTag::Nil));
    }
  }

  void debug_information(const Proto& proto) {
    if (strip_) {
      number(0);
      number(0);
      return;
    }
    number(proto.lines.size());
    int32_t previous = proto.line_defined;
    for (const int32_t line : proto.lines) {
      number(zigzag(static_cast<int64_t>(line) - previous));
      previous = line;
    }
    number(proto.locals.size());
    for (const LocalVariable& local : proto.locals) {
      string(local.name);
      number(static_cast<uint64_t>(local.start_pc));
      number(static_cast<uint64_t>(local.end_pc));
    }
  }

  const bool strip_;
};

}  // namespace

std::string dump_chunk(const Proto& proto, bool strip) {
  ChunkWriter payload(strip);
  payload.function(proto, nullptr);
  ChunkWriter chunk(strip);
  chunk.bytes = kChunkSignature;
  chunk.fixed(kChunkVersion);
  chunk.fixed(static_cast<uint64_t>(payload.bytes.size()));
  chunk.fixed(chunk_checksum(payload.bytes));
  return chunk.bytes + payload.bytes;
}

}  // namespace mangata
