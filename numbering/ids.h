// Names of things as types: a block, an edge, a loop, a path are numbers, but never the same kind of number.
// Invariant: an Id is either an index into the list it names or none(). Read next: flow_graph.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace mangata::numbering {

/// An index that remembers what it is an index of. Default constructed it names nothing.
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = UINT32_MAX;  ///< what none() has
  uint32_t value = kNone;  ///< the index, dense from 0

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : value(static_cast<uint32_t>(index)) {}
  static constexpr Id none() { return Id(); }
  constexpr bool is_none() const { return value == kNone; }
  constexpr size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using BlockId = Id<struct BlockTag>;      ///< a basic block of a FlowGraph
using EdgeId = Id<struct EdgeTag>;        ///< an edge of a FlowGraph; parallel edges have different ids
using LoopId = Id<struct LoopTag>;        ///< a row of a LoopForest: a loop, or another reason to cut paths
using DagNodeId = Id<struct DagNodeTag>;  ///< a node of a PathDag
using DagEdgeId = Id<struct DagEdgeTag>;  ///< an edge of a PathDag

/// The ids 0..count-1, for range-based for.
template <class IdType>
class IdRange {
 public:
  explicit IdRange(size_t count) : count_(count) {}
  struct Iterator {
    size_t at;  ///< the index that it stands at
    IdType operator*() const { return IdType(at); }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  Iterator begin() const { return {0}; }
  Iterator end() const { return {count_}; }

 private:
  size_t count_;
};

/// 2^64 by the golden ratio: multiples of it are far from each other in their upper bits.
inline constexpr uint64_t kHashMultiplier = 0x9E3779B97F4A7C15u;

/// How many paths; saturation is an error (PathLimit), never silent.
using PathCount = uint64_t;

/// The identity of one path within one numbering: dense from 0.
struct PathNumber {
  uint64_t value = 0;  ///< the sum of the edge values on the path
  friend constexpr auto operator<=>(PathNumber, PathNumber) = default;
};

}  // namespace mangata::numbering

template <class Tag>
struct std::hash<mangata::numbering::Id<Tag>> {
  size_t operator()(mangata::numbering::Id<Tag> id) const noexcept { return id.value; }
};

template <>
struct std::hash<mangata::numbering::PathNumber> {
  size_t operator()(mangata::numbering::PathNumber number) const noexcept {
    return static_cast<size_t>(number.value * mangata::numbering::kHashMultiplier);
  }
};
