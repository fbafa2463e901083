// Safepoints: where a step of the collector is due, it finds all that is needed in the frames, and the region is left behind it. Where none
// is due, registers have what they had.
#include "jit/build/safepoints.h"

#include <algorithm>
#include <random>

#include "tests/unit/jit/build_objects.h"
#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kGoesOn = 99;
constexpr int kRegisters = 6;
constexpr size_t kInstructions = 4;
constexpr ptrdiff_t kMuchDebt = ptrdiff_t{1} << 40;  ///< bytes: more than code makes between two safepoints

/// Stands for what collects: it makes a whole collection, of what the frames lead to.
struct Collector {
  Thread* thread;
  Value* end;  ///< of the stack
  int64_t outcome = 0;
  bool collects = true;
  int calls = 0;
  Value* base = nullptr;  ///< that it was told, with the pc that is saved
  const Instruction* pc = nullptr;

  static inline Collector* current = nullptr;
  static uint64_t collect(std::span<const uint64_t> words) {
    EXPECT_EQ(words[0], word_of(current->thread));
    current->base = reinterpret_cast<Value*>(words[1]);
    current->pc = reinterpret_cast<const Instruction*>(words[2]);
    ++current->calls;
    if (!current->collects) return 0;
    current->thread->top = current->end;
    EXPECT_TRUE(current->thread->vm->heap.collect_full().ok());
    return static_cast<uint64_t>(current->outcome);
  }
};

class SafepointsTest : public testing::Test {
 protected:
  struct Objects : BuildObjects {
    Objects(Vm& vm, std::mt19937& random) : BuildObjects(vm, region_of_one(kRegisters, false), kInstructions), graph(code, random) {
      code.root.address = instructions;
      for (RegisterSet& live : code.root.live) {
        for (size_t reg = 0; reg < kRegisters; ++reg) live[reg] = random() % 4 != 0;
      }
      for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
        held.push_back(&code.cell());
        Fact& fact = code.registers.fact(slot);
        if (fact.replaced_table < 0 && random() % 4 == 0) fact.dirty = false, clean[static_cast<size_t>(slot)] = true;
      }
      code.walk.pc = 1 + static_cast<int>(random() % 2);
    }
    /// Where no step is due, registers are noted.
    void note() {
      tables.materialize_all(false);
      for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) code.write(code.registers.get(slot), *held[static_cast<size_t>(slot)]);
      code.b.return_status(code.b.word(kGoesOn));
      EXPECT_TRUE(queue.is_empty()) << "the other walk has ended";
      sites = exits.take_sites();
    }

    Instruction instructions[kInstructions] = {};
    ReplacedGraph graph;
    std::vector<Value*> held;
    RegisterSet clean;  ///< registers that the frame has
    std::vector<ExitSite> sites;
  };

  void set_debt(ptrdiff_t bytes) { *reinterpret_cast<ptrdiff_t*>(reinterpret_cast<char*>(&vm_.heap) + HeapLayout::kDebtBytes) = bytes; }

  uint64_t run(Objects& o) {
    o.code.replace_callee(o.code.runtime.collect, &Collector::collect);
    o.code.replace_callee(o.code.runtime.safepoint_below, &Collector::collect);
    for (Value* value = vm_.main_thread->base; value < collector_.end; ++value) value->set_nil();
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (o.clean[static_cast<size_t>(slot)]) *(o.code.base + slot) = o.graph.in_slot(slot).value;
    }
    Collector::current = &collector_;
    return o.code.run();
  }
  /// A step was made, before the instruction at that pc, and the region was left.
  void expect_left(Objects& o, uint64_t result, int pc) {
    EXPECT_EQ(collector_.calls, 1);
    EXPECT_EQ(collector_.base, o.code.base);
    EXPECT_EQ(collector_.pc, o.instructions + pc);
    if (collector_.outcome < 0) {
      EXPECT_EQ(result, static_cast<uint64_t>(kRegionRaised));
    } else if (collector_.outcome >= 2) {
      EXPECT_EQ(result, static_cast<uint64_t>(kRegionLeaves));
    } else {
      ASSERT_LT(result, o.sites.size());
      const ExitSite& site = o.sites[result];
      EXPECT_EQ(site.why, ExitSite::Why::Collector);
      EXPECT_EQ(site.region_pc, CodePc{pc});
      EXPECT_EQ(site.resumed_at, OriginalPc(pc));
      EXPECT_TRUE(site.tags.empty() && site.tables.empty()) << "all is in the frame";
    }
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (o.code.root.live[static_cast<size_t>(pc)].test(static_cast<size_t>(slot))) o.graph.expect_in(slot, *(o.code.base + slot));
    }
  }
  void expect_goes_on(Objects& o, uint64_t result) {
    EXPECT_EQ(result, kGoesOn);
    EXPECT_EQ(collector_.calls, 0);
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) o.graph.expect_in(slot, *o.held[static_cast<size_t>(slot)]);
  }
  /// Done, an error, or the interpreter goes on.
  void begin(Objects& o, std::mt19937& random) {
    constexpr int64_t kOutcomes[] = {0, 0, 0, -1, 2};
    collector_ = {.thread = vm_.main_thread, .end = o.code.base + kRegisters, .outcome = kOutcomes[random() % std::size(kOutcomes)]};
  }
  Vm vm_;
  Collector collector_ = {};
};

TEST_F(SafepointsTest, BehindAnInstruction) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    Objects o(vm_, random);
    begin(o, random);
    const int pc = o.code.walk.pc;
    const std::vector<Fact> facts = o.code.walk.state.slots;
    o.safepoints.collect_behind();
    EXPECT_EQ(o.code.walk.state.slots, facts) << "on the way that goes on nothing has happened";
    EXPECT_EQ(o.code.walk.pc, pc);
    o.note();
    constexpr ptrdiff_t kDebts[] = {-1000, -1, 0, 1, 1000};
    const ptrdiff_t debt = kDebts[random() % std::size(kDebts)];
    set_debt(debt);
    const uint64_t result = run(o);
    if (debt > 0) {
      expect_left(o, result, pc + 1);
    } else {
      expect_goes_on(o, result);
    }
  }
}

TEST_F(SafepointsTest, BeforeAnInstructionThatNeedsTables) {
  std::mt19937 random(2);
  int made = 0, kept = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    Objects o(vm_, random);
    begin(o, random);
    const std::vector<ReplacedTable> before = o.code.walk.state.tables;
    const int pc = 1 + static_cast<int>(random() % 3);
    o.code.walk.pc = pc;
    std::vector<FrameSlot> replaced;
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      if (o.code.registers.is_replaced(slot)) replaced.push_back(slot);
    }
    bool makes = false;
    if (round % 3 == 0) {
      if (replaced.empty()) continue;
      const FrameSlot slot = replaced[random() % replaced.size()];
      const std::vector<int> reached = reachable_tables(o.code.walk.state, o.graph.in_slot(slot).table);
      o.safepoints.materialize_at(slot);
      for (const FrameSlot other : replaced) {
        const bool is_made = std::find(reached.begin(), reached.end(), o.graph.in_slot(other).table) != reached.end();
        EXPECT_EQ(o.code.registers.is_replaced(other), !is_made);
      }
      makes = true;
    } else {
      const bool but_of_numbers = round % 3 == 1;
      // Those that hold more than numbers, and what they lead to.
      std::vector<bool> is_made(before.size());
      const auto holds_more = [](const Fact& field) { return field.kind != Kind::Frame && (!has_known_tag(field.kind) || tag_of(field.kind) >= kFirstCollectableTag); };
      for (size_t id = 0; id < before.size(); ++id) {
        if (before[id].shape == nullptr || (but_of_numbers && std::none_of(before[id].fields.begin(), before[id].fields.end(), holds_more))) continue;
        makes = true;
        for (const int reached : reachable_tables(o.code.walk.state, static_cast<int>(id))) is_made[static_cast<size_t>(reached)] = true;
      }
      o.safepoints.materialize_for(pc, but_of_numbers);
      for (const FrameSlot slot : replaced) {
        const bool is_one = is_made[static_cast<size_t>(o.graph.in_slot(slot).table)];
        EXPECT_EQ(o.code.registers.is_replaced(slot), !is_one);
        kept += is_one ? 0 : 1;
      }
    }
    made += makes ? 1 : 0;
    EXPECT_EQ(o.code.walk.pc, pc);
    EXPECT_FALSE(o.code.walk.ended);
    o.note();
    const bool is_due = random() % 2 == 0;
    set_debt(is_due ? kMuchDebt : -kMuchDebt);
    const uint64_t result = run(o);
    if (is_due && makes) {
      expect_left(o, result, pc);
    } else {
      expect_goes_on(o, result);
    }
  }
  EXPECT_GT(made, 100);
  EXPECT_GT(kept, 10);
}

/// Where the function begins nothing is behind it, and where values are open, the next instruction consumes them.
TEST_F(SafepointsTest, WhereNoneCanBeThereIsNone) {
  std::mt19937 random(3);
  for (const bool is_open : {false, true}) {
    Objects o(vm_, random);
    begin(o, random);
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) o.code.registers.set(slot, o.code.b.constant_value(Value::integer(1)));
    ASSERT_TRUE(o.tables.make(FrameSlot{1}, 0, 1, vm_.empty_shape));
    if (is_open) o.code.walk.state.open_end = FrameSlot{3};
    const int pc = is_open ? 2 : 0;
    o.safepoints.materialize_for(pc, false);
    EXPECT_FALSE(o.code.registers.is_replaced(FrameSlot{1}));
    set_debt(kMuchDebt);
    EXPECT_EQ(o.code.finish_and_run(kGoesOn), kGoesOn);
    EXPECT_TRUE(o.exits.take_sites().empty());
  }
}

/// In a function that is inlined: its frame is there while the collector looks at it, and the exit makes it.
TEST_F(SafepointsTest, FramesThatWereLeftOutAreThere) {
  BuildObjects o(vm_, region_of_one(kRegisters, false), kInstructions);
  RegionFunction callee;
  Instruction of_root[kInstructions] = {}, of_callee[kInstructions] = {};
  make_code(&callee, kInstructions);
  callee.register_count = 3;
  callee.address = of_callee;
  o.code.root.address = of_root;
  constexpr FrameSlot kBase{kRegisters};
  o.code.walk.state.frames.push_back({.function = &callee, .base = kBase, .return_pc = 2, .wanted = 1});
  o.code.walk.state.slots.resize(kRegisters + 3);
  for (FrameSlot slot{}; slot < kBase + 3; ++slot) o.code.registers.set(slot, o.code.unknown(Value::integer(100 + value_of(slot))));
  ASSERT_TRUE(o.tables.make(kBase + 1, 0, 1, vm_.empty_shape));
  o.code.walk.pc = 1;
  o.safepoints.materialize_at(kBase + 1);
  o.code.b.return_status(o.code.b.word(kGoesOn));
  const std::vector<ExitSite> sites = o.exits.take_sites();
  o.code.replace_callee(o.code.runtime.collect, &Collector::collect);
  set_debt(kMuchDebt);
  collector_ = {.thread = vm_.main_thread, .end = nullptr, .collects = false};
  Collector::current = &collector_;
  for (Value* value = vm_.main_thread->base; value < o.code.base + kRegisters + 3; ++value) value->set_nil();
  const uint64_t result = o.code.run();
  EXPECT_EQ(collector_.calls, 1);
  EXPECT_EQ(collector_.base, o.code.base + kBase);
  EXPECT_EQ(collector_.pc, of_callee + 1);
  const FrameHeader& header = *frame_of(o.code.base + kBase);
  EXPECT_EQ(header.saved_pc, of_callee + 1);
  EXPECT_EQ(header.wanted_results, 1);
  EXPECT_EQ(frame_of(o.code.base)->saved_pc, of_root + 2) << "behind the call";
  for (const int slot : {0, 1, 2, 3, 6, 8}) EXPECT_EQ(o.code.base[slot].payload, static_cast<uint64_t>(100 + slot)) << slot;
  EXPECT_EQ(o.code.base[7].tag, Tag::Table);
  ASSERT_LT(result, sites.size());
  EXPECT_EQ(sites[result].region_pc, CodePc{2});
  ASSERT_EQ(sites[result].frames.size(), 2u);
  EXPECT_EQ(sites[result].frames[1].pc, of_callee + 1);
}

}  // namespace
}  // namespace mangata::jit
