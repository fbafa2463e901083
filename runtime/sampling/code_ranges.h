// Where machine code lies, for a signal handler, which may ask at any moment.
//
// [DESIGN] Whoever changes a list is the thread that the handler interrupts, so there is nothing to wait for: a change makes a new list,
// and a store of one pointer puts it in the place of the old one. The handler sees either.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mangata {

/// One stretch of it.
struct CodeBounds {
  const uint8_t* low = nullptr;  ///< the first byte
  const uint8_t* high = nullptr;  ///< one past the last
  bool contains(const void* address) const { return address >= low && address < high; }
};

/// Stretches that do not overlap.
class CodeRanges {
 public:
  /// It overlaps none that is there.
  void add(const CodeBounds& range);
  /// That begins there; none does: nothing happens.
  void remove(const uint8_t* low);
  /// For a signal handler.
  bool contains(const void* address) const;

 private:
  using List = std::vector<CodeBounds>;  ///< ascending
  void publish(std::unique_ptr<const List> list);

  std::unique_ptr<const List> list_;
  std::atomic<const List*> published_{nullptr};
};

/// Baseline code, with what belongs to it: all that lies between the first byte and the last, but for regions that the quick compiler
/// has put there.
struct BaselineCode {
  CodeBounds all;      ///< from the first byte to the last
  CodeRanges regions;  ///< not baseline code, wherever they lie
  bool contains(const void* address) const { return all.contains(address) && !regions.contains(address); }
};

}  // namespace mangata
