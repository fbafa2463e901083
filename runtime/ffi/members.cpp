// Members of records, bit-fields among them; see convert.h.
#include "runtime/ffi/convert.h"

namespace mangata::ffi {
namespace {

/// The bytes that a bit-field is in, and its place among their bits; no other byte is touched.
struct BitRange {
  explicit BitRange(const Field& field, char* record)
      : first(record + field.offset + field.bit_offset / 8),
        shift(field.bit_offset % 8),
        bytes((shift + field.bit_width + 7) / 8) {}
  char* first;
  uint32_t shift;
  uint32_t bytes;
};

}  // namespace

Value load_field(State& state, const Field& field, char* record, Value owner) {
  if (!field.is_bit_field()) return to_lua(state, field.type, record + field.offset, owner);
  const BitRange range(field, record);
  unsigned __int128 word = 0;
  __builtin_memcpy(&word, range.first, range.bytes);
  const auto high = static_cast<uint64_t>(word >> range.shift) << (64 - field.bit_width);
  const CType& type = state.types[field.type];
  const uint32_t unused = 64 - field.bit_width;
  const int64_t value =
      type.is_unsigned ? static_cast<int64_t>(high >> unused) : static_cast<int64_t>(high) >> unused;
  if (type.kind == TypeKind::Bool) return Value::boolean(value != 0);
  if (type.kind != TypeKind::Enum) return Value::integer(value);
  int64_t copy = value;
  return to_lua(state, field.type, reinterpret_cast<char*>(&copy), Value::nil());
}

bool store_field(State& state, const Field& field, char* record, uint64_t record_bytes, const Value& value,
                 std::string* problem) {
  if (!field.is_bit_field()) {
    uint64_t bytes = state.types.size_of(field.type);
    if (bytes == kUnknownSize) bytes = record_bytes - field.offset;  // an array at the end of the record
    return from_lua(state, field.type, record + field.offset, bytes, value, Mode::Assign, problem);
  }
  int64_t integer = 0;
  if (!from_lua(state, field.type, reinterpret_cast<char*>(&integer), sizeof(integer), value, Mode::Assign,
                problem))
    return false;
  const BitRange range(field, record);
  const unsigned __int128 mask = ((static_cast<unsigned __int128>(1) << field.bit_width) - 1) << range.shift;
  unsigned __int128 word = 0;
  __builtin_memcpy(&word, range.first, range.bytes);
  word =
      (word & ~mask) | (static_cast<unsigned __int128>(static_cast<uint64_t>(integer)) << range.shift & mask);
  __builtin_memcpy(range.first, &word, range.bytes);
  return true;
}

}  // namespace mangata::ffi
