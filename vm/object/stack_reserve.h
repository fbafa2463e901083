// The memory of stacks: for each thread a VM stack and a native one.
//
//     guard | native stack, down from <- bottom -> up, the VM stack
//
// [DESIGN] Neither stack ever moves, so each has the whole range reserved that it may need, and the system
// commits pages as they are touched. A suspended coroutine has some hundred bytes of both in use. So they
// begin at one address, within a page: one page to touch first, one entry of the processor's table of pages
// (TLB).
//
// From one pair to the next it is an odd number of pages: the TLB finds its sets by the lowest bits of page
// numbers, and with even distances the stacks of 1,000 coroutines share a few of them. And the farther apart
// the stacks are, the more pages of page tables there are to walk through: of many coroutines, that is most
// of what a switch costs. A VM stack may get 48 MiB long, so only some pairs have that much room. They are
// taken first; the more coroutines are alive, the less deep the next one may get (kStackKinds). Where address
// space is scarce (`ulimit -v`), a pair is a mapping of its own, with room for kMaxValueSlots slots, headers
// included. Otherwise many share a mapping, so that 100,000 coroutines do not exhaust the kernel's count of
// mappings.
//
// A guard is put up when the native stack is first entered, and stays; kernels before 6.13 need mappings of
// their own for it, so there a process has kMostSplitGuards, and stacks beyond do without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

#include "vm/interpreter/native_stack.h"
#include "vm/object/thread.h"
#include "vm/value/value.h"

namespace mangata {

/// How far the VM stack of a pair may grow.
struct StackKind {
  uint32_t slots;  ///< besides those for handling an overflow
  size_t most;     ///< pairs of a pool
  size_t per_mapping;  ///< pairs in one mapping of the system
};
inline constexpr StackKind kStackKinds[] = {
    {Thread::kMaxStackSlots, 64, 16},  // as deep as in Lua 5.4
    {220000, 1024, 64},                 // little more than 4 MB apart
    {65500, SIZE_MAX, 64},              // as many slots as LuaJIT's stacks have
};
inline constexpr size_t kStackKindCount = std::size(kStackKinds);

struct StackPair {
  static constexpr size_t kPageBytes = 4096;  ///< of memory
  Value* bottom;   ///< of the VM stack, and where the native stack begins
  uint32_t slots;  ///< that may be used, besides those for handling an overflow
  uint8_t kind;    ///< of kStackKinds
  bool has_guard = false;  ///< a page without access lies below the native stack
  bool was_entered = false;  ///< the native stack has been in use

  char* native_high() const { return reinterpret_cast<char*>(bottom); }
  char* native_low() const { return native_high() - NativeStack::kBytes; }
  /// The page in which the stacks begin.
  char* first_page() const {
    return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(bottom) & ~uintptr_t{kPageBytes - 1});
  }
  /// Where the guard ends: the lowest byte that native code may touch.
  char* guard_high() const { return first_page() - NativeStack::kBytes; }
};

/// Where the pairs of one pool come from.
class StackReserve {
 public:
  /// Of each VM stack, for errors and leaves.
  static constexpr size_t kSpareSlots = Thread::kErrorStackSlots + 1024;
  StackReserve() = default;
  ~StackReserve();
  StackReserve(const StackReserve&) = delete;
  StackReserve& operator=(const StackReserve&) = delete;

  /// Appends new pairs to `free`, the first to be used as the last. False: no address space, or they are the
  /// most.
  bool add(size_t kind, std::vector<StackPair*>& free);
  /// One, where address space is scarce; of the last kind.
  bool add_small(std::vector<StackPair*>& free);
  /// Before something runs on the native stack of a pair.
  void prepare_native(StackPair& pair);
  /// All VM stacks are nil again, and nobody uses them.
  void all_are_clear() { are_clear_ = true; }
  size_t count() const { return std::accumulate(std::begin(counts_), std::end(counts_), size_t{0}); }

 private:
  struct Mapping {
    char* address;
    size_t bytes;
    std::unique_ptr<StackPair[]> pairs;
    size_t count;
  };
  bool map(size_t kind, uint32_t slots, size_t count, std::vector<StackPair*>& free);
  bool keep_for_next_machine(const Mapping& mapping) const;

  std::vector<Mapping> mappings_;
  size_t counts_[kStackKindCount] = {};
  size_t split_guard_count_ = 0;
  bool are_clear_ = false;
};

}  // namespace mangata
