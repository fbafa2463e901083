// Complex numbers and vectors: values made of numbers. They are read and stored whole; what is read is a copy, whose parts cannot be
// changed. See convert.h.
#include <cctype>
#include <cstdio>

#include "runtime/ffi/convert.h"

namespace mangata::ffi {
namespace {

/// Complex cdata, or null.
const CData* complex_of(const State& state, const Value& value) {
  const CData* data = cdata_of(value);
  return data != nullptr && state.types[data->type].kind == TypeKind::Complex ? data : nullptr;
}

char* part(const State& state, TypeId type, char* address, uint64_t i) {
  return address + i * state.types.size_of(state.types[type].element);
}

void store_part(const State& state, TypeId type, char* address, uint64_t i, const Number& number) {
  store_number(state.types, state.types[type].element, part(state, type, address, i), number);
}

Number load_part(const State& state, const CData& data, uint64_t i) {
  Number number;
  load_number(state.types, state.types[data.type].element, part(state, data.type, data.address, i), &number);
  return number;
}

}  // namespace

bool real_part_of(const State& state, const Value& value, Number* number) {
  const CData* data = complex_of(state, value);
  if (data != nullptr) *number = load_part(state, *data, 0);
  return data != nullptr;
}

bool store_parts(State& state, TypeId type, char* address, const Value& value, std::string* problem) {
  const CType own = state.types[type];
  if (value.is_table())
    return initialize_from_table(state, type, address, own.size, value.as_table(), problem);
  const CData* data = cdata_of(value);
  if (own.kind == TypeKind::Complex && complex_of(state, value) != nullptr) {
    for (uint64_t i = 0; i < 2; ++i) store_part(state, type, address, i, load_part(state, *data, i));
    return true;
  }
  if (own.kind == TypeKind::Vector && data != nullptr && state.types[data->type].kind == TypeKind::Vector) {
    if (state.types[data->type].size != own.size) return fail_conversion(state, value, type, problem);
    __builtin_memcpy(address, data->address, own.size);  // the same bits, as a cast in C
    return true;
  }
  Number number;
  const bool is_boolean =
      value.is_boolean() || (data != nullptr && state.types[data->type].kind == TypeKind::Bool);
  if (is_boolean || (!real_part_of(state, value, &number) && !number_of(state, value, &number)))
    return fail_conversion(state, value, type, problem);
  for (uint64_t i = 0; i < own.count; ++i) {
    const bool is_imaginary = own.kind == TypeKind::Complex && i == 1;
    store_part(state, type, address, i, is_imaginary ? Number::of(0.0) : number);
  }
  return true;
}

std::string text_of_complex(const State& state, const CData& data) {
  char text[80];
  std::snprintf(text, sizeof(text), "%.14g%+.14g", load_part(state, data, 0).as_real(), load_part(state, data, 1).as_real());
  std::string result = text;
  return result + (std::isalpha(static_cast<unsigned char>(result.back())) != 0 ? "I" : "i");
}

}  // namespace mangata::ffi
