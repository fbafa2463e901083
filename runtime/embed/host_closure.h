// C++ objects of the host that live in userdata, and are destroyed exactly once: by the collector, or when the state is closed.
#pragma once

#include <mangata/abi.hpp>

#include "vm/object/userdata.h"

namespace mangata::abi {

struct Core;

/// What has to be destroyed: a member of a list.
struct Owned {
  Owned* previous = nullptr;  ///< null: in no list
  Owned* next = nullptr;  ///< null: in no list
  Destroy destroy = nullptr;
  void* object = nullptr;  ///< the argument of `destroy`
};

class OwnedList {
 public:
  OwnedList() { ends_.previous = ends_.next = &ends_; }
  OwnedList(const OwnedList&) = delete;
  OwnedList& operator=(const OwnedList&) = delete;

  /// Precondition: it is in no list.
  void link(Owned& owned) {
    owned.previous = &ends_;
    owned.next = ends_.next;
    ends_.next->previous = &owned;
    ends_.next = &owned;
  }
  /// Destroys the object; nothing when that has been done.
  static void destroy(Owned& owned) {
    if (owned.previous == nullptr) return;
    owned.previous->next = owned.next;
    owned.next->previous = owned.previous;
    owned.previous = nullptr;
    owned.destroy(owned.object);
  }
  /// The newest first.
  void destroy_all() {
    while (ends_.next != &ends_) destroy(*ends_.next);
  }

 private:
  Owned ends_;
};

/// The payload of the userdata behind a function of the host; the closure follows.
struct alignas(16) HostClosure {
  Owned owned;
  Invoke invoke = nullptr;
  void* closure() { return this + 1; }
};

/// Of a new userdata, on which no cache depends yet. The metatable is flagged kUsedAsMetatable.
void give_metatable(Core& core, Userdata* userdata, Table* metatable);
/// From now on the collector destroys what `userdata` owns; an Owned is at the start of its payload.
void adopt_finalizer(Core& core, Userdata* userdata);

}  // namespace mangata::abi
