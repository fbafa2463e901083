#include "jit/build/replaced_tables.h"

#include <algorithm>

namespace mangata::jit {
namespace {

constexpr size_t kMostReplacedTables = 16;

/// What its elements are when it is made.
ElementKind element_kind_of(const ReplacedTable& table) { return element_kind_of(kinds_of(table)).value_or(ElementKind::Any); }

bool is_unboxed(Kind kind) { return has_known_tag(kind) && tag_of(kind) < kFirstCollectableTag; }

}  // namespace

std::vector<Kind> kinds_of(const ReplacedTable& table) {
  std::vector<Kind> kinds;
  for (int i = 0; i < table.count(); ++i) kinds.push_back(table.fields[static_cast<size_t>(i)].kind);
  return kinds;
}

bool ReplacedTables::make(FrameSlot slot, int room, int expected, const Shape* shape) {
  if ((expected == 0) == (room == 0) || expected + room > ReplacedTable::kMostFields) return false;
  registers_.fact(slot) = {};
  drop_unreachable_tables(&walk_.state);
  std::vector<ReplacedTable>& tables = walk_.state.tables;
  const auto free =
      std::find_if(tables.begin(), tables.end(), [](const ReplacedTable& table) { return table.shape == nullptr; });
  const auto id = static_cast<size_t>(free - tables.begin());
  if (id == kMostReplacedTables) return false;
  if (id == tables.size()) tables.emplace_back();
  tables[id].room = static_cast<uint8_t>(room);
  tables[id].expected = static_cast<uint8_t>(expected);
  registers_.fact(slot) = {.kind = Kind::Table, .dirty = true, .replaced_table = static_cast<int8_t>(id)};
  set_shape(slot, shape);
  return true;
}

void ReplacedTables::set_shape(FrameSlot slot, const Shape* shape) {
  const int id = registers_.fact(slot).replaced_table;
  walk_.state.for_each_fact([&](Fact& known) {
    if (known.replaced_table == id) known.shape = shape;
  });
  walk_.state.tables[static_cast<size_t>(id)].shape = shape;
}

void ReplacedTables::set_metatable(FrameSlot slot, const Shape* shape, const Table* metatable) {
  registers_.replaced_table(slot).metatable = metatable;
  set_shape(slot, shape);
}

int ReplacedTables::element_at(FrameSlot slot, int index) {
  if (!registers_.is_replaced(slot)) return -1;
  const ReplacedTable& table = registers_.replaced_table(slot);
  return table.room == 0 && index >= 1 && index <= table.count() ? index - 1 : -1;
}

void ReplacedTables::materialize(int id) {
  const std::vector<int> ids = reachable_tables(walk_.state, id);
  std::vector<IrValue> made;
  for (const int table_id : ids) {
    const ReplacedTable& table = walk_.state.tables[static_cast<size_t>(table_id)];
    made.push_back(heap_.make_table(table.shape, table.metatable, table.room, table.expected));
  }
  const auto become_real = [&](FrameSlot slot) {
    Fact& slot_fact = registers_.fact(slot);
    const auto found = std::find(ids.begin(), ids.end(), slot_fact.replaced_table);
    if (slot_fact.replaced_table < 0 || found == ids.end()) return;
    const ReplacedTable& table = registers_.replaced_table(slot);
    const bool has_elements = table.room == 0 && table.count() != 0;
    slot_fact = {.kind = Kind::Table,
                 .dirty = true,
                 .elements = has_elements ? static_cast<uint8_t>(element_kind_of(table)) : Fact::kUnknownElements,
                 .shape = table.shape,
                 .new_slots = table.metatable != nullptr ? Fact::kNotNew : table.room};
    IrValue address = b_.pointer_to_integer(made[static_cast<size_t>(found - ids.begin())]);
    b_.set(registers_.payload_cell(slot), address);
  };
  for (size_t slot = 0; slot < walk_.state.slots.size(); ++slot) become_real(static_cast<FrameSlot>(slot));
  for (size_t table = 0; table < walk_.state.tables.size(); ++table) {
    for (uint32_t i = 0; i < ReplacedTable::kMostFields; ++i) become_real(RegisterFile::field_slot(static_cast<int>(table), i));
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    const ReplacedTable& table = walk_.state.tables[static_cast<size_t>(ids[i])];
    std::vector<Operand> values;
    for (int field = 0; field < table.count(); ++field) values.push_back(registers_.get(RegisterFile::field_slot(ids[i], static_cast<uint32_t>(field))));
    if (table.room == 0) {
      if (!values.empty()) heap_.make_elements(made[i], element_kind_of(table), values);
      continue;
    }
    for (size_t field = 0; field < values.size(); ++field) {
      IrValue place = b_.at(made[i], static_cast<int64_t>(sizeof(Table) + field * sizeof(Value)));
      b_.store_value(values[field], place, Memory::Values);
    }
  }
  for (const int made_id : ids) walk_.state.tables[static_cast<size_t>(made_id)] = {};
}

bool ReplacedTables::materialize_all(bool but_of_numbers) {
  bool made = false;
  for (size_t id = 0; id < walk_.state.tables.size(); ++id) {
    const ReplacedTable& table = walk_.state.tables[id];
    if (table.shape == nullptr) continue;
    const bool has_only_numbers = std::all_of(table.fields.begin(), table.fields.end(), [](const Fact& field) {
      return field.kind == Kind::Frame || is_unboxed(field.kind);
    });
    if (but_of_numbers && has_only_numbers) continue;
    materialize(static_cast<int>(id));
    made = true;
  }
  if (made) drop_unreachable_tables(&walk_.state);
  return made;
}

}  // namespace mangata::jit
