// The code cache: where compiled code lives, region by region.
//
// A region is one piece of machine code: a function in one tier, or a trampoline. Regions are freed one at a
// time, by their owner, once no frame runs them; the cache never moves, evicts or flushes anything. It is
// used by one thread. Read next: code_arena.h (the memory), region_allocator.h (who owns which part of it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "jit/code_memory/code_arena.h"
#include "jit/code_memory/region_allocator.h"

namespace mangata {

/// The same bytes at two addresses: code runs at `rx` and is written at `rw`. Aligned to 64 bytes.
struct CodeRegion {
  uint8_t* rx = nullptr;  ///< for running, never writable
  uint8_t* rw = nullptr;  ///< for writing
  size_t size_bytes = 0;  ///< a multiple of RegionAllocator::kGranularityBytes
};

class CodeCache {
 public:
  static constexpr size_t kDefaultLimitBytes = size_t{64} << 20;  ///< without --max-code

  /// Reserves address space for `limit_bytes` of code (--max-code); memory is taken as it is used.
  explicit CodeCache(size_t limit_bytes = kDefaultLimitBytes);

  /// False: the system gives no executable memory. Then nothing can be allocated, and there is no JIT.
  bool ok() const { return arena_.ok(); }

  /// At least `size_bytes` of int3. Empty: the limit is reached (the caller's function stays in its tier).
  std::optional<CodeRegion> allocate(size_t size_bytes);

  /// From here on, whoever emits code leaves so many bytes behind each piece that nothing else uses: CodeObserver::spare_bytes.
  void set_spare_bytes(size_t bytes) { spare_bytes_ = bytes; }
  size_t spare_bytes() const { return spare_bytes_; }

  /// Keeps the first `used_bytes` (> 0) of the region and frees the rest of it.
  void shrink(CodeRegion* region, size_t used_bytes);

  /// What was written through `rw` may be executed from now on, on any thread. Once per region, before its
  /// first run.
  static void finish_writing() { CodeArena::synchronize_instruction_streams(); }

  /// Frees the region. No frame may return into it. *region becomes empty.
  void release(CodeRegion* region);

  /// No code is emitted any more: what is released from here on goes back with the whole cache, and is not written over.
  void close() { is_closed_ = true; }

  /// Code that lies elsewhere counts, too (LLVM's). False: the limit would be passed.
  bool charge_elsewhere(size_t size_bytes);
  void discharge_elsewhere(size_t size_bytes) { elsewhere_bytes_ -= size_bytes; }

  size_t used_bytes() const { return regions_.used_bytes() + elsewhere_bytes_; }
  size_t limit_bytes() const { return limit_bytes_; }

  /// The most bytes from the start of the arena that were ever in use: the memory it costs the process.
  size_t committed_bytes() const { return arena_.written_bytes(); }

  /// Whether `pc` is an address of compiled code (of the RX mapping).
  bool contains(const void* pc) const {
    return reinterpret_cast<uintptr_t>(pc) - reinterpret_cast<uintptr_t>(arena_.rx()) < arena_.size_bytes() &&
           ok();
  }

  /// Whether code in the cache reaches the runtime's own functions with a 32-bit displacement.
  bool near_text() const { return arena_.near_text(); }

  const RegionAllocator& regions() const { return regions_; }

 private:
  CodeArena arena_;
  size_t limit_bytes_;
  size_t spare_bytes_ = 0;
  size_t elsewhere_bytes_ = 0;
  bool is_closed_ = false;
  RegionAllocator regions_;
};

}  // namespace mangata
