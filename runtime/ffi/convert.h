// Between Lua values and memory of a C type.
//
// None of these functions is a safepoint; those that return bool give a text in *problem when they fail.
#pragma once

#include <span>
#include <string>

#include "runtime/ffi/cdata.h"

namespace mangata::ffi {

/// An arithmetic value, from either side.
struct Number {
  enum class Kind : uint8_t {
    Signed,
    Unsigned,
    Float
  };
  Kind kind = Kind::Signed;
  int64_t integer = 0;  ///< Signed and Unsigned: the bits
  double real = 0;  ///< Float

  static Number of(int64_t value) { return {Kind::Signed, value, 0}; }
  static Number of(double value) { return {Kind::Float, 0, value}; }
  /// Truncated and wrapped to 64 bits, as machine code does.
  int64_t as_integer() const;
  double as_real() const;
};

/// The number in memory of an arithmetic type or an enum; false for other types.
bool load_number(const Types& types, TypeId type, const char* address, Number* number);
/// Precondition: the type is arithmetic or an enum. Converts as C does.
void store_number(const Types& types, TypeId type, char* address, const Number& number);
/// A Lua number or boolean, or arithmetic cdata.
bool number_of(const State& state, const Value& value, Number* number);

/// What reading memory of the type gives: numbers and booleans by value, others as cdata. `owner`: see
/// new_reference().
Value to_lua(State& state, TypeId type, char* address, Value owner);

enum class Mode : uint8_t {
  Assign,
  Cast
};
/// Stores the value, converted. `bytes`: of the destination.
bool from_lua(State& state, TypeId type, char* address, uint64_t bytes, const Value& value, Mode mode,
              std::string* problem);
/// The address of what the pointer-like cdata refers to: pointers, arrays, records, functions.
bool address_of_cdata(const State& state, const CData& data, char** address);

/// Initializes zeroed memory from the arguments of ffi.new. initializers.cpp
bool initialize(State& state, TypeId type, char* address, uint64_t bytes, std::span<const Value> values,
                std::string* problem);
/// From a table, as C does from a list in braces.
bool initialize_from_table(State& state, TypeId type, char* address, uint64_t bytes, Table* table,
                           std::string* problem);

// --- complex numbers and vectors. parts.cpp
/// The real part of a complex cdata; false for other values.
bool real_part_of(const State& state, const Value& value, Number* number);
/// From a number, which is the real part or every part; from the same type, a table, or another complex number.
bool store_parts(State& state, TypeId type, char* address, const Value& value, std::string* problem);
/// "1.5-2i"
std::string text_of_complex(const State& state, const CData& data);

// --- members. members.cpp
Value load_field(State& state, const Field& field, char* record, Value owner);
bool store_field(State& state, const Field& field, char* record, uint64_t record_bytes, const Value& value,
                 std::string* problem);

/// For messages: the C type of cdata, the name of other types.
std::string name_of_value(const State& state, const Value& value);
bool fail_conversion(const State& state, const Value& value, TypeId to, std::string* problem);

}  // namespace mangata::ffi
