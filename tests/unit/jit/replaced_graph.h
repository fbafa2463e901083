// Scalar-replaced tables that lead to each other in any way, with what they are to be when they are made.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/jit/generated_code.h"
#include "vm/object/table.h"

namespace mangata::jit {

class ReplacedGraph {
 public:
  /// In a cell or a slot: a value, or a table of the graph.
  struct Held {
    int table = -1;  ///< its number; -1: it is a value
    Value value = Value::nil();
  };

  /// In all registers of the code, and in its tables. `may_have_metatables`: they then have one that is common to their shape.
  ReplacedGraph(GeneratedCode& code, std::mt19937& random, bool may_have_metatables = true) : code_(code), random_(random) {
    std::vector<ReplacedTable>& tables = code.walk.state.tables;
    tables.resize(1 + random() % 5);
    fields_.resize(tables.size());
    for (size_t id = 0; id < tables.size(); ++id) make(static_cast<int>(id), may_have_metatables && random() % 3 == 0);
    for (int reg = 0; reg < code.root.register_count; ++reg) slots_.push_back(hold(FrameSlot{reg}, false));
    tables_ = tables;
  }

  const Held& in_slot(FrameSlot slot) const { return slots_[static_cast<size_t>(slot)]; }

  /// Whether the value is what that slot was to hold. The same table has to be the same one wherever it is met.
  void expect_in(FrameSlot slot, const Value& value) { expect(in_slot(slot), value, "slot " + std::to_string(value_of(slot))); }

 private:
  String* key(int field) const { return code_.vm.intern("field" + std::to_string(field)); }

  void make(int id, bool has_metatable) {
    ReplacedTable& table = code_.walk.state.tables[static_cast<size_t>(id)];
    const int room = static_cast<int>(random_() % 2) * (1 + static_cast<int>(random_() % ReplacedTable::kMostFields));
    const int most = room != 0 ? room : ReplacedTable::kMostFields;
    const int count = static_cast<int>(random_() % static_cast<uint32_t>(most + 1));
    table.room = static_cast<uint8_t>(room);
    table.expected = static_cast<uint8_t>(room == 0 ? 1 + random_() % ReplacedTable::kMostFields : 0);
    Shape* shape = code_.vm.empty_shape;
    if (has_metatable) {
      Table* metatable = table_new(code_.vm);
      (void)table_set_integer(code_.vm, code_.vm.registry, 200 + id, Value::table(metatable));
      table.metatable = metatable;
      shape = shape_own_root(code_.vm, metatable);
    }
    const bool is_of_numbers = room == 0 && random_() % 2 == 0;
    for (int field = 0; field < count; ++field) {
      if (room != 0) shape = shape_add(code_.vm, shape, key(field));
      fields_[static_cast<size_t>(id)].push_back(hold(RegisterFile::field_slot(id, static_cast<uint32_t>(field)), room == 0, is_of_numbers));
    }
    table.shape = shape;
  }

  /// Something, in a register or in a field.
  Held hold(FrameSlot slot, bool is_element, bool is_number = false) {
    if (!is_number && random_() % 3 == 0) {
      const auto id = static_cast<int8_t>(random_() % fields_.size());
      code_.registers.fact(slot) = {.kind = Kind::Table, .dirty = true, .replaced_table = id};
      return {.table = id};
    }
    const Value values[] = {Value::integer(static_cast<int64_t>(random_())), Value::number(static_cast<double>(random_()) / 8), Value::boolean(true),
                            code_.vm.string_value("text"), Value::table(code_.vm.globals), Value::boolean(false), Value::nil()};
    const size_t choices = is_number ? 2 : is_element ? std::size(values) - 1
                                                      : std::size(values);
    const Value& value = values[random_() % choices];
    code_.registers.set(slot, code_.unknown(value, is_number || random_() % 3 != 0));
    return {.value = value};
  }

  void expect(const Held& held, const Value& value, const std::string& where) {
    if (held.table < 0) {
      EXPECT_EQ(value.tag, held.value.tag) << where;
      EXPECT_TRUE(held.value.tag <= Tag::True || value.payload == held.value.payload) << where;
      return;
    }
    ASSERT_EQ(value.tag, Tag::Table) << where;
    Table* const table = value.as_table();
    const auto [found, is_new] = made_.try_emplace(held.table, table);
    EXPECT_EQ(found->second, table) << where << ": it is another table";
    if (!is_new) return;
    for (const auto& [id, other] : made_) EXPECT_TRUE(id == held.table || other != table) << where << ": two tables are one";
    expect_table(held.table, table, where);
  }
  void expect_table(int id, Table* table, const std::string& where) {
    const std::vector<Held>& fields = fields_[static_cast<size_t>(id)];
    const ReplacedTable& replaced = tables_[static_cast<size_t>(id)];
    EXPECT_EQ(table->shape, replaced.shape) << where;
    EXPECT_EQ(table->metatable(), replaced.metatable) << where;
    EXPECT_EQ(table_length(table), replaced.room == 0 ? static_cast<int64_t>(fields.size()) : 0) << where;
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string there = where + "." + std::to_string(i);
      const bool is_element = replaced.room == 0;
      expect(fields[i], is_element ? table_get_integer(table, static_cast<int64_t>(i) + 1) : table_get_string(table, key(static_cast<int>(i))), there);
    }
  }

  GeneratedCode& code_;
  std::mt19937& random_;
  std::vector<std::vector<Held>> fields_;  ///< by number of the table
  std::vector<Held> slots_;
  std::vector<ReplacedTable> tables_;  ///< as they were
  std::map<int, Table*> made_;
};

}  // namespace mangata::jit
