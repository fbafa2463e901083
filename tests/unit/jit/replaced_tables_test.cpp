// Scalar-replaced tables become real: whatever leads to them, and they to each other, what is made is what they were.
#include "jit/build/replaced_tables.h"

#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

class ReplacedTablesTest : public testing::Test {
 protected:
  /// Registers on the stack of the thread, where the collector sees them.
  void keep(GeneratedCode& code, FrameSlot end) {
    for (FrameSlot slot{}; slot < end; ++slot) {
      if (!code.registers.is_replaced(slot)) code.registers.store(slot);
    }
  }
  void clear_stack(GeneratedCode& code) {
    for (Value* value = vm_.main_thread->base; value < code.base + code.root.register_count; ++value) value->set_nil();
    vm_.main_thread->top = code.base + code.root.register_count;
  }
  Vm vm_;
};

TEST_F(ReplacedTablesTest, WhatIsMadeIsWhatTheyWere) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    GeneratedCode code(vm_);
    ReplacedGraph graph(code, random);
    HeapWriter heap(code.b, code.runtime);
    ReplacedTables tables(code.b, code.walk, code.registers, heap);
    clear_stack(code);
    const bool makes_one = round % 2 == 0;
    const auto id = static_cast<int>(random() % code.walk.state.tables.size());
    const std::vector<int> reached = reachable_tables(code.walk.state, id);
    if (makes_one) {
      tables.materialize(id);
    } else {
      tables.materialize_all(false);
    }
    const FrameSlot end{code.root.register_count};
    for (FrameSlot slot{}; slot < end; ++slot) {
      const int held = graph.in_slot(slot).table;
      const bool is_made = held >= 0 && (!makes_one || std::find(reached.begin(), reached.end(), held) != reached.end());
      EXPECT_EQ(code.registers.is_replaced(slot), held >= 0 && !is_made);
      EXPECT_TRUE(!is_made || code.registers.fact(slot).dirty) << "the frame does not have it";
    }
    const std::vector<ReplacedTable>& left = code.walk.state.tables;
    for (const int made : reached) EXPECT_TRUE(static_cast<size_t>(made) >= left.size() || left[static_cast<size_t>(made)].shape == nullptr);
    std::vector<Fact> facts = code.walk.state.slots;
    keep(code, end);
    code.finish_and_run();
    ASSERT_TRUE(vm_.heap.collect_full().ok());
    for (FrameSlot slot{}; slot < end; ++slot) {
      const Fact& fact = facts[static_cast<size_t>(slot)];
      if (fact.replaced_table >= 0) continue;
      const Value& value = *(code.base + slot);
      graph.expect_in(slot, value);
      if (graph.in_slot(slot).table < 0 || ::testing::Test::HasFatalFailure()) continue;
      const Table& table = *value.as_table();
      EXPECT_EQ(fact.shape, table.shape);
      EXPECT_TRUE(fact.elements == Fact::kUnknownElements || fact.elements == static_cast<uint8_t>(table.element_kind()));
      EXPECT_TRUE(fact.new_slots == Fact::kNotNew || (fact.new_slots == table.slot_capacity && table.metatable() == nullptr));
    }
  }
}

TEST_F(ReplacedTablesTest, TheCollectorSeesWhatTablesHoldThatAreMadeWhileItMarks) {
  String* const next = vm_.intern("next");
  Table* last = nullptr;  // of a long chain, whose end is marked late
  for (int i = 0; i < 20000; ++i) {
    Table* link = table_new(vm_, 0, 1);
    if (last == nullptr) {
      ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 101, Value::table(link)).ok());
    } else {
      ASSERT_TRUE(table_set_string(vm_, last, next, Value::table(link)).ok());
    }
    last = link;
  }
  Table* const weak = table_new(vm_);
  Table* const metatable = table_new(vm_);
  ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 102, Value::table(weak)).ok());
  ASSERT_TRUE(table_set_string(vm_, metatable, vm_.intern("__mode"), vm_.string_value("v")).ok());
  table_set_metatable(vm_, weak, metatable);
  for (const bool is_element : {false, true}) {
    GeneratedCode code(vm_, 2);
    HeapWriter heap(code.b, code.runtime);
    ReplacedTables tables(code.b, code.walk, code.registers, heap);
    clear_stack(code);
    while (vm_.heap.marking()) ASSERT_TRUE(vm_.heap.step_kilobytes(1).ok());
    Table* hidden = table_new(vm_);
    ASSERT_TRUE(table_set_string(vm_, last, next, Value::table(hidden)).ok());
    while (!vm_.heap.marking()) ASSERT_TRUE(vm_.heap.step_kilobytes(1).ok());
    // From here on, what leads to it is the new table only, which is in a table that is marked already.
    ASSERT_TRUE(tables.make(FrameSlot{0}, is_element ? 0 : 1, is_element ? 1 : 0, vm_.empty_shape));
    code.registers.set(RegisterFile::field_slot(0, 0), code.unknown(Value::table(hidden)));
    if (!is_element) tables.set_shape(FrameSlot{0}, shape_add(vm_, vm_.empty_shape, next));
    tables.materialize(0);
    code.registers.store(FrameSlot{0});
    code.finish_and_run();
    ASSERT_TRUE(table_set_string(vm_, last, next, Value::nil()).ok());
    ASSERT_TRUE(vm_.heap.marking() && !vm_.heap.is_marked(hidden)) << "nothing is tried";
    ASSERT_TRUE(table_set_integer(vm_, weak, 1, Value::table(hidden)).ok());
    while (vm_.heap.marking()) ASSERT_TRUE(vm_.heap.step_kilobytes(1).ok());
    EXPECT_EQ(table_get_integer(weak, 1).payload, word_of(hidden)) << "it was taken for dead";
  }
}

TEST_F(ReplacedTablesTest, ThoseOfNumbersMayStay) {
  GeneratedCode code(vm_);
  HeapWriter heap(code.b, code.runtime);
  ReplacedTables tables(code.b, code.walk, code.registers, heap);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(tables.make(FrameSlot{i}, 0, 2, vm_.empty_shape));
  code.registers.set(RegisterFile::field_slot(0, 0), code.unknown(Value::number(1)));
  code.registers.set(RegisterFile::field_slot(1, 0), code.unknown(Value::integer(1)));
  code.registers.set(RegisterFile::field_slot(1, 1), code.unknown(vm_.string_value("text")));
  code.registers.set(RegisterFile::field_slot(2, 0), code.unknown(Value::integer(1), false));
  EXPECT_TRUE(tables.materialize_all(true));
  EXPECT_TRUE(code.registers.is_replaced(FrameSlot{0}));
  EXPECT_FALSE(code.registers.is_replaced(FrameSlot{1}));
  EXPECT_FALSE(code.registers.is_replaced(FrameSlot{2})) << "it may hold anything";
  EXPECT_FALSE(tables.materialize_all(true));
  EXPECT_TRUE(tables.materialize_all(false));
  EXPECT_TRUE(code.walk.state.tables.empty());
  EXPECT_FALSE(tables.materialize_all(false));
}

TEST_F(ReplacedTablesTest, WhichTablesAreReplaced) {
  GeneratedCode code(vm_, 32);
  HeapWriter heap(code.b, code.runtime);
  ReplacedTables tables(code.b, code.walk, code.registers, heap);
  EXPECT_FALSE(tables.make(FrameSlot{0}, 0, 0, vm_.empty_shape)) << "nothing is known of it";
  EXPECT_FALSE(tables.make(FrameSlot{0}, 1, 1, vm_.empty_shape)) << "properties and elements";
  EXPECT_FALSE(tables.make(FrameSlot{0}, ReplacedTable::kMostFields + 1, 0, vm_.empty_shape));
  EXPECT_TRUE(tables.make(FrameSlot{0}, ReplacedTable::kMostFields, 0, vm_.empty_shape));
  EXPECT_TRUE(tables.make(FrameSlot{0}, 0, 1, vm_.empty_shape)) << "nobody has the first one any more";
  EXPECT_EQ(code.walk.state.tables.size(), 1u);
  int slot = 1;
  while (tables.make(FrameSlot{slot}, 1, 0, vm_.empty_shape)) ++slot;
  EXPECT_EQ(slot, 16);
  EXPECT_EQ(code.registers.fact(FrameSlot{slot}), Fact());
  code.registers.fact(FrameSlot{3}) = {};
  EXPECT_TRUE(tables.make(FrameSlot{slot}, 1, 0, vm_.empty_shape)) << "in the place of one that is gone";
  EXPECT_EQ(code.registers.fact(FrameSlot{slot}).replaced_table, 3);
}

TEST_F(ReplacedTablesTest, WhatHoldsATableKnowsItsShape) {
  GeneratedCode code(vm_);
  HeapWriter heap(code.b, code.runtime);
  ReplacedTables tables(code.b, code.walk, code.registers, heap);
  ASSERT_TRUE(tables.make(FrameSlot{0}, 1, 0, vm_.empty_shape));
  ASSERT_TRUE(tables.make(FrameSlot{1}, 0, 1, vm_.empty_shape));
  code.registers.copy(FrameSlot{2}, FrameSlot{0});
  code.registers.copy(RegisterFile::field_slot(1, 0), FrameSlot{0});
  Table* metatable = table_new(vm_);
  Shape* shape = shape_own_root(vm_, metatable);
  tables.set_metatable(FrameSlot{2}, shape, metatable);
  for (const FrameSlot slot : {FrameSlot{0}, FrameSlot{2}, RegisterFile::field_slot(1, 0)}) EXPECT_EQ(code.registers.fact(slot).shape, shape);
  EXPECT_EQ(code.registers.fact(FrameSlot{1}).shape, vm_.empty_shape);
  EXPECT_EQ(code.registers.replaced_table(FrameSlot{0}).metatable, metatable);
  EXPECT_EQ(tables.element_at(FrameSlot{1}, 1), 0);
  for (const int index : {-1, 0, 2, 9}) EXPECT_EQ(tables.element_at(FrameSlot{1}, index), -1) << index;
  EXPECT_EQ(tables.element_at(FrameSlot{0}, 1), -1) << "it has properties";
  EXPECT_EQ(tables.element_at(FrameSlot{3}, 1), -1) << "it is no such table";
}

}  // namespace
}  // namespace mangata::jit
