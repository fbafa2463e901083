// Blocks: 64 KiB of cells of one size class, their mark bits, and the regions they are carved from.
//
// [DESIGN] A region is 4 MiB of reserved address space, aligned to its size. Its first two block places hold
// the headers of the other 62 blocks side by side; address arithmetic alone leads from a cell to its header,
// and the mark bits of different blocks do not fight for the same cache sets, as they would at the start of
// every block. A header has two bitmaps with one bit per granule (set at the first granule of a cell):
//   survivors  the cells that were alive when marking last ended; what is clear is free, unless it was
//   allocated since mark       being built by the cycle in progress
// The two change places at the end of marking, so "sweeping" is nothing but the allocator's search for gaps
// between survivors: it needs no deadline and no phase. A block's cells are handed out in address order; a
// cell behind the cursor that is not a survivor is a new object. Bits are cleared when a cycle starts (64
// words a block).
//
// Read next: vm/heap/block.cpp, vm/heap/heap.cpp (allocate_slow).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vm/heap/size_classes.h"

namespace mangata {

struct Object;

inline constexpr size_t kBlockBytes = 64 * 1024;
inline constexpr size_t kRegionBytes = 4 * 1024 * 1024;
inline constexpr size_t kBlocksPerRegion = kRegionBytes / kBlockBytes;
inline constexpr size_t kHeaderBlocks = 2;  ///< block places taken by the headers
inline constexpr size_t kGranulesPerBlock = kBlockBytes / kGranuleBytes;
inline constexpr size_t kBitmapWords = kGranulesPerBlock / 64;

struct BlockHeader {
  uint64_t bits[2][kBitmapWords];  ///< one bit per granule: marks and survivors in turns, BlockSpace::mark_index tells which
  char* start;  ///< of the first cell
  uint32_t cell_bytes;  ///< cells of one size class have one size
  uint32_t cell_count;  ///< in the block
  uint32_t survivor_count;  ///< set bits among the survivors
  uint32_t cursor_granule;  ///< where the search for the next gap goes on
  int size_class;           ///< 0: the block is free
  bool committed;           ///< its pages were touched since they were last given back
  uint64_t padding[4];  ///< makes the size a multiple of a cache line's
};
static_assert(sizeof(BlockHeader) % 64 == 0 &&
              sizeof(BlockHeader) * kBlocksPerRegion <= kHeaderBlocks * kBlockBytes);

/// Where the mark bit of a small object is.
struct MarkBit {
  BlockHeader* block;  ///< that has the object
  uint32_t word;  ///< of its bitmap
  uint64_t mask;  ///< one bit

  explicit MarkBit(const Object* object) {
    const auto address = reinterpret_cast<uintptr_t>(object);
    const uintptr_t region = address & ~(kRegionBytes - 1);
    const size_t index = (address / kBlockBytes) % kBlocksPerRegion;
    const size_t granule = (address / kGranuleBytes) % kGranulesPerBlock;
    block = reinterpret_cast<BlockHeader*>(region) + index;
    word = static_cast<uint32_t>(granule / 64);
    mask = uint64_t{1} << (granule % 64);
  }
};

struct BumpRun {
  char* next = nullptr;  ///< next free byte; equal to `end`: none left
  char* end = nullptr;
};

/// All blocks of a heap. Runs are at most kRunBytes long, so that what was allocated is known closely enough
/// for pacing.
struct BlockSpace {
  static constexpr size_t kRunBytes = 4096;  ///< most bytes of a run

  BlockSpace() = default;
  ~BlockSpace();
  BlockSpace(const BlockSpace&) = delete;
  BlockSpace& operator=(const BlockSpace&) = delete;

  /// A run of free cells of the class: a recycled cell, a gap among survivors, or new ground. Ends the
  /// process when the system has no memory left.
  BumpRun next_run(int size_class);

  /// Makes a cell that nothing references available at once.
  void recycle(Object* cell, int size_class) {
    *reinterpret_cast<char**>(cell) = recycled[size_class];
    recycled[size_class] = reinterpret_cast<char*>(cell);
  }

  /// Marking begins: no cell is marked.
  void clear_marks();
  /// Marking has ended: marked cells are the new survivors, all else is free; empty blocks leave their class.
  /// The caller has retired all runs. Returns the bytes of the survivors.
  size_t adopt_marks();
  /// Of what is marked so far.
  size_t marked_bytes() const;
  /// Gives the pages of free blocks beyond `keep_bytes` back to the system: at once, or, every sixteen cycles, half of those that nobody
  /// has taken since the last time. Programs whose heap grows and shrinks would ask for the same pages again and again, and each has to
  /// be cleared.
  void trim(size_t keep_bytes, bool at_once);

  /// Calls visit(object) for every marked cell.
  template <typename Visit>
  void for_each_marked(Visit&& visit);

  std::vector<BlockHeader*> blocks[kSizeClassCount];  ///< by class
  size_t position[kSizeClassCount] = {};              ///< the next block to search for gaps
  char* recycled[kSizeClassCount] = {};               ///< linked through their first word
  std::vector<BlockHeader*> free_blocks;  ///< of no class; those at the back are used next
  size_t idle_count = 0;                  ///< of those, at the front: nobody has taken them since pages were given back
  uint32_t cycles_since_trim = 0;         ///< in which no pages were given back
  std::vector<char*> regions;  ///< for BlockSpace to release: each has kBlocksPerRegion blocks
  int mark_index = 0;  ///< which of BlockHeader::bits is `mark`

 private:
  BlockHeader* fresh_block(int size_class);
  BlockHeader* unused_block();
  void add_region();
};

template <typename Visit>
void BlockSpace::for_each_marked(Visit&& visit) {
  for (const auto& class_blocks : blocks) {
    for (BlockHeader* block : class_blocks) {
      for (size_t word = 0; word < kBitmapWords; ++word) {
        for (uint64_t bits = block->bits[mark_index][word]; bits != 0; bits &= bits - 1) {
          const size_t granule = word * 64 + static_cast<size_t>(std::countr_zero(bits));
          visit(reinterpret_cast<Object*>(block->start + granule * kGranuleBytes));
        }
      }
    }
  }
}

}  // namespace mangata
