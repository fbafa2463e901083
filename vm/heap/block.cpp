// Regions, free blocks, and the search for gaps.
#include "vm/heap/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "vm/heap/emergency_memory.h"
#include "vm/heap/fixed_addresses.h"
#include "vm/heap/huge_pages.h"
#include "vm/heap/mapping_pool.h"

namespace mangata {
namespace {

/// Regions of heaps that stayed small: what their blocks hold is garbage, what their headers hold, too.
constinit MappingPool small_regions;
/// A region of which more blocks were used is given back to the system.
constexpr uint32_t kMostBlocksInSmallRegion = 20;

/// The headers at the start of a region have headers themselves, which no block needs. The cursor of the first counts the block places
/// that were ever used: other headers are written to only then, page by page.
uint32_t& used_places(char* region) { return reinterpret_cast<BlockHeader*>(region)->cursor_granule; }

/// Whether the region is not a mapping of its own.
bool& is_of_malloc(char* region) { return reinterpret_cast<BlockHeader*>(region)->committed; }

/// Address space aligned to a region, or null; a heap begins in small pages. When the system refuses, malloc may have so much left.
char* map_region(bool is_first) {
  const size_t wide_bytes = 2 * kRegionBytes;
  void* mapping = mmap(address_for_heap(wide_bytes), wide_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    auto* region = static_cast<char*>(std::aligned_alloc(kRegionBytes, kRegionBytes));
    if (region == nullptr) return nullptr;
    std::memset(region, 0, kHeaderBlocks * kBlockBytes);
    is_of_malloc(region) = true;
    return region;
  }
  char* low = static_cast<char*>(mapping);
  const auto address = reinterpret_cast<uintptr_t>(low);
  const size_t before = (kRegionBytes - address % kRegionBytes) % kRegionBytes;
  char* region = low + before;
  if (before != 0) munmap(low, before);
  munmap(region + kRegionBytes, wide_bytes - kRegionBytes - before);
  const size_t in_small_pages = is_first ? kRegionBytes / 2 : 0;
  ask_for_huge_pages(region + in_small_pages, kRegionBytes - in_small_pages);
  return region;
}

/// The first set bit at or after `from`, or kGranulesPerBlock.
uint32_t next_set_bit(const uint64_t* bits, uint32_t from, uint32_t limit) {
  size_t word = from / 64;
  uint64_t rest = bits[word] & (~uint64_t{0} << (from % 64));
  while (rest == 0) {
    if (++word >= (limit + 63) / 64) return limit;
    rest = bits[word];
  }
  const auto found = static_cast<uint32_t>(word * 64 + static_cast<size_t>(std::countr_zero(rest)));
  return found < limit ? found : limit;
}

/// The next gap of the block, at most kRunBytes (but a cell at least) long; an empty run when there is none.
BumpRun next_gap(BlockHeader* block, const uint64_t* survivors) {
  const uint32_t step = block->cell_bytes / kGranuleBytes;
  const uint32_t limit = block->cell_count * step;
  uint32_t from = block->cursor_granule;
  while (from < limit && ((survivors[from / 64] >> (from % 64)) & 1) != 0) from += step;
  if (from >= limit) {
    block->cursor_granule = limit;
    return {};
  }
  const uint32_t cells_per_run = std::max<uint32_t>(1, BlockSpace::kRunBytes / block->cell_bytes);
  const uint32_t longest = std::min(limit, from + cells_per_run * step);
  const uint32_t to = next_set_bit(survivors, from, longest);
  block->cursor_granule = to;
  return {block->start + from * kGranuleBytes, block->start + to * kGranuleBytes};
}

}  // namespace

namespace {

void release_region(char* region) {
  if (is_of_malloc(region)) {
    std::free(region);
  } else {
    munmap(region, kRegionBytes);
  }
}

char* region_of(const BlockHeader* block) {
  return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(block) & ~(kRegionBytes - 1));
}

}  // namespace

BlockSpace::~BlockSpace() {
  for (char* region : regions) {
    const bool is_small = used_places(region) <= kHeaderBlocks + kMostBlocksInSmallRegion;
    if (is_of_malloc(region) || !is_small || !small_regions.give(region)) release_region(region);
  }
}

void release_free_regions(BlockSpace& space) {
  std::sort(space.free_blocks.begin(), space.free_blocks.end());
  size_t kept = 0;
  for (size_t i = 0; i < space.free_blocks.size();) {
    char* const region = region_of(space.free_blocks[i]);
    size_t next = i;
    while (next < space.free_blocks.size() && region_of(space.free_blocks[next]) == region) ++next;
    const bool is_free = next - i == used_places(region) - kHeaderBlocks && region != space.regions.back();
    if (is_free) {
      std::erase(space.regions, region);
      release_region(region);
    }
    for (; i < next; ++i) {
      if (!is_free) space.free_blocks[kept++] = space.free_blocks[i];
    }
  }
  space.free_blocks.resize(kept);
  space.idle_count = 0;
}

void BlockSpace::add_region() {
  char* region = small_regions.take();
  if (region == nullptr) region = map_region(regions.empty());
  while (region == nullptr && EmergencyMemory::give_way()) region = map_region(regions.empty());
  if (region == nullptr) {
    std::fputs("mangata: the system has no memory left\n", stderr);
    std::abort();
  }
  regions.push_back(region);
  used_places(region) = kHeaderBlocks;
}

/// A free block, or the next one of the newest region.
BlockHeader* BlockSpace::unused_block() {
  if (!free_blocks.empty()) {
    BlockHeader* block = free_blocks.back();
    free_blocks.pop_back();
    idle_count = std::min(idle_count, free_blocks.size());
    return block;
  }
  if (regions.empty() || used_places(regions.back()) == kBlocksPerRegion) add_region();
  char* region = regions.back();
  const size_t place = used_places(region)++;
  BlockHeader* block = reinterpret_cast<BlockHeader*>(region) + place;
  block->start = region + place * kBlockBytes;
  return block;
}

BlockHeader* BlockSpace::fresh_block(int size_class) {
  BlockHeader* block = unused_block();
  std::memset(block->bits, 0, sizeof block->bits);
  block->size_class = size_class;
  block->cell_bytes = kClassBytes[size_class];
  block->cell_count = static_cast<uint32_t>(kBlockBytes / block->cell_bytes);
  block->survivor_count = 0;
  block->cursor_granule = 0;
  block->committed = true;
  blocks[size_class].push_back(block);
  return block;
}

BumpRun BlockSpace::next_run(int size_class) {
  if (char* cell = recycled[size_class]) {
    recycled[size_class] = *reinterpret_cast<char**>(cell);
    return {cell, cell + kClassBytes[size_class]};
  }
  auto& class_blocks = blocks[size_class];
  for (;;) {
    if (position[size_class] == class_blocks.size()) fresh_block(size_class);
    BlockHeader* block = class_blocks[position[size_class]];
    if (block->survivor_count != block->cell_count) {
      const BumpRun run = next_gap(block, block->bits[1 - mark_index]);
      if (run.next != nullptr) return run;
    }
    ++position[size_class];
  }
}

void BlockSpace::clear_marks() {
  for (auto& class_blocks : blocks) {
    for (BlockHeader* block : class_blocks)
      std::memset(block->bits[mark_index], 0, sizeof block->bits[mark_index]);
  }
}

namespace {

/// std::popcount would be a call for each word: not all x86-64 machines have an instruction for it. So the bits of all bytes are counted
/// side by side (Warren, Hacker's Delight, 5-1), over as many words as a byte can hold.
uint32_t count_bits(const uint64_t* bits) {
  constexpr uint64_t kOddBits = 0x5555555555555555, kPairs = 0x3333333333333333, kNibbles = 0x0f0f0f0f0f0f0f0f;
  constexpr uint64_t kEvenBytes = 0x00ff00ff00ff00ff, kInEvenBytes = 0x0001000100010001;
  constexpr size_t kWordsAtOnce = 16;  // 128 bits in a byte's place
  static_assert(kBitmapWords % kWordsAtOnce == 0);
  uint32_t count = 0;
  for (size_t first = 0; first < kBitmapWords; first += kWordsAtOnce) {
    uint64_t in_bytes = 0;
    for (size_t word = first; word < first + kWordsAtOnce; ++word) {
      const uint64_t pairs = bits[word] - (bits[word] >> 1 & kOddBits);
      const uint64_t nibbles = (pairs & kPairs) + (pairs >> 2 & kPairs);
      in_bytes += (nibbles + (nibbles >> 4)) & kNibbles;
    }
    const uint64_t in_halves = (in_bytes & kEvenBytes) + (in_bytes >> 8 & kEvenBytes);
    count += static_cast<uint32_t>(in_halves * kInEvenBytes >> 48);
  }
  return count;
}

}  // namespace

size_t BlockSpace::marked_bytes() const {
  size_t bytes = 0;
  for (const auto& class_blocks : blocks) {
    for (const BlockHeader* block : class_blocks) bytes += size_t{count_bits(block->bits[mark_index])} * block->cell_bytes;
  }
  return bytes;
}

size_t BlockSpace::adopt_marks() {
  size_t survivor_bytes = 0;
  for (int size_class = 0; size_class < kSizeClassCount; ++size_class) {
    auto& class_blocks = blocks[size_class];
    size_t kept = 0;
    for (BlockHeader* block : class_blocks) {
      const uint32_t count = count_bits(block->bits[mark_index]);
      if (count == 0) {
        block->size_class = 0;
        free_blocks.push_back(block);
        continue;
      }
      block->survivor_count = count;
      block->cursor_granule = 0;
      survivor_bytes += size_t{count} * block->cell_bytes;
      class_blocks[kept++] = block;
    }
    class_blocks.resize(kept);
    position[size_class] = 0;
    recycled[size_class] = nullptr;
  }
  mark_index = 1 - mark_index;
  return survivor_bytes;
}

void BlockSpace::trim(size_t keep_bytes, bool at_once) {
  constexpr uint32_t kPatience = 16;
  if (!at_once && ++cycles_since_trim < kPatience) return;
  const auto is_committed = [](const BlockHeader* block) { return block->committed; };
  const auto first = free_blocks.begin(), idle_end = first + static_cast<ptrdiff_t>(idle_count);
  const ptrdiff_t idle = std::count_if(first, idle_end, is_committed), all = idle + std::count_if(idle_end, free_blocks.end(), is_committed);
  ptrdiff_t surplus = all - static_cast<ptrdiff_t>(keep_bytes / kBlockBytes);
  if (!at_once) surplus = std::min(surplus, (idle + 1) / 2);
  for (auto block = first; surplus > 0; ++block) {
    if (!(*block)->committed) continue;
    madvise((*block)->start, kBlockBytes, MADV_DONTNEED);
    (*block)->committed = false;
    --surplus;
  }
  idle_count = free_blocks.size();
  cycles_since_trim = 0;
}

}  // namespace mangata
