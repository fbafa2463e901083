// How the functions of a type are called: the types of arguments and result as libffi wants them.
#pragma once

#include <ffi.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/ffi/ctype.h"

namespace mangata::ffi {

struct State;

/// What is scalar, for calls without libffi.
enum class Scalar : uint8_t {
  None,
  Void,
  Bool,
  Int8,
  Uint8,
  Int16,
  Uint16,
  Int32,
  Uint32,
  Int64,
  Float,
  Double,
  Other
};

struct CallPlan {
  struct Argument {
    TypeId type;
    Scalar scalar;
    uint32_t bytes;  ///< in the buffer
    uint32_t offset;  ///< in the buffer of arguments; a multiple of 16
  };
  std::vector<Argument> arguments;
  TypeId result;  ///< void: there is none
  uint32_t result_bytes = 0;  ///< of its buffer
  uint32_t buffer_bytes = 0;  ///< of all arguments
  ffi_cif cif;
  std::vector<ffi_type*> foreign_arguments;  ///< as libffi sees them: a record in registers is several
  std::vector<uint32_t> foreign_offsets;     ///< where each is in the buffer
  /// Types of records, which belong to the plan.
  struct RecordType {
    ffi_type type;
    ffi_type* elements[3];  ///< ended by null, as libffi wants it
  };
  std::vector<std::unique_ptr<RecordType>> records;  ///< addresses in them must not change
  const void* stub = nullptr;  ///< scalar_call.h; null: libffi calls
  Scalar result_scalar = Scalar::None;  ///< of what the stub returns
};

/// The plan of a function type, made at its first use; null: *problem says why it cannot be called.
CallPlan* plan_of(State& state, TypeId function, std::string* problem);
/// For one call of a variadic function, whose arguments have these types.
std::unique_ptr<CallPlan> make_plan(const Types& types, TypeId result, std::span<const TypeId> arguments,
                                    size_t fixed_count, bool is_variadic, std::string* problem);

}  // namespace mangata::ffi
