#include "jit/optimizer/facts.h"

namespace mangata::jit {

Tag tag_of(Kind kind) {
  switch (kind) {
    case Kind::False:
      return Tag::False;
    case Kind::True:
      return Tag::True;
    case Kind::Integer:
      return Tag::Integer;
    case Kind::Float:
      return Tag::Float;
    case Kind::LightUserdata:
      return Tag::LightUserdata;
    case Kind::String:
      return Tag::String;
    case Kind::Table:
      return Tag::Table;
    case Kind::LuaFunction:
      return Tag::LuaFunction;
    case Kind::NativeFunction:
      return Tag::NativeFunction;
    case Kind::Userdata:
      return Tag::Userdata;
    case Kind::Thread:
      return Tag::Thread;
    default:
      return Tag::Nil;
  }
}

Kind kind_of(Tag tag) {
  switch (tag) {
    case Tag::Nil:
      return Kind::Nil;
    case Tag::False:
      return Kind::False;
    case Tag::True:
      return Kind::True;
    case Tag::Integer:
      return Kind::Integer;
    case Tag::Float:
      return Kind::Float;
    case Tag::LightUserdata:
      return Kind::LightUserdata;
    case Tag::String:
      return Kind::String;
    case Tag::Table:
      return Kind::Table;
    case Tag::LuaFunction:
      return Kind::LuaFunction;
    case Tag::NativeFunction:
      return Kind::NativeFunction;
    case Tag::Userdata:
      return Kind::Userdata;
    case Tag::Thread:
      return Kind::Thread;
    default:
      return Kind::Any;
  }
}

bool covers(const Fact& general, const Fact& special) {
  if (general.kind == Kind::Frame) return true;  // a value is stored there
  if (special.kind == Kind::Frame) return general.kind == Kind::Any && general.shape == nullptr;
  if (special.dirty && !general.dirty) return false;
  if (general.kind != Kind::Any && general.kind != special.kind) return false;
  if (general.elements != Fact::kUnknownElements && general.elements != special.elements) return false;
  if (general.method != nullptr && general.method != special.method) return false;
  return general.shape == nullptr || general.shape == special.shape;
}

Fact join(const Fact& a, const Fact& b) {
  if (a.kind == Kind::Frame && b.kind == Kind::Frame) return {};
  Fact result = a;
  if (a.kind != b.kind) result.kind = Kind::Any;
  result.dirty = a.dirty || b.dirty;
  if (a.elements != b.elements) result.elements = Fact::kUnknownElements;
  if (a.shape != b.shape) result.shape = nullptr;
  if (a.method != b.method) result.method = nullptr;
  return result;
}

}  // namespace mangata::jit
