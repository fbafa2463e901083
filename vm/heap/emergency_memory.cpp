#include "vm/heap/emergency_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

#include "vm/vm.h"

namespace mangata {
namespace {

/// Together more than a region of the heap takes while it is being aligned.
constexpr size_t kPieceBytes = size_t{4} << 20;
constexpr size_t kPieces = 4;

constinit std::atomic<void*> pieces[kPieces];
std::new_handler former_handler = nullptr;

struct Machines {
  std::mutex mutex;
  std::vector<Vm*> all;
};
/// Never destroyed: machines may outlive other static objects.
Machines& machines() {
  static Machines& instance = *new Machines;
  return instance;
}

/// Called by operator new, which tries again when this returns.
void free_some_memory() {
  if (EmergencyMemory::give_way()) return;
  if (former_handler == nullptr) throw std::bad_alloc();
  former_handler();
}

}  // namespace

std::atomic<bool> EmergencyMemory::is_short_{false};

void EmergencyMemory::add(Vm& vm) {
  Machines& known = machines();
  const std::lock_guard lock(known.mutex);
  static const bool is_first = [] {
    (void)restore();
    former_handler = std::set_new_handler(free_some_memory);
    return true;
  }();
  (void)is_first;
  known.all.push_back(&vm);
}

void EmergencyMemory::remove(Vm& vm) {
  Machines& known = machines();
  const std::lock_guard lock(known.mutex);
  std::erase(known.all, &vm);
}

bool EmergencyMemory::give_way() {
  for (auto& piece : pieces) {
    void* const mapping = piece.exchange(nullptr);
    if (mapping == nullptr) continue;
    munmap(mapping, kPieceBytes);
    is_short_.store(true);
    Machines& known = machines();
    const std::unique_lock lock(known.mutex, std::try_to_lock);  // add() may be what needs memory
    if (lock.owns_lock()) {
      for (Vm* vm : known.all) vm->request_interrupt();
    }
    return true;
  }
  return false;
}

bool EmergencyMemory::restore() {
  for (auto& piece : pieces) {
    if (piece.load() != nullptr) continue;
    // Not from malloc, which may keep what is freed.
    void* const mapping = mmap(nullptr, kPieceBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return false;
    void* none = nullptr;
    if (!piece.compare_exchange_strong(none, mapping)) munmap(mapping, kPieceBytes);
  }
  is_short_.store(false);
  return true;
}

}  // namespace mangata
