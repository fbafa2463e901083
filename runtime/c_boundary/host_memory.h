// The allocator of a host (lua_newstate, lua_setallocf) as the limit of the heap.
//
// [DESIGN] The heap needs memory that is aligned and laid out in ways no lua_Alloc promises, so it maps its own. For what it holds it
// takes *tokens* from the host's allocator, blocks of the same size in all that are never touched, and gives them back after
// collections and at the end. So an allocator that counts sees what the machine uses, and one that refuses brings about a full
// collection and then LUA_ERRMEM, as in PUC Lua. Blocks that are never touched cost address space with most allocators;
// one that deals out a fixed pool has to be as large again. The default allocator is not asked.
#pragma once

#include <vector>

#include "runtime/c_boundary/state.h"
#include "vm/heap/memory_grant.h"

namespace mangata::capi {

struct MachineData;

class HostMemory : public MemoryGrant {
 public:
  /// `free_bytes` are in use already and were not asked for.
  HostMemory(const MachineData& data, size_t free_bytes) : data_(data), free_bytes_(free_bytes) {}
  ~HostMemory() override;

  size_t grow_to(size_t wanted_bytes) override;
  size_t shrink_to(size_t used_bytes) override;

 private:
  struct Token {
    void* block;
    size_t bytes;
  };
  bool take(size_t bytes);
  size_t limit() const;

  const MachineData& data_;
  size_t free_bytes_;
  size_t taken_bytes_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace mangata::capi
