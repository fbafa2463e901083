// A value or the reason why there is none. numbering depends on nothing, so it has its own small one.
// Invariant: exactly one of the two is present; asking for the absent one is a bug (asserted).
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace mangata::numbering {

/// What can be wrong with an input. None of them is ever a crash.
enum class ErrorKind : uint8_t {
  BadBlock,  ///< an edge, the entry or the exit names a block that does not exist; where = edge or block
  ExitHasSuccessor,  ///< the exit block must end every path; where = edge
  DeadEnd,           ///< a reachable block other than the exit has no successor; where = block
  TooLarge,          ///< more blocks, edges or copies than an Id can name
  BadLoop,           ///< a row of a given loop table does not fit the graph; where = loop
  UncutCycle,        ///< a given loop table leaves a cycle uncut; where = a block on it
  BadIterations,  ///< k is not in 1..16, or k >= 2 for a loop that is not innermost and natural; where = loop
  PathLimit,      ///< more paths than the caller accepts; where = the DAG node that exceeded the limit
  BadPathNumber,  ///< a path number, register value or path that this numbering cannot have produced
  BadWeights,     ///< one weight per edge, finite and not negative, is needed; where = edge
};

struct NumberingError {
  ErrorKind kind;
  uint32_t where = 0;  ///< index of the vertex or edge; 0 where the error has none
  friend bool operator==(const NumberingError&, const NumberingError&) = default;
};

/// One English sentence, without a full stop.
std::string describe(const NumberingError& error);

template <class T, class E = NumberingError>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&content_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  /// Precondition: this is no value.
  const E& error() const {
    assert(!*this);
    return *std::get_if<1>(&content_);
  }

 private:
  std::variant<T, E> content_;
};

}  // namespace mangata::numbering
