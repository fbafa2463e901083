// Weak tables and ephemerons (Lua 5.4 manual §2.5.4).
//
// Strings are values, not objects: they are never removed from weak tables, so asking about one marks it.
// Elements and properties have integer and string keys, so only their values can be weak. What becomes of a
// removed entry: its value is nil; the key stays in its node, which from then on only compares it
// (vm/object/hash_part.h).
#include "vm/heap/collector.h"
#include "vm/heap/references.h"
#include "vm/vm.h"

namespace mangata {

uint8_t Collector::weak_mode(const Table* table) const {
  Table* metatable = table->metatable();
  if (metatable == nullptr || (metatable->type_flags & kNoMode) != 0) return 0;
  const Value mode = find_metamethod(vm, metatable, Metamethod::Mode);
  if (!mode.is_string()) return 0;
  const std::string_view text = mode.as_string()->view();
  uint8_t result = 0;
  if (text.find('v') != std::string_view::npos) result |= kWeakValues;
  if (text.find('k') != std::string_view::npos) result |= kWeakKeys;
  return result;
}

bool Collector::is_cleared(const Value& value) {
  if (!value.is_collectable()) return false;
  if (value.is_string()) {
    try_mark(value.as_object());
    return false;
  }
  return is_white(value.as_object());
}

WorkUnits Collector::trace_weak_values(Table* table) {
  WorkUnits units = 4;
  if (table->hash != nullptr) {
    for (uint32_t i = 0; i < table->hash->node_count(); ++i) {
      HashNode& node = table->hash->nodes[i];
      node.value.is_nil() ? node.let_go() : mark(node.key());
    }
    units += table->hash->node_count();
  }
  if (in_atomic && !keep(weak_values, table)) trace_strongly(table);
  return units;
}

WorkUnits Collector::trace_ephemeron(Table* table) {
  for (uint32_t i = 0; i < table->shape->slot_count; ++i) mark(table->slots[i]);
  if (table->element_kind() == ElementKind::Any) {
    for (uint32_t i = 0; i < table->array_size(); ++i) mark(table->values()[i]);
  }
  bool white_key = false;
  bool white_pair = false;
  mark_ephemeron_values(table, false, &white_key, &white_pair);
  if (in_atomic) {
    if ((white_pair || white_key) && !keep(white_pair ? ephemerons : white_keys, table)) trace_strongly(table);
  }
  return 4 + table->shape->slot_count + table->array_size() +
         (table->hash != nullptr ? table->hash->node_count() : 0);
}

/// Marks the values whose keys are marked; true when one was white.
bool Collector::mark_ephemeron_values(Table* table, bool backwards, bool* white_key, bool* white_pair) {
  if (table->hash == nullptr) return false;
  bool marked_any = false;
  const uint32_t count = table->hash->node_count();
  for (uint32_t i = 0; i < count; ++i) {
    HashNode& node = table->hash->nodes[backwards ? count - 1 - i : i];
    if (node.value.is_nil()) {
      node.let_go();
      continue;
    }
    if (is_cleared(node.key())) {
      *white_key = true;
      if (node.value.is_collectable() && is_white(node.value.as_object())) *white_pair = true;
    } else if (node.value.is_collectable() && is_white(node.value.as_object())) {
      mark(node.value);
      marked_any = true;
    }
  }
  return marked_any;
}

/// To a fixed point. Turning round at every pass makes a chain of entries within one table end soon in either
/// direction.
void Collector::converge_ephemerons() {
  bool backwards = false;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Table*> pending;
    pending.swap(ephemerons);
    for (Table* table : pending) {
      bool white_key = false;
      bool white_pair = false;
      if (mark_ephemeron_values(table, backwards, &white_key, &white_pair)) {
        propagate_all();
        changed = true;
      }
      if ((white_pair || white_key) && !keep(white_pair ? ephemerons : white_keys, table)) {
        trace_strongly(table);
        propagate_all();
        changed = true;
      }
    }
    backwards = !backwards;
  }
}

void Collector::clear_values(const std::vector<Table*>& tables, size_t from) {
  for (size_t i = from; i < tables.size(); ++i) {
    Table* table = tables[i];
    if ((table->type_flags & kUsedAsMetatable) != 0) vm.metatable_classes.metamethods_change(vm, table);  // its __index may go
    for (uint32_t slot = 0; slot < table->shape->slot_count; ++slot) {
      if (is_cleared(table->slots[slot])) table->slots[slot].set_nil();
    }
    if (table->element_kind() == ElementKind::Any) {
      for (uint32_t index = 0; index < table->array_size(); ++index) {
        if (is_cleared(table->values()[index])) table->values()[index].set_nil();
      }
      // The last element is never nil (vm/object/table.h).
      while (table->type_word > 0 && table->values()[table->type_word - 1].is_nil()) --table->type_word;
    }
    if (table->hash == nullptr) continue;
    for (uint32_t n = 0; n < table->hash->node_count(); ++n) {
      HashNode& node = table->hash->nodes[n];
      if (is_cleared(node.value)) node.value.set_nil();
    }
  }
}

void Collector::clear_keys(const std::vector<Table*>& tables) {
  for (Table* table : tables) {
    if (table->hash == nullptr) continue;
    for (uint32_t n = 0; n < table->hash->node_count(); ++n) {
      HashNode& node = table->hash->nodes[n];
      if (!node.value.is_nil() && is_cleared(node.key())) node.value.set_nil();
      if (node.value.is_nil()) node.let_go();
    }
  }
}

}  // namespace mangata
