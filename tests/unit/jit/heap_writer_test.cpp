// New objects as generated code makes them: in a real heap, read by the machine's own functions, kept through collections.
#include "jit/build/heap_writer.h"

#include <optional>
#include <random>

#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {
namespace {

class HeapWriterTest : public testing::Test {
 protected:
  /// The table is reachable from now on.
  Table* kept(uint64_t address) {
    auto* table = reinterpret_cast<Table*>(address);
    EXPECT_TRUE(table_set_integer(vm_, vm_.registry, 100, Value::table(table)).ok());
    return table;
  }
  void collect() { ASSERT_TRUE(vm_.heap.collect_full().ok()); }
  bool is_equal(const Value& a, const Value& b) const { return a.tag == b.tag && a.payload == b.payload; }
  Shape* shape_of(uint32_t count) {
    Shape* shape = vm_.empty_shape;
    for (uint32_t i = 0; i < count; ++i) shape = shape_add(vm_, shape, key(i));
    return shape;
  }
  String* key(uint32_t index) { return vm_.intern("key" + std::to_string(index)); }

  Vm vm_;
};

TEST_F(HeapWriterTest, ATableIsAsTheMachineMakesThem) {
  for (const uint32_t room : {0u, 1u, 3u, 8u}) {
    for (const bool has_metatable : {false, true}) {
      Table* metatable = has_metatable ? table_new(vm_) : nullptr;
      Table* model = table_new(vm_, 5, room);
      if (has_metatable) table_set_metatable(vm_, model, metatable);
      ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 101, Value::table(model)).ok());
      GeneratedCode code(vm_);
      HeapWriter heap(code.b, code.runtime);
      code.b.return_status(code.b.pointer_to_integer(heap.make_table(model->shape, metatable, room, 5)));
      Table* table = kept(code.run());
      EXPECT_EQ(table->type, ObjectType::Table);
      EXPECT_EQ(table->shape, model->shape);
      EXPECT_EQ(table->metatable(), metatable);
      EXPECT_EQ(table->slot_capacity, room);
      EXPECT_EQ(table->element_kind(), ElementKind::Empty);
      EXPECT_EQ(table->array_size(), 0u);
      EXPECT_EQ(room != 0, table->slots != nullptr && table_slots_are_inline(table));
      for (uint32_t i = 0; i < room + 3; ++i) ASSERT_TRUE(table_set_string(vm_, table, key(i), Value::integer(i)).ok());
      for (int64_t i = 1; i <= 20; ++i) ASSERT_TRUE(table_set_integer(vm_, table, i, Value::number(static_cast<double>(i))).ok());
      collect();
      for (uint32_t i = 0; i < room + 3; ++i) EXPECT_TRUE(is_equal(table_get_string(table, key(i)), Value::integer(i)));
      EXPECT_EQ(table_length(table), 20);
    }
  }
}

TEST_F(HeapWriterTest, ObjectsTakeWhatIsLeftOfARunAndThenAnother) {
  GeneratedCode code(vm_);
  HeapWriter heap(code.b, code.runtime);
  constexpr int kTables = 3000;  // several runs
  std::vector<Value*> cells;
  for (int i = 0; i < kTables; ++i) code.write(code.b.pointer_to_integer(heap.make_table(vm_.empty_shape, nullptr, 2, 0)), *cells.emplace_back(&code.cell()));
  // Of a size that is no whole number of granules.
  IrValue last = heap.make_table(vm_.empty_shape, nullptr, 0, 0);
  heap.make_elements(last, ElementKind::Integer, {code.unknown(Value::integer(1)), code.unknown(Value::integer(2))});
  constexpr size_t kStorageBytes = sizeof(Object) + 2 * sizeof(int64_t);
  constexpr auto kClass = static_cast<size_t>(size_class_of(kStorageBytes));
  static_assert(kClassBytes[kClass] != kStorageBytes);
  const auto* const runs = reinterpret_cast<const BumpRun*>(reinterpret_cast<const char*>(&vm_.heap) + HeapLayout::kRuns);
  const char* const before = reinterpret_cast<const char*>(vm_.heap.allocate_small(ObjectType::Bytes, kStorageBytes));
  code.finish_and_run();
  EXPECT_EQ(runs[kClass].next - before, 2 * kClassBytes[kClass]);
  constexpr uint64_t kBytes = rounded_cell_bytes(sizeof(Table) + 2 * sizeof(Value));
  int adjacent = 0;
  for (size_t i = 1; i < kTables; ++i) adjacent += cells[i]->payload == cells[i - 1]->payload + kBytes ? 1 : 0;
  EXPECT_GT(adjacent, kTables / 2);
  EXPECT_LT(adjacent, kTables - 1) << "there was no second run";
  std::sort(cells.begin(), cells.end(), [](const Value* a, const Value* b) { return a->payload < b->payload; });
  for (size_t i = 1; i < kTables; ++i) ASSERT_GE(cells[i]->payload, cells[i - 1]->payload + kBytes) << "two tables share memory";
}

TEST_F(HeapWriterTest, ElementsAreAsTheMachineKeepsThem) {
  const std::vector<Value> values = {Value::integer(-7), Value::number(0.5), Value::nil(), Value::boolean(true),
                                     vm_.string_value("text"), Value::table(vm_.globals), Value::integer(1), Value::number(-0.0)};
  ASSERT_TRUE(table_set_integer(vm_, vm_.globals, 1, values[4]).ok());  // so that the string stays
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const uint32_t kinds = round % 3 == 0 ? 1 : round % 3 == 1 ? 2
                                                               : static_cast<uint32_t>(values.size());
    GeneratedCode code(vm_);
    HeapWriter heap(code.b, code.runtime);
    const size_t count = 1 + random() % ReplacedTable::kMostFields;
    std::vector<Value> wanted;
    std::vector<Operand> operands;
    std::vector<Kind> known;
    for (size_t i = 0; i < count; ++i) {
      wanted.push_back(kinds < 3 ? values[kinds - 1] : values[random() % values.size()]);
      if (i + 1 == count && wanted.back().is_nil()) wanted.back() = Value::boolean(false);  // the last element is none
      operands.push_back(code.unknown(wanted.back(), random() % 4 != 0));
      known.push_back(operands.back().kind);
    }
    const bool looks = random() % 2 == 0;  // at what is not known
    const auto all_have = [&](Tag tag) { return std::all_of(wanted.begin(), wanted.end(), [&](const Value& value) { return value.tag == tag; }); };
    const ElementKind by_values = all_have(Tag::Integer) ? ElementKind::Integer : all_have(Tag::Float) ? ElementKind::Float
                                                                                                       : ElementKind::Any;
    const std::optional<ElementKind> certain = element_kind_of(known);
    const ElementKind kind = certain.value_or(looks ? by_values : ElementKind::Any);
    IrValue table = heap.make_table(vm_.empty_shape, nullptr, 0, 3);
    if (!certain && looks) {
      heap.make_elements_of_unknown_kind(table, operands);
    } else {
      heap.make_elements(table, kind, operands);
    }
    code.b.return_status(code.b.pointer_to_integer(table));
    Table* made = kept(code.run());
    EXPECT_EQ(made->element_kind(), kind);
    EXPECT_EQ(made->element_capacity, count);
    EXPECT_EQ(table_elements_storage(made)->type, kind == ElementKind::Any ? ObjectType::Values : ObjectType::Bytes);
    collect();
    ASSERT_EQ(table_length(made), static_cast<int64_t>(count));
    for (size_t i = 0; i < count; ++i) EXPECT_TRUE(is_equal(table_get_integer(made, static_cast<int64_t>(i) + 1), wanted[i])) << round;
    ASSERT_TRUE(table_set_integer(vm_, made, static_cast<int64_t>(count) + 1, values[random() % 2]).ok());
    for (size_t i = 0; i < count; ++i) EXPECT_TRUE(is_equal(table_get_integer(made, static_cast<int64_t>(i) + 1), wanted[i])) << round;
  }
}

/// What the elements are, if they can be nothing else, whatever the values are whose kinds are not known.
std::optional<ElementKind> certain_kind(const std::vector<Kind>& kinds) {
  std::optional<ElementKind> found;
  const std::vector<Kind> possible = {Kind::Nil, Kind::False, Kind::Integer, Kind::Float, Kind::String};
  std::vector<size_t> choice(kinds.size());
  while (true) {
    std::vector<Kind> all;
    for (size_t i = 0; i < kinds.size(); ++i) all.push_back(kinds[i] == Kind::Any ? possible[choice[i]] : kinds[i]);
    const auto are_all = [&](Kind kind) { return std::all_of(all.begin(), all.end(), [&](Kind each) { return each == kind; }); };
    const ElementKind kind = are_all(Kind::Integer) ? ElementKind::Integer : are_all(Kind::Float) ? ElementKind::Float
                                                                                                  : ElementKind::Any;
    if (found && *found != kind) return {};
    found = kind;
    size_t i = 0;
    for (; i < kinds.size(); ++i) {
      if (kinds[i] == Kind::Any && ++choice[i] < possible.size()) break;
      choice[i] = 0;
    }
    if (i == kinds.size()) return found;
  }
}

TEST(ElementKind, IsKnownWhereItCanBeNoOther) {
  constexpr Kind kKinds[] = {Kind::Any, Kind::Nil, Kind::True, Kind::Integer, Kind::Float, Kind::String};
  constexpr size_t kMost = 4;
  size_t combinations = 1;
  for (size_t count = 1; count <= kMost; ++count) {
    combinations *= std::size(kKinds);
    for (size_t number = 0; number < combinations; ++number) {
      std::vector<Kind> kinds;
      for (size_t rest = number, i = 0; i < count; ++i, rest /= std::size(kKinds)) kinds.push_back(kKinds[rest % std::size(kKinds)]);
      EXPECT_EQ(element_kind_of(kinds), certain_kind(kinds)) << "combination " << number << " of " << count;
    }
  }
}

int barriers = 0;

TEST_F(HeapWriterTest, TheCollectorIsToldOfStoresOnlyWhileItMarksAndOnlyOfObjects) {
  Table* many = table_new(vm_);
  ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 101, Value::table(many)).ok());
  for (int64_t i = 1; i <= 2000; ++i) ASSERT_TRUE(table_set_integer(vm_, many, i, Value::table(table_new(vm_))).ok());
  const Value values[] = {Value::integer(3), Value::nil(), Value::boolean(true), vm_.string_value("text"), Value::table(vm_.globals)};
  for (const bool is_marking : {false, true}) {
    while (vm_.heap.marking() != is_marking) ASSERT_TRUE(vm_.heap.step_kilobytes(1).ok());
    for (const Value& value : values) {
      for (const bool knows_kind : {false, true}) {
        GeneratedCode code(vm_);
        RegionRuntime runtime = code.runtime;
        runtime.barrier = &barriers;  // an address that calls nothing else
        code.callees.push_back({word_of(&barriers), [](std::span<const uint64_t>) -> uint64_t { return static_cast<uint64_t>(++barriers); }});
        HeapWriter heap(code.b, runtime);
        heap.barrier(code.b.address_constant(vm_.globals), code.b.address_constant(&code.cell()), code.unknown(value, knows_kind));
        barriers = 0;
        code.finish_and_run();
        EXPECT_EQ(barriers, is_marking && (!knows_kind || value.tag >= kFirstCollectableTag) ? 1 : 0);
      }
    }
  }
}

}  // namespace
}  // namespace mangata::jit
