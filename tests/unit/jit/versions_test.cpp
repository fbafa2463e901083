// Where control merges: whichever version of a leader's code is entered, registers have there what they had before, and so have frames as
// far as the version counts on them.
#include "jit/build/versions.h"

#include <memory>
#include <random>

#include "tests/unit/jit/build_objects.h"
#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

constexpr int kRegisters = 5;
constexpr int kLeader = 1;  ///< its pc
constexpr uint64_t kFuel = 10000;

struct Settings {
  bool has_tables = false;
  bool goes_back = false;      ///< to the leader
  bool counts_events = false;
  size_t most_generic = 2;
};

/// Several ways to one leader, with random states. At the leader, the registers are noted, and the function returns.
class Merge : private BuildObjects {
 public:
  Merge(Vm& vm, std::mt19937& random, const Settings& settings, const Versions::Widened& known)
      : BuildObjects(vm, kRegisters, settings.counts_events, settings.most_generic), settings_(settings), random_(random) {
    for (const auto& [key, facts] : known) {
      auto here = key;
      std::get<std::vector<InlineFrame>>(here)[0].function = &code.root;
      widened[here] = facts;
    }
    for (size_t reg = 0; reg < kRegisters; ++reg) {
      code.root.live[kLeader][reg] = random() % 5 != 0;
      assigned.registers[reg] = random() % 2 == 0;
    }
    for (int slot = 0; slot < kRegisters; ++slot) held_.push_back(&code.cell()), in_frame_.push_back(&code.cell());
  }

  void add_way() {
    const Block other = code.begin_case(selector_, ways_.size());
    Way& way = ways_.emplace_back();
    State& state = code.walk.state;
    state = {};
    state.slots.resize(kRegisters);
    state.frames.push_back({.function = &code.root});
    way.graph = std::make_unique<ReplacedGraph>(code, random_);
    if (!settings_.has_tables) drop_tables(way);
    for (int slot = 0; slot < kRegisters; ++slot) vary(way, FrameSlot{slot});
    if (settings_.counts_events) {
      state.reserved_events = static_cast<int>(random_() % kReservedEvents);
      way.uncounted = state.uncounted_events = static_cast<int>(random_() % 5);
    }
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
      note();
    }
    versions.add_widened(&found_out);
    return count;
  }
  void run_all() {
    for (size_t way = 0; way < ways_.size(); ++way) {
      SCOPED_TRACE("way " + std::to_string(way));
      run(way);
    }
  }

  Versions::Widened found_out;

 private:
  struct Way {
    std::unique_ptr<ReplacedGraph> graph;
    std::vector<Value> frame = std::vector<Value>(kRegisters, Value::light_userdata(nullptr));  ///< at first: what is stale
    int uncounted = 0;
  };

  bool is_live(FrameSlot slot) const { return code.root.live[kLeader].test(static_cast<size_t>(slot)); }
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
    const auto choice = random_() % 4;
    if (choice > 1) return;
    way.frame[static_cast<size_t>(slot)] = way.graph->in_slot(slot).value;
    if (choice == 0) {
      fact.dirty = false;
    } else {
      fact = {};
    }
  }
  void note() {
    tables.materialize_all(false);
    if (settings_.counts_events) {
      events.give_back();
      code.write(code.b.load(IrType::I64, code.b.at(code.b.vm(), offsetof(Vm, region_fuel)), Memory::Machine), fuel_);
    }
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (!is_live(slot)) continue;
      if (!code.registers.fact(slot).dirty) code.write(code.b.load_value(code.b.frame_address(slot), Memory::Frame), *in_frame_[static_cast<size_t>(slot)]);
      code.write(code.registers.get(slot), *held_[static_cast<size_t>(slot)]);
    }
    code.b.return_status(code.b.word(0));
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
    code.vm.region_fuel = kFuel;
    ASSERT_EQ(code.run(), 0u);
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (!is_live(slot)) continue;
      way.graph->expect_in(slot, *held_[static_cast<size_t>(slot)]);
      const Value& in_frame = *in_frame_[static_cast<size_t>(slot)];
      if (in_frame.tag != Tag::LightUserdata) way.graph->expect_in(slot, in_frame);
    }
    EXPECT_TRUE(!settings_.counts_events || fuel_.payload == kFuel - static_cast<uint64_t>(way.uncounted));
  }

  const Settings settings_;
  std::mt19937& random_;
  std::deque<Way> ways_;
  std::vector<Value*> held_, in_frame_;
  Value selector_ = Value::nil(), fuel_ = Value::nil();
};

TEST(Versions, WhateverIsKnownRegistersKeepTheirValues) {
  Vm vm;
  vm.heap.stop();
  for (uint32_t round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const Settings settings{.has_tables = round % 2 == 0, .goes_back = round % 3 == 0, .counts_events = round % 5 < 2, .most_generic = 1 + round % 3};
    std::mt19937 random(round);
    const Versions::Widened nothing;
    Merge merge(vm, random, settings, nothing);
    for (int way = 0; way < 6; ++way) merge.add_way();
    EXPECT_GE(merge.finish(), 1);
    merge.run_all();
    // Once more, with what was found out.
    std::mt19937 same(round);
    Settings of_one = settings;
    of_one.most_generic = 1;
    Merge widened(vm, same, of_one, merge.found_out);
    for (int way = 0; way < 6; ++way) widened.add_way();
    EXPECT_GE(widened.finish(), 1);
    widened.run_all();
  }
}

}  // namespace
}  // namespace mangata::jit
