// What scripts of a sandbox can reach and change.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

TEST(Sandbox, HasOnlyTheLibrariesThatAreAllowed) {
  Engine engine;
  State state(engine, {{}, Sandbox::strict()});
  EXPECT_TRUE(state.run<bool>("return io == nil and os == nil and debug == nil and package == nil and require == nil and jit == nil "
                              "and dofile == nil and loadfile == nil and string ~= nil and math ~= nil")
                  .value());
  EXPECT_EQ(state.run<int>("return load('return 1 + 1')()").value(), 2);
  EXPECT_EQ(state.run<std::string>("return select(2, load(string.dump(function() end), 'x', 'b'))").value(),
            "attempt to load a binary chunk (mode is 't')");
  const std::string binary = State(engine).run<std::string>("return string.dump(function() end)").value();
  EXPECT_EQ(state.run(binary).error().kind, ErrorKind::Syntax);
  EXPECT_EQ(state.run<int>("local e = {x = 3} return load('return x', 'n', 't', e)()").value(), 3);
}

TEST(Sandbox, GlobalsAreReadOnlyForScriptsAndNotForTheHost) {
  Engine engine;
  State state(engine, {{}, Sandbox::strict()});
  state["limit"] = 10;
  EXPECT_EQ(state.run<int>("return limit").value(), 10);
  for (const char* attempt :
       {"x = 1", "limit = 11", "_G.x = 1", "string.format = nil", "rawset(_G, 'x', 1)", "rawset(string, 'format', 1)",
        "setmetatable(_G, nil)", "setmetatable(string, {})", "table.insert(table, 1)", "getmetatable('').__index.format = nil",
        "local function f() x = 1 end f()", "load('x = 1')()", "for k, v in pairs(string) do string[k] = nil end",
        "local i, t = pairs(string) t.format = 1", "_ENV.x = 1", "math.pi = 3"}) {
    EXPECT_EQ(state.run(attempt).error().kind, ErrorKind::Runtime) << attempt;
  }
  EXPECT_EQ(state.run("limit = 11", "=c").error().message, "c:1: cannot set 'limit': the table is read-only");
  EXPECT_EQ(state.run<std::string>("return ('%d'):format(3) .. string.format('%d', limit)").value(), "310");
  EXPECT_EQ(state.run<int>("local n = 0 for k, v in pairs(math) do n = n + 1 end return n").value_or(0),
            State(engine).run<int>("local n = 0 for k, v in pairs(math) do n = n + 1 end return n").value_or(-1));
  EXPECT_EQ(state.run<int>("local _ENV = {y = 5} y = y + 1 return y").value(), 6);
}

/// How many globals and functions of strings a script counts by `how`, which sees a table as `t`.
std::string counts(State& state, const std::string& how) {
  return state
      .run<std::string>("local function count(t) local n = 0 " + how +
                        " return n end return count(_G) .. ' ' .. count(string)")
      .value_or("error");
}

TEST(Sandbox, ReadOnlyTablesAreIteratedAndReadAsOthersAre) {
  Engine engine;
  State open(engine, {{}, {.libraries = Library::kSafe}});
  State state(engine, {{},
                       {.libraries = Library::kSafe,
                        .no_files_and_binaries = true,
                        .read_only_globals = true,
                        .no_warnings = true}});
  open.run("dofile, loadfile = nil").value();
  const std::string truth = counts(open, "for k, v in pairs(t) do n = n + 1 end");
  EXPECT_GT(truth.size(), 3u);
  for (const char* how : {"for k, v in pairs(t) do n = n + 1 end", "for k, v in next, t do n = n + 1 end",
                          "local k = next(t) while k do n = n + 1 k = next(t, k) end",
                          "for k, v in pairs(t) do if rawget(t, k) == v then n = n + 1 end end",
                          "for round = 1, 100 do n = 0 for k, v in next, t do n = n + 1 end end"})
    EXPECT_EQ(counts(state, how), truth) << how;
  EXPECT_EQ(state.run<std::string>("return next({}) == nil and next({7}) .. rawget({7}, 1) .. next({x = 1})")
                .value(),
            "17x");
  for (const char* wrong :
       {"next(_G, 'no such name')", "next({}, 1)", "next()", "next(1)", "rawget(_G)", "rawget(1, 2)",
        "rawset(1, 2, 3)", "rawset({}, 1)", "rawset({}, nil, 1)", "load()", "load({})", "load(print, {})",
        "load(function() error('e') end)()", "warn()", "warn('a', {})"})
    EXPECT_EQ(state.run(wrong, "=c").error().message, open.run(wrong, "=c").error().message) << wrong;
  EXPECT_EQ(
      state.run<bool>("return rawget(_G, 'no such name') == nil and rawget(_G, 'next') == next").value(),
      true);
  // What next() gives is the value, never a way to the table behind.
  EXPECT_EQ(state.run("for k, v in next, _G do if k == 'string' then v.format = nil end end").error().kind,
            ErrorKind::Runtime);
}

TEST(Sandbox, WarningsReachTheHostOnlyWhenItAsks) {
  Engine engine;
  State state(engine, {{}, Sandbox::strict()});
  testing::internal::CaptureStderr();
  state.run("warn('@on') for i = 1, 100 do warn('flood', ' of words') end").value();
  state.run("setmetatable({}, {__gc = function() error('in a finalizer') end}) collectgarbage()").value();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(state.run("warn(nil)", "=c").error().message,
            "c:1: bad argument #1 to 'warn' (string expected, got nil)");
  std::string heard;
  state["warn"] = [&heard](std::string_view text) { heard += text; };
  state.run("warn('heard')").value();
  EXPECT_EQ(heard, "heard");
  State trusted(engine);
  testing::internal::CaptureStderr();
  trusted.run("warn('@on') warn('one')").value();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Lua warning: one\n");
}

}  // namespace
