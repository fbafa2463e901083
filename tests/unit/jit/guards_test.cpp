// Checks of an instruction: what passes goes on with what was known, and what does not leaves before the instruction, or has a call of the
// runtime do it.
#include "jit/build/guards.h"

#include <random>

#include "tests/unit/jit/build_objects.h"
#include "tests/unit/jit/replaced_graph.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kGoesOn = 99, kGoesOnBehind = 98;
constexpr int kRegisters = 4;
constexpr int kPc = 1;  ///< of the running instruction
constexpr size_t kInstructions = 3;

RegionInput region_with(uint32_t fail_every) {
  RegionInput input = region_of_one(kRegisters, false);
  input.fail_every = fail_every;
  PlacedLoop& loop = input.loops.emplace_back();
  loop.paths.resize(1);
  loop.formed.contexts.resize(1);
  loop.formed.contexts[0].next.resize(1);
  return input;
}

class GuardsTest : public testing::Test {
 protected:
  struct Objects : BuildObjects {
    explicit Objects(Vm& vm, uint32_t fail_every = 0) : BuildObjects(vm, region_with(fail_every), kInstructions) {
      code.walk.pc = kPc;
      code.walk.track = {.loop = 0, .hot = {0}};
    }
    /// Not known before it runs.
    IrValue condition(const uint64_t& word) { return code.b.ne(code.b.load(IrType::I64, code.b.address_constant(&word), Memory::Any), code.b.word(0)); }
    /// Whether the code goes on. Otherwise it leaves before the instruction.
    bool passes() {
      const std::vector<ExitSite> sites = exits.take_sites();
      code.b.return_status(code.b.word(kGoesOn));
      const uint64_t result = code.run();
      if (result == kGoesOn) return true;
      EXPECT_LT(result, sites.size());
      if (result >= sites.size()) return false;
      EXPECT_EQ(sites[result].why, ExitSite::Why::Guard);
      EXPECT_EQ(sites[result].resumed_at, OriginalPc{kPc});
      EXPECT_EQ(sites[result].left_at, OriginalPc{kPc});
      return false;
    }
  };
  Vm vm_;
};

TEST_F(GuardsTest, AllThatIsCheckedHasToHold) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Objects o(vm_);
    std::deque<uint64_t> words;
    bool all = true;
    size_t unknown = 0;
    for (auto checks = random() % 5; checks > 0; --checks) {
      const bool holds = random() % 6 != 0;
      all = all && holds;
      const auto choice = random() % 3;
      if (choice == 0) {
        const size_t made = o.code.b.made();
        o.guards.guard(o.code.b.boolean(holds));
        EXPECT_EQ(o.code.b.made() == made, holds) << "what is known to hold is not checked";
        unknown += holds ? 0 : 1;
        continue;
      }
      ++unknown;
      IrValue condition = o.condition(words.emplace_back(holds ? 1 : 0));
      choice == 1 ? o.guards.guard(condition) : o.guards.exit_unless(condition);
    }
    EXPECT_EQ(o.code.walk.pc, kPc);
    EXPECT_FALSE(o.code.walk.ended);
    EXPECT_EQ(bool(o.code.walk.exit_block), unknown != 0);
    EXPECT_TRUE(o.queue.is_empty());
    EXPECT_EQ(o.passes(), all);
  }
}

/// They share a block, and the next instruction has another one.
TEST_F(GuardsTest, AllOfAnInstructionLeaveByOneBlock) {
  Objects o(vm_);
  const Block first = o.guards.exit_block();
  EXPECT_EQ(o.guards.exit_block(), first);
  EXPECT_EQ(o.exits.take_sites().size(), 1u);
  o.code.walk.exit_block = {};
  EXPECT_NE(o.guards.exit_block(), first);
}

TEST_F(GuardsTest, TestsHaveChecksFailThatHold) {
  for (const uint32_t period : {1u, 3u, 10u}) {
    const uint64_t holds = 1;
    Objects o(vm_, period);
    o.guards.guard(o.code.b.boolean(true));
    o.guards.exit_unless(o.condition(holds));
    EXPECT_TRUE(o.failures.take_countdowns().empty()) << "what has effects when it holds may not seem to fail";
    o.guards.guard(o.condition(holds));
    const auto countdowns = o.failures.take_countdowns();
    EXPECT_EQ(countdowns.size(), 1u);
    o.code.b.return_status(o.code.b.word(kGoesOn));
    uint32_t failed = 0;
    for (uint32_t time = 0; time < 10 * period; ++time) failed += o.code.run() != kGoesOn ? 1 : 0;
    EXPECT_EQ(failed, 10u);
  }
}

TEST_F(GuardsTest, NilDoesNotPass) {
  const Value values[] = {Value::nil(), Value::boolean(false), Value::boolean(true), Value::integer(0), Value::number(0), vm_.string_value("text"), Value::table(vm_.globals)};
  for (const Value& value : values) {
    Objects o(vm_);
    o.guards.guard_not_nil(o.code.unknown(value, false));
    EXPECT_EQ(o.passes(), !value.is_nil());
    if (value.is_nil()) continue;
    Objects known(vm_);
    const Operand operand = known.code.unknown(value);
    const size_t made = known.code.b.made();
    known.guards.guard_not_nil(operand);
    EXPECT_EQ(known.code.b.made(), made) << "it is known to be none";
  }
}

/// What was found in a table, or nothing: that asks the metamethod, which a metatable may be known to lack.
TEST_F(GuardsTest, NothingIsTakenWhereNoMetamethodIsAsked) {
  Table* table = table_new(vm_);
  Table* metatable = table_new(vm_);
  ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 100, Value::table(table)).ok());
  ASSERT_TRUE(table_set_integer(vm_, vm_.registry, 101, Value::table(metatable)).ok());
  for (const bool has_metatable : {false, true}) {
    if (has_metatable) table_set_metatable(vm_, table, metatable);
    for (const uint8_t absent : {uint8_t{0}, static_cast<uint8_t>(kNoIndex), static_cast<uint8_t>(kNoNewIndex), static_cast<uint8_t>(kNoIndex | kNoNewIndex)}) {
      metatable->type_flags = absent;
      for (const AbsentMetamethod metamethod : {kNoIndex, kNoNewIndex}) {
        for (const Value& value : {Value::nil(), Value::boolean(false), Value::integer(5)}) {
          Objects o(vm_);
          o.guards.guard_present(o.code.unknown(value, false).tag, o.code.b.address_constant(table), metamethod);
          EXPECT_EQ(o.passes(), !value.is_nil() || !has_metatable || (absent & metamethod) != 0);
        }
      }
    }
  }
}

/// Stands for what does the instruction: R[a] becomes what no register held.
struct DoneByRuntime {
  int64_t outcome = 0;
  int calls = 0;
  Value* base = nullptr;
  const Instruction* pc = nullptr;
  std::vector<Value> found = {};  ///< in the frame

  static constexpr uint64_t kResult = 471147;
  static inline DoneByRuntime* current = nullptr;
  static uint64_t call(std::span<const uint64_t> words) {
    ++current->calls;
    current->base = reinterpret_cast<Value*>(words[1]);
    current->pc = reinterpret_cast<const Instruction*>(words[2]);
    current->found.assign(current->base, current->base + kRegisters);
    current->base[current->pc[-1].a] = Value::integer(kResult);
    return static_cast<uint64_t>(current->outcome);
  }
};

class SlowPathTest : public GuardsTest {
 protected:
  static Instruction random_instruction(std::mt19937& random) {
    const Instruction choices[] = {Instruction::abcd(Opcode::Add, 2, 0, 1), Instruction::abcd(Opcode::GetField, 1, 3, 0, 0), Instruction::abcd(Opcode::Call, 0, 1, 2),
                                   Instruction::abcd(Opcode::GenericForCall, 0, 0, 1)};
    return choices[random() % std::size(choices)];
  }
  /// What is live behind the instruction is noted by the walk that goes on there.
  static std::vector<Value*> note_behind(Objects& o) {
    o.queue.run_next();
    EXPECT_TRUE(o.queue.is_empty());
    EXPECT_EQ(o.code.walk.pc, kPc + 1);
    EXPECT_TRUE(o.code.walk.track.is_generic());
    std::vector<Value*> held;
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      held.push_back(&o.code.cell());
      if (o.code.root.live[kPc + 1].test(static_cast<size_t>(slot))) {
        o.code.write(o.code.registers.get(slot), *held.back());
      } else {
        EXPECT_EQ(o.code.registers.fact(slot), Fact{}) << "others may come there, too, and what is dead is no difference";
      }
    }
    o.code.b.return_status(o.code.b.word(kGoesOnBehind));
    EXPECT_TRUE(o.exits.take_sites().empty()) << "nothing leaves by an exit";
    return held;
  }
  /// What is needed was in the frame. If the instruction has been done, registers have what they had, or what it has left.
  static void expect_values(const Objects& o, ReplacedGraph& graph, const DoneByRuntime& done, const std::vector<Value*>& held) {
    const Instruction& in = o.code.root.code[kPc];
    const RegisterSet written = register_effects(in, kRegisters).writes;
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot) {
      const auto reg = static_cast<size_t>(slot);
      const bool is_needed = o.code.root.live[kPc].test(reg);
      if (is_needed) graph.expect_in(slot, done.found[reg]);
      if (done.outcome != 0 || !o.code.root.live[kPc + 1].test(reg)) continue;
      if (reg == in.a && written.test(reg)) {
        EXPECT_TRUE(held[reg]->tag == Tag::Integer && held[reg]->payload == DoneByRuntime::kResult);
      } else if (is_needed && !written.test(reg)) {
        graph.expect_in(slot, *held[reg]);
      }
    }
  }
};

/// A check that fails where such have failed before: the runtime does the instruction, with all that is needed in the frame, and generic code
/// goes on behind it.
TEST_F(SlowPathTest, WhereChecksHaveFailedTheRuntimeDoesIt) {
  vm_.heap.stop();
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    Objects o(vm_);
    const Instruction in = o.code.root.code[kPc] = random_instruction(random);
    Instruction instructions[kInstructions] = {in, in, in};
    o.code.root.address = instructions;
    for (RegisterSet& live : o.code.root.live) {
      for (size_t reg = 0; reg < kRegisters; ++reg) live[reg] = random() % 4 != 0;
    }
    const bool is_preferred = round % 2 == 0;
    o.code.root.sites.at(kPc).is_unstable = !is_preferred;
    ReplacedGraph graph(o.code, random);
    const std::vector<Fact> before = o.code.walk.state.slots;
    const Track track = o.code.walk.track;
    const uint64_t holds = random() % 4 == 0 ? 1 : 0;
    if (is_preferred) o.guards.prefer_slow_path();
    o.guards.guard(o.condition(holds));
    EXPECT_EQ(o.code.walk.state.slots, before);
    EXPECT_EQ(o.code.walk.track, track);
    EXPECT_EQ(o.code.walk.pc, kPc);
    o.code.b.return_status(o.code.b.word(kGoesOn));
    ASSERT_FALSE(o.queue.is_empty());
    const std::vector<Value*> held = note_behind(o);
    constexpr int64_t kOutcomes[] = {0, 0, 0, -1, 2};
    DoneByRuntime done{.outcome = kOutcomes[random() % std::size(kOutcomes)]};
    DoneByRuntime::current = &done;
    const void* function = in.op == Opcode::GenericForCall ? o.code.runtime.generic_for_call : o.code.runtime.by_opcode[static_cast<size_t>(in.op)];
    o.code.replace_callee(function, &DoneByRuntime::call);
    for (Value* value = vm_.main_thread->base; value < o.code.base + kRegisters; ++value) value->set_nil();
    const uint64_t result = o.code.run();
    EXPECT_EQ(done.calls, holds != 0 ? 0 : 1);
    if (holds != 0) {
      EXPECT_EQ(result, kGoesOn);
      continue;
    }
    EXPECT_EQ(result, done.outcome == 0 ? kGoesOnBehind : static_cast<uint64_t>(done.outcome < 0 ? kRegionRaised : kRegionLeaves));
    EXPECT_EQ(done.base, o.code.base);
    EXPECT_EQ(done.pc, instructions + kPc + 1);
    expect_values(o, graph, done, held);
  }
}

TEST_F(SlowPathTest, WhatTheRuntimeCannotDoLeavesAllTheSame) {
  const Instruction choices[] = {Instruction::abi(Opcode::JumpIfTrue, 0, 0, 1), Instruction::abcd(Opcode::Return, 0, 2), Instruction::abcd(Opcode::Call, 0, 0, 2),
                                 Instruction::abcd(Opcode::Call, 0, 2, 0)};
  for (const Instruction& in : choices) {
    Objects o(vm_);
    o.code.root.code[kPc] = in;
    o.code.root.sites.at(kPc).is_unstable = true;
    const uint64_t fails = 0;
    o.guards.guard(o.condition(fails));
    EXPECT_TRUE(o.queue.is_empty());
    EXPECT_FALSE(o.passes());
  }
}

}  // namespace
}  // namespace mangata::jit
