#include "jit/build/facts.h"

#include <algorithm>

namespace mangata::jit {

bool covers(const Fact& general, const Fact& special) {
  if (general.replaced_table != special.replaced_table) return false;
  if (general.kind == Kind::Frame) return true;  // a value is stored there
  if (special.kind == Kind::Frame) return general.kind == Kind::Any && general.shape == nullptr;
  if (special.dirty && !general.dirty) return false;
  if (general.kind != Kind::Any && general.kind != special.kind) return false;
  if (general.elements != Fact::kUnknownElements && general.elements != special.elements) return false;
  if (general.new_slots != Fact::kNotNew && general.new_slots != special.new_slots) return false;
  if (general.is_constant && (!special.is_constant || general.constant != special.constant)) return false;
  if (general.method != nullptr && general.method != special.method) return false;
  return general.shape == nullptr || general.shape == special.shape;
}

bool all_cover(const State& general, const State& special) {
  return general.tables == special.tables &&
         std::equal(general.slots.begin(), general.slots.end(), special.slots.begin(), special.slots.end(), covers);
}

Fact join(const Fact& a, const Fact& b) {
  if (a.kind == Kind::Frame && b.kind == Kind::Frame) return {};
  Fact result = a;
  if (a.kind != b.kind) result.kind = Kind::Any;
  result.dirty = a.dirty || b.dirty;
  if (a.elements != b.elements) result.elements = Fact::kUnknownElements;
  if (a.shape != b.shape) result.shape = nullptr;
  if (a.kind != b.kind || a.is_constant != b.is_constant || a.constant != b.constant) result.forget_constant();
  if (a.method != b.method) result.method = nullptr;
  if (a.new_slots != b.new_slots) result.new_slots = Fact::kNotNew;
  if (a.replaced_table != b.replaced_table) result.replaced_table = Fact::kReal;
  return result;
}

std::vector<int> reachable_tables(const State& state, int id) {
  std::vector<int> found{id};
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Fact& field : state.tables[static_cast<size_t>(found[i])].fields) {
      const int next = field.replaced_table;
      if (next >= 0 && std::find(found.begin(), found.end(), next) == found.end()) found.push_back(next);
    }
  }
  return found;
}

void drop_unreachable_tables(State* state) {
  std::vector<bool> is_reachable(state->tables.size(), false);
  for (const Fact& fact : state->slots) {
    if (fact.replaced_table < 0) continue;
    for (const int id : reachable_tables(*state, fact.replaced_table)) is_reachable[static_cast<size_t>(id)] = true;
  }
  for (size_t id = 0; id < is_reachable.size(); ++id) {
    if (!is_reachable[id]) state->tables[id] = {};
  }
  while (!state->tables.empty() && state->tables.back().shape == nullptr) state->tables.pop_back();
}

}  // namespace mangata::jit
