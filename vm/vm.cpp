// Birth and death of a virtual machine, and of its objects.
#include "vm/vm.h"

#include <algorithm>
#include <cstring>

#include "vm/bytecode/proto.h"
#include "vm/heap/collector.h"
#include "vm/heap/emergency_memory.h"
#include "vm/interpreter/inline_cache.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/native_stack.h"
#include "vm/native.h"
#include "vm/operations/operations.h"
#include "vm/poll.h"

namespace mangata {

Vm::Vm() : heap(*this), strings(heap) {
  EmergencyMemory::add(*this);
  heap.stop();  // until the roots are complete
  empty_string = intern("");
  memory_error = intern("not enough memory");
  static constexpr const char* kNames[] = {
#define METAMETHOD(name, text) text,
#include "vm/metamethods.def"
  };
  for (int i = 0; i < kMetamethodCount; ++i) metamethod_names[i] = intern(kNames[i]);
  for (int i = 0; i < kTagCount; ++i) type_names[i] = intern(type_name(Value(0, static_cast<Tag>(i))));
  empty_shape = heap.allocate_destructible<Shape>(ObjectType::Shape);
  empty_shape->root = empty_shape;
  main_thread = new_thread();
  if (main_thread == nullptr) {
    EmergencyMemory::remove(*this);
    throw std::bad_alloc();
  }
  main_thread->status = ThreadStatus::Running;
  main_thread->non_yieldable = 1;
  current = main_thread;
  main_thread->native_limit = lowest_native_address();
  char* here = static_cast<char*>(__builtin_frame_address(0));
  main_thread->region_limit = std::max(here - kOptimizedBytes, main_thread->native_limit);
  main_thread->set_native_bound(slots_without_native_check(
      here > main_thread->native_limit ? static_cast<size_t>(here - main_thread->native_limit) : 0));
  registry = table_new(*this);
  globals = table_new(*this);
  (void)table_set_integer(*this, registry, 1, Value::thread(main_thread));
  (void)table_set_integer(*this, registry, 2, Value::table(globals));
  heap.restart();
}

namespace {

/// As lua_close: pending to-be-closed variables of the main thread; an error in one becomes the error of the
/// others.
void close_main_thread(Vm& vm) {
  Thread& thread = *vm.main_thread;
  thread.region_limit = vm.current->region_limit;
  thread.native_limit = vm.current->native_limit;  // this may be the native stack of a coroutine
  thread.set_native_bound(slots_without_native_check(0));
  // Which must not die, nor its stack be used again, while finalizers run on it.
  set_field(vm, vm.registry, "_CLOSING", Value::thread(vm.current));
  vm.current = &thread;
  thread.status = ThreadStatus::Running;
  Value* bottom = thread.stack + kCallOverheadSlots;
  thread.base = bottom;
  thread.native_depth = 0;
  bool has_error = false;
  while (!thread.to_be_closed.empty()) {
    thread.top = std::max(thread.top, thread.stack + thread.to_be_closed.back() + 1);
    has_error = !close_variables(vm, thread, bottom, vm.error, has_error).ok();
  }
  close_upvalues(thread, bottom);
  thread.top = bottom;
  vm.error = Value::nil();
}

}  // namespace

void Vm::close() {
  close_main_thread(*this);
  heap.finalize_all();
}

Vm::~Vm() {
  close();
  EmergencyMemory::remove(*this);
  heap.collector().destroy_all();
}

Result<String*> Vm::new_string(std::string_view text) {
  if (text.size() <= String::kMaxShortLength) return strings.intern(text);
  String* string = TRY(new_long_string(text.size()));
  std::memcpy(string->data, text.data(), text.size());
  return string;
}

String* Vm::intern(std::string_view text) { return new_string(text).value(); }

Result<String*> Vm::new_long_string(size_t length) {
  if (length > PTRDIFF_MAX / 2) return raise_out_of_memory(*this);
  Object* object = heap.allocate(ObjectType::String, String::size_bytes(length));
  if (object == nullptr) return raise_out_of_memory(*this);
  auto* string = static_cast<String*>(object);
  string->length = length;
  string->data[length] = '\0';
  charge_bytes(*this, length);
  return string;
}

NativeFunction* Vm::new_native(NativeCode code, const char* name, uint32_t upvalue_count) {
  Object* object = heap.allocate_small(ObjectType::NativeFunction, NativeFunction::size_bytes(upvalue_count));
  auto* function = static_cast<NativeFunction*>(object);
  function->type_word = upvalue_count;
  function->code = code;
  function->direct = nullptr;
  function->name = name;
  for (uint32_t i = 0; i < upvalue_count; ++i) function->upvalues[i].set_nil();
  return function;
}

Userdata* Vm::new_userdata(size_t size_bytes, uint32_t user_value_count) {
  const size_t payload_bytes = (size_bytes + alignof(Userdata) - 1) / alignof(Userdata) * alignof(Userdata);
  if (payload_bytes < size_bytes) return nullptr;
  const size_t total_bytes = offsetof(Userdata, payload) + payload_bytes + sizeof(Value) * user_value_count;
  Object* object = heap.allocate(ObjectType::Userdata, std::max(total_bytes, sizeof(Userdata)));
  if (object == nullptr) return nullptr;
  auto* userdata = static_cast<Userdata*>(object);
  userdata->type_word = user_value_count;
  userdata->metatable = nullptr;
  userdata->payload_bytes = size_bytes;
  userdata->user_values = reinterpret_cast<Value*>(userdata->payload + payload_bytes);
  for (uint32_t i = 0; i < user_value_count; ++i) userdata->user_values[i].set_nil();
  return userdata;
}

LuaFunction* Vm::new_lua_function(Proto* proto) {
  const auto count = static_cast<uint32_t>(proto->upvalues.size());
  auto* function =
      static_cast<LuaFunction*>(heap.allocate_small(ObjectType::LuaFunction, LuaFunction::size_bytes(count)));
  function->type_word = count;
  function->proto = proto;
  for (uint32_t i = 0; i < count; ++i) function->upvalues[i] = nullptr;
  return function;
}

Upvalue* Vm::new_closed_upvalue(Value value) {
  auto* upvalue = static_cast<Upvalue*>(heap.allocate_small(ObjectType::Upvalue, sizeof(Upvalue)));
  upvalue->closed = value;
  upvalue->location = &upvalue->closed;
  return upvalue;
}

Proto* Vm::new_proto() {
  Proto* proto = heap.allocate_destructible<Proto>(ObjectType::Proto);
  proto->id = next_proto_id++;
  return proto;
}

Thread* Vm::new_thread() {
  constexpr int64_t kWorkOfStack = 100;  // its first pages
  charge_if_much(*this, kWorkOfStack);
  Thread* thread = heap.allocate_destructible<Thread>(ObjectType::Thread);
  thread->vm = this;
  thread->status = ThreadStatus::Suspended;
  thread->hook_function = Value::nil();
  thread->hooks_allowed = true;
  if (main_thread != nullptr) thread->host_word = main_thread->host_word;
  return acquire_thread_stack(*this, *thread) ? thread : nullptr;
}

const char* type_name(const Value& value) {
  switch (value.tag) {
    case Tag::Nil:
      return "nil";
    case Tag::False:
    case Tag::True:
      return "boolean";
    case Tag::Integer:
    case Tag::Float:
      return "number";
    case Tag::String:
      return "string";
    case Tag::Table:
      return "table";
    case Tag::LuaFunction:
    case Tag::NativeFunction:
      return "function";
    case Tag::LightUserdata:
    case Tag::Userdata:
      return "userdata";
    case Tag::Thread:
      return "thread";
    case Tag::Frame:
      break;
  }
  return "no value";
}

}  // namespace mangata
