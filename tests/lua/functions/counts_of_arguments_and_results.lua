-- Every number of arguments meets every number of parameters, and every number of results every number that is
-- wanted: called, called at the end of a function, and through functions that pass on what they got.
local function counts(n, ...) return select("#", ...) == n end

local lists = { [0] = "", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4", "1, 2, 3, 4, 5", "1, 2, 3, 4, 5, 6", "1, 2, 3, 4, 5, 6, 7" }
local names = { [0] = "", "a", "a, b", "a, b, c", "a, b, c, d", "a, b, c, d, e", "a, b, c, d, e, f" }

local function forward(f, ...) return f(...) end
local function forward_one(f, ...) local r = f(...) return r end
local function forward_after(f, first, ...) return f(first, ...) end

local failures = 0
local function check(ok, what) if not ok then failures = failures + 1; print("wrong", what) end end

local function same(n, limit, ...)
  for i = 1, n do
    local expected = i <= limit and i or nil
    if (select(i, ...)) ~= expected then return false end
  end
  return true
end

for p = 0, 6 do
  for _, body in ipairs({ "return %s", "local x = { %s } return %s" }) do
    local f = load("local function f(" .. names[p] .. ") " .. body:gsub("%%s", names[p]) .. " end return f")()
    local v = load("local function f(" .. names[p] .. (p > 0 and ", " or "") .. "...) return " .. names[p] ..
                   (p > 0 and ", " or "") .. "... end return f")()
    for a = 0, 7 do
      local call = load("local f = ... return f(" .. lists[a] .. ")")
      local kept = load("local f = ... local t = { n = select('#', f(" .. lists[a] .. ")), f(" .. lists[a] .. ") } return t")
      for round = 1, 3 do
        check(counts(p, call(f)) and same(p, a, call(f)), "tail " .. p .. " " .. a)
        local t = kept(f)
        check(t.n == p and same(p, a, table.unpack(t, 1, p)), "call " .. p .. " " .. a)
        check(counts(math.max(p, a), call(v)) and same(math.max(p, a), a, call(v)), "vararg " .. p .. " " .. a)
        if a > 0 then
          local list = {}
          for i = 1, a do list[i] = i end
          check(counts(p, forward(f, table.unpack(list, 1, a))), "forward " .. p .. " " .. a)
          check(same(p, a, forward(f, table.unpack(list, 1, a))), "forward " .. p .. " " .. a)
          check(same(math.max(p, a), a, forward(v, table.unpack(list, 1, a))), "forward vararg " .. p .. " " .. a)
          check(same(p, a, forward_after(f, table.unpack(list, 1, a))), "forward after " .. p .. " " .. a)
          check(forward_one(f, table.unpack(list, 1, a)) == (p > 0 and 1 or nil), "forward one " .. p .. " " .. a)
        end
      end
    end
  end
end
print(failures)  -- expect: 0

-- The results of a native function called last.
local function unpacked(t) return table.unpack(t, 1, t.n) end
local function unpacked_vararg(t, ...) return table.unpack(t, 1, t.n) end
for n = 0, 5 do
  local t = { n = n }
  for i = 1, n do t[i] = i end
  for _, f in ipairs({ unpacked, unpacked_vararg }) do
    local a, b, c = f(t, 9, 9)
    check(a == t[1] and b == t[2] and c == t[3], "native results")
    check(select("#", f(t, 9)) == n, "number of native results")
    f(t)
    check((f(t)) == t[1], "one native result")
  end
end
print(failures)  -- expect: 0

-- Nothing is left of the frame that called last: this loop needs no stack.
local function count_down(n, ...)
  if n == 0 then return "end", ... end
  return count_down(n - 1, ...)
end
print(count_down(300000, "x", "y"))     -- expect: end	x	y
local function pass(f, ...) return f(...) end
local function alternate(n) if n == 0 then return "done" end return pass(alternate, n - 1) end
print(alternate(300000))                -- expect: done

-- Many arguments and results.
local many = {}
for i = 1, 3000 do many[i] = i end
local function last(...) return (select(select("#", ...), ...)) end
local function pass_on(...) return last(...) end
local function return_all(...) return ... end
local function fixed(a, b) return a + b end
for _ = 1, 3 do
  assert(pass_on(table.unpack(many)) == 3000)
  assert(select("#", return_all(table.unpack(many))) == 3000)
  assert(pass(fixed, table.unpack(many)) == 3)
  assert(#{ pass(return_all, table.unpack(many)) } == 3000)
end
print("many")                           -- expect: many

-- Deep recursion in a coroutine, whose native stack is smaller.
local function sum_to(n) if n == 0 then return 0 end return n + sum_to(n - 1) end
print(coroutine.wrap(function() return sum_to(50000) end)())            -- expect: 1250025000
