// What an instruction met while it was recorded.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jit/abi/tag_mask.h"

namespace mangata {
struct Shape;
struct Proto;
struct Table;
}  // namespace mangata

namespace mangata::jit {

struct SiteTypes {
  uint32_t count = 0;    ///< executions
  uint32_t taken = 0;    ///< of a branch: those that jumped
  TagMask result = 0;    ///< of R[a], afterwards
  TagMask left = 0;      ///< of R[b] before; of instructions that only read R[a], of that; of calls, of the first argument
  TagMask right = 0;     ///< of the operand c before; of calls, of the second argument
  uint8_t kinds = 0;     ///< bits by ElementKind, of the table whose element is accessed
  uint32_t outside = 0;  ///< accesses of elements that are not in the array, nor appended to it
  bool appends = false;  ///< an element was stored behind the last one
  bool has_metatable = false;  ///< of the table whose element or length is accessed, at least once
  bool many_shapes = false;  ///< tables of several shapes were met
  bool many_callees = false;  ///< several functions were called
  bool is_unstable = false;  ///< checks of what was recorded have failed in optimized code
  static constexpr int kNotSeen = -1, kDiffers = -2;  ///< of open_results()
  int8_t open_count = 0;  ///< open_results(), and one: nothing seen is all zeros
  /// How many an instruction leaves that leaves all there are (calls, `...`), if always as many.
  int open_results() const { return open_count - 1; }
  void see_open_results(int count) {
    open_count = static_cast<int8_t>(1 + (open_count == 0 || open_results() == count ? count : kDiffers));
  }
  const Shape* shape = nullptr;   ///< of the table whose field is accessed
  static constexpr size_t kMostShapes = 4;  ///< of one site
  std::array<Shape*, kMostShapes> shapes = {};  ///< all that were met, if not too many
  std::array<uint32_t, kMostShapes> shape_counts = {};  ///< how often each of them
  uint8_t shape_count = 0;  ///< how many of `shapes` are used
  bool is_megamorphic = false;  ///< met more
  const Proto* callee = nullptr;  ///< of a call of a Lua function, or an operator's metamethod that is one
  static constexpr size_t kMostCallees = 4;  ///< of one site
  std::array<const Proto*, kMostCallees> callees = {};  ///< all that were met, if not too many
  uint8_t callee_count = 0;  ///< how many of `callees` are used
  bool has_other_callees = false;  ///< met more, or others
  bool right_handles = false;     ///< the operator's metamethod is that of its right operand
  const Shape* metatable_shape = nullptr;  ///< of a call of setmetatable, of the second argument; of an operator, of the metatable of who handles it
  Shape* to = nullptr;                     ///< of a call of setmetatable: what the table's shape becomes
  std::span<Shape* const> all_shapes() const { return {shapes.data(), shape_count}; }
  /// Empty: there is one, or it is not known which they are.
  std::span<const Proto* const> several_callees() const {
    return {callees.data(), many_callees && !has_other_callees ? callee_count : size_t{0}};
  }
  uint8_t native_id = 0;          ///< of a call of a native function that tiers know
};

/// Of a function, per pc. Only what was written has memory: a function of ten thousand instructions that is recorded for a moment
/// executes a hundred of them, and clearing the memory of all was two hundredths of a program with four hundred functions.
class Sites {
 public:
  Sites() = default;
  explicit Sites(size_t size) : size_(size), chunks_((size + kChunk - 1) / kChunk) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Nothing seen, where nothing was written.
  const SiteTypes& operator[](size_t pc) const {
    static constexpr SiteTypes kNothing;
    const Chunk* chunk = chunks_[pc / kChunk].get();
    return chunk == nullptr ? kNothing : (*chunk)[pc % kChunk];
  }
  /// To be written.
  SiteTypes& at(size_t pc) {
    std::unique_ptr<Chunk>& chunk = chunks_[pc / kChunk];
    if (chunk == nullptr) chunk = std::make_unique<Chunk>();
    return (*chunk)[pc % kChunk];
  }
  /// Whether it, or one beside it, was.
  bool may_be_written(size_t pc) const { return chunks_[pc / kChunk] != nullptr; }
  /// Calls `visit(site)` for all that were, and some beside them.
  template <typename Visit>
  void for_each_written(Visit visit) {
    for (const auto& chunk : chunks_) {
      if (chunk != nullptr) std::for_each(chunk->begin(), chunk->end(), visit);
    }
  }
  template <typename Visit>
  void for_each_written(Visit visit) const {
    const_cast<Sites*>(this)->for_each_written([&](const SiteTypes& site) { visit(site); });
  }

 private:
  static constexpr size_t kChunk = 16;
  using Chunk = std::array<SiteTypes, kChunk>;

  size_t size_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace mangata::jit
