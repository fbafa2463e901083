-- What the library ffi costs: nanoseconds an operation, best of three. Runs under LuaJIT, too.
--   ../capi/compare.py --script bench/ffi/cost.lua --module build/release/bench/ffi build/release/bin/mangata luajit "luajit -joff"
local ffi = require "ffi"
ffi.cdef [[
typedef struct { double x, y; } point;
void bench_nothing(void); int bench_add(int a, int b); double bench_scale(double a, double b);
double bench_many(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j);
int bench_length(const char *text); int bench_first(const int *values); point bench_move(point p, double by); int bench_call(int (*f)(int), int x);
]]
local path = os.getenv("LUA_CPATH"):gsub("?", "calls")
local C = ffi.load(path)
local has_api, api = pcall(require, "api_calls")
local rounds = tonumber(arg and arg[1]) or 2000000

local function measure(name, per_round, f)
  local best = math.huge
  for _ = 1, 3 do
    local n = math.floor(rounds / per_round)
    local start = os.clock()
    f(n)
    best = math.min(best, (os.clock() - start) / n)
  end
  print(("%s\t%.2f"):format(name, best * 1e9))
end

local nothing, add, scale, many, length, first, move = C.bench_nothing, C.bench_add, C.bench_scale, C.bench_many, C.bench_length, C.bench_first, C.bench_move
local values, p = ffi.new("int[16]"), ffi.new("point", 1, 2)
measure("empty loop", 1, function(n) for i = 1, n do end end)
measure("nothing()", 1, function(n) for i = 1, n do nothing() end end)
measure("int add(int, int)", 1, function(n) local s = 0 for i = 1, n do s = add(s, 1) end end)
measure("C.add, looked up each time", 1, function(n) local s = 0 for i = 1, n do s = C.bench_add(s, 1) end end)
measure("double scale(double, double)", 1, function(n) local s = 1.5 for i = 1, n do s = scale(s, 0.5) end end)
measure("10 mixed arguments", 1, function(n) for i = 1, n do many(i, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5) end end)
measure("int length(const char *)", 1, function(n) for i = 1, n do length("text") end end)
measure("int first(const int *)", 1, function(n) for i = 1, n do first(values) end end)
measure("struct by value and back", 4, function(n) for i = 1, n do p = move(p, 1) end end)
measure("read a member", 1, function(n) local s = 0 for i = 1, n do s = s + p.x end end)
measure("write a member", 1, function(n) for i = 1, n do p.y = i end end)
measure("read an element", 1, function(n) local s = 0 for i = 1, n do s = s + values[i % 16] end end)
measure("write an element", 1, function(n) for i = 1, n do values[i % 16] = i end end)
measure("make a struct", 4, function(n) for i = 1, n do local q = ffi.new("point", i, i) end end)
if has_api then
  measure("nothing() through the C API", 1, function(n) local f = api.nothing for i = 1, n do f() end end)
  measure("add(a, b) through the C API", 1, function(n) local f, s = api.add, 0 for i = 1, n do s = f(s, 1) end end)
end
local callback = ffi.cast("int (*)(int)", function(x) return x + 1 end)
measure("C calls a callback", 16, function(n) for i = 1, n do C.bench_call(callback, i) end end)
measure("add(a, b) while there are callbacks", 1, function(n) local s = 0 for i = 1, n do s = add(s, 1) end end)
callback:free()
