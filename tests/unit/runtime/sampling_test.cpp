// The parts of the sampler: its buffer under a handler that comes in between, its timer, its maps, its counts.
#include <gtest/gtest.h>

#include <csignal>

#include <vector>

#include "profiler/report_stacks.h"
#include "runtime/sampling/code_map.h"
#include "runtime/sampling/code_ranges.h"
#include "runtime/sampling/sample_buffer.h"
#include "runtime/sampling/sampled_stacks.h"
#include "runtime/sampling/thread_timer.h"
#include "vm/bytecode/proto.h"
#include "vm/vm.h"

namespace mangata {
namespace {

/// As the handler does it.
bool write_sample(SampleBuffer& buffer, uint64_t nanoseconds, uint32_t frames) {
  RawSample* sample = buffer.begin(256);
  if (sample == nullptr) return false;
  sample->nanoseconds = nanoseconds;
  sample->frame_count = frames;
  for (uint32_t i = 0; i < frames; ++i) SampleBuffer::frames_of(sample)[i] = {.flags = i};
  buffer.finish(*sample);
  return true;
}

TEST(SampleBuffer, GivesBackWhatWasWrittenInItsOrder) {
  SampleBuffer buffer;
  for (uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(write_sample(buffer, i, i));
  uint32_t next = 0;
  buffer.drain([&](const RawSample& sample, const RawFrame* frames) {
    EXPECT_EQ(sample.nanoseconds, next);
    ASSERT_EQ(sample.frame_count, next);
    for (uint32_t i = 0; i < next; ++i) EXPECT_EQ(frames[i].flags, i);
    ++next;
  });
  EXPECT_EQ(next, 100u);
  EXPECT_TRUE(buffer.empty());
}

/// A handler comes while the samples are read: what it writes is read the next time.
TEST(SampleBuffer, IsWrittenWhileItIsRead) {
  SampleBuffer buffer;
  uint64_t written = 0, read = 0;
  for (int i = 0; i < 10; ++i) write_sample(buffer, ++written, 3);
  for (int round = 0; round < 1000; ++round) {
    buffer.drain([&](const RawSample& sample, const RawFrame*) {
      EXPECT_EQ(sample.nanoseconds, ++read);
      if (read % 3 != 0 || round < 500) write_sample(buffer, ++written, static_cast<uint32_t>(read % 7));
    });
  }
  EXPECT_EQ(read, written);
}

TEST(SampleBuffer, SaysWhenItIsFull) {
  SampleBuffer buffer;
  uint64_t samples = 0;
  while (write_sample(buffer, 1, 200)) ++samples;
  EXPECT_GT(samples, 500u);
  buffer.lose(7);
  EXPECT_EQ(buffer.lost(), 1u);
  EXPECT_EQ(buffer.lost_nanoseconds(), 7u);
  uint64_t read = 0;
  buffer.drain([&](const RawSample&, const RawFrame*) { ++read; });
  EXPECT_EQ(read, samples);
  EXPECT_TRUE(write_sample(buffer, 1, 200));
}

volatile std::sig_atomic_t signals_seen = 0;

void spend_processor_time(uint64_t nanoseconds) {
  for (const uint64_t end = thread_processor_time() + nanoseconds; thread_processor_time() < end;) {
  }
}

TEST(ThreadTimer, FiresAsTheThreadWorksAndLeavesNothingBehind) {
  struct sigaction before[65], after = {};
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) sigaction(number, nullptr, &before[number]);
  signals_seen = 0;
  ThreadTimer timer;
  const auto handle = [](const ucontext_t&) { signals_seen = signals_seen + 1; };
  if (!timer.start(handle, 1000000, false)) GTEST_SKIP() << "no such timers";
  EXPECT_FALSE(ThreadTimer().start(handle, 1000000, false));  // one at a time
  spend_processor_time(100000000);
  EXPECT_GE(signals_seen, 5);
  EXPECT_LE(signals_seen, 110);
  timer.stop();
  const int seen = signals_seen;
  spend_processor_time(20000000);
  EXPECT_EQ(signals_seen, seen);
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) {
    sigaction(number, nullptr, &after);
    EXPECT_EQ(after.sa_handler, before[number].sa_handler) << number;
  }
}

TEST(CodeRanges, BaselineCodeIsWhatLiesBetweenRegions) {
  const std::vector<uint8_t> memory(1000);
  const uint8_t* start = memory.data();
  BaselineCode code{.all = {start + 100, start + 900}, .regions = {}};
  EXPECT_TRUE(code.contains(start + 100));
  EXPECT_FALSE(code.contains(start + 900));
  for (const size_t at : {500, 200, 700, 300}) code.regions.add({start + at, start + at + 50});
  for (size_t at = 0; at < memory.size(); ++at) {
    const bool is_region = at % 100 < 50 && (at / 100 == 2 || at / 100 == 3 || at / 100 == 5 || at / 100 == 7);
    EXPECT_EQ(code.regions.contains(start + at), is_region) << at;
    EXPECT_EQ(code.contains(start + at), at >= 100 && at < 900 && !is_region) << at;
  }
  code.regions.remove(start + 300);
  code.regions.remove(start + 301);  // none
  EXPECT_TRUE(code.contains(start + 320));
  EXPECT_FALSE(code.contains(start + 249));
  EXPECT_FALSE(code.contains(start + 520));
}

TEST(CodeMap, FindsTheInstructionBehindAnAddress) {
  std::vector<uint8_t> memory(300);
  std::vector<Instruction> bytecode(4);
  CodeMap map;
  CodeDescription code;
  code.start = memory.data() + 100;
  code.size_bytes = 100;
  code.bytecode = bytecode.data();
  code.places = {{0, 0}, {10, 1}, {20, 3}, {50, 1}, {90, CodePlace::kNone}};
  map.add(code);
  const auto index_at = [&](size_t offset) -> int64_t {
    const CodeMap::Place place = map.find(memory.data() + 100 + offset);
    return place.instruction == nullptr ? -1 : place.instruction - bytecode.data();
  };
  EXPECT_EQ(index_at(0), 0);
  EXPECT_EQ(index_at(9), 0);
  EXPECT_EQ(index_at(10), 1);
  EXPECT_EQ(index_at(49), 3);
  EXPECT_EQ(index_at(89), 1);  // a slow path
  EXPECT_EQ(index_at(95), -1);
  EXPECT_TRUE(map.find(memory.data() + 195).is_known);
  EXPECT_FALSE(map.find(memory.data() + 99).is_known);
  EXPECT_FALSE(map.find(memory.data() + 200).is_known);
  map.remove(code.start);
  EXPECT_FALSE(map.find(memory.data() + 150).is_known);
}

TEST(BytecodeMap, KnowsNothingOfAddressesInsideAnInstruction) {
  Vm vm;
  Proto* proto = vm.heap.allocate_destructible<Proto>(ObjectType::Proto);
  proto->original_code.resize(4);
  BytecodeMap map;
  map.add(*proto);
  const auto start = reinterpret_cast<uintptr_t>(proto->original_code.data());
  for (uintptr_t offset = 0; offset < 4 * sizeof(Instruction); ++offset) {
    const BytecodePlace place = map.find(reinterpret_cast<const Instruction*>(start + offset));
    EXPECT_EQ(place.proto != nullptr, offset % sizeof(Instruction) == 0) << offset;
  }
  EXPECT_EQ(map.find(reinterpret_cast<const Instruction*>(start + 4 * sizeof(Instruction))).proto, nullptr);
  map.remove(*proto);
}

TEST(CodeMap, KnowsWhatRegionsHaveInlined) {
  std::vector<uint8_t> memory(100);
  std::vector<Instruction> outer(4), inner(4);
  CodeMap map;
  CodeDescription code;
  code.start = memory.data();
  code.size_bytes = 100;
  code.is_region = true;
  code.places = {{10, 1}, {20, 0}};
  code.inlined = {{&outer[1]}, {&outer[2], &inner[3]}};
  map.add(code);
  EXPECT_TRUE(map.find(memory.data() + 5).inlined.empty());
  ASSERT_EQ(map.find(memory.data() + 15).inlined.size(), 2u);
  EXPECT_EQ(map.find(memory.data() + 15).inlined[1], &inner[3]);
  ASSERT_EQ(map.find(memory.data() + 99).inlined.size(), 1u);
  EXPECT_TRUE(map.find(memory.data() + 99).is_region);
}

std::vector<std::pair<SampledStack, SampledTime>> all_of(const SampledStacks& stacks) {
  std::vector<std::pair<SampledStack, SampledTime>> all;
  stacks.for_each_stack([&all](const SampledStack& stack, const SampledTime& time) { all.emplace_back(stack, time); });
  return all;
}

SampledTime time_of(const SampledStacks& stacks, const SampledStack& wanted) {
  for (const auto& [stack, time] : all_of(stacks)) {
    if (stack == wanted) return time;
  }
  return {};
}

TEST(SampledStacks, AddsUpWhatIsTheSame) {
  SampledStacks stacks;
  const uint32_t function = stacks.function({.key = 7, .id = "7", .name = "f", .source = "@a.lua"});
  EXPECT_EQ(stacks.function({.key = 7, .id = "7", .name = "f", .source = "@a.lua"}), function);
  EXPECT_NE(stacks.function({.key = 8, .id = "8", .name = "g", .source = "@a.lua"}), function);
  using Kind = SampledFrame::Kind;
  stacks.add({{Kind::Lua, function, 3}}, 10);
  stacks.add({{Kind::Lua, function, 3}}, 5);
  stacks.add({{Kind::Lua, function, 4}}, 1);
  stacks.add({{Kind::Lua, function, 3}, {Kind::Collector, 0, -1}}, 2);
  EXPECT_EQ(all_of(stacks).size(), 3u);
  EXPECT_EQ(time_of(stacks, {{Kind::Lua, function, 3}}).nanoseconds, 15u);
  EXPECT_EQ(time_of(stacks, {{Kind::Lua, function, 3}}).samples, 2u);
  EXPECT_EQ(time_of(stacks, {{Kind::Lua, function, 3}, {Kind::Collector, 0, -1}}).nanoseconds, 2u);
  EXPECT_EQ(stacks.all().nanoseconds, 18u);
}

TEST(SampledStacks, KeepsTheTopOfWhatIsTooMuch) {
  SampledStacks stacks;
  using Kind = SampledFrame::Kind;
  constexpr uint32_t kRoom = SampledStacks::kMostNodes / 2;
  for (uint32_t i = 0; i < kRoom + 1000; ++i) stacks.add({{Kind::Lua, i, 1}, {Kind::Lua, 7, 2}}, 1);
  EXPECT_EQ(all_of(stacks).size(), kRoom + 1);
  EXPECT_EQ(time_of(stacks, {SampledFrame{}, {Kind::Lua, 7, 2}}).nanoseconds, 1000u);
  EXPECT_EQ(stacks.all().nanoseconds, kRoom + 1000);
  stacks.add({{Kind::Lua, 3, 1}, {Kind::Lua, 7, 2}}, 1);
  EXPECT_EQ(time_of(stacks, {{Kind::Lua, 3, 1}, {Kind::Lua, 7, 2}}).samples, 2u);
}

TEST(WriteStacks, HasALineForEachStack) {
  TimeProfile profile;
  profile.symbols = {{.kind = FrameKind::Lua, .name = "main chunk", .id = "1", .source = "@a;b.lua", .file = "a;b.lua", .line_defined = 0},
                     {.kind = FrameKind::Lua, .name = "f", .id = "2", .source = "@a;b.lua", .file = "a;b.lua", .line_defined = 3},
                     {.kind = FrameKind::Native, .name = "string.rep", .id = "", .source = "", .file = "", .line_defined = 0}};
  profile.stacks = {{.frames = {{0, 1}, {1, 4}}, .nanoseconds = 5000, .samples = 1},
                    {.frames = {{0, 1}, {1, 5}}, .nanoseconds = 4600, .samples = 1},
                    {.frames = {{0, 1}, {1, 5}, {2, -1}}, .nanoseconds = 1000, .samples = 1},
                    {.frames = {{1, 5}}, .nanoseconds = 2000, .samples = 1, .is_shortened = true}};
  profile.invalid_ns = 3000;
  EXPECT_EQ(write_stacks(profile),
            "[invalid] 3\n"
            "[more];f (a b.lua:3) 2\n"
            "main chunk (a b.lua);f (a b.lua:3) 10\n"
            "main chunk (a b.lua);f (a b.lua:3);[C] string.rep 1\n");
}

}  // namespace
}  // namespace mangata
