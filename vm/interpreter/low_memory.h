// Memory at addresses that an instruction can hold.
//
// [DESIGN] Code that counts is `inc [address + r14*8]`: one instruction, if the address is a displacement,
// which has 31 bits. A program's own memory lies far above, and what lies below 2 GB is nearly empty in a
// position-independent process. So tables that machine code reads and writes at each event lie there as long
// as there is room, and anywhere else afterwards: whoever embeds an address has to look. Pages are only taken
// when they are touched, so a table may be large and sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace mangata {

/// `bytes` zeros, aligned to 16 bytes. For any thread. std::bad_alloc as of operator new.
void* allocate_low(size_t bytes);
/// `bytes` as in allocate_low.
void release_low(void* memory, size_t bytes);

/// An array of zeros whose place never changes. Behind its elements there may be more, which only those use
/// who know of them.
template <typename T>
class LowArray {
 public:
  LowArray() = default;
  /// `count` elements and room for `more`, all 0.
  explicit LowArray(size_t count, size_t more = 0) : size_(count), capacity_(count + more) {
    if (capacity_ != 0) data_ = static_cast<T*>(allocate_low(capacity_ * sizeof(T)));
  }
  /// The other one has no elements then. Addresses stay.
  LowArray(LowArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  LowArray& operator=(LowArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~LowArray() {
    if (data_ != nullptr) release_low(data_, capacity_ * sizeof(T));
  }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t index) { return data_[index]; }
  const T& operator[](size_t index) const { return data_[index]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace mangata
