#!/usr/bin/env python3
"""Objects whose metatables say the same, until some of them change, do in every tier what they do in the interpreter, or in another Lua.

    metatables_agree.py --engine build/release/bin/mangata [--judge .../lua-5.4.8/lua] [--seconds 600] [--first 1] [--options="--stress=deopt:{seed}"]

Generated kernels go through lists of one, a few or many objects: with a metatable each, with closures as metamethods, with one metatable for
all, with objects as prototypes. They read, call, store, add and remove fields and use operators; in the middle of it the metatable of
an object gets another metamethod or loses one, a class gets or loses a method, an object another metatable, the collector runs. Functions
that find and keep properties fail and, in the second round, yield.

Exit status: 0 no difference, 1 differences.
"""

import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from agreement import argument_parser, compare  # noqa: E402

KERNELS = 8  # in a program

PRELUDE = """
local function class(name, parent)
  local c = { name = name, value = #name }
  function c:get() return self.x or 0 end
  function c:put(v) self.x = v end
  function c.kind() return name end
  return parent and setmetatable(c, { __index = parent }) or c
end
local function add(a, b) return (type(a) == "table" and rawget(a, "x") or 1) + (type(b) == "table" and rawget(b, "x") or 2) end
local function find(_, key) return key .. "!" end
local function keep(o, key, v) rawset(o, key, v) end
local function drop() end
local function risky(_, key) if #key > 5 then error("no " .. key, 0) end return #key end
local function yields(_, key) if coroutine.isyieldable() then coroutine.yield() end return #key end
local function yields_to_keep(o, key, v) if coroutine.isyieldable() then coroutine.yield() end rawset(o, key, v) end
local names = { "value", "missing", "fresh", "x" }
local function run(kernel, see, log, in_coroutine)
  if not in_coroutine then return pcall(kernel, see, log) end
  local thread = coroutine.create(function() return pcall(kernel, see, log) end)
  local alive, ok, problem
  repeat alive, ok, problem = coroutine.resume(thread) until coroutine.status(thread) == "dead"
  if not alive then return alive, ok end
  return ok, problem
end
local function check(id, kernel)
  for round = 1, 2 do
    local h, log = 7, {}
    local function see(v)
      local kind = type(v)
      if kind == "number" then h = (h * 31 + v // 1) % 1000000007
      elseif kind == "string" then h = (h * 37 + #v + v:byte(1)) % 1000000007
      else h = (h * 41 + #kind) % 1000000007 end
    end
    local ok, problem = run(kernel, see, log, round == 2)
    print(id, round, h, #log, ok or problem)
  end
end
"""

EVENTS = {
    "__index": ["A", "B", "C", "find", "nil", "{ value = 3 }", "risky", "yields", "setmetatable({}, { __index = find })", "rawget"],
    "__newindex": ["keep", "drop", "nil", "A", "{}", "yields_to_keep"],
    "__add": ["add", "function(a, b) return 5 end", "nil"],
    "__len": ["function(o) return 9 end", "nil"],
    "__eq": ["function(a, b) return true end", "nil"],
    "__lt": ["function(a, b) return false end", "nil"],
    "__call": ["function(o, v) return v end", "nil"],
    "__concat": ["function() return 'joined' end", "nil"],
    "__unm": ["function() return -3 end", "nil"],
    "__gc": ["function() end", "nil"],
    "__mode": ["'k'", "nil"],
    "extra": ["1", "nil"],
}
MAKERS = [
    "setmetatable({ x = i }, { __index = A })",
    "setmetatable({ x = i, y = 2 }, { __index = i % 7 == 0 and B or A })",
    "setmetatable({ x = i }, { __index = A, __add = function(a, b) return i end, __len = function() return i end })",
    "setmetatable({ x = i }, { __index = B, __newindex = keep, __add = add })",
    "setmetatable({ x = i }, shared)",
    "setmetatable({}, { __index = i > 1 and objects[i - 1] or A })",
    "setmetatable({ x = i }, { __index = find })",
    "setmetatable({ x = i }, setmetatable({ __index = C }, { __index = A }))",
    "setmetatable({ x = i }, { __index = function(o, key) return #key + i end, __newindex = function(o, key, v) rawset(o, key, v) end })",
    "setmetatable({ x = i }, { __index = behind })",
    "setmetatable({ x = i }, { __index = behind, __newindex = i % 2 == 0 and keep or drop })",
    "setmetatable(i % 2 == 0 and { x = i } or { y = i }, { __index = i % 3 == 0 and yields or risky, __call = function(o, v) return v + i end })",
]
USES = [
    "see(o.x)", "see(o.value)", "see(o.missing)", "see(o.name)", "see(o:get())", "see(o.kind())", "o:put(i)", "o.x = i + r", "o.fresh = r",
    "o.fresh = nil", "o.y = nil see(o.y)", "see(o + 1)", "see(2 + o)", "see(#o)", "see(o == objects[1])", "see(o < objects[1])", "see(o(3))",
    "see(o[names[r % 4 + 1]])", "o[names[i % 3 + 1]] = r", "o.kept = o.sought", "o.fresh = nil o.fresh = i see(o.fresh)",
    "see(o .. 'x')", "see(-o)", "see(rawget(o, 'x'))", "see(getmetatable(o) == shared)", "local k = 'value' see(o[k])", "o[r % 3 + 1] = i see(o[1])",
]


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def change(self) -> str:
        pick = self.random.choice
        victim = pick(["objects[1]", "objects[#objects]", "objects[(#objects + 1) // 2]"])
        kind = self.random.randrange(8)
        if kind < 4:
            event = pick(list(EVENTS))
            return f"local m = getmetatable({victim}) if m then m.{event} = {pick(EVENTS[event])} end"
        if kind == 4 and self.random.random() < 0.3:
            handler = pick(["A", "find", "risky", "function() return 'other' end"])
            return pick(["behind.value = nil", "behind.missing = 4", f"getmetatable(behind).__index = {handler}", "setmetatable(behind, { __index = find })"])
        if kind == 4:
            return f"{pick('ABC')}.{pick(['value', 'missing', 'fresh', 'get', 'extra'])} = {pick(['nil', '11', 'function(o) return 12 end'])}"
        if kind == 5:
            return f"setmetatable({victim}, {pick(['nil', 'shared', '{ __index = B }', '{ __index = A }'])})"
        if kind == 6:
            return "for n = 1, #objects, 2 do local m = getmetatable(objects[n]) if m then m.__index = " + pick(["A", "B", "C"]) + " end end"
        return "collectgarbage()"

    def kernel(self, number: int) -> str:
        pick = self.random.choice
        count, rounds = pick([1, 3, 40]), pick([6, 40])
        uses = [pick(USES[:11]) if self.random.random() < 0.7 else pick(USES) for _ in range(self.random.randint(2, 5))]
        body = " ".join(f"do {use} end" if self.random.random() < 0.8 else f"if not pcall(function() {use} end) then log[#log + 1] = i end" for use in uses)
        changes = " ".join(f"if r == {self.random.randint(2, rounds)} and i == {self.random.randint(1, count)} then {self.change()} end"
                           for _ in range(self.random.randint(0, 3)))
        return (f"check({number}, function(see, log) local A, B = class('A'), class('Beta') local C = class('C', A) local shared = {{ __index = A, __add = add }} "
                f"local behind = setmetatable({{ value = 5 }}, {{ __index = find }}) "
                f"local objects = {{}} for i = 1, {count} do objects[i] = {pick(MAKERS)} end "
                f"for r = 1, {rounds} do for i = 1, #objects do local o = objects[i] {body} {changes} end end end)")

    def program(self) -> str:
        return PRELUDE + "\n".join(self.kernel(number) for number in range(KERNELS)) + "\n"


def main() -> int:
    arguments = argument_parser(__doc__, count=10).parse_args()
    options = ["--policy=baseline", "--stress=region:{seed}", "--stress=deopt:{seed}"]
    return compare(arguments, options, lambda seed: Generator(seed).program(), KERNELS, "metatables")


if __name__ == "__main__":
    sys.exit(main())
