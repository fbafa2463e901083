// Where control merges: whichever version of a leader's code is entered, registers have there what they had before, and so have frames as
// far as the version counts on them.
#include "jit/build/versions.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <random>

#include "tests/unit/jit/build_objects.h"
#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

constexpr int kRegisters = 8;  ///< slots, in all
constexpr int kLeader = 1;     ///< its pc
constexpr uint64_t kReached = 77, kNoFuel = 98;
// Of a function that is inlined
constexpr FrameSlot kCallee{1}, kBase{4};

struct Settings {
  bool has_tables = false;
  bool goes_back = false;      ///< to the leader
  bool counts_events = false;
  bool is_inlined = false;  ///< the leader is in a function that is, called by one with its own registers below
  size_t most_generic = 2;
};

/// Several ways to one leader, with random states. At the leader, the registers are noted, and the function returns.
class Merge : private BuildObjects {
 public:
  Merge(Vm& vm, std::mt19937& random, const Settings& settings, const Versions::Widened& known)
      : BuildObjects(vm, kRegisters, settings.counts_events, settings.most_generic), settings_(settings), random_(random) {
    make_code(&callee_, 2);
    callee_.register_count = kRegisters - value_of(kBase);
    for (const auto& [key, facts] : known) {
      auto here = key;
      std::get<std::vector<InlineFrame>>(here) = frames();
      widened[here] = facts;
    }
    for (size_t reg = 0; reg < kRegisters; ++reg) {
      code.root.live[kLeader][reg] = random() % 5 != 0;
      code.root.live[kLeader + 1][reg] = reg < static_cast<size_t>(kCallee) && random() % 3 != 0;  // behind the call
      callee_.live[kLeader][reg] = random() % 5 != 0;
      assigned.registers[reg] = random() % 2 == 0;
    }
    assigned.all_of_callees = random() % 2 == 0;
    for (int slot = 0; slot < kRegisters; ++slot) held_.push_back(&code.cell()), in_frame_.push_back(&code.cell());
  }

  void add_way() {
    const Block other = code.begin_case(selector_, ways_.size());
    Way& way = ways_.emplace_back();
    State& state = code.walk.state;
    state = {};
    state.slots.resize(kRegisters);
    state.frames = frames();
    way.graph = std::make_unique<ReplacedGraph>(code, random_);
    if (!settings_.has_tables) drop_tables(way);
    for (int slot = 0; slot < kRegisters; ++slot) vary(way, FrameSlot{slot});
    if (settings_.counts_events) have_events_happen(way);
    code.walk.pc = settings_.goes_back ? kLeader : kLeader - 1;
    code.walk.ended = false;
    versions.enter({}, kLeader);
    EXPECT_TRUE(code.walk.ended);
    code.b.set_position(other);
  }
  /// Returns how many versions there are.
  int finish() {
    code.b.return_status(code.b.word(99));
    int count = 0;
    for (; !queue.is_empty(); ++count) {
      queue.run_next();
      if (code.walk.pc != kLeader) ADD_FAILURE() << "another walk";
      expect_state();
      note();
    }
    versions.add_widened(&found_out);
    iterations_ = events.take_iterations();
    return count;
  }
  void run_all() {
    for (size_t way = 0; way < ways_.size(); ++way) {
      SCOPED_TRACE("way " + std::to_string(way));
      run(way);
    }
  }

  Versions::Widened found_out;
  // Of all versions
  int clean_of_caller = 0;   ///< registers of the caller of a function that is inlined, which the frame has
  int tables_of_tables = 0;  ///< fields of scalar-replaced tables that hold another

 private:
  struct Way {
    std::unique_ptr<ReplacedGraph> graph;
    std::vector<Value> frame = std::vector<Value>(kRegisters, Value::light_userdata(nullptr));  ///< at first: what is stale
    int happened = 0;
  };

  std::vector<InlineFrame> frames() const {
    if (!settings_.is_inlined) return {{.function = &code.root}};
    return {{.function = &code.root}, {.function = &callee_, .base = kBase, .return_pc = kLeader + 1, .wanted = 1}};
  }
  bool is_live(FrameSlot slot) const {
    if (!settings_.is_inlined) return code.root.live[kLeader].test(static_cast<size_t>(slot));
    if (slot >= kBase) return callee_.live[kLeader].test(static_cast<size_t>(slot - kBase));
    return slot == kCallee || code.root.live[kLeader + 1].test(static_cast<size_t>(slot));
  }
  /// Some that have been reserved, with as much fuel as there is.
  void have_events_happen(Way& way) {
    const EventCounter::Reserve reserve = events.reserve();
    code.b.write_in(reserve.leaves, [&] { code.b.return_status(code.b.word(kNoFuel)); });
    code.b.set_position(reserve.goes_on);
    way.happened = static_cast<int>(random_() % 5);
    for (int i = 0; i < way.happened; ++i) events.take();
    if (random_() % 3 != 0) code.walk.state.reserved_events = static_cast<int>(random_() % static_cast<uint32_t>(code.walk.state.reserved_events + 1));
  }
  void drop_tables(Way& way) {
    do {
      way.graph.reset();
      code.walk.state.slots.assign(kRegisters, {});
      way.graph = std::make_unique<ReplacedGraph>(code, random_);
    } while (std::any_of(code.walk.state.slots.begin(), code.walk.state.slots.end(), [](const Fact& fact) { return fact.replaced_table >= 0; }));
    code.walk.state.tables.clear();
  }
  /// The frame may have the value, too, or nothing else.
  void vary(Way& way, FrameSlot slot) {
    Fact& fact = code.registers.fact(slot);
    if (fact.replaced_table >= 0) return;
    if (random_() % 6 == 0) code.registers.set(slot, code.b.constant_value(way.graph->in_slot(slot).value));
    const auto choice = random_() % 4;
    if (choice > 1) return;
    way.frame[static_cast<size_t>(slot)] = way.graph->in_slot(slot).value;
    if (choice == 0) {
      fact.dirty = false;
    } else {
      fact = {};
    }
  }
  /// What a version counts on.
  void expect_state() {
    const State& state = code.walk.state;
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      const Fact& fact = state.slots[static_cast<size_t>(slot)];
      EXPECT_TRUE(is_live(slot) || fact == Fact{}) << "of what is dead, nothing";
      EXPECT_FALSE(fact.is_constant) << "generic code keeps none";
      const bool is_assigned = assigned.registers.test(static_cast<size_t>(slot)) || (settings_.is_inlined && (assigned.all_of_callees || slot >= kBase));
      EXPECT_TRUE(fact.kind == Kind::Frame || !is_assigned || fact.dirty);
      clean_of_caller += settings_.is_inlined && slot < kBase && fact.kind != Kind::Frame && !fact.dirty ? 1 : 0;
    }
    State reachable = state;
    drop_unreachable_tables(&reachable);
    EXPECT_EQ(state.tables, reachable.tables) << "to which nothing leads";
    for (const ReplacedTable& table : state.tables) {
      for (const Fact& field : table.fields) {
        EXPECT_TRUE(!settings_.goes_back || field.replaced_table < 0) << "lists of lists would grow";
        tables_of_tables += field.replaced_table >= 0 ? 1 : 0;
      }
    }
    if (!settings_.counts_events || !settings_.goes_back) return;
    EXPECT_EQ(state.uncounted_events, 0) << "heads of loops have all counted";
    EXPECT_GE(state.reserved_events, 8);
  }
  void note() {
    tables.materialize_all(false);
    if (settings_.counts_events) {
      code.write(code.b.word(static_cast<uint64_t>(code.walk.state.reserved_events)), reserved_);
      events.give_back();
      code.write(code.b.load(IrType::I64, code.b.at(code.b.vm(), offsetof(Vm, region_fuel)), Memory::Machine), fuel_);
    }
    events.end();
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (!is_live(slot)) continue;
      if (!code.registers.fact(slot).dirty) code.write(code.b.load_value(code.b.frame_address(slot), Memory::Frame), *in_frame_[static_cast<size_t>(slot)]);
      code.write(code.registers.get(slot), *held_[static_cast<size_t>(slot)]);
    }
    code.b.return_status(code.b.word(kReached));
  }
  void run(size_t number) {
    Way& way = ways_[number];
    for (Value* value = code.vm.main_thread->base; value < code.base; ++value) value->set_nil();
    for (size_t reg = 0; reg < kRegisters; ++reg) {
      code.base[reg] = way.frame[reg];
      held_[reg]->set_nil();
      *in_frame_[reg] = Value::light_userdata(this);  // not noted
    }
    selector_.payload = number;
    const uint64_t fuel = random_() % 2 == 0 ? 10000 : random_() % 150;
    code.vm.region_fuel = fuel;
    *iterations_ = 0;
    const uint64_t result = code.run();
    if (settings_.counts_events && result != kReached) {
      EXPECT_LT(fuel, 3u * kReservedEvents) << "there was enough";
      return;
    }
    ASSERT_EQ(result, kReached);
    EXPECT_TRUE(settings_.counts_events || *iterations_ == (settings_.goes_back ? 1 : 0)) << "only who goes back polls";
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (!is_live(slot)) continue;
      way.graph->expect_in(slot, *held_[static_cast<size_t>(slot)]);
      const Value& in_frame = *in_frame_[static_cast<size_t>(slot)];
      if (in_frame.tag != Tag::LightUserdata) way.graph->expect_in(slot, in_frame);
    }
    if (!settings_.counts_events) return;
    EXPECT_EQ(fuel_.payload, fuel - static_cast<uint64_t>(way.happened));
    EXPECT_GE(fuel_.payload, reserved_.payload) << "so many may happen yet";
  }

  const Settings settings_;
  std::mt19937& random_;
  std::deque<Way> ways_;
  std::vector<Value*> held_, in_frame_;
  Value selector_ = Value::nil(), fuel_ = Value::nil(), reserved_ = Value::nil();
  RegionFunction callee_;
  std::unique_ptr<uint64_t> iterations_;
};

TEST(Versions, WhateverIsKnownRegistersKeepTheirValues) {
  Vm vm;
  vm.heap.stop();
  int clean_of_caller = 0, tables_of_tables = 0, several = 0, became_one = 0;
  for (uint32_t round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Settings settings{.has_tables = round % 2 == 0, .goes_back = round % 3 == 0, .counts_events = round % 5 < 2, .is_inlined = round % 7 < 3, .most_generic = 1 + round % 3};
    std::mt19937 random(round);
    const Versions::Widened nothing;
    Merge merge(vm, random, settings, nothing);
    for (int way = 0; way < 6; ++way) merge.add_way();
    const int versions = merge.finish();
    EXPECT_GE(versions, 1);
    merge.run_all();
    clean_of_caller += merge.clean_of_caller, tables_of_tables += merge.tables_of_tables;
    // Once more, with what was found out.
    std::mt19937 same(round);
    Settings of_one = settings;
    of_one.most_generic = 1;
    Merge widened(vm, same, of_one, merge.found_out);
    for (int way = 0; way < 6; ++way) widened.add_way();
    const int of_one_state = widened.finish();
    EXPECT_GE(of_one_state, 1);
    widened.run_all();
    several += versions > 1 ? 1 : 0;
    became_one += versions > 1 && of_one_state == 1 ? 1 : 0;
  }
  EXPECT_GT(clean_of_caller, 10) << "not all has to be stored again";
  EXPECT_GT(tables_of_tables, 10) << "they stay scalar-replaced where nothing goes back";
  EXPECT_GT(2 * became_one, several) << "it was known what all ways bring";
}

/// A way to the leader for each of the kinds, in that order. Returns how many versions there are of its code.
int versions_for(BuildObjects& o, const std::vector<Kind>& kinds, const Track& track) {
  for (const Kind kind : kinds) {
    const Value values[] = {Value::nil(), Value::boolean(true), Value::integer(1), Value::number(1), o.code.vm.string_value("text"), Value::table(o.code.vm.globals)};
    const auto* const value = std::find_if(std::begin(values), std::end(values), [&](const Value& each) { return kind == Kind::Any || kind_of(each.tag) == kind; });
    o.code.b.set_position(o.code.b.make_block("way"));
    o.code.walk.state.slots.assign(2, {});
    o.code.registers.set(FrameSlot{0}, o.code.unknown(*value, kind != Kind::Any));
    o.code.walk.pc = 0;
    o.versions.enter(track, kLeader);
  }
  int count = 0;
  for (; !o.queue.is_empty(); ++count) {
    o.queue.run_next();
    EXPECT_EQ(o.code.walk.track, track);
  }
  return count;
}

RegionInput region_with_loop() {
  RegionInput input = region_of_one(2, false);
  input.loops.emplace_back().formed.contexts.resize(1);
  return input;
}

TEST(Versions, ThereIsOneForEachStateUpToAFew) {
  Vm vm;
  const std::vector<Kind> kinds = {Kind::Nil, Kind::True, Kind::Integer, Kind::Float, Kind::String, Kind::Table};
  const auto all = static_cast<int>(kinds.size());
  for (int most = 1; most <= 6; ++most) {
    BuildObjects generic(vm, region_with_loop(), 2, static_cast<size_t>(most));
    EXPECT_EQ(versions_for(generic, kinds, {}), std::min(all, most + 1)) << "and one for all others";
    BuildObjects context(vm, region_with_loop(), 2, static_cast<size_t>(most));
    EXPECT_EQ(versions_for(context, kinds, {.loop = 0, .hot = {0}}), 5) << "of a context, four";
    BuildObjects others(vm, region_with_loop(), 2, static_cast<size_t>(most));
    EXPECT_EQ(versions_for(others, {Kind::Any, Kind::Integer, Kind::Integer, Kind::Any}, {}), std::min(2, most)) << "what is known is kept while it may be";
  }
}

/// Found out is only what a second attempt needs: of generic code with several versions, what all of them know.
TEST(Versions, WhatIsFoundOutHoldsWhicheverWay) {
  Vm vm;
  const auto found_out = [&](const std::vector<Kind>& kinds, const Track& track) {
    BuildObjects o(vm, region_with_loop(), 2, 8);
    versions_for(o, kinds, track);
    Versions::Widened widened;
    o.versions.add_widened(&widened);
    EXPECT_LE(widened.size(), 1u);
    return widened.empty() ? std::nullopt : std::optional(widened.begin()->second[0].kind);
  };
  EXPECT_EQ(found_out({Kind::Integer}, {}), std::nullopt);
  EXPECT_EQ(found_out({Kind::Integer, Kind::Nil}, {}), Kind::Any);
  EXPECT_EQ(found_out({Kind::Integer, Kind::Nil}, {.loop = 0, .hot = {0}}), std::nullopt);
}

}  // namespace
}  // namespace mangata::jit
