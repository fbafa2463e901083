// Side exits: what the frames have once one has been completed is what the registers held, whatever was known of them.
#include "jit/build/exits.h"

#include <random>

#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

class ExitsTest : public testing::Test {
 protected:
  /// The code of a region with these exits, as what completes them wants it.
  static RegionCode code_with(std::vector<ExitSite> exits) {
    RegionCode code;
    code.exits = std::move(exits);
    code.publish_exits();
    return code;
  }
  /// Stale values, in the whole frame.
  void clear_frame(const GeneratedCode& code, int slots) {
    for (Value* value = vm_.main_thread->base; value < code.base + slots; ++value) *value = Value::light_userdata(&vm_);
    vm_.main_thread->top = code.base + slots;
  }
  Vm vm_;
};

TEST_F(ExitsTest, TablesThatWereReplacedAreMadeAsTheyWere) {
  std::mt19937 random(1);
  const RegionInput input;
  for (int round = 0; round < 500; ++round) {
    SCOPED_TRACE(round);
    GeneratedCode code(vm_);
    make_code(&code.root, 1);
    ReplacedGraph graph(code, random);
    EventCounter events(code.b, code.walk, input, false);
    events.begin();
    Exits exits(code.b, code.walk, code.registers, events);
    RegisterSet& live = code.root.live[0];
    for (size_t reg = 0; reg < 8; ++reg) live[reg] = random() % 4 != 0;
    exits.emit(0, ExitSite::Why::Guard);
    RegionCode region = code_with(exits.take_sites());
    clear_frame(code, std::max(code.registers.stack_slots(), 8));
    const auto index = static_cast<int64_t>(code.run());
    ASSERT_EQ(complete_exit(vm_.main_thread, code.base, index, &region), 0);
    for (size_t reg = 0; reg < 8; ++reg) {
      if (!live[reg]) (code.base + reg)->set_nil();
    }
    vm_.main_thread->top = code.base + 8;
    ASSERT_TRUE(vm_.heap.collect_full().ok());
    for (int reg = 0; reg < 8; ++reg) {
      if (live[static_cast<size_t>(reg)]) graph.expect_in(FrameSlot{reg}, *(code.base + reg));
    }
  }
}

/// Exits from random states of the same function, which share blocks where they can.
TEST_F(ExitsTest, EachStoresWhatTheFrameDoesNotHave) {
  std::mt19937 random(2);
  const RegionInput input;
  constexpr ExitSite::Why kReasons[] = {ExitSite::Why::Guard, ExitSite::Why::Loop, ExitSite::Why::Arm};
  for (int round = 0; round < 60; ++round) {
    GeneratedCode code(vm_, 4);
    make_code(&code.root, 1);
    EventCounter events(code.b, code.walk, input, false);
    events.begin();
    Exits exits(code.b, code.walk, code.registers, events);
    constexpr uint64_t kStates = 12;
    const State start = code.walk.state;
    Value& selector = code.cell();
    std::vector<std::vector<Value>> wanted;
    std::vector<std::vector<bool>> are_dirty;
    for (uint64_t number = 0; number < kStates; ++number) {
      const Block other = code.begin_case(selector, number);
      code.walk.state = start;
      std::vector<Value>& values = wanted.emplace_back();
      std::vector<bool>& dirty = are_dirty.emplace_back();
      for (FrameSlot slot{}; slot < FrameSlot{4}; ++slot) {
        const Value choices[] = {Value::integer(static_cast<int64_t>(random())), Value::number(static_cast<double>(random())), Value::nil(), Value::boolean(true),
                                 Value::boolean(false), vm_.string_value("text")};
        values.push_back(choices[random() % std::size(choices)]);
        if (random() % 5 == 0) {
          code.registers.set(slot, code.b.constant_value(values.back()));
        } else {
          code.registers.set(slot, code.unknown(values.back(), random() % 3 != 0));
        }
        dirty.push_back(random() % 3 != 0);
        code.registers.fact(slot).dirty = dirty.back();
      }
      exits.emit(0, kReasons[random() % std::size(kReasons)]);
      code.b.set_position(other);
    }
    code.b.return_status(code.b.word(99));
    RegionCode region = code_with(exits.take_sites());
    for (uint64_t number = 0; number < kStates; ++number) {
      clear_frame(code, 4);
      selector.payload = number;
      for (size_t reg = 0; reg < 4; ++reg) {
        if (!are_dirty[number][reg]) code.base[reg] = wanted[number][reg];
      }
      ASSERT_EQ(code.run(), number);
      if (!region.exits[number].is_plain()) complete_exit(vm_.main_thread, code.base, static_cast<int64_t>(number), &region);
      for (size_t reg = 0; reg < 4; ++reg) {
        EXPECT_TRUE(is_same(code.base[reg], wanted[number][reg])) << "register " << reg << " of exit " << number;
      }
    }
  }
}

/// A frame within the region's, and one within that, with the header of each counting a path.
TEST_F(ExitsTest, FramesThatWereLeftOutAreDescribed) {
  const RegionInput input;
  GeneratedCode code(vm_, 4);
  RegionFunction callee, metamethod;
  PathCounters counters;
  Instruction of_root[2], of_callee[2], of_metamethod[2];
  code.root.address = of_root;
  callee.address = of_callee;
  metamethod.address = of_metamethod;
  for (RegionFunction* function : {&code.root, &callee, &metamethod}) make_code(function, 1);
  callee.register_count = metamethod.register_count = 2;
  metamethod.counters = &counters;
  EventCounter events(code.b, code.walk, input, false);
  events.begin();
  Exits exits(code.b, code.walk, code.registers, events);
  // The callee's function is in R[1] of the region, the metamethod's behind the callee's registers.
  code.walk.state.frames.push_back({.function = &callee, .base = FrameSlot{4}, .return_pc = 1, .wanted = 1});
  code.walk.state.frames.push_back(
      {.function = &metamethod, .base = FrameSlot{9}, .return_pc = 1, .wanted = 1, .is_tail_called = true, .result_slot = FrameSlot{5}});
  code.walk.state.slots.resize(11);
  const auto number = [&](int slot) { return Value::integer(100 + slot); };
  for (int slot = 0; slot < 11; ++slot) code.registers.set(FrameSlot{slot}, code.unknown(number(slot)));
  code.b.set(code.registers.path_cell(FrameSlot{9}), code.b.word(77));
  code.walk.state.uncounted_events = 5;
  callee.live[1].reset(1);  // R[1] of the callee is dead behind the call
  EXPECT_EQ(exits.dirty_slots(0), (std::vector<FrameSlot>{FrameSlot{0}, FrameSlot{1}, FrameSlot{4}, FrameSlot{6}, FrameSlot{9}, FrameSlot{10}}));
  exits.emit(0, ExitSite::Why::Guard);
  const std::vector<ExitSite> sites = exits.take_sites();
  const ExitSite& site = sites.at(0);
  clear_frame(code, 11);
  EXPECT_EQ(code.run(), 0u);
  for (const int slot : {0, 1, 4, 6, 9, 10}) EXPECT_EQ(code.base[slot].payload, number(slot).payload) << slot;
  for (const int slot : {2, 3, 5, 7}) EXPECT_EQ(code.base[slot].payload, word_of(&vm_)) << slot << " is dead, or the callee's";
  EXPECT_EQ(frame_of(code.base + 9)->path_register, 77);
  EXPECT_EQ(site.tags.size(), 6u);
  EXPECT_EQ(site.events, 5u);
  EXPECT_EQ(site.region_pc, CodePc{1}) << "where the region's own frame goes on";
  ASSERT_EQ(site.frames.size(), 3u);
  EXPECT_EQ(site.frames[0].pc, of_root + 1);
  EXPECT_EQ(site.frames[1].pc, of_callee + 1);
  EXPECT_EQ(site.frames[2].pc, of_metamethod);
  EXPECT_EQ(site.frames[2].base, FrameSlot{9});
  EXPECT_EQ(site.frames[2].result_slot, FrameSlot{5});
  EXPECT_EQ(site.frames[2].flags, uint32_t{FrameHeader::kTailCalled});
  EXPECT_EQ(site.frames[1].flags, 0u);
}

}  // namespace
}  // namespace mangata::jit
