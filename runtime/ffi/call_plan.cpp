// See call_plan.h.
//
// libffi knows neither unions nor bit-fields nor packed records. What decides how a record is passed is the class of each of its
// eight-byte parts (System V ABI for x86-64, §3.2.3), so a record is described to libffi by one member for
// each part, integer or double; one that is passed in memory, by a member that is too large for registers. Complex numbers
// are passed as records of two floats. An argument that goes into registers is passed as several scalars, one for
// each part: libffi 3.4.4 writes the second part of a record also over the first register for floats when its
// first part is in the last one for integers.
#include "runtime/ffi/call_plan.h"

#include <algorithm>

#include "runtime/ffi/scalar_call.h"
#include "runtime/ffi/state.h"

namespace mangata::ffi {
namespace {

constexpr uint64_t kMostRegisterBytes = 16;

enum class PartClass : uint8_t {
  None,
  Float,
  Integer,
  LongDouble,
  LongDoubleRest,
  Memory
};

PartClass merge(PartClass a, PartClass b) {
  if (a == b || b == PartClass::None) return a;
  if (a == PartClass::None) return b;
  if (a == PartClass::Memory || b == PartClass::Memory) return PartClass::Memory;
  if (a == PartClass::Integer || b == PartClass::Integer) return PartClass::Integer;
  return PartClass::Memory;
}

/// The classes of the parts of a record or complex number of at most kMostRegisterBytes.
class Classes {
 public:
  explicit Classes(const Types& types) : types_(types) {}

  /// False: something in it is passed in ways of its own.
  bool add(TypeId id, uint64_t offset) {
    const CType& type = types_[id];
    switch (type.kind) {
      case TypeKind::Complex:
      case TypeKind::Array: {
        const uint64_t size = types_.size_of(type.element);
        for (uint64_t i = 0; size != 0 && type.count < kVariableCount && i < type.count; ++i) {
          if (!add(type.element, offset + i * size)) return false;
        }
        return true;
      }
      case TypeKind::Record:
        return add_members(id, offset);
      case TypeKind::Float:
        add_scalar(type.size == 16 ? PartClass::LongDouble : PartClass::Float, type.size, offset);
        return true;
      case TypeKind::Vector:
        if (type.size != 8 || type.count == 1) return false;  // about vectors of one number compilers do not agree
        add_scalar(PartClass::Float, type.size, offset);
        return true;
      case TypeKind::Opaque:
        return false;
      default:
        add_scalar(PartClass::Integer, type.size, offset);
        return true;
    }
  }
  PartClass of_part(uint64_t i) const { return parts_[i]; }
  bool is_long_double() const { return parts_[0] == PartClass::LongDouble && parts_[1] == PartClass::LongDoubleRest; }
  bool is_in_memory() const {
    return is_unaligned_ || parts_[0] == PartClass::Memory || parts_[1] == PartClass::Memory ||
           (parts_[1] == PartClass::LongDoubleRest && !is_long_double());
  }

 private:
  bool add_members(TypeId id, uint64_t offset) {
    for (const Field& field : types_.record(id).fields) {
      if (field.is_inherited) continue;
      if (!field.is_bit_field()) {
        if (!add(field.type, offset + field.offset)) return false;
        continue;
      }
      const uint64_t first = (offset + field.offset) * 8 + field.bit_offset;
      for (uint64_t part = first / 64; part <= (first + field.bit_width - 1) / 64; ++part)
        parts_[part] = merge(parts_[part], PartClass::Integer);
    }
    return true;
  }

  void add_scalar(PartClass found, uint64_t size, uint64_t offset) {
    is_unaligned_ |= offset % size != 0;
    PartClass& first = parts_[offset / 8];
    first = merge(first, found);
    if (found == PartClass::LongDouble) parts_[1] = merge(parts_[1], PartClass::LongDoubleRest);
  }

  const Types& types_;
  PartClass parts_[kMostRegisterBytes / 8 + 1] = {};
  bool is_unaligned_ = false;
};

constexpr uint32_t kIntegerRegisters = 6, kFloatRegisters = 8;

/// The registers for arguments that are left.
struct Registers {
  uint32_t integers = kIntegerRegisters, floats = kFloatRegisters;
  bool take(uint32_t wanted_integers, uint32_t wanted_floats) {
    if (wanted_integers > integers || wanted_floats > floats) return false;
    integers -= wanted_integers;
    floats -= wanted_floats;
    return true;
  }
};

ffi_type* foreign_integer(const CType& type) {
  switch (type.size) {
    case 1:
      return type.is_unsigned ? &ffi_type_uint8 : &ffi_type_sint8;
    case 2:
      return type.is_unsigned ? &ffi_type_uint16 : &ffi_type_sint16;
    case 4:
      return type.is_unsigned ? &ffi_type_uint32 : &ffi_type_sint32;
    default:
      return type.is_unsigned ? &ffi_type_uint64 : &ffi_type_sint64;
  }
}

/// A record with it as a member is passed in memory, whatever its own size is.
ffi_type* oversized() {
  static ffi_type* elements[] = {&ffi_type_uint64, nullptr};
  static ffi_type type = {4 * kMostRegisterBytes, 1, FFI_TYPE_STRUCT, elements};
  return &type;
}

/// Whether a vector that registers may hold whole is all there is in it: where it goes depends on the instructions that the
/// function was compiled for.
bool is_large_vector(const Types& types, TypeId id) {
  const CType& type = types[id];
  if (type.kind == TypeKind::Vector) return type.size > 8;
  if (type.kind == TypeKind::Array) return type.count == 1 && is_large_vector(types, type.element);
  if (type.kind != TypeKind::Record) return false;
  for (const Field& field : types.record(id).fields) {
    if (types.size_of(field.type) == types.size_of(id) && is_large_vector(types, field.type)) return true;
  }
  return false;
}

/// For records, complex numbers and vectors. Null: libffi has nothing for it.
ffi_type* foreign_record(const Types& types, TypeId id, CallPlan& plan) {
#if !defined(__x86_64__)
  return nullptr;  // other machines classify records by other rules
#endif
  const uint64_t size = types.size_of(id);
  if (size == 0 || size == kUnknownSize || types.has_variable_size(id) || is_large_vector(types, id)) return nullptr;
  auto made = std::make_unique<CallPlan::RecordType>();
  *made = {{static_cast<size_t>(size), static_cast<uint16_t>(types.align_of(id)), FFI_TYPE_STRUCT, nullptr},
           {}};
  Classes classes(types);
  if (size > kMostRegisterBytes) {
    made->elements[0] = &ffi_type_uint64;
  } else {
    if (!classes.add(id, 0)) return nullptr;
    if (classes.is_long_double()) return &ffi_type_longdouble;
    if (classes.is_in_memory()) made->elements[0] = oversized();
    for (uint64_t i = 0; i < (size + 7) / 8 && !classes.is_in_memory(); ++i) {
      made->elements[i] = classes.of_part(i) == PartClass::Float ? &ffi_type_double : &ffi_type_uint64;
    }
  }
  made->type.elements = made->elements;
  plan.records.push_back(std::move(made));
  return &plan.records.back()->type;
}

ffi_type* foreign_type(const Types& types, TypeId id, CallPlan& plan) {
  const CType& type = types[id];
  switch (type.kind) {
    case TypeKind::Void:
      return &ffi_type_void;
    case TypeKind::Bool:
    case TypeKind::Integer:
    case TypeKind::Enum:
      return foreign_integer(type);
    case TypeKind::Float:
      return type.size == 4 ? &ffi_type_float : type.size == 8 ? &ffi_type_double
                                                               : &ffi_type_longdouble;
    case TypeKind::Pointer:
    case TypeKind::Reference:
      return &ffi_type_pointer;
    case TypeKind::Record:
    case TypeKind::Complex:
    case TypeKind::Vector:
      return foreign_record(types, id, plan);
    default:
      return nullptr;
  }
}

Scalar scalar_of(const Types& types, TypeId id) {
  const CType& type = types[id];
  switch (type.kind) {
    case TypeKind::Void:
      return Scalar::Void;
    case TypeKind::Bool:
      return Scalar::Bool;
    case TypeKind::Integer:
      switch (type.size) {
        case 1:
          return type.is_unsigned ? Scalar::Uint8 : Scalar::Int8;
        case 2:
          return type.is_unsigned ? Scalar::Uint16 : Scalar::Int16;
        case 4:
          return type.is_unsigned ? Scalar::Uint32 : Scalar::Int32;
        default:
          return Scalar::Int64;
      }
    case TypeKind::Float:
      return type.size == 4 ? Scalar::Float : type.size == 8 ? Scalar::Double
                                                             : Scalar::None;
    case TypeKind::Enum:
    case TypeKind::Pointer:
    case TypeKind::Reference:
      return Scalar::Other;
    default:
      return Scalar::None;
  }
}

bool is_passed_in_memory(const ffi_type& record) {
  return record.size > kMostRegisterBytes || record.elements[0] == oversized();
}

/// Adds an argument as libffi is to see it.
void add_foreign(CallPlan& plan, ffi_type* foreign, uint32_t offset, Registers& registers) {
  const auto add = [&](ffi_type* type, uint32_t at) {
    plan.foreign_arguments.push_back(type);
    plan.foreign_offsets.push_back(at);
  };
  if (foreign->type != FFI_TYPE_STRUCT) {
    const bool is_float = foreign->type == FFI_TYPE_FLOAT || foreign->type == FFI_TYPE_DOUBLE;
    if (foreign->type != FFI_TYPE_LONGDOUBLE) registers.take(is_float ? 0 : 1, is_float ? 1 : 0);
    return add(foreign, offset);
  }
  uint32_t integers = 0, floats = 0;
  for (ffi_type** part = foreign->elements; *part != nullptr; ++part)
    ++(*part == &ffi_type_double ? floats : integers);
  if (is_passed_in_memory(*foreign) || !registers.take(integers, floats)) return add(foreign, offset);
  for (uint32_t i = 0; foreign->elements[i] != nullptr; ++i) add(foreign->elements[i], offset + i * 8);
}

}  // namespace

std::unique_ptr<CallPlan> make_plan(const Types& types, TypeId result, std::span<const TypeId> arguments,
                                    size_t fixed_count, bool is_variadic, std::string* problem) {
  auto plan = std::make_unique<CallPlan>();
  const auto fail = [&](TypeId type) {
    *problem = "cannot pass '" + types.name_of(type) + "' by value";
    return nullptr;
  };
  plan->result = result;
  plan->result_scalar = scalar_of(types, result);
  ffi_type* foreign_result = foreign_type(types, result, *plan);
  if (foreign_result == nullptr) return fail(result);
  plan->result_bytes = static_cast<uint32_t>(std::max<size_t>(foreign_result->size, kMostRegisterBytes));
  Registers registers;
  if (types[result].kind == TypeKind::Complex && foreign_result->size > kMostRegisterBytes) return fail(result);  // in st(0), st(1)
  if (foreign_result->type == FFI_TYPE_STRUCT && is_passed_in_memory(*foreign_result)) registers.take(1, 0);
  size_t fixed = 0;
  for (const TypeId type : arguments) {
    if (plan->arguments.size() == fixed_count) fixed = plan->foreign_arguments.size();
    ffi_type* foreign = foreign_type(types, type, *plan);
    if (foreign == nullptr || foreign == &ffi_type_void) return fail(type);
    add_foreign(*plan, foreign, plan->buffer_bytes, registers);
    plan->arguments.push_back(
        {type, scalar_of(types, type), static_cast<uint32_t>(foreign->size), plan->buffer_bytes});
    plan->buffer_bytes += static_cast<uint32_t>((foreign->size + 15) / 16 * 16);
  }
  if (arguments.size() == fixed_count) fixed = plan->foreign_arguments.size();
  const auto count = static_cast<unsigned>(plan->foreign_arguments.size());
  const ffi_status status =
      is_variadic
          ? ffi_prep_cif_var(&plan->cif, FFI_DEFAULT_ABI, static_cast<unsigned>(fixed), count, foreign_result,
                             plan->foreign_arguments.data())
          : ffi_prep_cif(&plan->cif, FFI_DEFAULT_ABI, count, foreign_result, plan->foreign_arguments.data());
  if (status != FFI_OK) return fail(result);
  return plan;
}

CallPlan* plan_of(State& state, TypeId id, std::string* problem) {
  Function& function = state.types.function(id);
  if (function.plan != nullptr) return function.plan;
  auto plan = make_plan(state.types, state.types[id].element, function.parameters, 0, false, problem);
  if (plan == nullptr) return nullptr;
  give_stub(state, *plan);
  function.plan = plan.get();
  state.plans.push_back(std::move(plan));
  return function.plan;
}

}  // namespace mangata::ffi
