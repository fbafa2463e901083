#include "runtime/lib/set_metatable.h"

#include "vm/poll.h"

namespace mangata {

void set_metatable(Vm& vm, Value object, Table* metatable) {
  if (object.is_table()) {
    table_set_metatable(vm, object.as_table(), metatable);
  } else {
    if (metatable != nullptr) metatable->type_flags |= kUsedAsMetatable;
    if (object.is_userdata()) {
      object.as_userdata()->metatable = metatable;
      vm.heap.write_barrier(object.as_userdata(), metatable);
    } else {
      const auto set = [&](Tag tag) { vm.type_metatables[static_cast<int>(tag)] = metatable; };
      set(object.is_boolean() ? Tag::False : object.tag);
      // One type of the language, two tags.
      if (object.is_number()) set(Tag::Integer), set(Tag::Float);
      if (object.is_function()) set(Tag::LuaFunction), set(Tag::NativeFunction);
    }
  }
  if (metatable == nullptr || !(object.is_table() || object.is_userdata())) return;
  const bool is_finalizable = (object.as_object()->gc_flags & Object::kHasFinalizer) != 0;
  if (!is_finalizable && !find_metamethod(vm, metatable, Metamethod::Gc).is_nil()) {
    constexpr int64_t kWork = 4;
    charge_native(vm, kWork);
    vm.heap.add_finalizable(object.as_object());
  }
}

}  // namespace mangata
