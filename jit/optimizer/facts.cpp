#include "jit/optimizer/facts.h"

namespace mangata::jit {

bool covers(const Fact& general, const Fact& special) {
  if (general.kind == Kind::Frame) return true;  // a value is stored there
  if (special.kind == Kind::Frame) return general.kind == Kind::Any && general.shape == nullptr;
  if (special.dirty && !general.dirty) return false;
  if (general.kind != Kind::Any && general.kind != special.kind) return false;
  if (general.elements != Fact::kUnknownElements && general.elements != special.elements) return false;
  if (general.new_slots != Fact::kNotNew && general.new_slots != special.new_slots) return false;
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
  if (a.new_slots != b.new_slots) result.new_slots = Fact::kNotNew;
  return result;
}

}  // namespace mangata::jit
