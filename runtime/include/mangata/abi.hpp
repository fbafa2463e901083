// What lies between the templates of the public headers and the library: values as two words, an opaque state, and functions that
// are no templates. Hosts do not use this file; they include <mangata/mangata.hpp>.
//
// [DESIGN] Everything else in this folder is inline code over these functions, in the inline namespace mangata::v1, so that a host
// compiles against this folder alone and its symbols never meet those of the engine. A Raw is a value that nothing keeps alive: it
// is good until Lua code may run again. Allocation never collects, so arguments may be made one after the other. Functions
// that return bool are false with *error filled in; none throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <mangata/limits.hpp>

struct mangata_policy;  // mangata/policy_abi.h

#define MANGATA_API __attribute__((visibility("default")))

namespace mangata::abi {

/// The tag word of a value.
enum : uint64_t {
  kNil = 0,
  kFalse = 1,
  kTrue = 2,
  kInteger = 3,
  kFloat = 4,
  kLightUserdata = 5,
  kString = 8,
  kTable = 9,
  kLuaFunction = 10,
  kNativeFunction = 11,
  kUserdata = 12,
  kThread = 13,
};

struct Raw {
  uint64_t payload;  ///< as the machine's values have it
  uint64_t tag;  ///< ValueTag
};

inline constexpr Raw kNilValue{0, kNil};

struct Host;  ///< behind Engine
struct Core;  ///< behind State; outlives it while handles refer to it

enum class ErrorKind : uint8_t {
  None,
  Runtime,      ///< raised by Lua code or by a function of the host
  Syntax,       ///< the text is no Lua program
  Memory,       ///< the memory limit
  Conversion,   ///< a result has another type than was asked for
  Timeout,      ///< the deadline has passed
  Fuel,         ///< the fuel is used up
  Interrupted,  ///< interrupt() was called
  StateGone,    ///< the handle's state has been closed
  Misuse,       ///< the state is in use by another thread, a value belongs to another state, a file cannot be read, ...
};

struct Error {
  ErrorKind kind = ErrorKind::None;
  std::string message;  ///< of the error, as text
  std::string traceback;  ///< message and stack, as lua5.4 prints it; in a Result never empty: the message, when there is no stack
};

/// What was decided about a function, or became of the decision. The texts are good during the call.
struct TieringEvent {
  enum class Kind : uint8_t {
    Decided,       ///< the policy was asked about a function
    Optimized,     ///< optimized code of a loop, or of the whole function, is installed
    NotOptimized,  ///< there is none, or no more: it could not be made, or it was left too often
  };
  Kind kind = Kind::Decided;
  std::string_view function;  ///< its name, as in reports
  std::string_view file;  ///< where it was defined, as messages show it
  int line = 0;               ///< where the function begins
  int loop_line = -1;         ///< of the optimized loop; -1: none, or the whole function
  std::string_view tier;      ///< "interpreter", "baseline" or "optimized": what the function is to run in
  bool compiled = false;      ///< new machine code
  uint64_t code_bytes = 0;    ///< of it
  double milliseconds = 0;    ///< of compiling
  std::string_view reason;  ///< as in the log of --jit-log
  std::string_view text;      ///< all of it in a line, as mangata --jit-log writes it
};

struct EngineSettings {
  std::string policy = "adaptive";        ///< as --policy=
  const mangata_policy* functions = nullptr;  ///< a policy of the host; `policy` is ignored then
  void* self = nullptr;                   ///< its first argument; outlives all states
  void (*listen)(void* listener, const TieringEvent& event) = nullptr;  ///< called on the state's thread; null: nobody listens
  void* listener = nullptr;               ///< outlives all states
  size_t code_bytes = size_t{16} << 20;   ///< most machine code of one state
  bool deterministic = false;  ///< no clock decides: the same program is treated the same in each run
  uint64_t seed = 0;                      ///< of math.random, when deterministic
};

// --- engines and states (embed/host.cpp, embed/core.cpp)
MANGATA_API Host* open_host(const EngineSettings& settings, Error* error);  ///< null on failure
MANGATA_API void retain(Host* host);
MANGATA_API void release(Host* host);

MANGATA_API Core* open_state(Host* host, const Limits& limits, const Sandbox& sandbox, Error* error);
MANGATA_API void close_state(Core* core);  ///< handles stay, and fail from now on
MANGATA_API void retain(Core* core);
MANGATA_API void release(Core* core);
MANGATA_API bool is_open(const Core* core);

// --- values that live as long as the host wants
MANGATA_API uint32_t pin(Core* core, Raw value);
MANGATA_API void unpin(Core* core, uint32_t slot);  ///< nothing when the state is gone
MANGATA_API Raw pinned(const Core* core, uint32_t slot);
/// ErrorKind::StateGone unless the state is open.
MANGATA_API bool check_open(const Core* core, Error* error);

// --- making and reading values
MANGATA_API bool new_string(Core* core, std::string_view text, Raw* out, Error* error);
MANGATA_API bool new_table(Core* core, size_t elements, size_t fields, Raw* out, Error* error);
MANGATA_API std::string_view string_view_of(Raw string);
MANGATA_API const char* type_name(Raw value);
/// The same; of objects of the host, their class.
MANGATA_API std::string type_name(Core* core, Raw value);
MANGATA_API bool raw_equal(Raw a, Raw b);
/// Numbers and numeric strings, as Lua's libraries convert them. 1: done; 0: no number; -1: a number without integer representation.
MANGATA_API int to_integer(Raw value, int64_t* out);
MANGATA_API bool to_number(Raw value, double* out);
/// A number in *slot becomes a string. False: it is neither.
MANGATA_API bool coerce_to_string(Core* core, Raw* slot);
/// tostring(value)
MANGATA_API bool display(Core* core, Raw value, std::string* out, Error* error);

// --- tables and whatever has __index; safepoints
MANGATA_API Raw globals(Core* core);
MANGATA_API bool get(Core* core, Raw object, Raw key, Raw* out, Error* error);
MANGATA_API bool set(Core* core, Raw object, Raw key, Raw value, Error* error);
MANGATA_API bool length(Core* core, Raw object, int64_t* out, Error* error);
/// Raw traversal of a table, for which *cursor starts at 0; false at the end. A table may be changed where it was visited.
MANGATA_API bool next(Core* core, Raw table, uint32_t* cursor, Raw* key, Raw* value);
/// Raw access without metamethods or errors, for containers: precondition, a table.
MANGATA_API Raw raw_get(Raw table, int64_t index);
MANGATA_API int64_t raw_length(Raw table);
MANGATA_API bool raw_append(Core* core, Raw table, Raw value, Error* error);
MANGATA_API bool raw_set(Core* core, Raw table, Raw key, Raw value, Error* error);

// --- calling
struct Results {
  Raw* values = nullptr;  ///< on the stack of the state, until finish_call
  int count = 0;  ///< of `values`
  void* mark = nullptr;  ///< for finish_call
};
/// Compiles. chunk_name: "=name", "@file" or the text itself.
MANGATA_API bool load(Core* core, std::string_view text, std::string_view chunk_name, Raw* out, Error* error);
MANGATA_API bool load_file(Core* core, const char* path, Raw* out, Error* error);
/// wanted -1: all results. After success, finish_call; after a failure there is nothing to finish.
MANGATA_API bool call(Core* core, Raw function, const Raw* arguments, int count, int wanted, Results* results, Error* error);
MANGATA_API void finish_call(Core* core, const Results& results);
/// load and call, or load_file and call, without leaving the state between them: one timeout is for both.
MANGATA_API bool run(Core* core, std::string_view text, std::string_view chunk_name, int wanted, Results* results, Error* error);
MANGATA_API bool run_file(Core* core, const char* path, int wanted, Results* results, Error* error);

/// What the last error of kind Runtime was raised with; nil when there was none.
MANGATA_API Raw last_error_value(Core* core);

// --- limits (embed/limits.cpp)
MANGATA_API void interrupt(Core* core);          ///< from any thread and from signal handlers
MANGATA_API void clear_interrupt(Core* core);
MANGATA_API bool set_limits(Core* core, const Limits& limits);
MANGATA_API uint64_t fuel_left(Core* core);
MANGATA_API size_t memory_used(Core* core);
MANGATA_API bool collect_garbage(Core* core, Error* error);

// --- coroutines
MANGATA_API bool new_coroutine(Core* core, Raw function, Raw* out, Error* error);
/// Results are those of yield, or of the function. *finished: it has returned. An error closes the coroutine.
MANGATA_API bool resume(Core* core, Raw coroutine, const Raw* arguments, int count, int wanted, Results* results, bool* finished,
                        Error* error);
/// "suspended", "running", "normal" or "dead".
MANGATA_API const char* coroutine_status(Core* core, Raw coroutine);
MANGATA_API bool close_coroutine(Core* core, Raw coroutine, Error* error);

// --- functions of the host
struct Frame {
  Core* core;
  Raw* arguments;  ///< the first of them
  int count;  ///< of arguments
  Raw** top;   ///< where results are pushed: *(*top)++ = value; 20 fit
  void* call;  ///< of the machine
};
/// The number of results, or what the raise_ functions return.
using Invoke = int (*)(Frame& frame, void* closure);
using Destroy = void (*)(void* closure);
/// A function with room for a closure of `bytes` in *closure, aligned to 16. destroy: null when there is nothing to do.
MANGATA_API bool new_function(Core* core, const char* name, Invoke invoke, size_t bytes, Destroy destroy, Raw* out, void** closure,
                              Error* error);
/// After its closure has been constructed: it is destroyed with the function, or when the state is closed.
MANGATA_API void own(Core* core, Raw function);

// --- paths (embed/paths.cpp)
struct HotPath {
  std::string function;   ///< its name, as in reports
  std::string file;  ///< as messages show it
  int line = 0;           ///< where the function begins
  std::string path;       ///< "loop 92 > 93:T 94:F > loop 92": profiler/README.md
  std::string key;        ///< structural; stable when code moves
  uint64_t count = 0;     ///< times completed
  uint64_t bytecodes = 0; ///< length
  double percent = 0;     ///< of all completed paths
};
MANGATA_API bool start_paths(Core* core, unsigned iterations, Error* error);
MANGATA_API bool stop_paths(Core* core, Error* error);
MANGATA_API bool reset_paths(Core* core, Error* error);
MANGATA_API bool top_paths(Core* core, size_t count, void (*visit)(void* context, HotPath&& path), void* context, Error* error);
/// The report of --profile-paths; json: in the form of profiler/JSON.md.
MANGATA_API bool report_paths(Core* core, bool json, std::string* out, Error* error);

// --- objects of the host: userdata of types that have been bound (embed/objects.cpp)
using TypeTag = const void*;   ///< one address per type
using Cast = void* (*)(void*);  ///< from a class to its base
/// Members and metatable of a type; the class table, which scripts see as the global `name`, is the result.
MANGATA_API bool bind_type(Core* core, TypeTag tag, const char* name, Raw* class_table, Error* error);
MANGATA_API bool bind_base(Core* core, TypeTag tag, TypeTag base, Cast cast, Error* error);
/// Functions that get and set object.name; setter: nil for what cannot be set.
MANGATA_API bool bind_property(Core* core, TypeTag tag, const char* name, Raw getter, Raw setter, Error* error);
/// event: "__add", "__eq", "__tostring", ...
MANGATA_API bool bind_metamethod(Core* core, TypeTag tag, const char* event, Raw function, Error* error);
/// An object with room for `bytes` in *storage, aligned to 16; it is none before finish_object().
MANGATA_API bool new_object(Core* core, TypeTag tag, size_t bytes, Raw* out, void** storage, Error* error);
/// What was constructed in the storage is, or refers to, `object`. destroy: of the storage; null when there is nothing to do.
MANGATA_API void finish_object(Core* core, Raw value, void* object, Destroy destroy, bool is_shared);
/// Null: the value is no such object, nor one of a class derived from it.
MANGATA_API void* find_object(Core* core, Raw value, TypeTag tag);
/// The storage of an object of exactly this type that was made with is_shared; else null.
MANGATA_API void* find_shared(Core* core, Raw value, TypeTag tag);
/// What is wrong with an object of the type that is not shared, and what to do; empty when it is no object of the type.
MANGATA_API std::string why_not_shared(Core* core, Raw value, TypeTag tag);
/// The value so many below the stack's top is a copy of what an object of the host has: what is written to it is an error, not lost.
MANGATA_API void seal_copy(Frame& frame, int below);
MANGATA_API const char* bound_name(Core* core, TypeTag tag);  ///< "userdata" when it is not bound

/// Argument `index` (from 0) is wrong: "bad argument #1 to 'f' (number expected, got string)".
MANGATA_API int raise_type_error(Frame& frame, int index, const char* expected);
MANGATA_API int raise_bad_argument(Frame& frame, int index, std::string_view message);
/// The message with the position of the caller in front.
MANGATA_API int raise(Frame& frame, std::string_view message);
/// An error that came from the state goes on as it is.
MANGATA_API int raise_again(Frame& frame, const Error& error);
MANGATA_API int raise_value(Frame& frame, Raw value);
/// Room for `count` results.
MANGATA_API bool reserve(Frame& frame, int count, Error* error);

}  // namespace mangata::abi
