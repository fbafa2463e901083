// A Lua value: 16 bytes, an 8-byte payload and an 8-byte tag word (Lua 5.4 manual §2.1).
//
// [DESIGN] The tag word is always written whole (8 bytes) and may be read as 8 or 4 bytes: a narrow store followed by a
// wide load would defeat store forwarding. For the same reason values are copied as two scalars, never as one vector.
// Tags are ordered so that falsiness, numbers and collectable values are one comparison each.
//
// Read next: vm/object/object.h.
#pragma once

#include <bit>
#include <cstdint>

namespace mangata {

struct Object;
struct String;
struct Table;
struct LuaFunction;
struct NativeFunction;
struct Userdata;
struct Thread;

enum class Tag : uint64_t {
  Nil = 0,
  False = 1,
  True = 2,
  Integer = 3,
  Float = 4,
  LightUserdata = 5,
  Frame = 6,  ///< half of a frame header on the VM stack (vm/object/frame.h); never seen by a program
  // Everything from here on is collectable.
  String = 8,
  Table = 9,
  LuaFunction = 10,
  NativeFunction = 11,
  Userdata = 12,
  Thread = 13,
};

inline constexpr Tag kFirstCollectableTag = Tag::String;
inline constexpr int kTagCount = 14;

struct Value {
  uint64_t payload;  ///< an integer, the bits of a float, an address, 0 or 1
  Tag tag;

  Value() = default;
  constexpr Value(uint64_t payload_bits, Tag value_tag) : payload(payload_bits), tag(value_tag) {}
  Value(const Value&) = default;
  // Two scalar moves; see [DESIGN] above. The copy constructor stays trivial so that values pass in registers.
  Value& operator=(const Value& other) {
    const uint64_t other_payload = other.payload;
    const Tag other_tag = other.tag;
    payload = other_payload;
    tag = other_tag;
    return *this;
  }

  static constexpr Value nil() { return {0, Tag::Nil}; }
  static constexpr Value boolean(bool b) { return {b ? 1u : 0u, b ? Tag::True : Tag::False}; }
  static constexpr Value integer(int64_t i) { return {static_cast<uint64_t>(i), Tag::Integer}; }
  static constexpr Value number(double d) { return {std::bit_cast<uint64_t>(d), Tag::Float}; }
  static Value light_userdata(void* p) { return {reinterpret_cast<uint64_t>(p), Tag::LightUserdata}; }
  /// Precondition: the tag is that of the object's type.
  static Value object(const void* o, Tag object_tag) { return {reinterpret_cast<uint64_t>(o), object_tag}; }
  static Value string(const String* s) { return object(s, Tag::String); }
  static Value table(const Table* t) { return object(t, Tag::Table); }
  static Value function(const LuaFunction* f) { return object(f, Tag::LuaFunction); }
  static Value function(const NativeFunction* f) { return object(f, Tag::NativeFunction); }
  static Value userdata(const Userdata* u) { return object(u, Tag::Userdata); }
  static Value thread(const Thread* t) { return object(t, Tag::Thread); }

  bool is_nil() const { return tag == Tag::Nil; }
  bool is_false() const { return tag == Tag::False; }
  bool is_boolean() const { return tag == Tag::False || tag == Tag::True; }
  bool is_truthy() const { return tag > Tag::False; }
  bool is_falsy() const { return tag <= Tag::False; }
  bool is_integer() const { return tag == Tag::Integer; }
  bool is_float() const { return tag == Tag::Float; }
  bool is_number() const { return static_cast<uint64_t>(tag) - static_cast<uint64_t>(Tag::Integer) <= 1; }
  bool is_string() const { return tag == Tag::String; }
  bool is_table() const { return tag == Tag::Table; }
  bool is_lua_function() const { return tag == Tag::LuaFunction; }
  bool is_native_function() const { return tag == Tag::NativeFunction; }
  bool is_function() const { return is_lua_function() || is_native_function(); }
  bool is_userdata() const { return tag == Tag::Userdata; }
  bool is_light_userdata() const { return tag == Tag::LightUserdata; }
  bool is_thread() const { return tag == Tag::Thread; }
  /// Looks at the low half of the tag word only: the halves of a frame header use the high one.
  bool is_collectable() const { return static_cast<uint32_t>(tag) >= static_cast<uint32_t>(kFirstCollectableTag); }

  int64_t as_integer() const { return static_cast<int64_t>(payload); }
  double as_float() const { return std::bit_cast<double>(payload); }
  bool as_boolean() const { return tag == Tag::True; }
  void* as_light_userdata() const { return reinterpret_cast<void*>(payload); }
  Object* as_object() const { return reinterpret_cast<Object*>(payload); }
  String* as_string() const { return reinterpret_cast<String*>(payload); }
  Table* as_table() const { return reinterpret_cast<Table*>(payload); }
  LuaFunction* as_lua_function() const { return reinterpret_cast<LuaFunction*>(payload); }
  NativeFunction* as_native_function() const { return reinterpret_cast<NativeFunction*>(payload); }
  Userdata* as_userdata() const { return reinterpret_cast<Userdata*>(payload); }
  Thread* as_thread() const { return reinterpret_cast<Thread*>(payload); }
  /// Precondition: is_number(). Integers convert with rounding to nearest.
  double as_number() const { return is_integer() ? static_cast<double>(as_integer()) : as_float(); }

  /// Without a write barrier, which nil does not need.
  void set_nil() { *this = nil(); }

  /// Same tag and payload: equal for everything except numbers across subtypes, floats (NaN, -0.0) and long strings.
  bool is_identical(const Value& other) const { return payload == other.payload && tag == other.tag; }
};
static_assert(sizeof(Value) == 16);

/// A copy that is loaded as it was stored, word by word: a load of both words at once waits for stores that are just done. For values that
/// machine code or the interpreter wrote a moment ago.
[[gnu::always_inline]] inline Value in_words(const Value* value) { return {value->payload, value->tag}; }

}  // namespace mangata
