// A state as the library has it: an engine with its machine, and what the host has asked for.
//
// [DESIGN] Host code enters the machine through Entry (entry.h), which counts nested entries, gives the machine the native stack it
// runs on, and at the outermost level arms the limits and ends a termination. A termination (interrupt, deadline, fuel) is a pending
// error that nothing catches: Vm::terminating is looked at wherever errors are caught, and until the outermost entry ends each poll
// raises it again (limits.cpp).
//
// A Core is reference-counted: the State owns one reference, each handle one. The engine goes when the state is closed, the Core
// with its last reference. Read next: entry.h, calls.cpp, functions.cpp.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <mangata/abi.hpp>

#include "runtime/embed/fuel.h"
#include "runtime/embed/host_closure.h"
#include "runtime/embed/objects.h"
#include "runtime/embed/watch.h"
#include "runtime/engine.h"
#include "runtime/options/options.h"

namespace mangata::abi {

static_assert(sizeof(Raw) == sizeof(Value) && offsetof(Raw, tag) == offsetof(Value, tag));
static_assert(kNil == static_cast<uint64_t>(Tag::Nil) && kTrue == static_cast<uint64_t>(Tag::True) &&
              kInteger == static_cast<uint64_t>(Tag::Integer) && kFloat == static_cast<uint64_t>(Tag::Float) &&
              kLightUserdata == static_cast<uint64_t>(Tag::LightUserdata) && kString == static_cast<uint64_t>(Tag::String) &&
              kTable == static_cast<uint64_t>(Tag::Table) && kLuaFunction == static_cast<uint64_t>(Tag::LuaFunction) &&
              kNativeFunction == static_cast<uint64_t>(Tag::NativeFunction) && kUserdata == static_cast<uint64_t>(Tag::Userdata) &&
              kThread == static_cast<uint64_t>(Tag::Thread));

inline mangata::Value value_of(const Raw& raw) { return {raw.payload, static_cast<Tag>(raw.tag)}; }
inline Raw raw_of(const mangata::Value& value) { return {value.payload, static_cast<uint64_t>(value.tag)}; }

struct Host {
  std::atomic<uint32_t> references{1};  ///< of states, and of the host's engine
  EngineSettings settings;
  Watch watch;
};

struct Core {
  std::atomic<uint32_t> references{1};  ///< of handles and of the state
  Host* host = nullptr;
  Options options;                           ///< of the engine, which refers to them
  std::unique_ptr<mangata::Engine> engine;   ///< null: closed
  Vm* vm = nullptr;                          ///< null: closed
  uint32_t depth = 0;                        ///< entries of the host that are under way, one inside the other
  std::atomic<const void*> owner{nullptr};   ///< the thread that has entered; see Entry
  std::string traceback;                     ///< of the error that is on its way
  std::string memory_message;                ///< of an error of memory that is on its way: with its position
  std::set<std::string, std::less<>> names;  ///< of functions of the host: the machine keeps pointers
  BoundTypes types;
  OwnedList owned;                           ///< objects of the host that the machine owns
  bool close_when_left = false;              ///< close_state() was called by a function of the host
  bool is_sandboxed = false;                 ///< Sandbox::no_files_and_binaries

  // Pinned values
  uint32_t last_error_slot = 0;
  uint32_t resume_slot = 0;          ///< coroutine.resume, wherever the script has put it
  uint32_t handler_slot = 0;
  uint32_t globals_slot = 0;         ///< as the host sees them; what scripts have may be a read-only view
  uint32_t owner_metatable_slot = 0;

  // Limits: limits.cpp
  Watched watched;
  std::unique_ptr<FuelMeter> fuel;                    ///< the machine's hooks: passes them on to the engine
  ErrorKind termination = ErrorKind::None;            ///< while Vm::terminating, as are the next two
  std::string termination_message;                    ///< with its position
  std::string termination_traceback;

  std::string_view load_mode() const { return is_sandboxed ? "t" : "bt"; }
  Table* owner_metatable() const { return vm->pinned.values[owner_metatable_slot].as_table(); }
  mangata::Value handler() const { return vm->pinned.values[handler_slot]; }
};

/// The Core of a machine.
inline Core& core_of(Vm& vm) { return *static_cast<Core*>(vm.embedder); }

/// What is said of an error raised with `value`, with the traceback that was noted.
void describe_error(Core& core, mangata::Value value, Error* error);
/// The message of an error value; runs no code.
std::string text_of(Vm& vm, const mangata::Value& value);
const char* termination_message(ErrorKind kind);
/// The message handler of all calls, which notes tracebacks.
mangata::Result<int> note_traceback(Call& call);
/// For errors that no message handler hears of: `message` after the position of the innermost Lua function, and the stack of `thread`.
void note_stop(Vm& vm, Thread& thread, std::string_view message, std::string* with_position, std::string* with_stack);
/// For protected_call.
void note_memory_error(Vm& vm);
/// The stack of a coroutine that has failed with `error`.
void note_failure(Vm& vm, Thread& coroutine, mangata::Value error);
void prepare_owner_metatable(Core& core);

}  // namespace mangata::abi
