// See long_numeral.h. A long numeral becomes a short one with the same value: no double depends on more than its first 767
// significant digits and on whether all others are zero; zeros before them are an exponent.
#include "vm/operations/long_numeral.h"

#include <algorithm>
#include <charconv>

#include "vm/operations/numeral_characters.h"
#include "vm/poll.h"

namespace mangata {
namespace {

/// The value of a digit, or -1.
int digit_value(char c, bool hexadecimal) {
  return hexadecimal || is_digit(c) ? hex_value(c) : -1;
}

/// Counts what is read, and polls.
class PolledBytes {
 public:
  explicit PolledBytes(Vm& vm) : steps_(vm) {}
  Status read_one() { return steps_.add(); }

 private:
  PolledSteps steps_;
};

class LongNumeral {
 public:
  /// `text` without surrounding space.
  LongNumeral(Vm& vm, std::string_view text) : bytes_(vm), at_(text.data()), end_(at_ + text.size()) {}

  /// The number, or nil: no numeral.
  Result<Value> read() {
    read_sign_and_base();
    TRY(read_mantissa());
    if (!has_digits_) return Value::nil();
    const bool has_exponent = at_ < end_ && (*at_ | 0x20) == (hexadecimal_ ? 'p' : 'e');
    if (has_exponent && !TRY(read_exponent())) return Value::nil();
    if (at_ != end_) return Value::nil();
    if (has_point_ || has_exponent) return shortened(true);
    if (hexadecimal_) return Value::integer(static_cast<int64_t>(negative_ ? 0 - wrapped_ : wrapped_));
    return shortened(order_ != 0);
  }

 private:
  static constexpr int kMostDigits = 800;
  /// Beyond all doubles, whatever the digits.
  static constexpr int64_t kHugeExponent = 1'000'000;

  Status next() {
    ++at_;
    return bytes_.read_one();
  }

  void read_sign_and_base() {
    if (at_ < end_ && (*at_ == '-' || *at_ == '+')) negative_ = *at_++ == '-';
    hexadecimal_ = end_ - at_ >= 2 && at_[0] == '0' && (at_[1] | 0x20) == 'x';
    if (hexadecimal_) at_ += 2;
  }

  Status read_mantissa() {
    for (; at_ < end_; TRY(next())) {
      if (*at_ == '.' && !has_point_) {
        has_point_ = true;
        continue;
      }
      const int digit = digit_value(*at_, hexadecimal_);
      if (digit < 0) break;
      has_digits_ = true;
      wrapped_ = wrapped_ * 16 + static_cast<uint64_t>(digit);
      const bool is_significant = count_ != 0 || digit != 0;
      const bool is_kept = is_significant && count_ < kMostDigits;
      if (is_kept) digits_[count_++] = *at_;
      if (has_point_ && (is_kept || !is_significant)) --order_;
      if (is_significant && !is_kept) {
        if (!has_point_) ++order_;
        rest_is_zero_ = rest_is_zero_ && digit == 0;
      }
    }
    return {};
  }

  /// From its letter on. False: without digits.
  Result<bool> read_exponent() {
    ++at_;
    const bool is_negative = at_ < end_ && *at_ == '-';
    if (at_ < end_ && (*at_ == '-' || *at_ == '+')) ++at_;
    if (at_ == end_ || !is_digit(*at_)) return false;
    constexpr int64_t kSafeToAdd = int64_t{1} << 56;  // and beyond any number of digits
    int64_t exponent = 0;
    for (; at_ < end_ && is_digit(*at_); TRY(next())) {
      if (exponent < kSafeToAdd) exponent = exponent * 10 + (*at_ - '0');
    }
    exponent_ = is_negative ? -exponent : exponent;
    return true;
  }

  Value shortened(bool needs_exponent) {
    char text[kMostDigits + 32];
    char* to = text;
    if (negative_) *to++ = '-';
    if (hexadecimal_) to = std::copy_n("0x", 2, to);
    if (count_ == 0) {
      *to++ = '0';
      order_ = exponent_ = 0;
    }
    to = std::copy_n(digits_, count_, to);
    if (!rest_is_zero_) {
      *to++ = '1';
      --order_;
    }
    if (needs_exponent || !rest_is_zero_) {
      const int64_t exponent = order_ * (hexadecimal_ ? 4 : 1) + exponent_;
      *to++ = hexadecimal_ ? 'p' : 'e';
      to = std::to_chars(to, text + sizeof text, std::clamp(exponent, -kHugeExponent, kHugeExponent)).ptr;
    }
    return string_to_number({text, static_cast<size_t>(to - text)});
  }

  PolledBytes bytes_;
  const char* at_;
  const char* const end_;
  bool negative_ = false;
  bool hexadecimal_ = false;
  bool has_point_ = false;
  bool has_digits_ = false;
  bool rest_is_zero_ = true;  ///< of the significant digits that are not in digits_
  int count_ = 0;
  char digits_[kMostDigits];  ///< the first significant ones
  uint64_t wrapped_ = 0;      ///< a hexadecimal integer (manual §3.1)
  int64_t order_ = 0;         ///< digits_ are to be shifted left by so many digits
  int64_t exponent_ = 0;
};

}  // namespace

Result<std::string_view> without_space(Vm& vm, std::string_view text) {
  PolledBytes bytes(vm);
  size_t begin = 0, end = text.size();
  for (; begin < end && is_space(text[begin]); ++begin) TRY(bytes.read_one());
  for (; end > begin && is_space(text[end - 1]); --end) TRY(bytes.read_one());
  return text.substr(begin, end - begin);
}

Result<Value> long_string_to_number(Vm& vm, std::string_view text) {
  return LongNumeral(vm, TRY(without_space(vm, text))).read();
}

}  // namespace mangata
