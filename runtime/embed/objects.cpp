// Objects of the host: userdata with a HostObject, and one metatable per type.
//
// [DESIGN] obj.key: a type without properties has its class table as __index, which inline caches see through. With properties,
// __index is a function of ours, which runs the getter's closure in its own frame, without a further call. What the host gives
// as __index or __newindex never hides a member: it is called the same way, for keys that the type and its bases do not have.
#include "runtime/embed/objects.h"

#include <new>

#include "runtime/embed/entry.h"
#include "runtime/lib/set_metatable.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {

const char kObjectMagic = 0;

namespace {

Table* pinned_table(Core& core, uint32_t slot) { return core.vm->pinned.values[slot].as_table(); }

HostObject* host_object(const mangata::Value& value) {
  if (!value.is_userdata() || value.as_userdata()->payload_bytes < sizeof(HostObject)) return nullptr;
  auto* host = reinterpret_cast<HostObject*>(value.as_userdata()->payload);
  return host->magic == &kObjectMagic ? host : nullptr;
}

mangata::Result<int> finalize_object(Call& call) {
  if (HostObject* host = host_object(call[0])) {
    host->object = nullptr;
    OwnedList::destroy(host->owned);
  }
  return call.ret();
}

/// Runs the closure of a function of the host in this frame, which has its arguments.
mangata::Result<int> run_closure(Call& call, const mangata::Value& function) {
  auto* host = reinterpret_cast<HostClosure*>(function.as_native_function()->upvalues[0].as_userdata()->payload);
  Frame frame{&core_of(call.vm()), reinterpret_cast<Raw*>(call.base()), call.count(), reinterpret_cast<Raw**>(&call.thread().top), &call};
  const int count = host->invoke(frame, host->closure());
  if (count < 0) return Raised{};
  return count;
}

enum Upvalue {
  kMembers,
  kProperties,
  kOther
};

mangata::Result<int> index_object(Call& call) {
  const mangata::Value getter = TRY(get_index(call.vm(), call.upvalue(kProperties), call[1]));
  if (getter.is_native_function()) {
    call.set_count(1);
    return run_closure(call, getter);
  }
  const mangata::Value member = TRY(get_index(call.vm(), call.upvalue(kMembers), call[1]));
  const mangata::Value other = call.upvalue(kOther);
  return member.is_nil() && other.is_native_function() ? run_closure(call, other) : call.ret(member);
}

mangata::Result<int> assign_object(Call& call) {
  const mangata::Value setter = TRY(get_index(call.vm(), call.upvalue(kProperties), call[1]));
  if (!setter.is_native_function()) {
    if (const mangata::Value other = call.upvalue(kOther); other.is_native_function()) return run_closure(call, other);
    const String* name = TRY(to_display_string(call.vm(), call[1]));
    const HostObject* host = host_object(call[0]);
    const char* type = host == nullptr ? "userdata" : bound_name(&core_of(call.vm()), host->tag);
    return call.errorf("cannot set field '%s' of %s", name->data, type);
  }
  if (const HostObject* host = host_object(call[0]); host != nullptr && host->is_copy) {
    const String* name = TRY(to_display_string(call.vm(), call[1]));
    return call.errorf("cannot set field '%s' of %s: it is a copy of an object of the host", name->data,
                       bound_name(&core_of(call.vm()), host->tag));
  }
  call.base()[1] = call[2];
  call.set_count(2);
  return run_closure(call, setter);
}

/// Name(...): new(...) without the class table.
mangata::Result<int> construct(Call& call) {
  const int count = call.count() - 1;
  for (int i = 0; i < count; ++i) call.base()[i] = call.base()[i + 1];
  call.set_count(count);
  return run_closure(call, call.upvalue(0));
}

}  // namespace

void mark_as_copy(const mangata::Value& value) {
  HostObject* host = host_object(value);
  if (host != nullptr && !host->is_shared && host->object == host->storage()) host->is_copy = true;
}

namespace {

BoundType* type_of(Core* core, TypeTag tag, Error* error) {
  const auto found = core->types.find(tag);
  if (found != core->types.end()) return &found->second;
  *error = {ErrorKind::Misuse, "the type of the object has not been bound in this state", {}};
  return nullptr;
}

uint32_t pin_new_table(Core* core) { return pin(core, raw_of(mangata::Value::table(table_new(*core->vm)))); }

Table* metatable_for_class(Core& core, const BoundType& type) {
  Table* members = pinned_table(core, type.members);
  if (members->metatable() == nullptr) set_metatable(*core.vm, mangata::Value::table(members), table_new(*core.vm));
  return members->metatable();
}

mangata::Value new_dispatcher(Core& core, NativeCode code, const BoundType& type, uint32_t properties, std::optional<uint32_t> other) {
  NativeFunction* function = core.vm->new_native(code, "?", 3);
  function->upvalues[kMembers] = core.vm->pinned.values[type.members];
  function->upvalues[kProperties] = core.vm->pinned.values[properties];
  function->upvalues[kOther] = other ? core.vm->pinned.values[*other] : mangata::Value::nil();
  return mangata::Value::function(function);
}

/// __index and __newindex, as what is bound by now asks for.
void set_access(Core& core, const BoundType& type) {
  Table* metatable = pinned_table(core, type.metatable);
  const bool dispatches = type.has_properties || type.other_index;
  set_field(*core.vm, metatable, "__index",
            dispatches ? new_dispatcher(core, index_object, type, type.getters, type.other_index) : core.vm->pinned.values[type.members]);
  set_field(*core.vm, metatable, "__newindex", new_dispatcher(core, assign_object, type, type.setters, type.other_newindex));
}

}  // namespace

bool bind_type(Core* core, TypeTag tag, const char* name, Raw* class_table, Error* error) {
  Vm& vm = *core->vm;
  if (core->types.contains(tag)) {
    *error = {ErrorKind::Misuse, std::string("the type of '") + name + "' has been bound before", {}};
    return false;
  }
  BoundType& type = core->types[tag];
  type.name = name;
  type.metatable = pin_new_table(core);
  type.members = pin_new_table(core);
  type.getters = pin_new_table(core);
  type.setters = pin_new_table(core);
  Table* metatable = pinned_table(*core, type.metatable);
  set_field(vm, metatable, "__name", vm.string_value(name));
  set_access(*core, type);
  set_field(vm, metatable, "__gc", mangata::Value::function(vm.new_native(finalize_object, "__gc")));
  set_field(vm, metatable, "__metatable", mangata::Value::boolean(false));
  metatable->type_flags |= kUsedAsMetatable;
  *class_table = raw_of(vm.pinned.values[type.members]);
  return set(core, globals(core), raw_of(vm.string_value(name)), *class_table, error);
}

namespace {

Table* parent_of(Vm& vm, const Table* table) {
  const mangata::Value parent = table->metatable() == nullptr ? mangata::Value::nil() : table_get_string(table->metatable(), vm.intern("__index"));
  return parent.is_table() ? parent.as_table() : nullptr;
}

/// The first base of a class is the parent of its tables.
void set_parent(Vm& vm, uint32_t slot, uint32_t base_slot) {
  Table* metatable = table_new(vm);
  set_field(vm, metatable, "__index", vm.pinned.values[base_slot]);
  set_metatable(vm, vm.pinned.values[slot], metatable);
}

/// What further bases have, and those before them have not, is copied.
void copy_missing(Vm& vm, Table* to, Table* from) {
  for (; from != nullptr; from = parent_of(vm, from)) {
    uint32_t cursor = 0;
    mangata::Value key, value;
    while (table_iterate(from, &cursor, &key, &value)) {
      bool is_there = false;
      for (Table* place = to; place != nullptr; place = parent_of(vm, place)) is_there = is_there || !table_get(place, key).is_nil();
      if (!is_there && key.is_string()) set_field(vm, to, key.as_string()->view(), value);
    }
  }
}

}  // namespace

bool bind_base(Core* core, TypeTag tag, TypeTag base, Cast cast, Error* error) {
  BoundType* type = type_of(core, tag, error);
  BoundType* base_type = type == nullptr ? nullptr : type_of(core, base, error);
  if (base_type == nullptr) return false;
  Vm& vm = *core->vm;
  type->bases.push_back({base, cast});
  if (type->bases.size() == 1) {
    set_field(vm, metatable_for_class(*core, *type), "__index", vm.pinned.values[base_type->members]);
    set_parent(vm, type->getters, base_type->getters);
    set_parent(vm, type->setters, base_type->setters);
  } else {
    copy_missing(vm, pinned_table(*core, type->members), pinned_table(*core, base_type->members));
    copy_missing(vm, pinned_table(*core, type->getters), pinned_table(*core, base_type->getters));
    copy_missing(vm, pinned_table(*core, type->setters), pinned_table(*core, base_type->setters));
  }
  // Operators of the base, and its way of indexing when it has properties or one of the host's.
  Table* metatable = pinned_table(*core, type->metatable);
  uint32_t cursor = 0;
  mangata::Value key, value;
  while (table_iterate(pinned_table(*core, base_type->metatable), &cursor, &key, &value)) {
    if (key.is_string() && table_get(metatable, key).is_nil()) set_field(vm, metatable, key.as_string()->view(), value);
  }
  type->has_properties = type->has_properties || base_type->has_properties;
  if (!type->other_index) type->other_index = base_type->other_index;
  if (!type->other_newindex) type->other_newindex = base_type->other_newindex;
  set_access(*core, *type);
  return true;
}

bool bind_property(Core* core, TypeTag tag, const char* name, Raw getter, Raw setter, Error* error) {
  BoundType* type = type_of(core, tag, error);
  if (type == nullptr) return false;
  Vm& vm = *core->vm;
  set_field(vm, pinned_table(*core, type->getters), name, value_of(getter));
  if (setter.tag != kNil) set_field(vm, pinned_table(*core, type->setters), name, value_of(setter));
  if (!type->has_properties) {
    type->has_properties = true;
    set_access(*core, *type);
  }
  return true;
}

bool bind_metamethod(Core* core, TypeTag tag, const char* event, Raw function, Error* error) {
  BoundType* type = type_of(core, tag, error);
  if (type == nullptr) return false;
  Vm& vm = *core->vm;
  const std::string_view name = event;
  if (name == "new") {
    NativeFunction* native_function = vm.new_native(construct, "new", 1);
    native_function->upvalues[0] = value_of(function);
    set_field(vm, metatable_for_class(*core, *type), "__call", mangata::Value::function(native_function));
  } else if (name == "__gc" || name == "__metatable") {
    *error = {ErrorKind::Misuse, std::string(name) + " belongs to the binding; destructors run by themselves", {}};
    return false;
  } else if (name == "__index" || name == "__newindex") {
    (name == "__index" ? type->other_index : type->other_newindex) = pin(core, function);
    set_access(*core, *type);
  } else {
    set_field(vm, pinned_table(*core, type->metatable), name, value_of(function));
  }
  return true;
}

bool new_object(Core* core, TypeTag tag, size_t bytes, Raw* out, void** storage, Error* error) {
  if (type_of(core, tag, error) == nullptr) return false;
  Userdata* userdata = core->vm->new_userdata(sizeof(HostObject) + bytes, 0);
  if (userdata == nullptr) {
    *error = {ErrorKind::Memory, "not enough memory", {}};
    return false;
  }
  auto* host = new (userdata->payload) HostObject{};
  host->magic = &kObjectMagic;
  host->tag = tag;
  *storage = host->storage();
  *out = raw_of(mangata::Value::userdata(userdata));
  return true;
}

void finish_object(Core* core, Raw value, void* object, Destroy destroy, bool is_shared) {
  HostObject* host = host_object(value_of(value));
  host->object = object;
  host->is_shared = is_shared;
  Userdata* userdata = value_of(value).as_userdata();
  give_metatable(*core, userdata, pinned_table(*core, core->types.find(host->tag)->second.metatable));
  if (destroy == nullptr) return;  // nothing to finalize
  host->owned.destroy = destroy;
  host->owned.object = host->storage();
  core->owned.link(host->owned);
  core->vm->heap.add_finalizable(userdata);
}

namespace {

void* cast_to(Core* core, void* object, TypeTag from, TypeTag to) {
  if (from == to) return object;
  const auto found = core->types.find(from);
  if (found == core->types.end()) return nullptr;
  for (const BoundType::Base& base : found->second.bases) {
    if (void* base_object = cast_to(core, base.cast(object), base.tag, to)) return base_object;
  }
  return nullptr;
}

}  // namespace

void* find_object(Core* core, Raw value, TypeTag tag) {
  const HostObject* host = host_object(value_of(value));
  if (host == nullptr || host->object == nullptr) return nullptr;
  return cast_to(core, host->object, host->tag, tag);
}

void* find_shared(Core*, Raw value, TypeTag tag) {
  HostObject* host = host_object(value_of(value));
  const bool fits = host != nullptr && host->object != nullptr && host->tag == tag && host->is_shared;
  return fits ? host->storage() : nullptr;
}

std::string why_not_shared(Core* core, Raw value, TypeTag tag) {
  const HostObject* host = host_object(value_of(value));
  if (find_object(core, value, tag) == nullptr) return {};
  const std::string wanted = bound_name(core, tag), held = bound_name(core, host->tag);
  const std::string expected = "std::shared_ptr<" + wanted + "> expected, got ";
  if (host->is_shared) return expected + "one of " + held + ": take a reference, or std::shared_ptr<" + held + ">";
  const std::string advice = ": bind a factory that returns std::make_shared<" + held + ">(...), or take a reference";
  const bool is_inside = host->object == const_cast<HostObject*>(host)->storage();
  return expected + held + (is_inside ? " held by value" : " that the host owns") + advice;
}

const char* bound_name(Core* core, TypeTag tag) {
  const auto found = core->types.find(tag);
  return found == core->types.end() ? "userdata" : found->second.name.c_str();
}

}  // namespace mangata::abi
