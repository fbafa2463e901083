// Bytes of a file format, appended in order: little-endian numbers, LEB128, strings, and sizes filled in
// afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace mangata {

class ByteWriter {
 public:
  size_t size() const { return bytes_.size(); }
  const uint8_t* data() const { return bytes_.data(); }
  std::vector<uint8_t> take() { return std::move(bytes_); }

  /// the lowest byte
  void u8(uint64_t value) { bytes_.push_back(static_cast<uint8_t>(value)); }
  /// in the byte order of the machine, as the next ones
  void u16(uint16_t value) { raw(&value, sizeof value); }
  void u32(uint32_t value) { raw(&value, sizeof value); }
  void u64(uint64_t value) { raw(&value, sizeof value); }

  /// Any bytes.
  void raw(const void* data, size_t size_bytes) {
    const auto* first = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size_bytes);
  }

  /// The characters and a zero byte.
  void string(std::string_view text) {
    raw(text.data(), text.size());
    u8(0);
  }

  /// DWARF's unsigned numbers of seven bits to a byte.
  void uleb128(uint64_t value) {
    do {
      const uint64_t low = value & 0x7F;
      value >>= 7;
      u8(low | (value != 0 ? 0x80 : 0));
    } while (value != 0);
  }

  /// The same for signed numbers.
  void sleb128(int64_t value) {
    for (bool more = true; more;) {
      const uint64_t low = static_cast<uint64_t>(value) & 0x7F;
      value >>= 7;
      more = !((value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0));
      u8(low | (more ? 0x80 : 0));
    }
  }

  /// Until the size is a multiple of `alignment`.
  void pad_to(size_t alignment, uint8_t filler = 0) {
    while (size() % alignment != 0) u8(filler);
  }

  /// A 32-bit field to be filled by patch_u32 later.
  size_t reserve_u32() {
    u32(0);
    return size() - 4;
  }
  void patch_u32(size_t at, size_t value) {
    const auto number = static_cast<uint32_t>(value);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace mangata
