#include "runtime/ffi/closure_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace mangata::ffi {
namespace {

constexpr size_t kAlignment = 16;
constexpr size_t kClosureBytes = (sizeof(ffi_closure) + kAlignment - 1) / kAlignment * kAlignment;

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

ClosurePages::~ClosurePages() {
  for (char* page : pages_) munmap(page, page_bytes());
}

void* ClosurePages::prepare(uint32_t number, ffi_cif* cif, Entry entry, void* data) {
  const size_t closures_per_page = page_bytes() / kClosureBytes;
  const size_t index = number / closures_per_page;
  if (index == pages_.size()) {
    void* fresh = mmap(nullptr, page_bytes(), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) return nullptr;
    pages_.push_back(static_cast<char*>(fresh));
  }
  char* page = pages_[index];
  if (mprotect(page, page_bytes(), PROT_READ | PROT_WRITE) != 0) return nullptr;
  auto* closure = reinterpret_cast<ffi_closure*>(page + number % closures_per_page * kClosureBytes);
  std::memset(static_cast<void*>(closure), 0, kClosureBytes);  // it has no static trampoline
  const bool ok = ffi_prep_closure_loc(closure, cif, entry, data, closure) == FFI_OK;
  return mprotect(page, page_bytes(), PROT_READ | PROT_EXEC) == 0 && ok ? closure : nullptr;
}

}  // namespace mangata::ffi
