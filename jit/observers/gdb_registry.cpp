#include "jit/observers/gdb_registry.h"

#include <mutex>

#include "jit/observers/code_object.h"

// The names, the types and their layout are gdb's.
extern "C" {

enum jit_actions_t : uint32_t {
  JIT_NOACTION = 0,
  JIT_REGISTER_FN,
  JIT_UNREGISTER_FN
};

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

/// gdb puts a breakpoint here. The empty assembly keeps calls of it and the stores before them.
[[gnu::noinline, gnu::used, gnu::visibility("default")]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}

[[gnu::used, gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, JIT_NOACTION, nullptr,
                                                                                   nullptr};

}  // extern "C"

namespace mangata {
namespace {

/// The list is one per process; engines may run on several threads.
std::mutex list_mutex;

void tell_gdb(jit_actions_t action, jit_code_entry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = JIT_NOACTION;
  __jit_debug_descriptor.relevant_entry = nullptr;
}

}  // namespace

/// One object file in the list, from its construction to its destruction.
struct GdbRegistry::Entry {
  explicit Entry(const CodeDescription& code) : object(make_code_object(code)) {
    link.symfile_addr = reinterpret_cast<const char*>(object.data());
    link.symfile_size = object.size();
    const std::lock_guard lock(list_mutex);
    link.prev_entry = nullptr;
    link.next_entry = __jit_debug_descriptor.first_entry;
    if (link.next_entry != nullptr) link.next_entry->prev_entry = &link;
    __jit_debug_descriptor.first_entry = &link;
    tell_gdb(JIT_REGISTER_FN, &link);
  }

  ~Entry() {
    const std::lock_guard lock(list_mutex);
    if (link.prev_entry != nullptr) {
      link.prev_entry->next_entry = link.next_entry;
    } else {
      __jit_debug_descriptor.first_entry = link.next_entry;
    }
    if (link.next_entry != nullptr) link.next_entry->prev_entry = link.prev_entry;
    tell_gdb(JIT_UNREGISTER_FN, &link);
  }

  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  std::vector<uint8_t> object;
  jit_code_entry link;
};

GdbRegistry::GdbRegistry() = default;
GdbRegistry::~GdbRegistry() = default;

void GdbRegistry::code_added(const CodeDescription& code) {
  if (code.frame.empty()) return;  // gdb would guess
  entries_.erase(code.start);
  entries_.emplace(code.start, std::make_unique<Entry>(code));
}

void GdbRegistry::code_removed(const uint8_t* start) { entries_.erase(start); }

}  // namespace mangata
