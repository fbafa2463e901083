// What a host pays at the border: build/release/bin/bench_embed. With PUC's library and header (liblua5.4-dev) the same through its C API,
// in the same process; what counts is the ratio.
#include <benchmark/benchmark.h>

#include <mangata/mangata.hpp>

#if defined(MANGATA_BENCH_PUC)
#include <lua.hpp>
#endif

namespace {

using namespace mangata;

constexpr const char* kAdd = "function add(a, b) return a + b end";
constexpr const char* kCallHost = "function loop(n) local f, s = host, 0 for i = 1, n do s = f(s, i) end return s end";
constexpr int kCalls = 10000;

struct Machine {
  Engine engine;
  State state{engine};
};

void call_lua(benchmark::State& run) {
  Machine machine;
  machine.state.run(kAdd).value();
  const Function add = machine.state["add"].get<Function>().value();
  for (auto _ : run) benchmark::DoNotOptimize(add.call<int64_t>(3, 4).value());
}

void call_lua_with_deadline(benchmark::State& run) {
  Machine machine;
  machine.state.set_limits({.memory_bytes = size_t{256} << 20, .timeout = std::chrono::seconds(10)});
  machine.state.run(kAdd).value();
  const Function add = machine.state["add"].get<Function>().value();
  for (auto _ : run) benchmark::DoNotOptimize(add.call<int64_t>(3, 4).value());
}

void call_host(benchmark::State& run) {
  Machine machine;
  machine.state["host"] = [](int64_t a, int64_t b) { return a + b; };
  machine.state.run(kCallHost).value();
  const Function loop = machine.state["loop"].get<Function>().value();
  for (auto _ : run) benchmark::DoNotOptimize(loop.call<int64_t>(kCalls).value());
  run.SetItemsProcessed(run.iterations() * kCalls);
}

void get_field(benchmark::State& run) {
  Machine machine;
  const Table table = machine.state.run<Table>("return {width = 3, height = 4}").value();
  for (auto _ : run) benchmark::DoNotOptimize(table.get<int64_t>("height").value());
}

void set_field(benchmark::State& run) {
  Machine machine;
  const Table table = machine.state.run<Table>("return {width = 3, height = 4}").value();
  int64_t i = 0;
  for (auto _ : run) benchmark::DoNotOptimize(table.set("height", ++i).ok());
}

void get_element(benchmark::State& run) {
  Machine machine;
  const Table table = machine.state.run<Table>("local t = {} for i = 1, 100 do t[i] = i end return t").value();
  int64_t i = 0;
  for (auto _ : run) benchmark::DoNotOptimize(table.get<int64_t>(++i % 100 + 1).value());
}

void new_state(benchmark::State& run) {
  const Engine engine;
  for (auto _ : run) {
    State state(engine, {{}, Sandbox::strict()});
    benchmark::DoNotOptimize(state.is_open());
  }
}

BENCHMARK(call_lua);
BENCHMARK(call_lua_with_deadline);
BENCHMARK(call_host);
BENCHMARK(get_field);
BENCHMARK(set_field);
BENCHMARK(get_element);
BENCHMARK(new_state);

#if defined(MANGATA_BENCH_PUC)

struct Puc {
  lua_State* lua = luaL_newstate();
  Puc() { luaL_openlibs(lua); }
  ~Puc() { lua_close(lua); }
  void run(const char* code) {
    if (luaL_dostring(lua, code) != LUA_OK) std::abort();
  }
};

void puc_call_lua(benchmark::State& run) {
  Puc puc;
  puc.run(kAdd);
  lua_getglobal(puc.lua, "add");
  const int add = luaL_ref(puc.lua, LUA_REGISTRYINDEX);
  for (auto _ : run) {
    lua_rawgeti(puc.lua, LUA_REGISTRYINDEX, add);
    lua_pushinteger(puc.lua, 3);
    lua_pushinteger(puc.lua, 4);
    if (lua_pcall(puc.lua, 2, 1, 0) != LUA_OK) std::abort();
    benchmark::DoNotOptimize(lua_tointeger(puc.lua, -1));
    lua_pop(puc.lua, 1);
  }
}

void puc_call_host(benchmark::State& run) {
  Puc puc;
  lua_register(puc.lua, "host", [](lua_State* lua) {
    lua_pushinteger(lua, luaL_checkinteger(lua, 1) + luaL_checkinteger(lua, 2));
    return 1;
  });
  puc.run(kCallHost);
  for (auto _ : run) {
    lua_getglobal(puc.lua, "loop");
    lua_pushinteger(puc.lua, kCalls);
    if (lua_pcall(puc.lua, 1, 1, 0) != LUA_OK) std::abort();
    benchmark::DoNotOptimize(lua_tointeger(puc.lua, -1));
    lua_pop(puc.lua, 1);
  }
  run.SetItemsProcessed(run.iterations() * kCalls);
}

void puc_get_field(benchmark::State& run) {
  Puc puc;
  puc.run("t = {width = 3, height = 4}");
  lua_getglobal(puc.lua, "t");
  for (auto _ : run) {
    lua_getfield(puc.lua, -1, "height");
    benchmark::DoNotOptimize(lua_tointeger(puc.lua, -1));
    lua_pop(puc.lua, 1);
  }
}

void puc_set_field(benchmark::State& run) {
  Puc puc;
  puc.run("t = {width = 3, height = 4}");
  lua_getglobal(puc.lua, "t");
  lua_Integer i = 0;
  for (auto _ : run) {
    lua_pushinteger(puc.lua, ++i);
    lua_setfield(puc.lua, -2, "height");
  }
}

void puc_get_element(benchmark::State& run) {
  Puc puc;
  puc.run("t = {} for i = 1, 100 do t[i] = i end");
  lua_getglobal(puc.lua, "t");
  lua_Integer i = 0;
  for (auto _ : run) {
    lua_geti(puc.lua, -1, ++i % 100 + 1);
    benchmark::DoNotOptimize(lua_tointeger(puc.lua, -1));
    lua_pop(puc.lua, 1);
  }
}

void puc_new_state(benchmark::State& run) {
  for (auto _ : run) {
    const Puc puc;
    benchmark::DoNotOptimize(puc.lua);
  }
}

BENCHMARK(puc_call_lua);
BENCHMARK(puc_call_host);
BENCHMARK(puc_get_field);
BENCHMARK(puc_set_field);
BENCHMARK(puc_get_element);
BENCHMARK(puc_new_state);

#endif

}  // namespace
