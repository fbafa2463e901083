// What scripts of a sandbox can reach and change.
#include <gtest/gtest.h>

#include <mangata/mangata.hpp>

namespace {

using namespace mangata;

TEST(Sandbox, HasOnlyTheLibrariesThatAreAllowed) {
  Engine engine;
  State state(engine, {{}, Sandbox::strict()});
  EXPECT_TRUE(state.run<bool>("return io == nil and os == nil and debug == nil and package == nil and require == nil and jit == nil "
                              "and dofile == nil and loadfile == nil and string ~= nil and math ~= nil").value());
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

}  // namespace
