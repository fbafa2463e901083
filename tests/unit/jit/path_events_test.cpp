// Events of profiles as regions execute them: after each, the path register and all counters are what the interpreter makes of them.
#include "jit/build/path_events.h"

#include <map>
#include <random>

#include "tests/unit/jit/generated_code.h"

namespace mangata::jit {
namespace {

constexpr uint64_t kPaths = 256;

struct Profile {
  bool is_hashed = false;  ///< counters are, so there are no arrays
  uint32_t k = 2, digit_bits = 2;
};

/// Records of events that follow each other, as plans have them: numbers of paths stay below kPaths.
class RandomEvents {
 public:
  RandomEvents(uint64_t seed, const Profile& profile) : random_(seed), profile_(profile) {}

  std::vector<PathEventRecord> sequence(int length) {
    add(PathEventKind::Start, 0, path_ = below(kPaths));
    while (records_.size() < static_cast<size_t>(length)) step();
    return records_;
  }

 private:
  int64_t below(uint64_t limit) { return static_cast<int64_t>(random_() % limit); }
  void add(PathEventKind kind, int64_t value, int64_t start = 0, uint32_t index = 0) {
    using enum PathEventKind;
    if (kind == AddPacked || kind == CountPacked || kind == CountPackedAndStart) value += (below(3) - 1) << 32;  // their sums are modulo that
    records_.push_back({.kind = kind, .value = value, .start = start, .index = index});
  }
  /// To another number, maybe a smaller one.
  int64_t way_to_another() { return below(kPaths) - path_; }

  void step() {
    using enum PathEventKind;
    constexpr PathEventKind kCounts[] = {Count, CountPacked}, kCountsAndStarts[] = {CountAndStart, CountPackedAndStart}, kAdds[] = {Add, AddPacked};
    switch (below(7)) {
      case 0: return add(Start, 0, path_ = below(kPaths));
      case 1: {
        const int64_t way = way_to_another();
        path_ += way;
        return add(kAdds[below(2)], way);
      }
      case 2: return add(kCounts[below(2)], way_to_another());
      case 3: {
        const int64_t way = way_to_another();
        return add(kCountsAndStarts[below(2)], way, path_ = below(kPaths));
      }
      case 4: return profile_.is_hashed ? hashed() : add(CountEdge, below(kPaths));
      case 5: return preferred();
      default: return stay_in_loop();
    }
  }
  void hashed() {
    add(PathEventKind::HashStep, below(1 << 20), 0, 3);
    add(PathEventKind::HashCount, below(1 << 20), path_ = below(kPaths), random_() % 2 == 0 ? 4 : PathEventRecord::kNoLoop);
    if (records_.back().index == PathEventRecord::kNoLoop) add(PathEventKind::Start, 0, path_);
  }
  void preferred() {
    const int64_t word = below(8) << 32 | below(16);
    add(PathEventKind::Start, 0, word);
    if (random_() % 2 == 0) add(PathEventKind::CountPreferred, below(4));
    add(PathEventKind::CountPreferredAndStart, below(4), path_ = below(kPaths));
  }
  void stay_in_loop() {
    const uint32_t bits = profile_.k * profile_.digit_bits;
    add(PathEventKind::EnterLoop, static_cast<int64_t>(uint64_t{profile_.k} << bits));
    for (int64_t iterations = below(2 * profile_.k + 3); iterations > 0; --iterations) {
      const int64_t digit = below(uint64_t{1} << profile_.digit_bits) << (bits - profile_.digit_bits);
      const int64_t part = below(1 << 10);
      add(PathEventKind::WindowAdd, digit - part);  // it may borrow on the way
      add(PathEventKind::WindowBackedge, part);
    }
    add(PathEventKind::LeaveLoop, 0);
    add(PathEventKind::Start, 0, path_ = below(kPaths));
  }

  std::mt19937_64 random_;
  const Profile profile_;
  int64_t path_ = 0;
  std::vector<PathEventRecord> records_;
};

void make_counters(PathCounters* counters, const std::vector<PathEventRecord>& records, const Profile& profile) {
  counters->events = records;
  counters->hash_multiplier = 0x9e3779b97f4a7c15 >> 3;
  PathWindow window{.k = profile.k, .digit_bits = profile.digit_bits, .body_paths = uint64_t{1} << profile.digit_bits, .prologue = 3, .counts = {}, .allocated = {}, .prologues = {}, .steps = {}};
  if (!profile.is_hashed) {
    allocate_window_counts(window);
    counters->paths.array = LowArray<uint64_t>(kPaths + 3 + (uint64_t{1} << window.window_bits()));
    counters->preferred = LowArray<uint32_t>(4);
    for (uint32_t i = 0; i < 4; ++i) counters->preferred[i] = i;
  }
  counters->windows.push_back(std::move(window));
  counters->leaves.push_back({.window = 0, .rank_count = 1, .entered = 5, .restarted = 40, .scale = 1, .ranks = {}, .pieces = {}});
}

RegionEvent event_of(PathCounters& counters, const PathEventRecord& record) {
  RegionEvent event{.record = record, .address = &record};
  CountTable& table = record.kind == PathEventKind::WindowBackedge ? counters.windows[record.index].counts : counters.paths;
  if (!table.array.empty()) event.counts = table.array.data();
  event.window_bits = counters.windows[0].window_bits();
  event.digit_bits = counters.windows[0].digit_bits;
  return event;
}

void expect_equal_counts(const CountTable& expected, const CountTable& counted, uint64_t seed) {
  std::map<uint64_t, uint64_t> by_key, counted_by_key;
  expected.for_each([&](uint64_t key, uint64_t count) { by_key[key] = count; });
  counted.for_each([&](uint64_t key, uint64_t count) { counted_by_key[key] = count; });
  EXPECT_EQ(by_key, counted_by_key) << seed;
}

TEST(PathEvents, DoWhatTheInterpreterDoes) {
  Vm vm;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const Profile profile{.is_hashed = seed % 4 == 3, .k = 2 + static_cast<uint32_t>(seed % 3), .digit_bits = 1 + static_cast<uint32_t>(seed % 2)};
    const std::vector<PathEventRecord> records = RandomEvents(seed, profile).sequence(60);
    PathCounters expected, counted;
    make_counters(&expected, records, profile);
    make_counters(&counted, records, profile);
    GeneratedCode code(vm);
    code.root.counters = &counted;
    PathEvents events(code.b, code.walk, code.registers, code.runtime);
    std::vector<Value*> words;
    for (const PathEventRecord& record : counted.events) {
      events.execute(event_of(counted, record));
      code.write(code.b.get(code.registers.path_cell(FrameSlot{0})), *words.emplace_back(&code.cell()));
    }
    code.finish_and_run();
    FrameHeader frame{};
    for (size_t i = 0; i < records.size(); ++i) {
      run_path_event(expected, &frame, static_cast<int32_t>(i));
      ASSERT_EQ(static_cast<int64_t>(words[i]->payload), frame.path_register) << "event " << i << " of kind " << static_cast<int>(records[i].kind) << ", seed " << seed;
    }
    expect_equal_counts(expected.paths, counted.paths, seed);
    expect_equal_counts(expected.windows[0].counts, counted.windows[0].counts, seed);
  }
}

TEST(PathEvents, AreThoseOfTheFrameThatRuns) {
  Vm vm;
  GeneratedCode code(vm);
  PathCounters counters, counters_of_callee;
  RegionFunction callee;
  code.root.counters = &counters;
  callee.counters = &counters_of_callee;
  PathEvents events(code.b, code.walk, code.registers, code.runtime);
  const PathEventRecord count{.kind = PathEventKind::CountAndStart, .start = 100};  // hashed: the runtime does it
  const auto start = [&](int64_t path) { events.execute({.record = {.kind = PathEventKind::Start, .start = path}}); };
  start(7);
  code.walk.state.frames.push_back({.function = &callee, .base = FrameSlot{4}});
  start(8);
  events.execute({.record = count, .address = &count});
  code.walk.state.frames.pop_back();
  events.execute({.record = {.kind = PathEventKind::Add, .value = 10}});
  Value& outer = code.cell();
  Value& inner = code.cell();
  code.write(code.b.get(code.registers.path_cell(FrameSlot{0})), outer);
  code.write(code.b.get(code.registers.path_cell(FrameSlot{4})), inner);
  code.finish_and_run();
  EXPECT_EQ(outer.payload, 17u);
  EXPECT_EQ(inner.payload, 100u);
  EXPECT_EQ(counters_of_callee.paths.value(8), 1u);
  EXPECT_TRUE(counters.paths.hash.empty());
}

TEST(PathEvents, OfArraysAreInline) {
  Vm vm;
  GeneratedCode code(vm);
  PathCounters counters;
  make_counters(&counters, {}, {});
  PathEvents events(code.b, code.walk, code.registers, code.runtime);
  using enum PathEventKind;
  for (const PathEventKind kind : {Start, Add, AddPacked, Count, CountAndStart, CountPacked, CountPackedAndStart, CountEdge, EnterLoop, WindowAdd}) {
    const PathEventRecord record{.kind = kind};
    events.execute(event_of(counters, record));
    EXPECT_EQ(code.count(ir::Opcode::Call), 0) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace mangata::jit
