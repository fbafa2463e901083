// Functions and their upvalues (Lua 5.4 manual §2.1, §3.5).
#pragma once

#include "vm/error.h"
#include "vm/object/object.h"
#include "vm/value/value.h"

namespace mangata {

struct Proto;
struct Vm;
class Call;

/// A variable captured by closures. Open: `location` points into a VM stack. Closed: it points at `closed`.
struct Upvalue : Object {
  Value* location;  ///< where the variable is now
  union {
    Value closed;
    struct {
      Upvalue* next_open;  ///< the open upvalue of the next lower slot of the same thread
    };
  };
  bool is_open() const { return location != &closed; }
};

struct LuaFunction : Object {
  // type_word: number of upvalues
  Proto* proto;
  Upvalue* upvalues[1];  ///< upvalue_count() of them

  uint32_t upvalue_count() const { return type_word; }
  static size_t size_bytes(uint32_t upvalue_count) {
    return offsetof(LuaFunction, upvalues) + sizeof(Upvalue*) * upvalue_count;
  }
};

/// A function in C++. It finds its arguments in `call`, pushes its results and returns how many they are.
/// It may reach safepoints: see the rooting rule in vm/native.h.
using NativeCode = Result<int> (*)(Call& call);

/// What a native function does in its common case, without a frame. The arguments lie at function[kCallOverheadSlots...]; it
/// puts results at function[0...] and returns their number, or kNotDirect, having done nothing: then `code` must be called.
/// It may allocate, but it neither raises nor runs Lua code nor looks at frames.
using DirectCode = int (*)(Vm& vm, Value* function, int argument_count);
inline constexpr int kNotDirect = -1;

struct NativeFunction : Object {
  // type_word: number of upvalues; type_byte: NativeId for functions that tiers treat specially; type_flags: bits below
  static constexpr uint8_t kKnownByCode = 1;  ///< hosts and scripts know it by the address of c_code (address_of, vm/operations/operations.h)
  NativeCode code;
  DirectCode direct;  ///< null: none
  union {
    const char* name;        ///< static; for debug output
    int (*c_code)(void*);    ///< of functions made through the C API: a lua_CFunction (runtime/c_boundary/boundary.h)
  };
  Value upvalues[1];  ///< upvalue_count() of them

  uint32_t upvalue_count() const { return type_word; }
  static size_t size_bytes(uint32_t upvalue_count) {
    return offsetof(NativeFunction, upvalues) + sizeof(Value) * upvalue_count;
  }
};

/// Native functions that interpreter and compilers recognise (NativeFunction::type_byte).
enum class NativeId : uint8_t {
  None,
  Next,
  IpairsIterator,
  Pcall,
  Xpcall,
  Resume,
  ResumeWrapped,
  Yield,
  Error,
#define INTRINSIC(id, library, name) id,
#include "vm/intrinsics.def"
};

/// Of the library `bit`: a float plus this has the nearest integer, modulo 2^32, in the low half of its bits.
inline constexpr double kRoundsToBits = 0x1.8p52;

}  // namespace mangata
