// Birth and death of prototypes, for those who make them: the compiler and the loader of binary chunks.
#pragma once

#include <cstddef>

#include "vm/bytecode/proto.h"
#include "vm/heap/collector.h"
#include "vm/vm.h"

namespace mangata {

/// The lists of `proto` are final: makes it runnable and counts their memory (Heap::account).
void complete_proto(Vm& vm, Proto& proto);

/// What complete_proto counted, to be taken back when the prototype dies; 0 for one that was never completed.
size_t proto_external_bytes(const Proto& proto);

/// Before the function is compiled: its sites of field accesses remember two shapes from now on.
void add_second_caches(Vm& vm, Proto& proto);

/// Tells the layers above about a prototype and those nested in it, inner ones first. Raises what they leave in Vm::error, and interrupts
/// of an embedder: then there may be no closure of it.
Status announce_proto(Vm& vm, Proto& proto);

/// Calls `visit` for every prototype but those that are still being made.
template <class Visit>
void for_each_proto(Vm& vm, Visit visit) {
  for (Proto* proto : vm.heap.collector().protos) {
    if (proto->code != nullptr) visit(*proto);
  }
}

}  // namespace mangata
