#include "jit/driver/jit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "jit/abi/compiled_code.h"
#include "tests/unit/jit/compiled_machine.h"
#include "vm/bytecode/code_version.h"
#include "vm/frontend/compile.h"
#include "vm/interpreter/path_event.h"

namespace mangata {
namespace {

/// A chunk whose functions differ from those of all others in size.
std::string chunk(int seed) {
  std::string text = "local function f(a, b) local t = {a, b} ";
  for (int i = 0; i < seed % 40; ++i)
    text += "t.x" + std::to_string(i % 7) + " = a + b * " + std::to_string(i) + " ";
  return text + "return a + " + std::to_string(seed) + " end return f(1, 2)";
}

size_t resident_bytes() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * 4096;
}

TEST(Jit, CodeDiesWithItsFunctionSoThatCompilingInALoopDoesNotGrow) {
  CompiledMachine machine;
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  const CodeCache& cache = machine.jit.cache();
  machine.collect();
  const size_t thunks = cache.used_bytes();
  size_t committed_after_first = 0;
  size_t resident_after_first = 0;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < 500; ++i) {
      const int seed = round * 500 + i;
      ASSERT_EQ(machine.run(chunk(seed)).as_integer(), 1 + seed);
      if (i % 50 == 49) machine.collect();
    }
    EXPECT_EQ(cache.used_bytes(), thunks) << "all are garbage";
    if (round == 0) {
      committed_after_first = cache.committed_bytes();
      resident_after_first = resident_bytes();
    }
  }
  EXPECT_EQ(machine.compiled_count, 2 * 4000);
  EXPECT_LE(cache.committed_bytes(), committed_after_first + 64 * 1024);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps freed memory in quarantine
  EXPECT_LE(resident_bytes(), resident_after_first + (size_t{2} << 20));
#endif
}

TEST(Jit, LoopsAreFoundForFramesInAVersionThatIsInstalledNoMore) {
  PathCounters counters;
  counters.events.resize(1);
  CompiledMachine machine;
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  Proto& proto = *compile(machine.vm, "local s = 0 for i = 1, 9 do s = s + i end return s", "=test").value();
  const auto at = std::find_if(proto.original_code.begin(), proto.original_code.end(), is_backedge);
  ASSERT_NE(at, proto.original_code.end());
  const auto head = static_cast<size_t>(at - proto.original_code.begin() + 1 + at->imm);
  // Versions below and above the original in memory, with an event before each instruction.
  for (int i = 0; i < 8; ++i) {
    CodeVersion version;
    for (size_t pc = 0; pc < proto.original_code.size(); ++pc) {
      version.instrumented.insert(version.instrumented.end(), 2, proto.original_code[pc]);
      version.instrumented[2 * pc] = Instruction::abi(Opcode::PathEvent, 0, 0, 0);
      version.to_original.insert(version.to_original.end(), 2, OriginalPc(pc));
    }
    version.counters = &counters;
    const CodeVersion& added = add_version(proto, std::move(version));
    ASSERT_TRUE(machine.jit.compile_loop(proto, added.code + 2 * head)) << "version " << i;
    ASSERT_EQ(proto.compiled->loops.size(), 1u);
    EXPECT_NE(proto.compiled->loop_at(&proto.original_code[head]), nullptr);
  }
}

TEST(Jit, CodeCountsAsMemoryOfTheMachine) {
  CompiledMachine machine;
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  ASSERT_TRUE(machine.run("function f() return g() end").is_nil());
  machine.collect();
  const size_t heap_before = machine.vm.heap.total_bytes();
  const size_t code_before = machine.jit.cache().used_bytes();
  ASSERT_EQ(machine.run("function g() return 1 end return f()").as_integer(), 1);
  machine.run("g = nil");
  machine.collect();
  const size_t code = machine.jit.cache().used_bytes() - code_before;  // that of f
  EXPECT_GT(code, 0u);
  EXPECT_GE(machine.vm.heap.total_bytes(), heap_before + code);
  machine.run("f = nil");
  machine.collect();
  EXPECT_LT(machine.vm.heap.total_bytes(), heap_before);
}

TEST(Jit, FunctionsStayInterpretedWhileTheCacheIsFull) {
  CompiledMachine machine(64 * 1024);
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  ASSERT_TRUE(machine.run("kept = {}").is_nil());
  // Kept alive until nothing fits.
  int made = 0;
  for (; machine.refused_count < 20 && made < 2000; ++made) {
    const std::string text = "local n = " + std::to_string(made) +
                             " local function f(a) return a + n end kept[n] = f " +
                             "return f(1) + kept[n // 2](1)";
    ASSERT_EQ(machine.run(text).as_integer(), 2 + made + made / 2);
  }
  ASSERT_GE(machine.refused_count, 20);
  EXPECT_LE(machine.jit.cache().used_bytes(), machine.jit.cache().limit_bytes());
  // Once they are gone, there is room again.
  machine.run("kept = nil");
  machine.collect();
  const int compiled = machine.compiled_count;
  const int refused = machine.refused_count;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(machine.run(chunk(i)).as_integer(), 1 + i);
    machine.collect();
  }
  EXPECT_EQ(machine.compiled_count, compiled + 40);
  EXPECT_EQ(machine.refused_count, refused);
}

class RecordingObserver : public CodeObserver {
 public:
  explicit RecordingObserver(std::map<const uint8_t*, CodeDescription>* live) : live_(live) {}
  void code_added(const CodeDescription& code) override {
    EXPECT_TRUE(live_->emplace(code.start, code).second);
  }
  void code_removed(const uint8_t* start) override { EXPECT_EQ(live_->erase(start), 1u); }

 private:
  std::map<const uint8_t*, CodeDescription>* live_;
};

TEST(Jit, InterruptsThatComeAllTheTimeDelayCompilingOnce) {
  CompiledMachine machine;
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  std::string text = "local t = {}";
  for (int i = 0; i < 300; ++i) text += " t.x" + std::to_string(i) + " = 1";
  const auto chunk = load(machine.vm, text, "=test");
  ASSERT_TRUE(chunk.ok());
  Proto& proto = *chunk.value()->proto;
  machine.vm.interrupt = true;
  EXPECT_FALSE(machine.jit.compile(proto));
  EXPECT_TRUE(machine.jit.compile(proto));
  machine.vm.interrupt = false;
}

TEST(Jit, ObserversKnowAllCodeThatIsAlive) {
  std::map<const uint8_t*, CodeDescription> live;
  CodeObservers observers;
  observers.add(std::make_unique<RecordingObserver>(&live));
  CompiledMachine machine(CodeCache::kDefaultLimitBytes, std::move(observers));
  if (!machine.jit.prepare()) GTEST_SKIP() << "no executable memory";
  const size_t thunks = machine.jit.thunks().descriptions.size();
  ASSERT_EQ(live.size(), thunks);
  ASSERT_EQ(machine.run("function f(a)\n  return a\nend return f(1)").as_integer(), 1);
  ASSERT_EQ(live.size(), thunks + 2);
  size_t bytes = 0;
  std::string names;
  for (const auto& [start, code] : live) {
    EXPECT_TRUE(machine.jit.cache().contains(start));
    EXPECT_TRUE(machine.jit.cache().contains(start + code.size_bytes - 1));
    bytes += code.size_bytes;
    names += " " + code.name;
    if (code.name == "f") {
      EXPECT_EQ(code.line_defined, 1);
      EXPECT_EQ(code.lines[1].line, 2);
    }
  }
  EXPECT_TRUE(names.ends_with(" main chunk f")) << names;
  EXPECT_LE(bytes, machine.jit.cache().used_bytes());
  machine.run("f = nil");
  machine.collect();
  EXPECT_EQ(live.size(), thunks);
  machine.run("function f() end f()");
  machine.close();
  EXPECT_EQ(live.size(), thunks) << "a machine that ends gives everything back";
}

}  // namespace
}  // namespace mangata
