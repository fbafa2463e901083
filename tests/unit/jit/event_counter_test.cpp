// Events and iterations of regions: what a random run has counted, wherever it is left, is what has happened.
#include "jit/build/event_counter.h"

#include <random>

#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {
namespace {

/// A region whose code is one way through some calls and backedges, left where there is no fuel. Each event that happens is noted besides.
class CountedRun {
 public:
  CountedRun(Vm& vm, const RegionInput& input) : code(vm), counter(code.b, code.walk, input, false), vm_(vm), input_(input) {
    code.root.code.resize(3);
    code.walk.pc = 1;
    leaves_ = code.b.make_block("leaves_all");
    uncounted_ = code.b.add_parameter(leaves_, IrType::I64);
    if (input.is_function) {
      const Block begins = code.b.make_block("begins"), refused = code.b.make_block("refused");
      code.b.branch(counter.is_enough_to_begin(), begins, refused);
      code.b.write_in(refused, [&] { code.b.return_status(code.b.word(0)); });
      code.b.set_position(begins);
    }
    counter.begin();
    counter.count_own_call();
    if (input.is_function && input.counts_events) add_one(&happened_);
  }

  /// A call or a backedge.
  void event() {
    if (counter.needs_reserve()) reserve();
    counter.take();
    add_one(&happened_);
  }
  /// A call of the runtime, by which all has been counted.
  void runtime_call() {
    counter.give_back();
    Seen& seen = seen_.emplace_back(Seen{code.cell(), code.cell()});
    const auto look_at = [&](const uint64_t* word, Value& to) {
      code.write(Operand{.kind = Kind::Integer, .payload = code.b.load(IrType::I64, code.b.address_constant(word), Memory::Any)}, to);
    };
    look_at(&vm_.region_fuel, seen.fuel);
    look_at(&happened_, seen.happened);
  }
  /// Goes round with all that `steps` write, so many times: as Versions does it.
  template <typename Steps>
  void loop(uint64_t iterations, Steps steps) {
    State head = code.walk.state;
    counter.expect(&head, 0);
    const Block begins = code.b.make_block("head"), ends = code.b.make_block("end"), goes_back = code.b.make_block("goes_back");
    uint64_t& passed = passed_.emplace_back(0);
    const auto enter = [&] {
      counter.count(head.uncounted_events);
      if (code.walk.state.reserved_events < head.reserved_events) reserve();
      code.b.jump(begins);
    };
    enter();
    code.b.set_position(begins);
    code.walk.state = head;
    steps();
    add_one(&passed);
    code.b.branch(code.b.ult(code.b.load(IrType::I64, code.b.address_constant(&passed), Memory::Any), code.b.word(iterations)), goes_back, ends);
    const State end = code.walk.state;
    code.b.write_in(goes_back, [&] {
      event();
      enter();
    });
    code.b.set_position(ends);
    code.walk.state = end;
  }

  /// With so much fuel at first. What has been counted is what has happened.
  void run(uint64_t fuel) {
    leave();
    code.b.set_position(leaves_);
    counter.end();
    code.b.return_status(uncounted_);
    vm_.region_fuel = fuel;
    const uint64_t uncounted = code.run();
    vm_.region_fuel -= uncounted;  // complete_exit() does it
    EXPECT_EQ(vm_.region_fuel, fuel - happened_);
    EXPECT_LE(happened_, fuel);
    for (const Seen& seen : seen_) EXPECT_TRUE(seen.fuel.is_nil() || seen.fuel.payload == fuel - seen.happened.payload);
    const bool counts_in_memory = input_.is_function && passed_.empty();
    EXPECT_EQ(*counter.take_iterations(), counts_in_memory ? std::min<uint64_t>(happened_, 1) : happened_ - uncounted);
  }
  uint64_t happened() const { return happened_; }

  GeneratedCode code;
  EventCounter counter;

 private:
  struct Seen {
    Value& fuel;
    Value& happened;
  };
  void reserve() {
    const EventCounter::Reserve reserve = counter.reserve();
    code.b.write_in(reserve.leaves, [&] { leave(); });
    code.b.set_position(reserve.goes_on);
  }
  /// Exits say how many events have not been counted.
  void leave() { code.b.jump(leaves_, {code.b.word(static_cast<uint64_t>(code.walk.state.uncounted_events))}); }
  void add_one(uint64_t* word) {
    IrValue address = code.b.address_constant(word);
    code.b.store(code.b.add(code.b.load(IrType::I64, address, Memory::Any), code.b.word(1)), address, Memory::Any);
  }

  Vm& vm_;
  const RegionInput& input_;
  Block leaves_;
  IrValue uncounted_;
  uint64_t happened_ = 0;
  std::deque<uint64_t> passed_;  ///< iterations of each loop
  std::deque<Seen> seen_;
};

RegionInput input_with(bool is_function, bool has_loops) {
  RegionInput input;
  input.counts_events = true;
  input.is_function = is_function;
  RegionFunction& root = *input.functions.emplace_back(std::make_unique<RegionFunction>());
  root.code.push_back(has_loops ? Instruction::abi(Opcode::ForLoop, 0, 0, -1) : Instruction::abcd(Opcode::Move, 0));
  return input;
}

TEST(EventCounter, CountsWhatHappensWhereverItIsLeft) {
  Vm vm;
  std::mt19937 random(1);
  int left_early = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const bool is_function = round % 3 != 0, has_loops = !is_function || round % 3 == 1;
    const RegionInput input = input_with(is_function, has_loops);
    CountedRun run(vm, input);
    int loops = 0;
    const auto straight = [&] {
      for (auto steps = random() % 60; steps > 0; --steps) random() % 20 == 0 ? run.runtime_call() : run.event();
    };
    for (auto parts = random() % 4; parts > 0; --parts) {
      straight();
      if (!has_loops) continue;
      ++loops;
      run.loop(1 + random() % 40, [&] {
        straight();
        if (random() % 3 == 0) run.loop(1 + random() % 5, straight);
      });
    }
    if (has_loops && loops == 0) run.loop(1, [] {});
    vm.interrupt = random() % 8 == 0;
    const uint64_t fuel = random() % (random() % 4 == 0 ? 100000 : 600);
    run.run(fuel);
    left_early += vm.region_fuel < kReservedEvents ? 1 : 0;
  }
  EXPECT_GT(left_early, 100);
  EXPECT_LT(left_early, 500);
}

TEST(EventCounter, AllThatFuelIsThereForMayHappen) {
  Vm vm;
  for (const bool is_function : {false, true}) {
    const RegionInput input = input_with(is_function, true);
    CountedRun run(vm, input);
    run.loop(1 << 14, [&] { run.event(); });
    run.run(10000);
    EXPECT_GT(run.happened(), 10000u - 2 * kReservedEvents);
  }
}

/// Whatever there is when the region is entered, to the last event.
TEST(EventCounter, NoMoreHappensThanThereIsFuelFor) {
  Vm vm;
  for (const bool has_loops : {false, true}) {
    for (uint64_t fuel = 0; fuel < 3 * kReservedEvents; ++fuel) {
      const RegionInput input = input_with(true, has_loops);
      CountedRun run(vm, input);
      for (int i = 0; i < 4 * kReservedEvents; ++i) run.event();
      if (has_loops) run.loop(1, [] {});
      run.run(fuel);
      EXPECT_LE(run.happened(), fuel);
      EXPECT_GE(run.happened() + kReservedEvents, fuel);
    }
  }
}

TEST(EventCounter, AnInterruptIsSeenSoon) {
  Vm vm;
  const RegionInput input = input_with(false, true);
  for (const bool leaves_to_spend_fuel : {false, true}) {
    CountedRun run(vm, input);
    run.loop(5000, [&] { run.event(); });
    vm.interrupt = !leaves_to_spend_fuel;
    vm.leave_regions = leaves_to_spend_fuel ? kLeaveToSpendFuel : 0;
    run.run(uint64_t{1} << 40);
    EXPECT_EQ(run.happened() < 300, !leaves_to_spend_fuel) << "it counts, so nobody need count for it";
  }
}

/// Where fuel is not limited, iterations are counted by the same registers.
TEST(EventCounter, IterationsAreCounted) {
  Vm vm;
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    RegionInput input = input_with(round % 2 == 0, true);
    input.counts_events = false;
    GeneratedCode code(vm);
    EventCounter counter(code.b, code.walk, input, true);
    counter.begin();
    counter.count_own_call();
    uint64_t iterations = round % 2 == 0 ? 1 : 0;  // the call of a function is one
    for (auto steps = random() % 100; steps > 0; --steps) {
      EXPECT_FALSE(counter.needs_reserve());
      if (random() % 10 == 0) counter.look_soon();
      const Block used_up = code.b.make_block("used_up"), goes_on = code.b.make_block("goes_on");
      code.b.branch(counter.has_none_left(), used_up, goes_on);
      code.b.set_position(used_up);
      counter.grant(1 + random() % 5);
      code.b.jump(goes_on);
      code.b.set_position(goes_on);
      counter.use_one();
      ++iterations;
    }
    counter.end();
    code.finish_and_run();
    EXPECT_EQ(counter.may_be_upgraded(), round % 2 != 0);
    EXPECT_EQ(*counter.take_iterations(), iterations);
  }
}

}  // namespace
}  // namespace mangata::jit
