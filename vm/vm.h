// The state of one virtual machine: heap, strings, shapes, threads, registry. lua_State's global_State.
//
// Read next: vm/native.h (writing library functions), vm/interpreter/interpreter.h, vm/operations/.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vm/error.h"
#include "vm/event_countdown.h"
#include "vm/foreign_data.h"
#include "vm/heap/heap.h"
#include "vm/interpreter/native_stack.h"
#include "vm/object/function.h"
#include "vm/object/metatable_class.h"
#include "vm/object/shape.h"
#include "vm/object/string.h"
#include "vm/object/string_table.h"
#include "vm/object/table.h"
#include "vm/object/thread.h"
#include "vm/object/thread_stack.h"
#include "vm/object/userdata.h"
#include "vm/tier_hooks.h"
#include "vm/value/value.h"

namespace mangata {

class PathAllocations;
struct Instruction;
struct Proto;
struct SharedPropertyCache;

/// What the virtual machine knows of a JIT. [DESIGN] in vm/interpreter/compiled_frame.h.
struct NativeTier {
  /// Runs the complete frame at `base` from `pc` on to its return; negative when an error was raised.
  int64_t (*resume)(Thread* thread, Value* base, const Instruction* pc) = nullptr;
  /// Calls the Lua function of the frame at `base`, whose header is written but for the saved pc and the count of extra
  /// arguments, with what lies from `base` on; negative when an error was raised.
  int64_t (*call)(Thread* thread, Value* base, int64_t argument_count) = nullptr;
};

/// What layers above the virtual machine keep per machine (runtime/c_boundary/machine_data.h).
struct HostData {
  virtual ~HostData() = default;
};

/// Values that C++ code outside the machine holds: roots.
struct PinnedValues {
  std::vector<Value> values;
  std::vector<uint32_t> free;  ///< positions in values; these are nil
};

/// From where C code that Lua did not call has last called the machine (runtime/c_boundary/protect.h).
struct Arrival {
  uint32_t native_thread = UINT32_MAX;  ///< native_thread_number; this one is nobody's
  const char* native_address = nullptr;  ///< of the stack: what lies above it is the C code's
  const Value* top = nullptr;           ///< of the thread that ran
};

/// What the machine's thread does besides running the program (ActivityScope).
enum class Activity : uint8_t {
  Program,
  Collector,
  Compiler
};

/// Why loops are not run as optimized code: it does not count their paths, or was made without counting events.
enum LeaveRegions : uint8_t {
  kLeaveToCountPaths = 1,
  kLeaveToSpendFuel = 2
};

struct Vm {
  Vm();   ///< an empty machine with a main thread, registry, globals; no libraries
  ~Vm();  ///< closes it: pending to-be-closed variables of the main thread, all finalizers
  /// What the destructor does before it frees the memory. For os.exit(code, true), which may run on a coroutine's native stack.
  void close();
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  StackPool stacks;  ///< of threads
  Heap heap;
  StringTable strings;  ///< all short strings
  Shape* empty_shape = nullptr;  ///< of tables that have no properties
  Thread* main_thread = nullptr;  ///< never collected
  Thread* current = nullptr;                 ///< the running thread
  Table* registry = nullptr;                 ///< debug.getregistry(); [1] main thread, [2] globals, "_LOADED", "_PRELOAD"
  Table* globals = nullptr;  ///< _G of chunks that are loaded from now on
  Value error = Value::nil();                ///< the pending error while a Result is Raised
  std::unique_ptr<SharedPropertyCache> property_cache;  ///< vm/interpreter/inline_cache.h; null until needed
  MetatableClasses metatable_classes;  ///< of metatables
  std::atomic<bool> interrupt{false};        ///< asks for a call of on_interrupt at the next backedge or call: request_interrupt
  /// Not zero: optimized code goes on in baseline code at its next backedge, but for code that counts events under kLeaveToSpendFuel.
  /// Bits of LeaveRegions; read together with `interrupt`.
  std::atomic<uint8_t> leave_regions{0};
  /// Of the interpreter, and of C++ code that starts frames of Lua functions: lets TierHooks::events_interpreted and interrupts happen.
  EventCountdown interpreter_events{kInterpreterPeriod};
  /// Of machine code (which counts calls only in states that can be interrupted, or under policies that sample): lets
  /// TierHooks::sample_is_due and interrupts happen.
  EventCountdown machine_events{kPollPeriod};
  /// Events that regions may still let happen, if they count them (jit/region/region_input.h). Where it is 0, they are left.
  uint64_t region_fuel = kUnlimitedFuel;
  static constexpr int32_t kInterpreterPeriod = 1 << 10;
  static constexpr int32_t kPollPeriod = 1 << 15;
  static constexpr uint64_t kUnlimitedFuel = uint64_t{1} << 62;
  Status (*on_interrupt)(Vm&) = nullptr;
  Table* type_metatables[16] = {};           ///< by Tag, for types without individual metatables (booleans: Tag::False)
  String* metamethod_names[kMetamethodCount] = {};
  String* type_names[kTagCount] = {};        ///< type_name() by Tag
  String* empty_string = nullptr;
  String* memory_error = nullptr;            ///< "not enough memory", made in advance
  Value retired_stack[kCallOverheadSlots] = {};  ///< the empty one of all coroutines that have returned (vm/object/thread_stack.h)
  const void* main_stack_low = nullptr;      ///< of the native stack that entered the machine; only sanitizers need it
  size_t main_stack_bytes = 0;
  TierHooks* hooks = nullptr;                ///< the layers above; null in a bare machine
  PathAllocations* path_allocations = nullptr;  ///< told which thread runs; null unless allocations of paths are counted
  Activity activity = Activity::Program;     ///< what samples of the processor time are charged to
  NativeTier* native_tier = nullptr;         ///< runs compiled code; null without a JIT
  bool closing = false;
  /// Whoever embeds the machine stops what runs: the pending error is one that nothing catches, and no Lua code runs meanwhile: no
  /// message handlers, to-be-closed variables or finalizers. Who sets it clears it, once the stack is unwound.
  bool terminating = false;
  void* embedder = nullptr;                  ///< of the layers above
  uint32_t max_stack_slots = Thread::kMaxStackSlots;  ///< of one thread; at most that many
  PinnedValues pinned;
  uint32_t next_proto_id = 0;
  int warnings_on = 0;                       ///< state of warn() (manual §6.1)
  bool warning_continues = false;
  void (*warn_function)(void* data, const char* message, int continues) = nullptr;  ///< takes all warnings (lua_setwarnf), unless null
  void* warn_data = nullptr;
  std::unique_ptr<HostData> host_data;
  std::unique_ptr<ForeignData> foreign_data;  ///< the library ffi; null until it is opened: then there are no foreign objects
  Arrival last_arrival;
  Table* host_objects = nullptr;             ///< what host_data keeps alive; null until needed
  InstructionRecorder* recorder = nullptr;   ///< of threads that are recorded (kRecording); null: none is

  /// From a signal handler or another thread. A store to a countdown that the machine's thread overwrites only delays the interrupt, by
  /// at most kPollPeriod backedges.
  void request_interrupt() {
    interrupt.store(true);
    machine_events.left.store(0);
    interpreter_events.left.store(0);
  }
  /// On the machine's thread: the request is dealt with.
  void forget_request() {
    interrupt.store(false, std::memory_order_relaxed);
    machine_events.restart();
    interpreter_events.restart();
  }

  /// Regions are left at their next safepoint, or no more for this reason. Any thread.
  void leave_regions_for(LeaveRegions why, bool on) {
    if (on) {
      leave_regions.fetch_or(why, std::memory_order_relaxed);
    } else {
      leave_regions.fetch_and(static_cast<uint8_t>(~why), std::memory_order_relaxed);
    }
  }

  /// An interned or long string. Small ones never fail; long ones raise "not enough memory" at the limit.
  Result<String*> new_string(std::string_view text);
  /// For names and literals: precondition text.size() <= 8000, so it cannot fail.
  String* intern(std::string_view text);
  /// A long string of `length` uninitialised bytes to be filled in at once (length > String::kMaxShortLength), or Raised.
  Result<String*> new_long_string(size_t length);

  Value string_value(std::string_view text) { return Value::string(intern(text)); }

  /// Its upvalues are nil.
  NativeFunction* new_native(NativeCode code, const char* name, uint32_t upvalue_count = 0);
  Userdata* new_userdata(size_t size_bytes, uint32_t user_value_count);  ///< null when a large one is refused
  LuaFunction* new_lua_function(Proto* proto);   ///< upvalues null: fill them at once
  /// Belongs to no stack.
  Upvalue* new_closed_upvalue(Value value);
  /// Empty: for the front end and load() to fill in. Reachable from nothing.
  Proto* new_proto();
  Thread* new_thread();                          ///< suspended, nothing on its stack; null when address space is exhausted

  /// Of tables and userdata their own, of others that of the type; null: there is none.
  Table* metatable_of(const Value& value) const {
    if (value.is_table()) return value.as_table()->metatable();
    if (value.is_userdata()) return value.as_userdata()->metatable;
    return type_metatables[static_cast<int>(value.is_boolean() ? Tag::False : value.tag)];
  }
  /// The metamethod of `value`, or nil.
  Value metamethod(const Value& value, Metamethod event) const;
  String* name_of(Metamethod event) const { return metamethod_names[static_cast<int>(event)]; }
};

/// While one lives, the time is that of an activity. A signal handler may look at any moment.
class ActivityScope {
 public:
  /// The activity before is taken up again at the end.
  ActivityScope(Vm& vm, Activity activity) : vm_(vm), before_(vm.activity) { set(activity); }
  ~ActivityScope() { set(before_); }
  ActivityScope(const ActivityScope&) = delete;
  ActivityScope& operator=(const ActivityScope&) = delete;

 private:
  void set(Activity activity) {
    vm_.activity = activity;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  Vm& vm_;
  Activity before_;
};

/// The metamethod `event` in `metatable` (null allowed), with the absence cache for those events that have a bit.
Value find_metamethod(Vm& vm, Table* metatable, Metamethod event);

/// "nil", "boolean", "number", ... (manual §6.1 type).
const char* type_name(const Value& value);

}  // namespace mangata
