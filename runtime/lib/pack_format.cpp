// Options of string.pack formats; see pack_format.h.
#include "runtime/lib/pack_format.h"

#include <climits>
#include <cstdint>

#include "vm/poll.h"

namespace mangata {

namespace {

/// What "!" without a number means: the strictest alignment of the machine's basic types.
constexpr size_t kNativeAlignment = alignof(double);

}  // namespace

/// Digits as long as the number stays small enough for a size; what is left over is read as the next option.
size_t PackFormat::read_decimal() {
  constexpr size_t kMaxSize = INT_MAX;
  size_t value = 0;
  do {
    value = value * 10 + static_cast<size_t>(rest_[0] - '0');
    rest_.remove_prefix(1);
  } while (next_is_digit() && value <= (kMaxSize - 9) / 10);
  return value;
}

Result<size_t> PackFormat::read_integer_size(size_t fallback) {
  const size_t size = next_is_digit() ? read_decimal() : fallback;
  if (size > kMaxIntegerSize || size == 0) {
    return call_.errorf("integral size (%d) out of limits [1,%d]", static_cast<int>(size),
                        static_cast<int>(kMaxIntegerSize));
  }
  return size;
}

Status PackFormat::set(PackKind kind, size_t size) {
  item_ = {kind, size, 0};
  return {};
}

/// Its kind and size.
Status PackFormat::read_option() {
  const char letter = rest_[0];
  rest_.remove_prefix(1);
  switch (letter) {
    case 'b':
      return set(PackKind::Signed, sizeof(char));
    case 'B':
      return set(PackKind::Unsigned, sizeof(char));
    case 'h':
      return set(PackKind::Signed, sizeof(short));
    case 'H':
      return set(PackKind::Unsigned, sizeof(short));
    case 'l':
      return set(PackKind::Signed, sizeof(long));
    case 'L':
      return set(PackKind::Unsigned, sizeof(long));
    case 'j':
      return set(PackKind::Signed, sizeof(int64_t));
    case 'J':
      return set(PackKind::Unsigned, sizeof(int64_t));
    case 'T':
      return set(PackKind::Unsigned, sizeof(size_t));
    case 'f':
      return set(PackKind::Float, sizeof(float));
    case 'n':
    case 'd':
      return set(PackKind::Double, sizeof(double));
    case 'i':
      return set(PackKind::Signed, TRY(read_integer_size(sizeof(int))));
    case 'I':
      return set(PackKind::Unsigned, TRY(read_integer_size(sizeof(int))));
    case 's':
      return set(PackKind::SizedString, TRY(read_integer_size(sizeof(size_t))));
    case 'c':
      if (!next_is_digit()) return call_.error("missing size for format option 'c'");
      return set(PackKind::FixedString, read_decimal());
    case 'z':
      return set(PackKind::ZeroString, 0);
    case 'x':
      return set(PackKind::Padding, 1);
    case 'X':
      return set(PackKind::Alignment, 0);
    case ' ':
      break;
    case '<':
      little_endian_ = true;
      break;
    case '>':
      little_endian_ = false;
      break;
    case '=':
      little_endian_ = std::endian::native == std::endian::little;
      break;
    case '!':
      max_alignment_ = TRY(read_integer_size(kNativeAlignment));
      break;
    default:
      return call_.errorf("invalid format option '%c'", letter);
  }
  return set(PackKind::Nothing, 0);
}

Status PackFormat::next(size_t offset) {
  constexpr int64_t kWorkOfItem = 4;
  TRY(steps_.add(kWorkOfItem));
  TRY(read_option());
  size_t alignment = item_.size;
  if (item_.kind == PackKind::Alignment) {
    if (rest_.empty()) return call_.bad_argument(0, "invalid next option for option 'X'");
    TRY(read_option());
    if (item_.kind == PackKind::FixedString || item_.size == 0) {
      return call_.bad_argument(0, "invalid next option for option 'X'");
    }
    alignment = item_.size;
    TRY(set(PackKind::Alignment, 0));
  }
  const PackKind kind = item_.kind;
  const bool has_alignment = kind == PackKind::Signed || kind == PackKind::Unsigned || kind == PackKind::Float ||
                             kind == PackKind::Double || kind == PackKind::SizedString || kind == PackKind::Alignment;
  if (alignment <= 1 || !has_alignment) return {};
  if (alignment > max_alignment_) alignment = max_alignment_;
  if ((alignment & (alignment - 1)) != 0) {
    return call_.bad_argument(0, "format asks for alignment not power of 2");
  }
  item_.padding = (alignment - (offset & (alignment - 1))) & (alignment - 1);
  return {};
}

}  // namespace mangata
