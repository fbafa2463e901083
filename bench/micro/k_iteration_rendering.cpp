// Counting paths of k iterations as machine code, two ways: the one-register window (numbering/events.h) and
// the k accumulators of the published algorithm (numbering/kpath_numbering.h), rendered for the same random
// loops and run in steady state.
//
// Each loop's body takes its branches by the bits of a word that is loaded per iteration, so the code without
// counting is known and its branches are predicted. Blocks do a little work. Both forms are what a compiler
// would make: everything in registers, tables addressed directly, the code of taken arms out of line. The
// accumulators have one test per iteration where the algorithm has two; but the published numbering has no
// spanning tree, so it cannot choose which arm of a branch carries an addition. Counters are compared with
// those of the reference automata after every run.
//
//     bench_k_iterations [loops]
#include <asmjit/x86.h>
#include <ctime>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "numbering/edge_weights.h"
#include "numbering/kpath_numbering.h"
#include "numbering/path_plan.h"
#include "numbering/plan_interpreter.h"
#include "tests/unit/numbering/random_graphs.h"

namespace mangata::numbering {
namespace {

using namespace asmjit::x86;

constexpr size_t kPatternLength = 16;
constexpr uint64_t kIterations = 200'000;
constexpr int kRounds = 5;

/// A loop, and which way each iteration goes: bit b of a word is the edge taken out of block b.
struct Loop {
  FlowGraph graph;
  LoopForest forest;
  std::array<uint64_t, kPatternLength> pattern;

  explicit Loop(uint64_t seed) : graph(testing::random_loop(seed)), forest(LoopForest::find(graph)) {
    testing::Random random(seed + 99);
    for (uint64_t& word : pattern) word = random.next();
  }

  /// How often edges run, times what an event on them costs: on a taken arm also a jump.
  std::vector<double> event_costs() const {
    std::vector<double> costs = static_edge_weights(graph, forest);
    for (const BlockId block : graph.blocks()) {
      const EdgeId fallthrough = block == graph.exit() ? EdgeId::none() : edge_taken(block, 0);
      for (const EdgeId edge : graph.out_edges(block)) costs[edge.index()] *= edge == fallthrough ? 1 : 2;
    }
    return costs;
  }

  EdgeId edge_taken(BlockId block, uint64_t word) const {
    const auto out = graph.out_edges(block);
    const bool may_leave = graph.target(out.back()) == graph.exit();
    return out[out.size() == 1 || may_leave ? 0 : word >> block.index() & 1];
  }
  /// Machine code counts down to 1.
  uint64_t word_of(uint64_t remaining) const { return pattern[remaining % kPatternLength]; }

  /// The edges of the iteration that `remaining` tells.
  template <class Take>
  void walk(uint64_t remaining, Take take) const {
    BlockId at = graph.entry();
    do {
      const EdgeId edge = edge_taken(at, word_of(remaining));
      take(edge);
      at = graph.target(edge);
    } while (at != graph.entry());
  }
};

/// Emits instructions and counts them, by the edge or block that they belong to.
class Emitter {
 public:
  explicit Emitter(asmjit::CodeHolder& holder) : a(&holder) {}
  Assembler a;

  void add(const Gp& reg, uint64_t value, uint64_t* count) {
    if (value == 0) return;
    const auto narrow = static_cast<int32_t>(value);
    if (static_cast<uint64_t>(int64_t{narrow}) == value) {
      a.add(reg, narrow);
      *count += 1;
    } else {
      a.mov(kScratch, value);
      a.add(reg, kScratch);
      *count += 2;
    }
  }
  void load(const Gp& reg, uint64_t value, uint64_t* count) {
    if (value <= UINT32_MAX) {
      a.mov(reg.r32(), static_cast<uint32_t>(value));
    } else {
      a.mov(reg, value);
    }
    *count += 1;
  }
  /// table[index + constant]++
  void count_at(const Gp& index, uint64_t constant, uint64_t* count) {
    a.inc(qword_ptr(kTable, index, 3, static_cast<int32_t>(constant * 8)));
    *count += 1;
  }
  static constexpr Gp kTable = r8, kScratch = rdx;
};

/// One way of counting: the state that it keeps in registers, and its code on an edge.
struct Form {
  std::vector<uint64_t> state;  ///< where the measured iterations begin
  size_t table_size = 1;
  /// Emits the code of an edge; adds its number of instructions to *count. `trap`: for what cannot happen in
  /// steady state.
  std::function<void(Emitter&, EdgeId, const asmjit::Label& trap, uint64_t* count)> on_edge;
  std::function<bool(const std::vector<uint64_t>& table)> is_right = [](const auto&) { return true; };
};

constexpr Gp kState[] = {r9, r10, r11, rax};

using LoopFunction = void (*)(const uint64_t* pattern, uint64_t iterations, uint64_t* table,
                              const uint64_t* state);

class Rendering {
 public:
  Rendering(asmjit::JitRuntime& runtime, const Loop& loop, const Form& form) : loop_(loop), form_(form) {
    count_instructions(runtime);
    asmjit::CodeHolder holder;
    holder.init(runtime.environment());
    Emitter emitter(holder);
    emit_prologue(emitter.a);
    for (size_t i = 0; i < loop.graph.block_count(); ++i) blocks_.push_back(emitter.a.newLabel());
    trap_ = emitter.a.newLabel();
    for (const BlockId block : loop.graph.blocks()) {
      if (block != loop.graph.exit()) emit_block(emitter, block);
    }
    for (const auto& [label, edge] : stubs_) {
      emitter.a.bind(label);
      emit_edge(emitter, edge, BlockId());
    }
    emitter.a.bind(blocks_[loop.graph.exit().index()]);
    emitter.a.pop(rbx);
    emitter.a.ret();
    emitter.a.bind(trap_);
    emitter.a.ud2();
    if (runtime.add(&function_, &holder) != asmjit::kErrorOk) std::abort();
  }

  double seconds(uint64_t* table, const std::vector<uint64_t>& state) const {
    timespec before{}, after{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    function_(loop_.pattern.data(), kIterations, table, state.data());
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    return static_cast<double>(after.tv_sec - before.tv_sec) +
           1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec);
  }

  /// For counting, per iteration.
  double instructions() const {
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= kPatternLength; ++i)
      loop_.walk(i, [&](EdgeId edge) { sum += instructions_[edge.index()]; });
    return static_cast<double>(sum) / kPatternLength;
  }

 private:
  /// By emitting each edge's code once, for nothing else.
  void count_instructions(asmjit::JitRuntime& runtime) {
    asmjit::CodeHolder holder;
    holder.init(runtime.environment());
    Emitter emitter(holder);
    const asmjit::Label trap = emitter.a.newLabel();
    for (const EdgeId edge : loop_.graph.edges()) {
      uint64_t count = 0;
      if (loop_.graph.target(edge) != loop_.graph.exit()) form_.on_edge(emitter, edge, trap, &count);
      instructions_.push_back(count);
    }
  }

  void emit_prologue(Assembler& a) const {
    a.push(rbx);
    a.mov(r8, rdx);
    a.mov(r10, rcx);
    for (size_t i = 0; i < form_.state.size(); ++i) a.push(qword_ptr(r10, static_cast<int32_t>(8 * i)));
    for (size_t i = form_.state.size(); i-- > 0;) a.pop(kState[i]);
    a.mov(ecx, static_cast<int32_t>(form_.state.size()) -
                   1);  // how many iterations the accumulators have behind them
    a.align(asmjit::AlignMode::kCode, 64);
  }

  void emit_block(Emitter& emitter, BlockId block) {
    Assembler& a = emitter.a;
    a.bind(blocks_[block.index()]);
    if (block == loop_.graph.entry()) {
      a.mov(edx, esi);
      a.and_(edx, static_cast<int>(kPatternLength - 1));
      a.mov(rbx, qword_ptr(rdi, rdx, 3));
    }
    emit_work(a, block);
    const EdgeId zero = loop_.edge_taken(block, 0), one = loop_.edge_taken(block, ~uint64_t{0});
    if (zero != one) {
      a.test(ebx, int32_t{1} << block.index());
      if (instructions_[one.index()] == 0) {
        a.jnz(blocks_[loop_.graph.target(one).index()]);
      } else {
        stubs_.emplace_back(a.newLabel(), one);
        a.jnz(stubs_.back().first);
      }
    }
    emit_edge(emitter, zero, BlockId(block.index() + 1));
  }

  /// What a block does besides: a load, some arithmetic, a store. Without it branches would stand so close
  /// together that the branch predictor decides how long everything takes.
  static void emit_work(Assembler& a, BlockId block) {
    const auto offset = static_cast<int32_t>(8 * (block.index() % kPatternLength));
    a.mov(rdx, qword_ptr(rdi, offset));
    a.lea(rdx, qword_ptr(rdx, rbx, 1, 7));
    a.xor_(rdx, rsi);
    a.mov(qword_ptr(rsp, -8 - offset), rdx);  // the red zone
  }

  /// The code of an edge and, unless it is `next`, a jump to its target.
  void emit_edge(Emitter& emitter, EdgeId edge, BlockId next) {
    uint64_t count = 0;
    form_.on_edge(emitter, edge, trap_, &count);
    const BlockId target = loop_.graph.target(edge);
    if (target == loop_.graph.entry()) {
      emitter.a.dec(rsi);
      emitter.a.jnz(blocks_[0]);
      emitter.a.jmp(blocks_[loop_.graph.exit().index()]);
    } else if (target != next) {
      emitter.a.jmp(blocks_[target.index()]);
    }
  }

  const Loop& loop_;
  const Form& form_;
  LoopFunction function_ = nullptr;
  asmjit::Label trap_;
  std::vector<asmjit::Label> blocks_;
  std::vector<std::pair<asmjit::Label, EdgeId>> stubs_;  ///< code of taken arms
  std::vector<uint64_t> instructions_;                   ///< per edge
};

using Counts = std::unordered_map<uint64_t, uint64_t>;

bool equals(const std::vector<uint64_t>& table, const Counts& counts) {
  for (size_t key = 0; key < table.size(); ++key) {
    const auto found = counts.find(key);
    if (table[key] != (found == counts.end() ? 0 : found->second)) return false;
  }
  return true;
}

/// What was counted between two moments.
Counts difference(const Counts& after, const Counts& before) {
  Counts result = after;
  for (const auto& [key, count] : before) result[key] -= count;
  return result;
}

Form without_counting() {
  return {.state = {}, .on_edge = [](Emitter&, EdgeId, const asmjit::Label&, uint64_t*) {}};
}

/// Ball-Larus for k = 1, else the window.
Form events_form(const Loop& loop, uint8_t k) {
  const std::vector<double> costs = loop.event_costs();
  const std::vector<uint8_t> iterations{k};
  auto plan = std::make_shared<PathPlan>(
      *plan_paths(loop.graph, loop.forest, {.edge_weights = costs, .iterations = iterations}));
  PlanCounters counters;
  PlanInterpreter interpreter(plan->events, counters);
  const auto run = [&](uint64_t iterations) {
    for (uint64_t i = iterations; i > 0; --i) loop.walk(i, [&](EdgeId edge) { interpreter.take(edge); });
  };
  run(kPatternLength);
  const auto counted = [&]() -> Counts {
    const auto& table = k == 1 ? counters.paths : counters.windows[0];
    return {table.begin(), table.end()};
  };
  const Counts before = counted();
  Form form;
  form.state = {static_cast<uint64_t>(k == 1 ? interpreter.state().path : interpreter.state().window)};
  form.table_size = k == 1 ? plan->events.paths.size : plan->windows[0].slots();
  run(kIterations);
  form.is_right = [expected = difference(counted(), before)](const auto& table) {
    return equals(table, expected);
  };
  form.on_edge = [plan, k](Emitter& emitter, EdgeId edge, const asmjit::Label& trap, uint64_t* count) {
    for (const Event& event : plan->events.on_edge(edge)) {
      switch (event.kind) {
        case EventKind::Add:
        case EventKind::WindowAdd:
          emitter.add(r9, static_cast<uint64_t>(event.value), count);
          break;
        case EventKind::CountAndStart:
          emitter.count_at(r9, static_cast<uint64_t>(event.value), count);
          emitter.load(r9, static_cast<uint64_t>(event.start), count);
          break;
        case EventKind::WindowBackedge: {
          const unsigned digit_bits = plan->windows[0].digit_bits;
          emitter.add(r9, static_cast<uint64_t>(event.value), count);
          emitter.a.cmp(r9, int32_t{1} << (k * digit_bits));
          emitter.a.jae(trap);
          emitter.count_at(r9, 0, count);
          emitter.a.shr(r9d, digit_bits);
          *count += 3;
          break;
        }
        default:
          emitter.a.jmp(trap);
          break;
      }
    }
  };
  return form;
}

/// Algorithm 3 of Roy and Srikant, corrected, with k accumulators.
Form accumulators_form(const Loop& loop, uint8_t k) {
  struct Numbered {
    KLoops k_loops;
    KPathNumbering numbering;
  };
  auto k_loops = KLoops::make(loop.graph, loop.forest, std::vector<uint8_t>{k});
  auto numbered = std::make_shared<Numbered>(Numbered{*k_loops, {}});
  numbered->numbering = *KPathNumbering::make(loop.graph, loop.forest, numbered->k_loops);
  const KPathNumbering& numbering = numbered->numbering;
  KPathAutomaton automaton(loop.graph, loop.forest, numbered->k_loops, numbering);
  const auto run = [&](uint64_t iterations) {
    for (uint64_t i = iterations; i > 0; --i) loop.walk(i, [&](EdgeId edge) { automaton.take(edge); });
  };
  run(kPatternLength);
  const Counts before = automaton.counts();
  Form form;
  const auto accumulators = automaton.accumulators();
  form.state.assign(accumulators.begin(), accumulators.begin() + k);
  form.table_size = numbering.path_count();
  run(kIterations);
  form.is_right = [expected = difference(automaton.counts(), before)](const auto& table) {
    return equals(table, expected);
  };
  form.on_edge = [numbered, k, &loop](Emitter& emitter, EdgeId edge, const asmjit::Label& trap,
                                      uint64_t* count) {
    const KPathNumbering& numbers = numbered->numbering;
    const size_t flow = numbers.flow_edge(edge);
    const LoopId row = loop.forest.cut_by(edge);
    const unsigned last = row.is_none() ? k : k - 1u;  // on the backedge the oldest path ends
    for (unsigned i = 0; i < last; ++i) {
      emitter.add(kState[i], numbers.val(flow, i + 1) - (i + 1 < k ? numbers.cval(flow, i + 1) : 0), count);
    }
    if (row.is_none()) return;
    emitter.a.cmp(ecx, k - 1);
    emitter.a.jne(trap);
    *count += 2;
    emitter.count_at(kState[k - 1], numbers.val(numbers.end_edge(loop.graph.source(edge), row), k), count);
    for (unsigned i = k - 1u; i > 0; --i) emitter.a.mov(kState[i], kState[i - 1]);
    *count += k - 1u;
    const size_t start = numbers.start_edge(row);
    emitter.load(kState[0], numbers.val(start, 1) - numbers.cval(start, 1), count);
  };
  return form;
}

struct Row {
  std::string name;
  double nanoseconds = 0;  ///< per iteration, mean over the loops
  double instructions = 0;
};

/// Adds what each form takes on one loop to its row. The fastest of some interleaved rounds: there is nothing
/// random in them.
void measure(asmjit::JitRuntime& runtime, const Loop& loop, const std::vector<Form>& forms,
             std::vector<Row>& rows) {
  std::vector<Rendering> renderings;
  for (const Form& form : forms) renderings.emplace_back(runtime, loop, form);
  std::vector<double> best(forms.size(), 1e9);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < forms.size(); ++i) {
      std::vector<uint64_t> table(forms[i].table_size);
      best[i] = std::min(best[i], renderings[i].seconds(table.data(), forms[i].state));
      if (forms[i].is_right(table)) continue;
      std::fprintf(stderr, "%s counts something else than the reference\n", rows[i].name.c_str());
      std::exit(1);
    }
  }
  for (size_t i = 0; i < forms.size(); ++i) {
    rows[i].nanoseconds += best[i] * 1e9 / kIterations;
    rows[i].instructions += renderings[i].instructions();
  }
}

void print(const std::vector<Row>& rows, size_t loops) {
  const auto count = static_cast<double>(loops);
  const Row& acyclic = rows[1];
  std::printf(
      "mean of %zu random loops, per iteration; instructions: those that count; x: of what Ball-Larus "
      "takes\n\n",
      loops);
  std::printf("%-24s %8s %7s %14s %7s\n", "", "ns", "x", "instructions", "x");
  for (const Row& row : rows) {
    std::printf("%-24s %8.2f %7.2f %14.2f %7.2f\n", row.name.c_str(), row.nanoseconds / count,
                row.nanoseconds / acyclic.nanoseconds, row.instructions / count,
                row.instructions / acyclic.instructions);
  }
}

int run(size_t loops) {
  std::vector<Row> rows = {{"no counting"}, {"Ball-Larus"}};
  for (const char* form : {"window", "k accumulators"}) {
    for (int k = 2; k <= 4; ++k) rows.push_back({std::string(form) + ", k = " + std::to_string(k)});
  }
  asmjit::JitRuntime runtime;
  for (size_t seed = 0; seed < loops; ++seed) {
    const Loop loop(seed);
    std::vector<Form> forms = {without_counting(), events_form(loop, 1)};
    for (uint8_t k = 2; k <= 4; ++k) forms.push_back(events_form(loop, k));
    for (uint8_t k = 2; k <= 4; ++k) forms.push_back(accumulators_form(loop, k));
    measure(runtime, loop, forms, rows);
  }
  print(rows, loops);
  return 0;
}

}  // namespace
}  // namespace mangata::numbering

int main(int argc, char** argv) {
  const int loops = argc > 1 ? std::atoi(argv[1]) : 60;
  return mangata::numbering::run(static_cast<size_t>(std::max(loops, 1)));
}
