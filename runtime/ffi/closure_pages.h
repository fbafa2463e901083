// The machine code that C calls for a callback: a closure of libffi.
//
// [DESIGN] W^X, as for compiled code (jit/code_memory/code_arena.h). ffi_closure_alloc() has pages that are writable and executable at once, where
// libffi was built without static trampolines, as Debian's is. Here a page is writable only while a closure is made in it. None runs
// meanwhile: pages belong to one machine, and so do callbacks. The pages are private, so that a child after fork() has its own.
#pragma once

#include <ffi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mangata::ffi {

class ClosurePages {
 public:
  using Entry = void (*)(ffi_cif*, void* result, void** arguments, void* data);

  ClosurePages() = default;
  ~ClosurePages();
  ClosurePages(const ClosurePages&) = delete;
  ClosurePages& operator=(const ClosurePages&) = delete;

  /// Makes the closure with that number anew. Numbers are used from 0 on.
  /// returns  what C code calls; null: no memory, or the system lets nothing new be executed
  void* prepare(uint32_t number, ffi_cif* cif, Entry entry, void* data);

 private:
  std::vector<char*> pages_;
};

}  // namespace mangata::ffi
