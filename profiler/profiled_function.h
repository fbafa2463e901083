// A function under profile, whatever is counted in it: who it is, its control flow, its counters, and how events get into
// its prototypes.
//
// Invariant: all prototypes with the same code, lines and place in the source share one ProfiledFunction, so a chunk that is
// loaded again goes on counting; PathCounters::owner points to it. Read next: profiler/function_record.h (paths),
// profiler/edge_record.h (edges).
#pragma once

#include <cstdint>
#include <string>

#include "profiler/function_shape.h"
#include "profiler/instrument.h"
#include "vm/interpreter/path_event.h"
#include "vm/operations/operations.h"

namespace mangata {

struct CodeVersion;
struct Value;

/// What profiles are kept by, and what reports call the function.
struct FunctionIdentity {
  uint64_t key = 0;  ///< place_hash
  std::string id;    ///< content_hash as text: the same wherever the function stands
  std::string name;  ///< empty until the prototype around it is made, or for ever
  std::string source;  ///< chunk name as given to load
  int32_t line_defined = 0;  ///< 0: a main chunk
  int32_t last_line_defined = 0;  ///< of its `end`
  int32_t column_defined = 0;  ///< as in Proto

  /// The name, or "function <file:line>", with a column as in column_defined.
  std::string display_name() const;
};

FunctionIdentity identity_of(const Proto& proto);

/// What profiles of every kind say of their function.
template <class Profile>
void set_identity(const FunctionIdentity& function, Profile* profile) {
  profile->id = function.id;
  profile->name = function.display_name();
  profile->source = function.source;
  profile->file = chunk_id(function.source);
  profile->line_defined = function.line_defined;
  profile->column_defined = function.column_defined;
}

struct ProfiledFunction : FunctionIdentity {
  /// The counters begin at 0.
  ProfiledFunction(FunctionIdentity identity, FunctionShape function_shape)
      : FunctionIdentity(std::move(identity)), shape(std::move(function_shape)) {
    counters.owner = this;
  }
  ProfiledFunction(const ProfiledFunction&) = delete;
  ProfiledFunction& operator=(const ProfiledFunction&) = delete;

  FunctionShape shape;
  PathCounters counters;
  int32_t first_started_pc = 0;  ///< see InstrumentedCode
  int prototypes = 0;            ///< how many living prototypes count here
};

/// The function that an instrumented prototype counts in; null when the prototype is not instrumented.
ProfiledFunction* profiled_function(const Proto& proto);

/// Gives the functions nested in `proto` the names that its code stores them under.
void name_nested_functions(const Proto& proto);

/// Adds a version of `proto`'s code with these events, counting in `function`; not yet installed.
CodeVersion& add_events(Proto& proto, ProfiledFunction& function, const EdgeCode& events);

/// The same, and `proto` runs it from now on.
void install_events(Proto& proto, ProfiledFunction& function, const EdgeCode& events);

/// `proto` dies. True when no other prototype counts in its function.
bool uninstall_events(Proto& proto);

/// Where a frame is that is being discarded.
struct FramePlace {
  int32_t pc = 0;           ///< the instruction that runs, in the original code
  bool is_started = false;  ///< the events at the entry have been executed
  bool is_leaving = false;  ///< so have those of the edge into the exit
};
FramePlace place_of(const Proto& proto, const Value* base);

}  // namespace mangata
