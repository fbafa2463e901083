#!/usr/bin/env python3
"""Generated kernels that read again what something else may have written do in every tier what they do in the interpreter, or in another Lua.

    aliases_agree.py --engine build/release/bin/mangata [--judge lua5.4] [--seconds 600] [--first 1] [--options="--stress=deopt:{seed}"]

Loops over names that may stand for one object: fields, elements and captured variables are loaded, stored and loaded once more, with in
between another name's store, a call that is inlined, one that is not, a metamethod, a shape that changes, an array that grows, shrinks or gets values
of another type. Small objects are made, and sometimes kept; no array has holes. What the loop returns and what all objects hold afterwards is compared.

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
local u, w, kept = 1, 2.5, nil
local function I(v) if math.type(v) == "integer" then return v end return 3 end
local function N(v) if type(v) == "number" then return v end return 2 end
local function show(v)
  if v ~= v then return "nan" end
  if math.type(v) == "float" then return ("%a"):format(v) end
  return (type(v) == "table" or type(v) == "function") and type(v) or tostring(v)
end
local function bump(o) o.x = N(o.x) + 1 return o.x end
local function swap(o, p) o.x, p.x = p.x, o.x end
local function get() return u end
local function set(v) u = v end
local function put(o, k, v) o[k] = v end
local function fill(a, i) for j = 1, i % 5 do a[j] = I(a[j]) ~ j end end
local function add(o, p) u = N(u) + 1 return N(rawget(o, "x")) + (type(p) == "table" and N(rawget(p, "y")) or 1) end
local class = { z = 7 }
class.__index = class
class.__add = add
function class:sum() return N(self.x) + N(self.y) end
function class:step(d) self.x = N(self.x) + d self.n = (self.n or 0) + 1 return self end
local other = setmetatable({ __index = function(o, k) u = N(u) + 2 return rawget(class, k) or #k end, __newindex = function(o, k, v) w = N(w) + 1 rawset(o, k, v) end, __add = add }, class)
local acts = {
  function(o, p, a, b, i) end,
  function(o, p, a, b, i) o.x = i end,
  function(o, p, a, b, i) p.y = N(p.y) + 0.5 end,
  function(o, p, a, b, i) a[i % 4 + 1] = i end,
  function(o, p, a, b, i) u = N(u) + i end,
  function(o, p, a, b, i) b[#b + 1] = i end,
}
local function digest(t)
  local keys = {}
  for k in next, t do keys[#keys + 1] = tostring(k) end
  table.sort(keys)
  for n, k in ipairs(keys) do
    local v = rawget(t, k)
    if v == nil then v = rawget(t, math.tointeger(k)) end
    keys[n] = k .. "=" .. show(v)
  end
  return table.concat(keys, " ")
end
local function object(i) return setmetatable({ x = i, y = i + 0.5 }, i % 3 == 0 and other or class) end
local function array(i) local t = {} for j = 1, 10 + i % 40 do t[j] = i % 4 == 3 and j + 0.25 or (i * j) % 17 end return t end
local function check(id, kernel)
  for round = 1, 12 do
    u, w, kept = round, 2.5, nil
    local o, p, a, b = object(round), round % 3 == 1 and { x = 2, y = 3, sum = class.sum, step = class.step } or object(5), array(round), array(2)
    if round % 4 == 2 then p = o end
    if round % 5 == 3 then b = a end
    local ok, s, c = pcall(kernel, o, p, a, b, ({ 40, 7, 130, 1 })[round % 4 + 1], round)
    if type(s) == "string" then s = s:gsub("0x%x+", "ADDRESS") end
    print(id, round, ok, show(s), show(c), show(u), show(w), show(kept), kept and digest(kept) or "", digest(o), digest(p))
    print(digest(a), digest(b))
  end
end
"""


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.calm = self.random.random() < 0.5  # without events that end what is known of the objects

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def place(self) -> str:
        """What may be written to."""
        return self.pick("o.x", "o.x", "o.y", "p.x", "p.x", "p.y", "c.x", "c.y", "o.n", "d.x", "d.y", self.element("a"), self.element("a"), self.element("b"), "u", "w", "s")

    def element(self, array: str) -> str:
        index = self.pick("i % 8 + 1", "i % 8 + 1", "1", "2", "k", f"#{array}", "i % 9 + 1", f"#{array} + 1" if not self.calm else "3", "k + 1")
        return f"{array}[{index}]"

    def read(self) -> str:
        return self.pick(self.place(), self.place(), self.place(), "i", "k", "x", "#a", "#b", "get()", "o.z", "o:sum()", "p:sum()" if not self.calm else "c.x",
                         str(self.random.randint(-3, 9)), f"{self.random.randint(0, 4)}.5")

    def value(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.35:
            return f"N({self.read()})"
        operator = self.pick("+", "-", "*", "+", "-", "%", "//", "&", "|", "~")
        left, right = self.value(depth - 1), self.value(depth - 1)
        if operator in ("%", "//"):
            right = str(self.random.randint(1, 9))
        if operator in ("&", "|", "~"):
            return f"(I({left}) {operator} I({right}))"
        return f"({left} {operator} {right}) % 8191"

    def condition(self) -> str:
        return self.pick(f"i % {self.random.randint(2, 7)} == 0", "o == p", "c == o", "a == b", "o.x == p.x", f"N({self.read()}) < N({self.read()})",
                         f"{self.read()} == nil", f"k > {self.random.randint(1, 6)}", "d.x == i", f"i == {self.random.randint(1, 130)}", "s == u", f"N({self.read()}) >= 0")

    def rare(self) -> str:
        what = self.pick("setmetatable(o, other)", "setmetatable(p, class)", "setmetatable(p, nil)", "o.x = nil", "p.y = nil", "o.x = 'text'", "a[2] = 'text'", "a[3] = 0.5",
                         "if #a > 12 then a[#a] = nil end", "table.insert(a, 1, i)", "if #b > 12 then table.remove(b) end", "o['f' .. i] = i", "collectgarbage('step')", "class.z = i", "u = 'text'", "u = 1.5",
                         "kept = d", "c = d", "c = p", "o, p = p, o", "a, b = b, a", "setmetatable(o, class)", "for j = 1, 40 do b[j] = j end", "b = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }", "p = { x = 1 }",
                         "error('stop')", "class.sum = function(q) return N(q.y) end", "rawset(o, 'y', i)", "o.n = {}")
        return f"if {self.pick('i', 'i', 'i + r', 'k * 7')} == {self.random.randint(1, 60)} then {what} end"

    def statement(self, depth: int) -> list[str]:
        kinds = {"store": 30, "sum": 16, "again": 14, "call": 8, "act": 4, "choose": 4, "object": 4, "rare": 2 if self.calm else 7, "x": 5, "k": 4, "swap": 2, "break": 1,
                 "if": 16 if depth > 0 else 0, "loop": 4 if depth > 0 else 0}
        match self.random.choices(list(kinds), list(kinds.values()))[0]:
            case "store":
                return [f"{self.place()} = {self.value()}"]
            case "sum":
                return [f"s = (N(s) * 31 + {self.value()}) % 1000003"]
            case "again":
                place, between = self.place(), self.statement(0)
                return [f"x = {place}", *between, f"s = N(s) + N({place})"]
            case "call":
                return [self.pick("bump(o)", "bump(p)", "bump(c)", "set(N(s) % 100)", f"put(o, 'y', {self.value(1)})", f"put(a, i % 8 + 1, {self.value(1)})", "fill(a, i)", "fill(b, k)",
                                  "c:step(1)", "o.x = o + p", f"if getmetatable(o) then c = o:step({self.value(1)}) end", "put(p, 'x', i)")]
            case "act":
                return [f"acts[{self.pick('i % 6 + 1', 'k % 3 + 1', 'r % 6 + 1', 'i == 30 and 5 or 1')}](o, p, a, b, i)"]
            case "choose":
                return [f"c = {self.condition()} and {self.pick('o', 'p', 'd')} or {self.pick('o', 'p', 'c')}"]
            case "object":
                return [f"d = {{ x = {self.value(1)}, y = {self.value(1)} }}"]
            case "rare":
                return [self.rare()]
            case "x":
                return [f"x = {self.read()}"]
            case "k":
                return ["k = k % 8 + 1"]
            case "swap":
                return [self.pick("swap(o, p)", "o.x, o.y = o.y, o.x", "a[1], a[k] = a[k], a[1]", "swap(c, o)", "u, w = w, u")]
            case "break":
                return [f"if {self.condition()} and i > {self.random.randint(20, 120)} then break end"]
            case "loop":
                return [f"for j = 1, {self.pick('3', 'k', 'i % 4')} do", *self.block(depth - 1), "end"]
            case _:
                lines = [f"if {self.condition()} then", *self.block(depth - 1)]
                if self.random.random() < 0.5:
                    lines += ["else", *self.block(depth - 1)]
                return [*lines, "end"]

    def block(self, depth: int) -> list[str]:
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth)]

    def kernel(self, number: int) -> str:
        head = self.pick("for i = 1, n do", "for i = 1, n do", "for i = n, 1, -1 do", "local i = 0 while i < n do i = i + 1")
        body = [line for _ in range(self.random.randint(3, 8)) for line in self.statement(2)]
        lines = [f"check({number}, function(o, p, a, b, n, r)", "local s, x, k, c, d = 0, 0, 1, o, { x = 0, y = 0 }", head, *body, "end", "return s, x", "end)"]
        return "\n".join(lines)

    def program(self) -> str:
        return PRELUDE + "\n".join(self.kernel(number) for number in range(KERNELS)) + "\n"


def main() -> int:
    arguments = argument_parser(__doc__, count=8).parse_args()
    options = ["--stress=region:{seed}", "--stress=region:{seed} --opt-compiler=quick", "--stress=deopt:{seed} --opt-compiler=quick"]
    return compare(arguments, options, lambda seed: Generator(seed).program(), KERNELS, "aliases")


if __name__ == "__main__":
    sys.exit(main())
