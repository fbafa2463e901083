// Loops with branches, walked by contexts of either kind or without: their code does what the instructions say, and leaves where they do.
#include "jit/build/branches.h"

#include <random>
#include <set>

#include "tests/unit/jit/build_objects.h"

namespace mangata::jit {
namespace {

constexpr int kRegisters = 3;
constexpr int kHead = 1;

/// A step of a generator of numbers, as the code makes it, and whether the next branch jumps.
constexpr uint64_t kFactor = 6364136223846793005u, kAddend = 1442695040888963407u;
uint64_t next_input(uint64_t input) { return input * kFactor + kAddend; }
bool jumps(uint64_t input) { return (input >> 40 & 3) != 0; }

/// A loop over integers in registers. JumpIfTrue jumps as the input says, ForLoop so many times, and equality is that of a register with
/// the number b.
class RandomLoop {
 public:
  RandomLoop(std::mt19937& random, bool has_unseen_arms) {
    const int last = kHead + 3 + static_cast<int>(random() % 8);
    code.push_back(Instruction::abcd(Opcode::Move, 0));
    for (int pc = kHead; pc < last; ++pc) code.push_back(random_instruction(random, last - pc));
    code.push_back(Instruction::abi(Opcode::ForLoop, 0, 0, kHead - last - 1));
    for (int i = 0; i < 3; ++i) code.push_back(Instruction::abcd(Opcode::Move, 0));
    sites = Sites(code.size());
    in_region.resize(code.size());
    is_leader.resize(code.size() + 1);
    for (int pc = kHead; pc <= last; ++pc) {
      const Instruction& in = code[static_cast<size_t>(pc)];
      in_region[static_cast<size_t>(pc)] = true;
      const ControlFlow flow = opcode_info(in.op).flow;
      if (flow == ControlFlow::Next) continue;
      is_leader[static_cast<size_t>(pc + 1 + in.imm)] = true;
      SiteTypes& site = sites.at(static_cast<size_t>(pc));
      site.count = 10;
      site.taken = has_unseen_arms && in.op == Opcode::JumpIfTrue ? 5 * static_cast<uint32_t>(random() % 3) : 5;
    }
  }

  struct Run {
    uint64_t input, backedges_left;
    std::vector<uint64_t> registers;
    uint64_t trace = 0;  ///< of all instructions that were executed
    int pc = kHead;      ///< where it is left,
    bool is_arm = false; ///< because that arm has not been seen
    std::vector<std::vector<PlacedLoop::Step>> paths = {{}};  ///< one for each iteration
  };
  /// `is_seen(pc, taken)`: otherwise the arm leads out.
  template <typename IsSeen>
  void execute(Run* run, IsSeen is_seen) const {
    while (in_region[static_cast<size_t>(run->pc)] && !run->is_arm) {
      const int pc = run->pc;
      const Instruction& in = code[static_cast<size_t>(pc)];
      run->trace = run->trace * 31 + static_cast<uint64_t>(pc);
      bool taken = in.op == Opcode::Jump;
      switch (in.op) {
        case Opcode::LoadInteger: run->registers[in.a] = static_cast<uint64_t>(in.imm); break;
        case Opcode::JumpIfTrue: run->input = next_input(run->input), taken = jumps(run->input); break;
        case Opcode::JumpIfEqualConstant: taken = run->registers[in.a] == in.b; break;
        case Opcode::JumpIfNotEqualConstant: taken = run->registers[in.a] != in.b; break;
        case Opcode::ForLoop: taken = --run->backedges_left != 0; break;
        default: break;
      }
      run->pc = pc + 1 + (taken ? in.imm : 0);
      if (opcode_info(in.op).flow != ControlFlow::Branch) continue;
      run->paths.back().push_back({CodePc{pc}, taken});
      if (in.op == Opcode::ForLoop) run->paths.emplace_back();
      run->is_arm = in_region[static_cast<size_t>(run->pc)] && !is_seen(pc, taken);
      if (!is_seen(pc, taken)) return;
    }
  }

  std::vector<Instruction> code;
  Sites sites;
  std::vector<bool> in_region, is_leader;

 private:
  /// Jumps lead no further than three instructions behind the loop.
  static Instruction random_instruction(std::mt19937& random, int to_last) {
    const int jump = random() % 6 == 0 ? to_last + static_cast<int>(random() % 3) : static_cast<int>(random() % static_cast<uint32_t>(to_last));
    const auto reg = static_cast<int>(random() % kRegisters), number = static_cast<int>(random() % 3);
    switch (random() % 8) {
      case 0: return Instruction::abcd(Opcode::Move, 0);
      case 1: return Instruction::abi(Opcode::Jump, 0, 0, static_cast<int>(random() % static_cast<uint32_t>(to_last)));
      case 2:
      case 3: return Instruction::abi(Opcode::LoadInteger, reg, 0, number);
      case 4: return Instruction::abi(Opcode::JumpIfEqualConstant, reg, number, jump);
      case 5: return Instruction::abi(Opcode::JumpIfNotEqualConstant, reg, number, jump);
      default: return Instruction::abi(Opcode::JumpIfTrue, 0, 0, jump);
    }
  }
};

enum class ContextKind : uint8_t {
  None,
  ByHistories,
  ByFacts,
};

/// Contexts of whatever kind are hints: any paths, leading to any contexts.
void add_contexts(std::mt19937& random, const RandomLoop& loop, ContextKind kind, RegionInput* input) {
  std::set<std::vector<std::pair<int, bool>>> seen;
  PlacedLoop& placed = input->loops.emplace_back();
  placed.head_pc = CodePc{kHead};
  placed.body = loop.in_region;
  RandomLoop::Run run{.input = random(), .backedges_left = 40, .registers = {random() % 3, random() % 3, random() % 3}};
  loop.execute(&run, [](int, bool) { return true; });
  run.paths.pop_back();
  for (const auto& path : run.paths) {
    std::vector<std::pair<int, bool>> steps;
    for (const PlacedLoop::Step& step : path) steps.emplace_back(value_of(step.pc), step.taken);
    if (placed.paths.size() == 4 || path.empty() || !path.back().taken || !seen.insert(steps).second) continue;
    placed.paths.push_back(path);
    placed.formed.paths.emplace_back().resize(path.size());
  }
  const auto paths = static_cast<uint32_t>(placed.paths.size());
  if (kind == ContextKind::ByFacts) placed.formed.followed.set(0).set(1);
  placed.formed.contexts.resize(1 + random() % 4);
  const auto count = static_cast<uint32_t>(placed.formed.contexts.size());
  for (uint32_t context = 0; context < count; ++context) {
    LoopContexts::Context& formed = placed.formed.contexts[context];
    if (kind == ContextKind::ByFacts && context != 0) {
      formed.facts.set(0, Value::integer(static_cast<int64_t>(random() % 3)));
      if (random() % 2 == 0) formed.facts.set(1, Value::integer(static_cast<int64_t>(random() % 3)));
    }
    for (uint32_t path = 0; path < paths; ++path) {
      if (random() % 3 != 0) formed.next.push_back({.path = path, .context = static_cast<uint32_t>(random() % count), .count = random() % 100, .is_hot = random() % 2 == 0});
    }
  }
}

/// The code of such a loop.
class WalkedLoop : public BuildObjects {
 public:
  WalkedLoop(Vm& vm, RegionInput region, const RandomLoop& loop, size_t most_generic) : BuildObjects(vm, std::move(region), loop.code.size(), most_generic), loop_(loop) {
    code.root.code = loop.code;
    code.root.is_leader = loop.is_leader;
    for (size_t pc = 0; pc < loop.code.size(); ++pc) {
      if (loop.in_region[pc]) assigned.registers |= register_effects(loop.code[pc], kRegisters).writes;
      code.root.sites.at(pc) = loop.sites[pc];
    }
    for (FrameSlot slot{}; slot < FrameSlot{kRegisters}; ++slot)
      code.registers.set(slot, {.kind = Kind::Integer, .payload = word(start_.registers[static_cast<size_t>(slot)])});
    code.walk.pc = -1;
    branches.go_to(kHead);
    if (!code.walk.ended) queue.add_running();
    while (!queue.is_empty()) {
      queue.run_next();
      walk();
    }
    exits_.exits = exits.take_sites();
    exits_.publish_exits();
  }

  /// Goes on with what happens from there on.
  void run(RandomLoop::Run* run) {
    std::copy(run->registers.begin(), run->registers.end(), start_.registers);
    start_.input = run->input, start_.backedges_left = run->backedges_left, start_.trace = 0;
    for (Value* value = code.vm.main_thread->base; value < code.base + kRegisters; ++value) value->set_nil();
    const uint64_t result = code.run();
    ASSERT_LT(result, exits_.exits.size());
    const ExitSite& site = exits_.exits[result];
    run->pc = static_cast<int>(complete_exit(code.vm.main_thread, code.base, static_cast<int64_t>(result), &exits_));
    run->is_arm = site.why == ExitSite::Why::Arm;
    EXPECT_TRUE(run->is_arm || site.why == ExitSite::Why::Loop);
    EXPECT_EQ(site.resumed_at, OriginalPc(run->pc));
    for (size_t reg = 0; reg < kRegisters; ++reg) {
      EXPECT_EQ(code.base[reg].tag, Tag::Integer);
      run->registers[reg] = code.base[reg].payload;
    }
    run->input = start_.input, run->backedges_left = start_.backedges_left, run->trace = start_.trace;
  }

  bool has_walked_contexts = false;

 private:
  IrValue word(const uint64_t& place) { return code.b.load(IrType::I64, code.b.address_constant(&place), Memory::Any); }
  void set_word(uint64_t& place, IrValue value) { code.b.store(value, code.b.address_constant(&place), Memory::Any); }
  void walk() {
    while (!code.walk.ended) {
      code.walk.exit_block = {};
      has_walked_contexts |= !contexts.merges(code.walk.track) || !code.walk.track.known.empty();
      write(code.walk.instruction());
    }
  }
  /// Goes on where the instruction does.
  void write(const Instruction in) {
    Writer& b = code.b;
    const int target = code.walk.pc + 1 + in.imm;
    set_word(start_.trace, b.add(b.mul(word(start_.trace), b.word(31)), b.word(static_cast<uint64_t>(code.walk.pc))));
    switch (in.op) {
      case Opcode::LoadInteger:
        code.registers.set(FrameSlot{in.a}, b.constant_value(Value::integer(in.imm)));
        branches.go_to(code.walk.pc + 1);
        break;
      case Opcode::Jump: branches.go_to(target); break;
      case Opcode::JumpIfTrue: {
        IrValue input = b.add(b.mul(word(start_.input), b.word(kFactor)), b.word(kAddend));
        set_word(start_.input, input);
        branches.branch(b.ne(b.bit_and(b.lshr(input, 40), b.word(3)), b.word(0)), target);
        break;
      }
      case Opcode::JumpIfEqualConstant:
      case Opcode::JumpIfNotEqualConstant: {
        const bool expected = in.op == Opcode::JumpIfEqualConstant;
        IrValue payload = code.registers.get(FrameSlot{in.a}).payload;
        branches.branch(expected ? b.eq(payload, b.word(in.b)) : b.ne(payload, b.word(in.b)), target, {.slot = FrameSlot{in.a}, .payload = in.b, .where_taken = expected});
        break;
      }
      case Opcode::ForLoop: {
        IrValue left = b.sub(word(start_.backedges_left), b.word(1));
        set_word(start_.backedges_left, left);
        branches.branch(b.ne(left, b.word(0)), target);
        break;
      }
      default: branches.go_to(code.walk.pc + 1); break;
    }
  }

  struct Start {
    uint64_t registers[kRegisters];
    uint64_t input, backedges_left, trace;
  } start_ = {};
  const RandomLoop& loop_;
  RegionCode exits_;
};

TEST(BranchesOfLoops, CodeDoesWhatTheLoopDoes) {
  Vm vm;
  std::mt19937 random(1);
  int arms = 0, ends = 0, with_contexts = 0;
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const RandomLoop loop(random, round % 2 == 0);
    const auto kind = static_cast<ContextKind>(round % 3);
    RegionInput region = region_of_one(kRegisters, false);
    region.in_region = loop.in_region;
    region.knows_edges = random() % 2 == 0;
    if (kind != ContextKind::None) add_contexts(random, loop, kind, &region);
    std::set<std::pair<int, bool>> on_paths;
    for (const PlacedLoop& placed : region.loops) {
      for (const auto& path : placed.paths) {
        for (const PlacedLoop::Step& step : path) on_paths.emplace(value_of(step.pc), step.taken);
      }
    }
    WalkedLoop walked(vm, std::move(region), loop, 1 + random() % 3);
    with_contexts += walked.has_walked_contexts ? 1 : 0;
    EXPECT_TRUE(kind != ContextKind::None || !walked.has_walked_contexts);
    for (int times = 0; times < 12; ++times) {
      RandomLoop::Run expected{.input = random(), .backedges_left = 1 + random() % 40, .registers = {random() % 3, random() % 3, random() % 3}};
      RandomLoop::Run run = expected;
      loop.execute(&expected, [&](int pc, bool taken) {
        const SiteTypes& site = loop.sites[static_cast<size_t>(pc)];
        return (taken ? site.taken != 0 : site.taken != site.count) || on_paths.contains({pc, taken});
      });
      walked.run(&run);
      EXPECT_EQ(run.trace, expected.trace);
      EXPECT_EQ(run.pc, expected.pc);
      EXPECT_EQ(run.is_arm, expected.is_arm);
      EXPECT_EQ(run.registers, expected.registers);
      EXPECT_EQ(run.input, expected.input);
      EXPECT_EQ(run.backedges_left, expected.backedges_left);
      (expected.is_arm ? arms : ends) += 1;
    }
  }
  EXPECT_GT(arms, 500);
  EXPECT_GT(ends, 500);
  EXPECT_GT(with_contexts, 100);
}

}  // namespace
}  // namespace mangata::jit
