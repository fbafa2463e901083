// Polls of a loop: it is left soon after somebody has asked for it, with what has happened counted, and otherwise not.
#include "jit/build/polls.h"

#include <memory>
#include <random>

#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kEnded = 99;
constexpr int kHead = 1, kBackedge = 2;  ///< pcs
constexpr uint64_t kGranted = 256;       ///< iterations between two looks, at most

struct Settings {
  bool is_function = false;
  bool counts_events = false;
  bool is_interim = false;
  uint32_t leave_every = 0;
};

RegionInput input_of(const Settings& settings) {
  RegionInput input;
  input.is_function = settings.is_function;
  input.counts_events = settings.counts_events;
  input.leave_every = settings.leave_every;
  input.functions.emplace_back(std::make_unique<RegionFunction>())->code.push_back(Instruction::abi(Opcode::ForLoop, 0, 0, -1));
  return input;
}

/// At the end of an iteration.
struct PollingCode {
  PollingCode(Vm& vm, const Settings& settings) : code(vm), input(input_of(settings)), events(code.b, code.walk, input, settings.is_interim) {
    make_code(&code.root, 3);
    code.walk.pc = kBackedge;
    events.begin();
  }
  IrValue word(const uint64_t& place) { return code.b.load(IrType::I64, code.b.address_constant(&place), Memory::Any); }

  GeneratedCode code;
  const RegionInput input;
  EventCounter events;
  Exits exits{code.b, code.walk, code.registers, events};
  ForcedFailures failures{code.b};
  Polls polls{code.b, code.walk, events, exits, failures, input};
};

/// A loop that polls each time before it goes back. The iterations that begin are counted besides.
class PolledLoop : private PollingCode {
 public:
  PolledLoop(Vm& vm, const Settings& settings) : PollingCode(vm, settings) {
    Writer& b = code.b;
    const Block head = b.make_block("head"), asks = b.make_block("asks"), goes_on = b.make_block("goes_on"), ends = b.make_block("ends"), back = b.make_block("back");
    b.jump(head);
    b.set_position(head);
    IrValue begun_now = b.add(word(begun), b.word(1));
    b.store(begun_now, b.address_constant(&begun), Memory::Any);
    b.branch(b.eq(begun_now, word(asked_at)), asks, goes_on);
    b.set_position(asks);
    b.store(b.truncate(word(asked), IrType::I16), b.at(b.vm(), offsetof(Vm, interrupt)), 0, Memory::Any, true);
    b.jump(goes_on);
    b.set_position(goes_on);
    b.branch(b.eq(begun_now, word(last_)), ends, back);
    b.write_in(ends, [&] {
      events.end();
      b.return_status(b.word(kEnded));
    });
    b.set_position(back);
    polls.poll(kHead);
    b.jump(head);
    sites = exits.take_sites();
    countdowns_ = failures.take_countdowns();
    upgrade_at = events.take_upgrade_at();
    iterations = events.take_iterations();
  }

  /// What the region returns, when it would have so many iterations.
  uint64_t run(uint64_t most) {
    begun = 0;
    last_ = most;
    code.vm.interrupt = false;
    code.vm.leave_regions = 0;
    return code.run();
  }

  uint64_t begun = 0;                           ///< iterations
  uint64_t asked_at = ~uint64_t{0}, asked = 0;  ///< in that iteration the two bytes of the machine that are looked at become these
  std::vector<ExitSite> sites;
  std::unique_ptr<uint64_t> upgrade_at, iterations;

 private:
  uint64_t last_ = 0;
  std::deque<uint32_t> countdowns_;
};

TEST(Polls, ALoopThatNobodyAsksForGoesOn) {
  Vm vm;
  for (const bool is_function : {false, true}) {
    PolledLoop loop(vm, {.is_function = is_function});
    uint64_t happened = 0;
    for (const uint64_t length : {1u, 2u, 255u, 256u, 257u, 258u, 2000u}) {
      EXPECT_EQ(loop.run(length), kEnded);
      EXPECT_EQ(loop.begun, length);
      happened += length - 1 + (is_function ? 1 : 0);
      EXPECT_EQ(*loop.iterations, happened) << "backedges, and of a function its call";
    }
  }
}

TEST(Polls, WhoAsksIsSeenBeforeLong) {
  Vm vm;
  std::mt19937 random(1);
  for (const bool is_interim : {false, true}) {
    PolledLoop loop(vm, {.is_interim = is_interim});
    for (int round = 0; round < 200; ++round) {
      *loop.iterations = 0;
      loop.asked_at = 1 + random() % 700;
      const uint64_t of_interrupt = random() % 2, of_regions = random() % 4;
      loop.asked = of_interrupt | of_regions << 8;
      const uint64_t most = 600 + random() % 400;
      const uint64_t result = loop.run(most);
      if (result == kEnded) {
        EXPECT_TRUE(loop.asked == 0 || loop.asked_at + kGranted > most);
        EXPECT_EQ(loop.begun, most);
      } else {
        ASSERT_LT(result, loop.sites.size());
        const ExitSite& site = loop.sites[result];
        EXPECT_NE(loop.asked, 0u);
        EXPECT_TRUE(loop.begun >= loop.asked_at && loop.begun < loop.asked_at + kGranted);
        EXPECT_EQ(site.why, ExitSite::Why::Other);
        EXPECT_EQ(site.resumed_at, OriginalPc{kHead});
        EXPECT_EQ(site.left_at, OriginalPc{kBackedge});
      }
      EXPECT_EQ(*loop.iterations, loop.begun - 1);
    }
  }
}

/// An interim form, entered again and again: it is left as soon as somebody looks and it has run for long enough.
TEST(Polls, AnInterimFormIsLeftWhenItHasRunForLong) {
  Vm vm;
  std::mt19937 random(2);
  PolledLoop loop(vm, {.is_interim = true});
  for (int round = 0; round < 100; ++round) {
    *loop.iterations = 0;
    *loop.upgrade_at = random() % 3000;
    uint64_t result = kEnded;
    for (int entries = 0; entries < 1000 && result == kEnded; ++entries) {
      const uint64_t before = *loop.iterations, length = 2 + random() % 1000;
      result = loop.run(length);
      EXPECT_TRUE(result != kEnded || before < *loop.upgrade_at) << "it is looked at the first backedge";
    }
    ASSERT_LT(result, loop.sites.size());
    EXPECT_EQ(loop.sites[result].why, ExitSite::Why::Upgrade);
    EXPECT_EQ(loop.sites[result].resumed_at, OriginalPc{kHead});
    EXPECT_GE(*loop.iterations, *loop.upgrade_at);
    EXPECT_LT(*loop.iterations, *loop.upgrade_at + 1000 + kGranted);
    EXPECT_TRUE(loop.begun == 1 || *loop.iterations < *loop.upgrade_at + kGranted);
  }
  *loop.upgrade_at = ~uint64_t{0};
  EXPECT_EQ(loop.run(5000), kEnded);
  PolledLoop other(vm, {});
  EXPECT_EQ(other.upgrade_at, nullptr) << "it is no interim form";
}

/// Each so many backedges lead out, from one entry to the next.
TEST(Polls, TestsHaveItLeftNowAndThen) {
  Vm vm;
  for (const bool counts_events : {false, true}) {
    for (const uint32_t period : {1u, 2u, 7u, 300u}) {
      PolledLoop loop(vm, {.counts_events = counts_events, .leave_every = period});
      uint64_t polled = 0, left = 0;
      for (int entries = 0; entries < 30; ++entries) {
        const uint64_t length = 1 + static_cast<uint64_t>(entries) * 17;
        const uint64_t result = loop.run(length);
        if (result == kEnded) {
          polled += length - 1;
          continue;
        }
        polled += loop.begun;
        EXPECT_EQ(polled, 1 + left++ * period);
        ASSERT_LT(result, loop.sites.size());
        EXPECT_EQ(loop.sites[result].resumed_at, OriginalPc{kHead});
      }
      EXPECT_EQ(left, (polled + period - 1) / period);
    }
  }
}

TEST(Polls, WhereEventsAreCountedNothingIsWritten) {
  Vm vm;
  PollingCode o(vm, {.counts_events = true});
  const size_t made = o.code.b.made();
  o.polls.poll(kHead);
  EXPECT_EQ(o.code.b.made(), made) << "who reserves looks";
  PollingCode others(vm, {});
  others.polls.reserve_event();
  EXPECT_EQ(others.code.walk.state.reserved_events, 0) << "nothing is reserved where fuel is not limited";
  EXPECT_TRUE(others.exits.take_sites().empty());
}

/// Whatever fuel there is: the region goes on with enough of it, or goes where it is told to, with all that has happened told.
TEST(Polls, EventsAreReservedOrTheRegionIsLeft) {
  Vm vm;
  for (const bool is_in_memory : {false, true}) {
    for (const int uncounted : {0, 1, 5}) {
      if (!is_in_memory && uncounted != 0) continue;  // what has happened was granted
      for (int events = 0; events < 2 * kReservedEvents; ++events) {
        RegionInput input = input_of({.is_function = is_in_memory, .counts_events = true});
        if (is_in_memory) input.functions[0]->code[0] = Instruction::abcd(Opcode::Move, 0);
        GeneratedCode code(vm);
        make_code(&code.root, 3);
        EventCounter counter(code.b, code.walk, input, false);
        Exits exits(code.b, code.walk, code.registers, counter);
        ForcedFailures failures(code.b);
        Polls polls(code.b, code.walk, counter, exits, failures, input);
        counter.begin();
        code.walk.pc = kBackedge;
        code.walk.state.uncounted_events = uncounted;
        const bool by_event = events % 2 == 0;
        if (by_event) {
          code.walk.state.reserved_events = 1;
          polls.reserve_event();
          EXPECT_EQ(code.walk.state.reserved_events, 1) << "there is one";
          code.walk.state.reserved_events = 0;
          polls.reserve_event();
        } else {
          polls.reserve(kHead);
        }
        EXPECT_EQ(code.walk.state.reserved_events, kReservedEvents);
        counter.give_back();
        counter.end();
        const std::vector<ExitSite> sites = exits.take_sites();
        ASSERT_EQ(sites.size(), 1u);
        EXPECT_EQ(sites[0].resumed_at, by_event ? OriginalPc{kBackedge} : OriginalPc{kHead});
        EXPECT_EQ(sites[0].events, static_cast<uint32_t>(uncounted));
        vm.region_fuel = static_cast<uint64_t>(events);
        const uint64_t result = code.finish_and_run(kEnded);
        EXPECT_EQ(result == kEnded, events - uncounted >= kReservedEvents) << events;
        const uint64_t told = result == kEnded ? 0 : static_cast<uint64_t>(uncounted);
        EXPECT_EQ(vm.region_fuel - told, static_cast<uint64_t>(events - uncounted));
      }
    }
  }
}

}  // namespace
}  // namespace mangata::jit
