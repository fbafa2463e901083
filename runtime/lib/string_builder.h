// Building a string of unknown length: an inline buffer first, then growing storage from malloc.
//
// Appending never raises: when storage runs out, or would pass the memory limit of the machine, the builder
// remembers it and finish() raises "not enough memory". The buffer is not garbage collected, so appended text
// needs no rooting.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "vm/object/short_bytes.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"
#include "vm/vm.h"

namespace mangata {

class StringBuilder {
 public:
  explicit StringBuilder(Vm& vm) : vm_(vm) {}
  ~StringBuilder() {
    if (data_ != inline_) std::free(data_);
  }
  StringBuilder(const StringBuilder&) = delete;
  StringBuilder& operator=(const StringBuilder&) = delete;

  /// Out of memory is noted, and told at the end. The same of the next three.
  void append(char c) {
    if (size_ == capacity_) [[unlikely]] {
      if (!grow(1)) return;
    }
    data_[size_++] = c;
  }
  /// Bytes, which may be any.
  void append(const char* text, size_t length) {
    if (capacity_ - size_ < length) [[unlikely]] {
      if (!grow(length)) return;
    }
    copy_bytes(data_ + size_, text, length);
    size_ += length;
  }
  /// The same.
  void append(std::string_view text) { append(text.data(), text.size()); }
  /// `count` times.
  void append(size_t count, char c) {
    if (char* room = reserve(count)) {
      std::memset(room, c, count);
      size_ += count;
    }
  }
  /// As tostring() writes it. Precondition: an integer or float.
  void append_number(Value number) {
    char text[64];
    append(text, static_cast<size_t>(format_number(number, text)));
    charge_number_text(vm_, number);
  }

  /// Room for `length` more bytes, to be filled by the caller and confirmed with advance(); null when there
  /// is none.
  char* reserve(size_t length) {
    if (capacity_ - size_ < length && !grow(length)) return nullptr;
    return data_ + size_;
  }
  void advance(size_t length) { size_ += length; }
  void clear() { size_ = 0; }
  void drop_last() { --size_; }

  size_t size() const { return size_; }
  bool failed() const { return failed_; }
  std::string_view view() const { return {data_, size_}; }

  /// The string, or "not enough memory". Not a safepoint.
  Result<String*> finish() {
    if (failed_) return raise_out_of_memory(vm_);
    return vm_.new_string(view());
  }

 private:
  static constexpr size_t kInlineBytes = 512;
  static constexpr size_t kMaxBytes = static_cast<size_t>(1) << 46;
  /// Growth beyond this is checked against the memory limit.
  static constexpr size_t kUncheckedBytes = static_cast<size_t>(1) << 16;

  bool grow(size_t length) {
    if (failed_ || length > kMaxBytes - size_) {
      failed_ = true;
      return false;
    }
    size_t capacity = capacity_ * 2;
    if (capacity < size_ + length) capacity = size_ + length;
    if (capacity > kUncheckedBytes && !vm_.heap.may_hold(vm_.heap.total_bytes() + capacity)) {
      failed_ = true;
      return false;
    }
    char* storage = static_cast<char*>(std::realloc(data_ == inline_ ? nullptr : data_, capacity));
    if (storage == nullptr) {
      failed_ = true;
      return false;
    }
    if (data_ == inline_) std::memcpy(storage, inline_, size_);
    data_ = storage;
    capacity_ = capacity;
    charge_bytes(vm_, capacity);
    return true;
  }

  Vm& vm_;
  char* data_ = inline_;
  size_t size_ = 0;
  size_t capacity_ = kInlineBytes;
  bool failed_ = false;
  char inline_[kInlineBytes];
};

}  // namespace mangata
