// string.pack, string.packsize and string.unpack (Lua 5.4 manual §6.4.2). Read next: pack_format.h.
#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>

#include "runtime/lib/pack_format.h"
#include "runtime/lib/string_builder.h"
#include "runtime/lib/string_library.h"

namespace mangata {

namespace {

constexpr size_t kIntegerSize = sizeof(int64_t);
constexpr size_t kMaxPackSize = INT_MAX;

/// The byte with weight 256^i in a number of `size` bytes.
size_t byte_index(size_t i, size_t size, bool little_endian) { return little_endian ? i : size - 1 - i; }

bool is_native(bool little_endian) { return little_endian == (std::endian::native == std::endian::little); }

/// An integer whose bytes are the first ones of a machine word.
bool begins_a_word(size_t size, bool little_endian) {
  return size <= kIntegerSize && little_endian && is_native(little_endian);
}

/// The number of at most 8 bytes that begins there.
uint64_t read_little_endian(const char* data, size_t size) {
  uint64_t value = 0;
  switch (size) {
    case 8:
      std::memcpy(&value, data, 8);
      break;
    case 4:
      std::memcpy(&value, data, 4);
      break;
    case 2:
      std::memcpy(&value, data, 2);
      break;
    default:
      std::memcpy(&value, data, size);
  }
  return value;
}

/// `size` may exceed 8: the rest is sign extension.
void append_integer(StringBuilder& out, uint64_t value, bool negative, size_t size, bool little_endian) {
  char* bytes = out.reserve(std::max(size, kIntegerSize));
  if (bytes == nullptr) return;
  if (begins_a_word(size, little_endian)) {
    std::memcpy(bytes, &value, kIntegerSize);  // what is too much is overwritten by what comes behind it
    return out.advance(size);
  }
  for (size_t i = 0; i < size; ++i) {
    const uint64_t byte = i < kIntegerSize ? value >> (8 * i) : negative ? 0xff
                                                                         : 0;
    bytes[byte_index(i, size, little_endian)] = static_cast<char>(byte);
  }
  out.advance(size);
}

template <typename Number>
void append_float(StringBuilder& out, Number number, bool little_endian) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  if (!is_native(little_endian)) std::reverse(bytes, bytes + sizeof(Number));
  out.append(bytes, sizeof(Number));
}

template <typename Number>
Value read_float(const char* data, bool little_endian) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, data, sizeof(Number));
  if (!is_native(little_endian)) std::reverse(bytes, bytes + sizeof(Number));
  Number number;
  std::memcpy(&number, bytes, sizeof(Number));
  return Value::number(static_cast<double>(number));
}

Result<int64_t> read_integer(Call& call, const char* data, size_t size, bool little_endian, bool is_signed) {
  uint64_t value = 0;
  const size_t low_bytes = size < kIntegerSize ? size : kIntegerSize;
  if (begins_a_word(size, little_endian)) {
    value = read_little_endian(data, size);
  } else {
    for (size_t i = low_bytes; i-- > 0;) {
      value = value << 8 | static_cast<unsigned char>(data[byte_index(i, size, little_endian)]);
    }
  }
  if (size < kIntegerSize) {
    if (is_signed) {
      const uint64_t sign_bit = static_cast<uint64_t>(1) << (size * 8 - 1);
      value = (value ^ sign_bit) - sign_bit;
    }
    return static_cast<int64_t>(value);
  }
  const unsigned char extension = is_signed && static_cast<int64_t>(value) < 0 ? 0xff : 0;
  for (size_t i = low_bytes; i < size; ++i) {
    if (static_cast<unsigned char>(data[byte_index(i, size, little_endian)]) != extension) {
      return call.errorf("%d-byte integer does not fit into Lua Integer", static_cast<int>(size));
    }
  }
  return static_cast<int64_t>(value);
}

Status pack_integer(Call& call, StringBuilder& out, const PackItem& item, int argument, bool little_endian) {
  const int64_t value = TRY(call.check_integer(argument));
  const bool is_signed = item.kind == PackKind::Signed;
  if (item.size < kIntegerSize) {
    const int bits = static_cast<int>(item.size) * 8;
    if (is_signed) {
      const int64_t limit = static_cast<int64_t>(1) << (bits - 1);
      if (value < -limit || value >= limit) return call.bad_argument(argument, "integer overflow");
    } else if (static_cast<uint64_t>(value) >> bits != 0) {
      return call.bad_argument(argument, "unsigned overflow");
    }
  }
  append_integer(out, static_cast<uint64_t>(value), is_signed && value < 0, item.size, little_endian);
  return {};
}

Status pack_string(Call& call, StringBuilder& out, const PackItem& item, int argument, bool little_endian) {
  const std::string_view text = TRY(call.check_view(argument));
  switch (item.kind) {
    case PackKind::FixedString:
      if (text.size() > item.size) return call.bad_argument(argument, "string longer than given size");
      out.append(text);
      out.append(item.size - text.size(), PackFormat::kPaddingByte);
      return {};
    case PackKind::SizedString:
      if (item.size < sizeof(size_t) && text.size() >> (item.size * 8) != 0) {
        return call.bad_argument(argument, "string length does not fit in given size");
      }
      append_integer(out, text.size(), false, item.size, little_endian);
      out.append(text);
      return {};
    default:
      if (text.find('\0') != std::string_view::npos)
        return call.bad_argument(argument, "string contains zeros");
      out.append(text);
      out.append('\0');
      return {};
  }
}

Status pack_item(Call& call, StringBuilder& out, const PackItem& item, int* argument, bool little_endian) {
  switch (item.kind) {
    case PackKind::Signed:
    case PackKind::Unsigned:
      return pack_integer(call, out, item, ++*argument, little_endian);
    case PackKind::Float:
      append_float(out, static_cast<float>(TRY(call.check_number(++*argument))), little_endian);
      return {};
    case PackKind::Double:
      append_float(out, TRY(call.check_number(++*argument)), little_endian);
      return {};
    case PackKind::FixedString:
    case PackKind::SizedString:
    case PackKind::ZeroString:
      return pack_string(call, out, item, ++*argument, little_endian);
    case PackKind::Padding:
      out.append(PackFormat::kPaddingByte);
      return {};
    case PackKind::Alignment:
    case PackKind::Nothing:
      return {};
  }
  return {};
}

struct Unpacked {
  Value value;
  size_t bytes;  ///< of data read
};

/// Reads one value-bearing item at `position`, where at least item.size bytes are left.
Result<Unpacked> unpack_item(Call& call, const PackItem& item, std::string_view data, size_t position,
                             bool little_endian) {
  const char* bytes = data.data() + position;
  switch (item.kind) {
    case PackKind::Signed:
    case PackKind::Unsigned: {
      const bool is_signed = item.kind == PackKind::Signed;
      return Unpacked {
        Value::integer(TRY(read_integer(call, bytes, item.size, little_endian, is_signed))), item.size
      };
    }
    case PackKind::Float:
      return Unpacked{read_float<float>(bytes, little_endian), item.size};
    case PackKind::Double:
      return Unpacked{read_float<double>(bytes, little_endian), item.size};
    case PackKind::FixedString:
      return Unpacked { Value::string(TRY(call.vm().new_string({bytes, item.size}))), item.size };
    case PackKind::SizedString: {
      const auto length =
          static_cast<size_t>(TRY(read_integer(call, bytes, item.size, little_endian, false)));
      if (length > data.size() - position - item.size) return call.bad_argument(1, "data string too short");
      return Unpacked {
        Value::string(TRY(call.vm().new_string({bytes + item.size, length}))), item.size + length
      };
    }
    default: {
      const size_t end = data.find('\0', position);
      if (end == std::string_view::npos) return call.bad_argument(1, "unfinished string for format 'z'");
      const std::string_view text = data.substr(position, end - position);
      return Unpacked { Value::string(TRY(call.vm().new_string(text))), text.size() + 1 };
    }
  }
}

}  // namespace

Result<int> string_pack(Call& call) {
  PackFormat format(call, TRY(call.check_view(0)));
  StringBuilder out(call.vm());
  int argument = 0;
  call.push(Value::nil());  // the first missing argument counts as nil, as in Lua 5.4
  while (!format.at_end()) {
    TRY(format.next(out.size()));
    const PackItem& item = format.item();
    out.append(item.padding, PackFormat::kPaddingByte);
    TRY(pack_item(call, out, item, &argument, format.little_endian()));
  }
  return call.ret(Value::string(TRY(out.finish())));
}

Result<int> string_packsize(Call& call) {
  PackFormat format(call, TRY(call.check_view(0)));
  size_t total = 0;
  while (!format.at_end()) {
    TRY(format.next(total));
    const PackItem& item = format.item();
    if (item.kind == PackKind::SizedString || item.kind == PackKind::ZeroString) {
      return call.bad_argument(0, "variable-length format");
    }
    const size_t size = item.padding + item.size;
    if (total > kMaxPackSize - size) return call.bad_argument(0, "format result too large");
    total += size;
  }
  return call.ret(Value::integer(static_cast<int64_t>(total)));
}

Result<int> string_unpack(Call& call) {
  PackFormat format(call, TRY(call.check_view(0)));
  const std::string_view data = TRY(call.check_view(1));
  size_t position = start_position(TRY(call.optional_integer(2, 1)), data.size()) - 1;
  if (position > data.size()) return call.bad_argument(2, "initial position out of string");
  int count = 0;
  while (!format.at_end()) {
    TRY(format.next(position));
    const PackItem& item = format.item();
    if (item.padding + item.size > data.size() - position)
      return call.bad_argument(1, "data string too short");
    position += item.padding;
    if (count % kMinimumNativeSlots == 0 && !call.make_room(kMinimumNativeSlots + 1))
      return call.error("stack overflow (too many results)");
    if (item.kind == PackKind::Padding || item.kind == PackKind::Alignment ||
        item.kind == PackKind::Nothing) {
      position += item.size;
      continue;
    }
    const Unpacked unpacked = TRY(unpack_item(call, item, data, position, format.little_endian()));
    call.push(unpacked.value);
    ++count;
    position += unpacked.bytes;
  }
  call.push(Value::integer(static_cast<int64_t>(position) + 1));
  return count + 1;
}

}  // namespace mangata
