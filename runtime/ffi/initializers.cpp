// What ffi.new and tables put into new memory (C99 §6.7.8, with the rules of LuaJIT); see convert.h.
//
// A single value fills an array. The positions of a table count from 1, or from 0 if it has an element 0.
// Tables initialize records by position, if they have such elements, or by name. Of a union only the first
// member is initialized by position. Access to tables is raw. Complex numbers and vectors are arrays here, but for a single value.
#include <algorithm>
#include <vector>

#include "runtime/ffi/convert.h"

namespace mangata::ffi {
namespace {

bool fail_too_many(const State& state, TypeId type, std::string* problem) {
  *problem = "too many initializers for '" + state.types.name_of(type) + "'";
  return false;
}

bool fill_array(State& state, TypeId type, char* address, uint64_t bytes, std::span<const Value> values,
                std::string* problem) {
  const TypeId element = state.types[type].element;
  const uint64_t size = state.types.size_of(element);
  const uint64_t count = size == 0 ? 0 : bytes / size;
  if (values.size() > count) return fail_too_many(state, type, problem);
  for (size_t i = 0; i < values.size(); ++i) {
    if (!from_lua(state, element, address + i * size, size, values[i], Mode::Assign, problem)) return false;
  }
  if (values.size() == 1) {
    for (uint64_t i = 1; i < count; ++i) __builtin_memcpy(address + i * size, address, size);
  }
  return true;
}

/// Takes values in the order of the members until none is left.
bool fill_record(State& state, TypeId type, char* address, uint64_t bytes, std::span<const Value>* values,
                 std::string* problem) {
  const Record& record = state.types.record(type);
  for (const Field& field : record.fields) {
    if (values->empty()) return true;
    if (field.is_inherited) continue;
    if (field.name.empty()) {
      if (!fill_record(state, field.type, address + field.offset, bytes - field.offset, values, problem))
        return false;
    } else {
      if (!store_field(state, field, address, bytes, values->front(), problem)) return false;
      *values = values->subspan(1);
    }
    if (record.is_union) return true;
  }
  return true;
}

std::vector<Value> elements_of(Table* table) {
  std::vector<Value> values;
  const Value first = table_get_integer(table, 0);
  if (!first.is_nil()) values.push_back(first);
  for (int64_t i = 1;; ++i) {
    const Value value = table_get_integer(table, i);
    if (value.is_nil()) return values;
    values.push_back(value);
  }
}

}  // namespace

bool initialize_from_table(State& state, TypeId type, char* address, uint64_t bytes, Table* table,
                           std::string* problem) {
  const std::vector<Value> values = elements_of(table);
  if (state.types[type].kind != TypeKind::Record)
    return fill_array(state, type, address, bytes, values, problem);
  if (!values.empty()) {
    std::span<const Value> rest = values;
    return fill_record(state, type, address, bytes, &rest, problem);
  }
  for (const Field& field : state.types.record(type).fields) {
    if (field.name.empty()) continue;
    const Value value = table_get_string(table, state.vm.intern(field.name));
    if (!value.is_nil() && !store_field(state, field, address, bytes, value, problem)) return false;
  }
  return true;
}

bool initialize(State& state, TypeId type, char* address, uint64_t bytes, std::span<const Value> values,
                std::string* problem) {
  if (values.empty()) return true;
  const bool is_aggregate = state.types.is_aggregate(type) || (state.types.has_parts(type) && values.size() > 1);
  // One value that is as a whole what is to be made; else it is the first element.
  if (values.size() == 1) {
    const CData* data = cdata_of(values[0]);
    const bool is_whole = values[0].is_table() ||
                          (data != nullptr && state.types.same_unqualified(data->type, type)) ||
                          (values[0].is_string() && state.types[type].kind == TypeKind::Array &&
                           state.types.is_char_like(state.types[type].element));
    if (!is_aggregate || is_whole)
      return from_lua(state, type, address, bytes, values[0], Mode::Assign, problem);
  }
  if (!is_aggregate) return fail_too_many(state, type, problem);
  if (state.types[type].kind != TypeKind::Record)
    return fill_array(state, type, address, bytes, values, problem);
  if (!fill_record(state, type, address, bytes, &values, problem)) return false;
  return values.empty() || fail_too_many(state, type, problem);
}

}  // namespace mangata::ffi
