// The library `jit`, as users of LuaJIT know it, and what it asks of the engine.
//
// [DESIGN] The library is the only one that reaches above the machine. It does so through the two interfaces
// below, which the engine implements; their addresses are upvalues of the functions. Everything else is
// ordinary library code.
//
// Read next: runtime/tiering/tier_control.cpp, runtime/path_session.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/path_profile.h"
#include "profiler/report_options.h"
#include "vm/native.h"

namespace mangata {

/// What decides about machine code.
class TierControl {
 public:
  virtual ~TierControl() = default;

  /// Whether functions may be compiled.
  virtual bool is_on() const = 0;
  /// What jit.status() names.
  virtual std::vector<std::string_view> features() const = 0;
  /// Off: nothing is compiled any more; machine code that exists stays in use.
  virtual void turn(bool on) = 0;
  /// Off: the function runs in the interpreter from its next call; frames that are in its machine code go on.
  virtual void turn(Proto& proto, bool on) = 0;
  /// New calls go through the interpreter until the function is compiled again. Code that no frame is in is
  /// freed.
  virtual void flush() = 0;
  virtual void flush(Proto& proto) = 0;

  struct State {
    const char* tier;  ///< of new calls: "interpreter" or "baseline"
    const char*
        profile;        ///< what they count: "none", "paths", "iterations", "preferential", "exact", "edges"
    size_t code_bytes;  ///< of machine code, in all versions
    size_t versions;    ///< of the bytecode: 1, and those with events
    bool is_on;  ///< jit.on and jit.off
  };
  virtual State state_of(const Proto& proto) = 0;  ///< of one function, without those inside it
};

/// Exact counts of paths, on request.
class PathControl {
 public:
  virtual ~PathControl() = default;

  /// Counts paths of `iterations` iterations of innermost loops (0: as the command line says). Empty, or why
  /// that cannot be done.
  virtual std::string start(unsigned iterations) = 0;
  virtual std::string stop() = 0;
  virtual std::string reset() = 0;
  /// What has been counted since the last reset, with the k of the last start. False: *problem says why there
  /// is nothing.
  virtual bool snapshot(PathProfile* profile, std::string* problem) const = 0;
  virtual const ReportOptions& report_options() const = 0;
};

/// package.preload.jit, and of its parts: the library is made when it is required. It is no global: programs
/// take one of that name for the sign of LuaJIT, with its `bit`, its Lua 5.1 and its bytecode. Precondition: the
/// package library is open, or nothing happens.
void preload_jit(Vm& vm, TierControl& tiers, PathControl& paths);

// --- its parts
Table* make_jit_paths(Vm& vm, PathControl& paths);
Table* make_jit_util(Vm& vm, TierControl& tiers);

/// A function with the address of a control as its upvalue.
void set_control_function(Vm& vm, Table* library, const char* name, NativeCode code, void* control);

template <class Control>
Control& control_of(Call& call) {
  return *static_cast<Control*>(call.upvalue(0).as_light_userdata());
}

}  // namespace mangata
