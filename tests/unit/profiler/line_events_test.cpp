// Hits of lines, computed from edges: those of small programs as literals (PUC Lua 5.4.8 counts the same), and those of generated programs against a line hook that counts
// in the same run.
#include <gtest/gtest.h>

#include <random>

#include "profiler/coverage/coverage_profiler.h"
#include "profiler/coverage/model/stats_file.h"
#include "runtime/library_set/library_set.h"
#include "vm/bytecode/chunk.h"
#include "vm/native.h"
#include "vm/operations/operations.h"

namespace mangata {
namespace {

/// Runs a text as "@test". With a hook the program that runs it returns "1=3 2=1 ...": lines and their events.
class CoveredRun : public TierHooks {
 public:
  CoveredRun(const std::string& text, bool with_hook, bool counts_paths = false)
      : profiler_([](const std::string& source) { return source == "@test"; }, counts_paths) {
    auto vm = std::make_unique<Vm>();
    vm->hooks = this;
    open_libraries(*vm);
    const auto driver = load(*vm, kDriver, "=driver");
    EXPECT_TRUE(driver.ok());
    Value* slot = vm->main_thread->top;
    slot[0] = Value::function(driver.value());
    slot[1].set_nil();
    slot[2].set_nil();
    slot[kCallOverheadSlots] = vm->string_value(text);
    slot[kCallOverheadSlots + 1] = Value::boolean(with_hook);
    vm->main_thread->top = slot + kCallOverheadSlots + 2;
    EXPECT_TRUE(protected_call(*vm, slot, 2, 1, Value::nil())) << text;
    hooked = slot->is_string() ? std::string(slot->as_string()->view()) : "no result";
    vm->main_thread->top = slot;
    vm.reset();
    run = profiler_.coverage();
    counted = text_of_hits();
  }

  void proto_created(Proto& proto) override { profiler_.proto_created(proto); }
  void proto_destroyed(Proto& proto) override { profiler_.proto_destroyed(proto); }
  void path_cut(Proto& proto, const Value* base) override { profiler_.path_cut(proto, base); }

  std::string hooked;   ///< by the hook
  std::string counted;  ///< from edges
  coverage::RunCoverage run;

 private:
  static constexpr const char* kDriver = R"(
    local text, with_hook = ...
    local hits, last = {}, 0
    local function hook(_, line)
      if debug.getinfo(2, 'S').source ~= '@test' then return end
      hits[line] = (hits[line] or 0) + 1
      last = math.max(last, line)
    end
    local create = coroutine.create
    if with_hook then
      coroutine.create = function(f) local co = create(f) debug.sethook(co, hook, 'l') return co end
    end
    local chunk = assert(load(text, '@test'))
    if with_hook then debug.sethook(hook, 'l') end
    pcall(chunk)
    debug.sethook()
    local list = {}
    for line = 1, last do
      if hits[line] then list[#list + 1] = line .. '=' .. hits[line] end
    end
    return table.concat(list, ' '))";

  std::string text_of_hits() const {
    std::string text;
    for (const auto& [name, hits] : coverage::stats_of(run)) {
      for (const auto& [line, count] : hits) {
        text += (text.empty() ? "" : " ") + std::to_string(line) + "=" + std::to_string(count);
      }
    }
    return text;
  }

  coverage::CoverageProfiler profiler_;
};

/// What both say; an explanation when they do not agree.
std::string hits_of(const std::string& text) {
  const CoveredRun run(text, true);
  const CoveredRun alone(text, false);
  const CoveredRun by_paths(text, false, /*counts_paths=*/true);
  if (by_paths.counted != alone.counted) return "by paths: " + by_paths.counted + "; by edges: " + alone.counted;
  if (run.hooked != run.counted) return "hook: " + run.hooked + "; counted: " + run.counted;
  return alone.counted == run.counted ? run.counted : "alone: " + alone.counted + "; with a hook: " + run.counted;
}

TEST(LineEvents, AreOfEachExecution) {
  EXPECT_EQ(hits_of("local function f(x)\n if x > 2 then return 1 end\n return 2\nend\nfor i = 1, 5 do f(i) end\n"),
            "2=5 3=2 4=1 5=5");
}

TEST(LineEvents, PartsOfOneStatementOnSeveralLines) {
  EXPECT_EQ(hits_of("local function g() return 1 end\nlocal function f()\n return g(),\n g()\nend\nf() f()\n"), "1=5 3=2 4=2 5=1 6=1");
}

TEST(LineEvents, ALoopOnOneLineRaisesOneForEachIteration) {
  EXPECT_EQ(hits_of("local n = 0\nwhile n < 4 do n = n + 1 end\nrepeat n = n - 1 until n == 0\n"), "1=1 2=5 3=4");
}

TEST(LineEvents, FunctionsWithVarargsBeginBehindTheirParameters) {
  EXPECT_EQ(hits_of("local function f(...) return ... end\nf() f(1)\n"), "1=3 2=1");
}

TEST(LineEvents, IteratorsAreFirstCalledAsAPartOfTheLoop) {
  EXPECT_EQ(hits_of("local t = {1, 2}\nfor k, v in\n pairs(t) do\n t[k] = v\nend\n"), "1=1 3=3 4=2 5=1");
}

TEST(LineEvents, WhatAnErrorCutsOffIsNotHit) {
  EXPECT_EQ(hits_of("local function f(x)\n local a = 1\n local b = a + x\n return b\nend\npcall(f)\nf(1)\n"), "2=2 3=2 4=1 5=1 6=1 7=1");
}

TEST(LineEvents, CoroutinesThatAreNotResumedAgain) {
  EXPECT_EQ(hits_of("local co = coroutine.create(function()\n coroutine.yield()\n print('never')\nend)\ncoroutine.resume(co)\n"),
            "1=2 2=1 4=1 5=1");
}

TEST(LineEvents, AFailingTailCallHasItsLine) { EXPECT_EQ(hits_of("local function f(g)\n return g()\nend\npcall(f)\n"), "2=1 3=1 4=1"); }

TEST(LineEvents, JumpsToABackedgeDoNotSeeItsLine) {
  EXPECT_EQ(hits_of("local i = 0\n::top::\ni = i + 1\nif i < 3\n or i == 5\nthen\n goto top\nend\n"), "1=1 3=3 4=3 5=1 8=1");
}

TEST(LineEvents, FunctionsThatNeverRanAreKnown) {
  const CoveredRun run("local function f()\n return 1\nend\nf = nil\ncollectgarbage()\n", false);
  ASSERT_EQ(run.run.chunks.size(), 1u);
  ASSERT_EQ(run.run.chunks[0].functions.size(), 2u);
  EXPECT_EQ(run.run.chunks[0].functions[1].calls, 0u);
  EXPECT_EQ(run.run.chunks[0].functions[1].lines, (coverage::LineHits{{2, 0}}));
}

/// Programs of nested statements, with line ends wherever they may be. They end: every loop counts down.
class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text = "local a, b, c, n = 1, 2, nil, 0\nlocal function call(...)" + space() + "n = n + 1" + space() +
                       "if n > 400 then error('enough') end" + space() + "return ..." + space() + "end\n";
    text += "local function f(a, b)" + space() + block(3) + "return " + expression(2) + "," + space() + expression(1) + space() + "end\n";
    return text + block(4) + "f(a, b)\nlocal co = coroutine.create(f)\ncoroutine.resume(co, 1, 2)\n" + block(2);
  }

 private:
  size_t pick(size_t count) { return random_() % count; }
  std::string space() { return pick(3) == 0 ? "\n" : pick(6) == 0 ? "\n\n"
                                                                  : " "; }

  std::string expression(int depth) {
    static const char* kLeaves[] = {"a", "b", "c", "1", "2", "n", "nil", "true", "'s'"};
    if (depth == 0 || pick(3) == 0) return kLeaves[pick(std::size(kLeaves))];
    const std::string left = expression(depth - 1), right = expression(depth - 1);
    switch (pick(6)) {
      case 0: return left + space() + "and" + space() + right;
      case 1: return left + space() + "or" + space() + right;
      case 2: return "(" + left + ")" + space() + "==" + space() + "(" + right + ")";
      case 3: return "not" + space() + "(" + left + ")";
      case 4: return "call(" + space() + left + "," + space() + right + ")";
      default: return "{" + space() + left + "," + space() + "k =" + space() + right + "}";
    }
  }

  std::string block(int depth) {
    std::string text;
    for (size_t i = 1 + pick(3); i > 0; --i) text += statement(depth) + space();
    return text;
  }

  std::string loop_body(int depth) {
    std::string text = block(depth - 1);
    if (pick(3) == 0) text += "if " + expression(1) + space() + "then" + space() + "break end" + space();
    return text;
  }

  std::string statement(int depth) {
    const std::string name = "v" + std::to_string(++names_);
    if (depth == 0) return "a," + space() + "c =" + space() + expression(2) + "," + space() + expression(1) + space() + ";";
    switch (pick(8)) {
      case 0: return "if " + expression(2) + space() + "then" + space() + block(depth - 1) + "end";
      case 1:
        return "if " + expression(1) + space() + "then" + space() + block(depth - 1) + "elseif" + space() + expression(1) + space() +
               "then" + space() + block(depth - 1) + "else" + space() + block(depth - 1) + "end";
      case 2: return "for i = 1," + space() + std::to_string(pick(4)) + space() + "do" + space() + loop_body(depth) + "end";
      case 3: return "for k, v in" + space() + "ipairs{1, 2}" + space() + "do" + space() + loop_body(depth) + "end";
      case 4:
        return "local " + name + " = 3 while " + name + " > 0" + space() + "do" + space() + name + " = " + name + " - 1" + space() +
               loop_body(depth) + "end";
      case 5:
        return "local " + name + " = 3 repeat" + space() + name + " = " + name + " - 1" + space() + block(depth - 1) + "until" + space() +
               name + " <= 0" + space() + "or" + space() + expression(1);
      case 6:
        return "do local i = 0" + space() + "::" + name + "::" + space() + "i = i + 1" + space() + block(depth - 1) + "if i < 3" + space() +
               (pick(2) == 0 ? "and " : "and" + space() + "a or i == 1 and ") + expression(1) + space() + "and i < 3 then" + space() +
               "goto " + name + space() + "end end";
      default: return "pcall(function(x, ...)" + space() + block(depth - 1) + "error(x)" + space() + "end," + space() + "1)";
    }
  }

  std::mt19937_64 random_;
  int names_ = 0;
};

TEST(LineEvents, AreThoseOfALineHook) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = Generator(seed).program();
    const CoveredRun run(text, true);
    ASSERT_EQ(run.counted, run.hooked) << "seed " << seed << "\n"
                                       << text;
    EXPECT_FALSE(run.counted.empty());
  }
}

/// All that is told without paths.
std::string described(const coverage::RunCoverage& run) {
  std::string text;
  for (const coverage::CoveredChunk& chunk : run.chunks) {
    for (const coverage::CoveredFunction& function : chunk.functions) {
      text += "\n" + function.name + ":" + std::to_string(function.line_defined) + " " + std::to_string(function.calls) + ":";
      for (const auto& [line, hits] : function.lines) text += " " + std::to_string(line) + "=" + std::to_string(hits);
      for (const coverage::Condition& condition : function.conditions) {
        text += " " + std::to_string(condition.line) + "?" + std::to_string(condition.counts[0]) + "/" + std::to_string(condition.counts[1]);
      }
    }
  }
  return text;
}

TEST(PathsOfCoverage, TellTheSameOfLinesAndConditions) {
  size_t with_paths = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = Generator(seed).program();
    const CoveredRun edges(text, false), paths(text, false, /*counts_paths=*/true);
    ASSERT_EQ(described(paths.run), described(edges.run)) << "seed " << seed << "\n"
                                                          << text;
    for (const coverage::CoveredFunction& function : paths.run.chunks[0].functions) with_paths += function.paths && function.paths->taken() > 1;
  }
  EXPECT_GT(with_paths, 100u);
}

}  // namespace
}  // namespace mangata
