// The format strings of string.pack and string.unpack, read one option at a time (Lua 5.4 manual §6.4.2).
#pragma once

#include <bit>
#include <cstddef>
#include <string_view>

#include "vm/native.h"
#include "vm/poll.h"

namespace mangata {

enum class PackKind {
  Signed,  ///< integers of 1 to 16 bytes
  Unsigned,
  Float,
  Double,
  FixedString,  ///< "cn"
  SizedString,  ///< "sn": a length of n bytes, then the text
  ZeroString,   ///< "z"
  Padding,      ///< "x": one byte
  Alignment,    ///< "Xop": only the padding before such an option
  Nothing,      ///< spaces, byte order and the like
};

/// One option, laid out at an offset of the data.
struct PackItem {
  PackKind kind;
  size_t size;     ///< bytes of the item; for SizedString those of its length
  size_t padding;  ///< bytes before it
};

class PackFormat {
 public:
  static constexpr size_t kMaxIntegerSize = 16;  ///< bytes, of `i` and `I`
  static constexpr char kPaddingByte = 0;  ///< for alignment and `x`

  PackFormat(Call& call, std::string_view format) : call_(call), rest_(format), steps_(call.vm()) {}

  bool at_end() const { return rest_.empty(); }
  /// Reads the next option and lays it out at `offset`. Raises for malformed options.
  Status next(size_t offset);
  /// The option just read. A reference: copies of what was stored a moment ago, in wider words, wait for the stores.
  const PackItem& item() const { return item_; }
  /// Byte order of the option just read.
  bool little_endian() const { return little_endian_; }

 private:
  Status read_option();
  Status set(PackKind kind, size_t size);
  Result<size_t> read_integer_size(size_t fallback);
  bool next_is_digit() const { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; }
  size_t read_decimal();

  Call& call_;
  std::string_view rest_;
  PolledSteps steps_;
  PackItem item_{PackKind::Nothing, 0, 0};
  bool little_endian_ = std::endian::native == std::endian::little;
  size_t max_alignment_ = 1;
};

}  // namespace mangata
