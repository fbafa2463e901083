// Fuel: the same program stops at the same event in every tier, and uses the same amount when it ends by itself.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>
#include <string>
#include <vector>

namespace {

using namespace mangata;

struct Program {
  const char* name;
  const char* code;  ///< counts its steps in the global n
};

constexpr Program kPrograms[] = {
    {"loops",
     "for i = 1, 300 do for j = 1, i % 7 do n = n + 1 end local k = 0 while k < 5 do k = k + 1 if k == i % 4 then break end n = n + k end "
     "repeat k = k - 1 n = n + 1 until k < 2 end"},
    {"float loop", "for x = 0.0, 2000.0, 0.5 do n = n + 1 end for x = 9, 1, -1.5 do n = n + 1 end"},
    {"goto", "local i = 0 ::top:: i = i + 1 if i % 3 == 0 then n = n + 2 goto top end n = n + 1 if i < 4000 then goto top end"},
    {"small functions",
     "local function add(a, b) n = n + 1 return a + b end local function twice(a) return add(a, a) end "
     "local s = 0 for i = 1, 2000 do s = add(s, twice(i)) % 1000 end"},
    {"recursion", "local function fib(k) n = n + 1 if k < 2 then return k end return fib(k - 1) + fib(k - 2) end for i = 1, 4 do fib(13) end"},
    {"tail calls",
     "local even, odd function even(k) n = n + 1 if k == 0 then return true end return odd(k - 1) end "
     "function odd(k) n = n + 1 if k == 0 then return false end return even(k - 1) end for i = 1, 300 do even(i % 20) end"},
    {"methods",
     "local P = {} P.__index = P function P.new(x) return setmetatable({x = x}, P) end function P:step(d) n = n + 1 self.x = self.x + d "
     "return self end function P.__add(a, b) n = n + 1 return P.new(a.x + b.x) end function P.__eq(a, b) return a.x == b.x end "
     "local p = P.new(0) for i = 1, 1500 do p = p:step(1) + P.new(i) if p == P.new(3) then n = n + 1 end end"},
    {"metamethods",
     "local t = setmetatable({}, {__index = function(_, k) n = n + 1 return k end, __newindex = function() n = n + 1 end, "
     "__call = function(_, k) n = n + 1 return k end, __lt = function(a, b) n = n + 1 return true end, "
     "__concat = function(a, b) n = n + 1 return 'x' end, __len = function() n = n + 1 return 3 end}) "
     "for i = 1, 800 do t[i] = t[i] + t(i) + #t if t < t then local s = t .. i end end"},
    {"iterators",
     "local function step(s, i) i = i + 1 n = n + 1 if i <= s then return i end end local t = {} for i = 1, 20 do t[i] = i t['k' .. i] = i end "
     "for r = 1, 60 do for i in step, 20, 0 do n = n + 1 end for i, v in ipairs(t) do n = n + v end for k, v in pairs(t) do n = n + 1 end end"},
    {"callbacks",
     "for i = 1, 60 do local t = {5, 3, 9, 1, i % 7, 2} table.sort(t, function(a, b) n = n + 1 return a < b end) "
     "string.gsub('abcdefgh', '%w', function(c) n = n + 1 end) pcall(function() n = n + 1 error('x') end) end"},
    {"coroutines", "local co = coroutine.wrap(function() while true do n = n + 1 for i = 1, 3 do coroutine.yield(i) end end end) for i = 1, 2000 do n = n + co() end"},
    {"varargs",
     "local function count(...) n = n + 1 return select('#', ...) end local function pass(...) return count(1, ...) end "
     "for i = 1, 1500 do n = n + pass(i) + count(i, i, i) end"},
    {"changing types",
     "local function use(v) n = n + 1 if math.type(v) == 'float' then return v * 2 end return v + 1 end local v = 1 "
     "for i = 1, 3000 do if i % 500 == 0 then v = v + 0.5 elseif i % 777 == 0 then v = 1 end v = use(v) % 1000 end"},
    {"short library calls",
     "local list = {} for i = 1, 1200 do local s = tostring(i) .. i / 3 n = n + #s + #string.format('%d', i) + #s:rep(2) + #s:upper() n = n + (s:find('%d+') or 0) "
     "for w in s:gmatch('%d') do n = n + 1 end pcall(error, s) n = n + #s:sub(2, 3) table.insert(list, i) if i % 3 == 0 then table.remove(list) table.remove(list) pcall(s) end if tonumber(s) then n = n + math.fmod(1e300, i) % 3.0 // 1 | 0 end end"},
    {"distant remainders",
     "local distances = {3.0, -3.0, 1e308, -1e308, 5e-324, 1 / 0, 2.0 ^ 53} for i = 1, 2500 do local d = distances[i % 7 + 1] "
     "local x = i * 1e15 % d n = n + (x == x and 1 or 2) if -i % d == d then n = 0 end end"},
    {"long keys", "local a, t = string.rep('k', 2000), {} for i = 1, 600 do local b = a .. i % 3 n = n + (t[b] or 0) t[b] = 1 if t[a] then n = 0 end end"},
    {"new keys", "for r = 1, 30 do local t = {} for i = 1, 100 do t['k' .. i] = i t[i * 1.5] = i n = n + 1 end end"},
    {"deep recursion",
     "local function down(k) n = n + 1 if k > 0 then return 1 + down(k - 1) end return 0 end for i = 1, 6 do down(500) end "
     "pcall(function() local function f() n = n + 1 return 1 + f() end f() end)"},
};

struct Outcome {
  bool stopped = false;
  int64_t n = 0;
  uint64_t left = 0;
  bool operator==(const Outcome&) const = default;
};

void PrintTo(const Outcome& outcome, std::ostream* out) { *out << (outcome.stopped ? "stopped" : "ended") << " at n = " << outcome.n << " with " << outcome.left << " left"; }

/// Of both runs of the program in one state, the second of which begins in machine code.
std::vector<Outcome> run(const Engine& engine, const Program& program, uint64_t first, uint64_t second) {
  State state(engine, {{.stack_slots = 20000, .fuel = first}, {}});
  std::vector<Outcome> outcomes;
  const Result<Function> function = state.load(std::string("n = 0 ") + program.code, "=fuel");
  for (const uint64_t fuel : {first, second}) {
    state.set_limits({.stack_slots = 20000, .fuel = fuel});
    const auto result = function.value().call();
    if (!result.ok()) EXPECT_EQ(result.error().kind, ErrorKind::Fuel) << program.name << ": " << result.error().message;
    const uint64_t left = state.fuel();
    outcomes.push_back({!result.ok(), state["n"].get<int64_t>().value_or(-1), left});
  }
  return outcomes;
}

class Tiers : public testing::TestWithParam<const char*> {};

TEST_P(Tiers, SpendTheSameFuel) {
  constexpr uint64_t kEnough = 1000000;
  const Engine judge({.policy = "interpreter"});
  int optimized = 0;
  EngineOptions options{.policy = GetParam(), .deterministic = true};
  options.on_tiering = [&](const TieringEvent& event) { optimized += event.kind == TieringEvent::Kind::Optimized; };
  const Engine engine(std::move(options));
  for (const Program& program : kPrograms) {
    SCOPED_TRACE(program.name);
    const std::vector<Outcome> whole = run(judge, program, kEnough, kEnough);
    ASSERT_FALSE(whole[0].stopped);
    EXPECT_EQ(run(engine, program, kEnough, kEnough), whole);
    const uint64_t used = kEnough - whole[0].left;
    EXPECT_GT(used, 1000u) << "it is to be optimized";
    const Outcome just_enough = run(engine, program, used, used)[1], too_little = run(engine, program, used - 1, used - 1)[1];
    EXPECT_EQ(just_enough, (Outcome{false, whole[0].n, 0}));
    EXPECT_TRUE(too_little.stopped);
    for (const uint64_t share : {2, 3, 5, 7, 10, 17}) {
      const uint64_t fuel = used - used / share;
      EXPECT_EQ(run(engine, program, kEnough, fuel), run(judge, program, kEnough, fuel)) << fuel;
      EXPECT_EQ(run(engine, program, used / share, kEnough), run(judge, program, used / share, kEnough)) << used / share;
    }
  }
  if (std::string_view(GetParam()).starts_with("optimizer") && optimized == 0) GTEST_SKIP() << "no optimizing compiler";
}

INSTANTIATE_TEST_SUITE_P(Fuel, Tiers,
                         testing::Values("interpreter", "baseline", "adaptive", "optimizer:warm=16,record=300"));

/// A state that has run without a limit has code that counts nothing.
TEST(Fuel, IsCountedFromWhenItIsLimited) {
  const Program& program = kPrograms[3];
  std::vector<Outcome> outcomes;
  for (const char* policy : {"interpreter", "optimizer:warm=16,record=300"}) {
    const Engine engine({.policy = policy, .deterministic = true});
    State state(engine);
    const Result<Function> function = state.load(std::string("n = 0 ") + program.code, "=fuel");
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(function.value().call().ok());
    for (const uint64_t fuel : {1000000u, 3000u, 0u, 500000u}) {
      state.set_limits({.fuel = fuel});
      const bool ok = function.value().call().ok();
      const uint64_t left = state.fuel();
      outcomes.push_back({!ok, state["n"].get<int64_t>().value(), left});
    }
  }
  for (size_t i = 0; i < outcomes.size() / 2; ++i) EXPECT_EQ(outcomes[i + outcomes.size() / 2], outcomes[i]) << i;
}

TEST(Fuel, IsKnownExactlyInsideACall) {
  for (const char* policy : {"interpreter", "baseline", "optimizer:warm=16,record=300"}) {
    const Engine engine({.policy = policy, .deterministic = true});
    State state(engine, {{.fuel = 100000}, {}});
    std::vector<uint64_t> seen;
    state["look"] = [&](StateView view) { seen.push_back(view.fuel()); };
    const Function function = state.load("for i = 1, 5000 do if i % 1000 == 0 then look() end end").value();
    state.set_limits({.fuel = 100000});
    EXPECT_TRUE(function.call().ok());
    EXPECT_EQ(seen, (std::vector<uint64_t>{99000, 98000, 97000, 96000, 95000})) << policy;
  }
}

/// Native functions that do as much as their arguments are large; n is how large.
constexpr const char* kWork[] = {
    "load(chunk)",
    "string.dump(big)",
    "string.pack('c' .. 8 * n, '')",
    "string.pack(string.rep('b', n), string.byte(text, 1, n))",
    "string.unpack(string.rep('b', n), text)",
    "string.packsize(string.rep('b', n))",
    "string.format('%q', text)",
    "string.format(string.rep('%5.1f', n // 100), table.unpack(numbers, 1, n // 100))",
    "string.format('%s', text .. text)",
    "utf8.codepoint(text, 1, n)",
    "utf8.len(text)",
    "utf8.offset(text, n)",
    "utf8.offset(text, -n)",
    "utf8.offset(string.rep('\\x80', n), 0, n)",
    "utf8.char(table.unpack(numbers, 1, n))",
    "string.byte(text, 1, n)",
    "string.char(string.byte(text, 1, n))",
    "string.find(text, 'ab', 1, true)",
    "string.find(text, '[bc]')",
    "string.match(text, '^.*b')",
    "string.gsub(text, 'a', 'c')",
    "string.rep('x', 16 * n)",
    "text:upper()",
    "text:reverse()",
    "text:sub(2)",
    "text < text2",
    "text2 <= text",
    "text == text2",
    "text ~= text2",
    "rawequal(text, text2)",
    "table.sort({text, text2})",
    "text .. 'x'",
    "table.concat(strings, ',', 1, n)",
    "table.unpack(numbers, 1, n)",
    "table.pack(table.unpack(numbers, 1, n))",
    "table.insert(numbers, 1, 7)",
    "table.remove(numbers, 1)",
    "table.move(numbers, 1, n, 1, {})",
    "table.sort(random)",
    "table.sort(random, function(a, b) return a > b end)",
    "tonumber(digits)",
    "tonumber(digits, 10)",
    "math.floor(digits)",
};

/// As much as it is, from small amounts on: what lies between two polls is not free.
TEST(Fuel, NativeFunctionsAreChargedByTheirWork) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  constexpr uint64_t kEnough = 1'000'000'000;
  const auto spent_on = [&](const std::string& work, int n) {
    State state(engine, {{.fuel = kEnough}, {}});
    const auto prepared = state.run("n = " + std::to_string(n) + R"(
        text, text2, digits = string.rep('a', n), string.rep('a', n), string.rep('1', n)
        numbers, strings, random = {}, {}, {}
        for i = 1, n do numbers[i], strings[i], random[i] = i % 100, 'ab', i * 7919 % n end
        chunk = string.rep('do local x = 1 end ', n // 19)
        big = load('return {' .. string.rep('1.5,', n) .. '}'))");
    EXPECT_TRUE(prepared.ok()) << prepared.error().message;
    const Function function = state.load("return " + work).value();
    const uint64_t before = state.fuel();
    const auto result = function.call();
    EXPECT_TRUE(result.ok()) << work << ": " << result.error().message;
    return before - state.fuel();
  };
  for (const char* work : kWork) {
    const uint64_t small = spent_on(work, 5000), large = spent_on(work, 20000);
    EXPECT_GE(small, 5000u / 32) << work;
    EXPECT_GE(large, small * 3) << work;
    EXPECT_LE(large, uint64_t{20000} * 400) << work;
  }
}

/// What takes long however little it is asked for.
TEST(Fuel, DearCallsAreNotForOneUnit) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000}, {}});
  for (const char* work : {"load('')", "coroutine.create(print)", "coroutine.wrap(print)", "os.clock()", "os.date('%c')", "os.date('*t')",
                           "os.time({year = 2020, month = 5, day = 17})", "debug.traceback()", "debug.getinfo(1)", "io.tmpfile():seek('set')",
                           "tonumber(string.rep('1', 400))", "string.rep('1', 400) + 1"}) {
    const Function function = state.load(std::string("return ") + work).value();
    const uint64_t before = state.fuel();
    EXPECT_TRUE(function.call().ok());
    EXPECT_GE(before - state.fuel(), 20u) << work;
  }
}

/// A unit is about as much as an iteration, at most twenty times as long.
TEST(Fuel, ShortCallsAreChargedByWhatTheyMake) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000}, {}});
  struct Call {
    const char* code;
    uint64_t least;
  };
  EXPECT_TRUE(state.run("X, T, Zeros = 1e308, {}, io.open('/dev/zero') Named = setmetatable({}, {__tostring = function() return 'x' end})").ok());
  for (const Call& call : {Call{"tostring(12)", 5}, {"tostring(1.5)", 11}, {"tostring({})", 9}, {"'a' .. 12", 4}, {"string.format('%d', 12)", 6}, {"string.rep('a', 10)", 3}, {"string.upper('abc')", 2}, {"string.match('a = b', '(%w) = (%w)')", 5}, {"string.pack('i4i4i4', 1, 2, 3)", 12}, {"tonumber('1.5')", 3}, {"pcall(error, 'x')", 6}, {"pcall(function() local x = nil + 1 end)", 19}, {"collectgarbage('count')", 3}, {"os.getenv('HOME')", 4}, {"math.fmod(1e308, 3.0)", 4}, {"X % 3.0", 8}, {"-X % 5e-324", 8}, {"math.log(5, 10)", 1}, {"io.type(1)", 1}, {"utf8.char(65)", 2}, {"require 'math'", 2}, {"setmetatable({}, {__gc = print})", 4}, {"string.sub('abcdef', 2, 3)", 1}, {"table.insert(T, 1)", 1}, {"table.remove(T)", 1}, {"table.remove(T)", 1}, {"os.difftime(2, 1)", 1}, {"string.gmatch('a', 'a')", 4}, {"tostring(Named)", 2}, {"io.write('')", 8}, {"Zeros:read(1)", 8}}) {
    const Function function = state.load(std::string("return ") + call.code).value();
    const uint64_t before = state.fuel();
    EXPECT_TRUE(function.call().ok());
    EXPECT_GE(before - state.fuel(), call.least) << call.code;
    EXPECT_LE(before - state.fuel(), call.least + 20) << call.code;
  }
}

/// A byte of a binary chunk as one of text.
TEST(Fuel, BinaryChunksAreChargedByTheByte) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000'000}, {}});
  const auto bytes = state.run<int64_t>("binary = string.dump(load('return {' .. string.rep('1.5,', 5000) .. '}')) return #binary");
  ASSERT_TRUE(bytes.ok()) << bytes.error().message;
  const uint64_t before = state.fuel();
  EXPECT_TRUE(state.run("load(binary)").ok());
  EXPECT_GE(before - state.fuel(), static_cast<uint64_t>(bytes.value()));
}

/// By content, as other objects; what is the key itself costs nothing.
TEST(Fuel, LongStringsAreKeysForTheirBytes) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000'000}, {}});
  EXPECT_TRUE(state.run("a = string.rep('a', 1 << 20) b = string.rep('a', 1 << 20) t = {[a] = 1} x = t[b]").ok());
  const auto spent = [&](const char* work) {
    const uint64_t before = state.fuel();
    EXPECT_TRUE(state.run(work).ok());
    return before - state.fuel();
  };
  EXPECT_GE(spent("x = t[b]"), 1u << 15);
  EXPECT_LE(spent("x = t[a]"), 1000u);
  EXPECT_GE(spent("x = t[b] x = t[b]"), 1u << 16);
  EXPECT_GE(spent("t[b] = 2"), 1u << 15);
  EXPECT_LE(spent("t[a] = 3"), 1000u);
}

/// Computed keys in machine code, too.
TEST(Fuel, LongStringsAreKeysForTheirBytesInEveryTier) {
  std::vector<uint64_t> spent;
  for (const char* policy : {"interpreter", "baseline", "optimizer"}) {
    const Engine engine({.policy = policy, .deterministic = true});
    State state(engine, {{.fuel = 1'000'000'000}, {}});
    EXPECT_TRUE(state.run("a, b = string.rep('a', 1 << 14), string.rep('a', 1 << 14) t = {[a] = 1} "
                          "function f() local t, b, x = t, b for i = 1, 1000 do x = t[b] t[b] = i end return x end")
                    .ok());
    const uint64_t before = state.fuel();
    EXPECT_TRUE(state.run("f() f()").ok());
    spent.push_back(before - state.fuel());
  }
  EXPECT_GE(spent[0], 2000u * 2 * (1 << 10));
  EXPECT_EQ(spent[1], spent[0]);
  EXPECT_EQ(spent[2], spent[0]);
}

/// Long constructors, in every tier the same.
TEST(Fuel, ConstructorsAreChargedForTheirElements) {
  std::vector<uint64_t> spent;
  for (const char* policy : {"interpreter", "baseline", "optimizer"}) {
    const Engine engine({.policy = policy, .deterministic = true});
    State state(engine, {{.fuel = 1'000'000'000}, {}});
    EXPECT_TRUE(state.run("f = load('return {' .. string.rep('1.5,', 1000) .. '}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}')").ok());
    const uint64_t before = state.fuel();
    EXPECT_TRUE(state.run("for i = 1, 2000 do f() end").ok());
    spent.push_back(before - state.fuel());
  }
  EXPECT_GE(spent[0], 2000u * 1000);
  EXPECT_EQ(spent[1], spent[0]);
  EXPECT_EQ(spent[2], spent[0]);
}

/// The places that `next` passes over count.
TEST(Fuel, NextIsChargedForEmptiedTables) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000'000}, {}});
  EXPECT_TRUE(state.run("t = {} for i = 1, 100000 do t[i + 0.5] = true end").ok());
  const uint64_t before = state.fuel();
  EXPECT_TRUE(state.run("local next, t = next, t for i = 1, 2000 do t[next(t)] = nil end").ok());
  EXPECT_LE(before - state.fuel(), 5'000'000u);
  EXPECT_TRUE(state.run("for k in pairs(t) do t[k] = nil end t[1.5] = true").ok());
  const uint64_t emptied = state.fuel();
  EXPECT_TRUE(state.run("t[1.5] = nil for i = 1, 10 do next(t) end").ok());
  EXPECT_GE(emptied - state.fuel(), 10u * 100000 / 4);
}

/// Each time anew for the values that are pushed for it.
TEST(Fuel, SelectIsChargedForItsArguments) {
  const Engine engine({.policy = "interpreter", .deterministic = true});
  State state(engine, {{.fuel = 1'000'000'000}, {}});
  EXPECT_TRUE(state.run("text = string.rep('a', 1000) function many(k, ...) for i = 1, 8 do local x = select(k, ...) end end").ok());
  for (const char* work : {"many(7, text:byte(1, 1000))", "many(-7, text:byte(1, 1000))", "many('#', text:byte(1, 1000))"}) {
    const uint64_t before = state.fuel();
    EXPECT_TRUE(state.run(work).ok());
    EXPECT_GE(before - state.fuel(), 8u * 1000) << work;
  }
}

}  // namespace
