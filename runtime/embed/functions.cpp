// Functions of the host: a native function whose upvalue is a userdata with the host's closure in it.
#include <new>

#include "runtime/embed/entry.h"
#include "runtime/embed/host_closure.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata::abi {
namespace {

mangata::Result<int> call_host(Call& call) {
  auto* host = reinterpret_cast<HostClosure*>(call.upvalue(0).as_userdata()->payload);
  Core& core = core_of(call.vm());
  Frame frame{&core, reinterpret_cast<Raw*>(call.base()), call.count(), reinterpret_cast<Raw**>(&call.thread().top), &call};
  const int count = host->invoke(frame, host->closure());
  if (count < 0) [[unlikely]]
    return Raised{};
  return count;
}

/// __gc of everything that owns an object of the host. Its argument is checked: scripts with debug.getmetatable may call it.
mangata::Result<int> finalize(Call& call) {
  const Table* metatable = core_of(call.vm()).owner_metatable();
  if (call[0].is_userdata() && call[0].as_userdata()->metatable == metatable) {
    auto* host = reinterpret_cast<HostClosure*>(call[0].as_userdata()->payload);
    host->invoke = [](Frame& frame, void*) { return raise(frame, "the function has been destroyed"); };
    OwnedList::destroy(host->owned);
  }
  return call.ret();
}

Call& call_of(Frame& frame) { return *static_cast<Call*>(frame.call); }

}  // namespace

bool new_function(Core* core, const char* name, Invoke invoke, size_t bytes, Destroy destroy, Raw* out, void** closure,
                  Error* error) {
  Vm& vm = *core->vm;
  Userdata* holder = vm.new_userdata(sizeof(HostClosure) + bytes, 0);
  if (holder == nullptr) {
    *error = {ErrorKind::Memory, "not enough memory", {}};
    return false;
  }
  auto* host = new (holder->payload) HostClosure{};
  host->invoke = invoke;
  *closure = host->closure();
  NativeFunction* function = vm.new_native(call_host, core->names.emplace(name).first->c_str(), 1);
  function->upvalues[0] = mangata::Value::userdata(holder);
  if (destroy != nullptr) {
    host->owned.destroy = destroy;
    host->owned.object = host->closure();
  }
  *out = raw_of(mangata::Value::function(function));
  return true;
}

void give_metatable(Core& core, Userdata* userdata, Table* metatable) {
  userdata->metatable = metatable;
  core.vm->heap.write_barrier(userdata, metatable);
}

void adopt_finalizer(Core& core, Userdata* userdata) {
  give_metatable(core, userdata, core.owner_metatable());
  core.vm->heap.add_finalizable(userdata);
}

void prepare_owner_metatable(Core& core) {
  Vm& vm = *core.vm;
  Table* metatable = table_new(vm);
  core.owner_metatable_slot = pin(&core, raw_of(mangata::Value::table(metatable)));
  set_field(vm, metatable, "__gc", mangata::Value::function(vm.new_native(finalize, "__gc")));
  set_field(vm, metatable, "__metatable", mangata::Value::boolean(false));
  metatable->type_flags |= kUsedAsMetatable;
}

void own(Core* core, Raw function) {
  Userdata* holder = value_of(function).as_native_function()->upvalues[0].as_userdata();
  auto* host = reinterpret_cast<HostClosure*>(holder->payload);
  if (host->owned.destroy == nullptr) return;
  core->owned.link(host->owned);
  adopt_finalizer(*core, holder);
}

int raise_type_error(Frame& frame, int index, const char* expected) {
  (void)call_of(frame).type_error(index, expected);
  return -1;
}

int raise_bad_argument(Frame& frame, int index, std::string_view message) {
  (void)call_of(frame).bad_argument(index, message);
  return -1;
}

int raise(Frame& frame, std::string_view message) {
  (void)call_of(frame).error(message);
  return -1;
}

int raise_again(Frame& frame, const Error& error) {
  Vm& vm = call_of(frame).vm();
  if (error.kind == ErrorKind::Memory) {
    vm.error = mangata::Value::string(vm.memory_error);
  } else if (const mangata::Value last = vm.pinned.values[frame.core->last_error_slot];
             error.kind == ErrorKind::Runtime && !last.is_nil() && text_of(vm, last) == error.message) {
    vm.error = last;
  } else {
    (void)call_of(frame).error(error.message);
  }
  return -1;
}

int raise_value(Frame& frame, Raw value) {
  (void)call_of(frame).raise(value_of(value));
  return -1;
}

bool reserve(Frame& frame, int count, Error* error) {
  return reserve_stack(call_of(frame).thread(), count + 1, error);
}

}  // namespace mangata::abi
