// C types: what a type is, and the table of all types of a machine.
//
// [DESIGN] A type is a number, its position in the table. Types that are built from others (pointers, arrays,
// functions, qualified types) are made once, so equal types have equal numbers; a struct, union or enum is
// equal only to itself. A qualified type is an entry of its own that differs in `qualifiers` only and shares
// the description behind `info`, so a struct that is completed later is complete in all of them. Sizes and
// layout are those of the System V ABI for x86-64.
//
// Read next: layout.h, parser.h.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace mangata {
struct Table;
}

namespace mangata::ffi {

enum class TypeId : uint32_t {
};
constexpr uint32_t index_of(TypeId id) { return static_cast<uint32_t>(id); }

enum class TypeKind : uint8_t {
  Void,
  Bool,
  Integer,
  Float,
  Enum,
  Pointer,
  Reference,
  Array,
  Record,
  Function,
  TypeObject,
  Complex,  ///< two floats, with names of their own: parts.cpp
  Vector,   ///< numbers that are passed and assigned as one
  Opaque    ///< _Float128: bytes that no value of Lua stands for
};

enum Qualifier : uint8_t {
  kConst = 1,
  kVolatile = 2
};

inline constexpr uint64_t kUnknownSize = UINT64_MAX;   ///< of incomplete types, functions, void
inline constexpr uint64_t kUnknownCount = UINT64_MAX;  ///< of the array int[]
inline constexpr uint64_t kVariableCount =
    UINT64_MAX - 1;  ///< of the array int[?], whose size is given when it is made
inline constexpr uint64_t kMaxTypeBytes = INT32_MAX;
inline constexpr uint32_t kMaxTypeDepth =
    500;  ///< of types that programs make, as functions here descend into them

struct CType {
  TypeKind kind = TypeKind::Void;
  uint8_t qualifiers = 0;  ///< const and volatile, or-ed
  bool is_unsigned = false;      ///< integers
  uint16_t depth = 0;            ///< levels of types inside it
  uint32_t align = 1;            ///< bytes; of records: Types::align_of
  uint64_t size = kUnknownSize;  ///< bytes; of records: Types::size_of
  TypeId element{};  ///< what a pointer or reference leads to; of an array, complex number or vector; the result of a
                     ///< function; what an enum is stored as
  uint64_t count = 0;  ///< elements of an array, complex number or vector
  uint32_t info = 0;   ///< of a record, an enum, a function: position in its table
};

/// A member of a record as it is used: those of unnamed records inside it are its own.
struct Field {
  std::string name;  ///< empty: an unnamed record, for initializers
  TypeId type{};
  uint64_t offset = 0;        ///< bytes; of a bit-field: of the storage unit
  uint32_t bit_offset = 0;    ///< in the storage unit
  uint32_t bit_width = 0;     ///< 0: no bit-field
  bool is_inherited = false;  ///< comes from an unnamed record inside this one
  bool is_bit_field() const { return bit_width != 0; }
};

/// A constant that was declared among the members of a record: static const, or of an enum without members.
struct MemberConstant {
  std::string name;  ///< as declared
  int64_t value = 0;  ///< in 64 bits
};

struct Record {
  std::string name;  ///< empty: unnamed
  bool is_union = false;  ///< else a struct
  bool is_complete = false;  ///< its members are known
  bool has_variable_size = false;  ///< ends with an array of [?] elements
  uint64_t size = kUnknownSize;
  uint32_t align = 1;  ///< in bytes, a power of two
  uint32_t depth = 0;  ///< as CType::depth
  std::vector<Field> fields = {};
  std::vector<MemberConstant> constants = {};  ///< those of unnamed records inside it are its own; members come first
  Table* metatable = nullptr;  ///< by ffi.metatype
  /// Also members of unnamed records inside it; null: there is none.
  const Field* find(std::string_view field_name) const;
  /// Null: there is none.
  const MemberConstant* find_constant(std::string_view constant_name) const;
};

struct Enum {
  std::string name;  ///< empty: unnamed
  bool is_complete = false;  ///< its constants are known
  std::vector<std::pair<std::string, int64_t>> constants = {};  ///< by name, in the order of the declaration
};

struct CallPlan;

struct Function {
  std::vector<TypeId> parameters;  ///< in their order
  bool is_variadic = false;  ///< ends with `...`
  CallPlan* plan = nullptr;  ///< call_plan.h; null until needed
};

/// Numbers of the types that always exist, in the order in which Types makes them.
namespace builtin {
inline constexpr TypeId kVoid{0}, kBool{1}, kInt8{2}, kUint8{3}, kInt16{4}, kUint16{5}, kInt32{6}, kUint32{7},
    kInt64{8}, kUint64{9}, kFloat{10}, kDouble{11}, kLongDouble{12}, kTypeObject{13}, kVoidPointer{14},
    kConstChar{15}, kConstCharPointer{16}, kConstVoid{17}, kConstVoidPointer{18}, kComplexFloat{19}, kComplexDouble{20},
    kComplexLongDouble{21}, kFloat128{22}, kComplexFloat128{23};
}

class Types {
 public:
  Types();
  Types(const Types&) = delete;
  Types& operator=(const Types&) = delete;

  const CType& operator[](TypeId id) const { return types_[index_of(id)]; }
  size_t count() const { return types_.size(); }

  /// In bytes, or kUnknownSize.
  uint64_t size_of(TypeId id) const {
    const CType& type = (*this)[id];
    return type.kind == TypeKind::Record ? records_[type.info].size : type.size;
  }
  /// In bytes; 1 where it is unknown.
  uint32_t align_of(TypeId id) const;
  /// Levels of types inside it; records behind pointers do not count.
  uint32_t depth_of(TypeId id) const {
    const CType& type = (*this)[id];
    return type.kind == TypeKind::Record ? records_[type.info].depth : type.depth;
  }
  Record& record(TypeId id) { return records_[(*this)[id].info]; }
  const Record& record(TypeId id) const { return records_[(*this)[id].info]; }
  Enum& enumeration(TypeId id) { return enums_[(*this)[id].info]; }
  const Enum& enumeration(TypeId id) const { return enums_[(*this)[id].info]; }
  Function& function(TypeId id) { return *functions_[(*this)[id].info]; }
  const Function& function(TypeId id) const { return *functions_[(*this)[id].info]; }

  /// The same id for the same type.
  TypeId pointer_to(TypeId element);
  /// The same id for the same type.
  TypeId reference_to(TypeId element);
  /// Precondition: the size of `element` is known, or the count is not; the array has at most kMaxTypeBytes.
  TypeId array_of(TypeId element, uint64_t count);
  /// Precondition: `element` is an integer or a float of at most eight bytes, and `bytes` a power of two that it divides.
  TypeId vector_of(TypeId element, uint64_t bytes);
  TypeId function_of(TypeId result, std::vector<TypeId> parameters, bool is_variadic);
  TypeId new_record(std::string name, bool is_union);
  TypeId new_enum(std::string name);
  void complete_enum(TypeId id, TypeId base);
  /// `qualifiers` are added. Those of an array are those of its elements.
  TypeId qualified(TypeId id, uint8_t qualifiers);
  TypeId unqualified(TypeId id);
  /// The same type with another alignment.
  TypeId aligned(TypeId id, uint32_t align);

  /// The type that a reference leads to; any other is its own.
  TypeId strip_reference(TypeId id) const {
    return (*this)[id].kind == TypeKind::Reference ? (*this)[id].element : id;
  }
  bool is_char_like(TypeId id) const {
    return (*this)[id].kind == TypeKind::Integer && (*this)[id].size == 1;
  }
  bool is_aggregate(TypeId id) const {
    return (*this)[id].kind == TypeKind::Record || (*this)[id].kind == TypeKind::Array;
  }
  /// Complex numbers and vectors.
  bool has_parts(TypeId id) const {
    return (*this)[id].kind == TypeKind::Complex || (*this)[id].kind == TypeKind::Vector;
  }
  /// Bytes that an object of the type has with `extra` elements in its variable array; kUnknownSize when too
  /// large.
  uint64_t size_with(TypeId id, uint64_t extra) const;
  bool has_variable_size(TypeId id) const;
  /// Equal but for qualifiers at any level.
  bool same_unqualified(TypeId a, TypeId b);

  /// As in C, with the names of LuaJIT: "int *", "struct point", "char (&)[8]"; functions without their
  /// parameters.
  std::string name_of(TypeId id) const;

 private:
  std::string base_name(TypeId id) const;
  using Key = std::tuple<TypeKind, uint8_t, uint32_t, uint32_t, uint64_t, uint32_t>;
  TypeId add(const CType& type);
  TypeId intern(const CType& type);

  std::vector<CType> types_;
  std::map<Key, TypeId> known_;
  std::map<std::tuple<std::vector<TypeId>, bool>, uint32_t> signatures_;
  std::deque<Record> records_;  // their addresses stay
  std::deque<Enum> enums_;
  std::vector<std::unique_ptr<Function>> functions_;
};

}  // namespace mangata::ffi
