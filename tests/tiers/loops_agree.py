#!/usr/bin/env python3
"""Generated loops over arrays do in regions what they do in the interpreter, or in another Lua.

    loops_agree.py --engine build/release/bin/mangata [--judge lua5.4] [--seconds 600] [--first 1] [--options="--stress=deopt:{seed}"]

The fuzzer's programs (tests/fuzz) have few iterations in much code. Here it is the other way round: loops of a few statements, which run up to 700
iterations, around the numbers at which strips, granted rounds and arrays end (jit/optimizer/strip_mining). Their bodies skip, break, take
turns, look at neighbours, grow and empty the arrays. What a loop returns, and what the arrays are afterwards, is compared.

Exit status: 0 no difference, 1 differences, 77 there is no optimizer.
"""

import random
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from agreement import argument_parser, compare  # noqa: E402

LOOPS = 8  # in a program

PRELUDE = """
local function I(v)
  if math.type(v) == "integer" then return v end
  if math.type(v) == "float" then return v == v and v > -2^53 and v < 2^53 and math.floor(v) or 3 end
  return 1
end
local function N(v) return type(v) == "number" and v == v and v or 2 end
local function digest(t, n)
  local h = 0
  for i = -3, 2 * n + 3 do
    local v = t[i]
    h = (h * 31 + (type(v) == "number" and I(v) + (math.type(v) == "float" and 5 or 0) or v and 7 or 0)) % 1000000007
  end
  return h
end
local function check(id, f)
  for round = 1, 3 do
    for _, n in ipairs { 1, 33, 5, 256, 64, 300, 31, 255, 257, 100, 700 } do
      local a, b = {}, {}
      for i = 1, n + round do a[i], b[i] = (i * 7 + round) % 13 - 4, (i % 9) + 0.5 end
      local ok, sum, flag, k, j, x = pcall(f, a, b, n, round)
      if not ok then sum = tostring(sum):gsub("0x%x+", "ADDR") end
      print(id, round, n, sum, flag, k, j, x, digest(a, n), digest(b, n))
    end
  end
end
"""

HEADS = ["for i = 1, n do"] * 3 + [
    "for i = n, 1, -1 do",
    "for i = 1, n, 2 do",
    "for i = n, 1, -3 do",
    "for i, v in ipairs(a) do if i > n then break end",
    "local i = 0 while i < n do i = i + 1",
    "local i = n + 1 while i > 1 do i = i - 1",
    "local i = 0 repeat i = i + 1",
]
INDICES = ["i", "i", "i", "i + 1", "i - 1", "n - i + 1", "i % 7 + 1", "2 * i", "j"]


class Generator:
    """Of one program: LOOPS functions with a loop each."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.label = ""  # behind the running loop's body, where `goto` may lead from here

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def index(self) -> str:
        return self.random.choice(INDICES)

    def number(self) -> str:
        constants = [str(self.random.randint(-3, 9)), f"{self.random.randint(0, 5)}.5"]
        return self.pick(f"a[{self.index()}]", f"a[{self.index()}]", f"f[{self.index()}]", "i", "j", "k", "n", "sum % 100", "x", *constants)

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.3:
            return self.number()
        operator = self.pick("+", "-", "*", "+", "-", "%", "//", "&", "|", "~", ">>", "/")
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if operator in ("%", "//", "/", ">>"):
            right = str(self.random.randint(1, 9))
        if operator in ("&", "|", "~", ">>"):
            left, right = f"I({left})", f"I({right})"
        return f"({left} {operator} {right})"

    def condition(self) -> str:
        return self.pick(f"i % {self.random.randint(2, 5)} {self.pick('==', '~=')} {self.random.randint(0, 2)}", "flag", "not flag",
                         f"i > {self.pick('3', '40', '112', '300', '1000')}", f"N({self.number()}) < N({self.number()})",
                         f"a[{self.index()}] == nil", f"k == {self.random.randint(0, 3)}", f"i == {self.random.randint(1, 400)}",
                         "a[i] ~= false", f"j < {self.random.randint(1, 50)}")

    def statement(self, depth: int) -> list[str]:
        kinds = {
            "integer": 20, "float": 10, "sum": 12, "flag": 5, "turn": 5, "walk": 5, "table": 4, "break": 2, "x": 4, "other": 5, "skip": 4,
            "loop": 4 if depth > 0 else 0, "if": 20 if depth > 0 else 0,
        }
        match self.random.choices(list(kinds), list(kinds.values()))[0]:
            case "integer":
                return [f"a[{self.index()}] = I({self.expression()})"]
            case "float":
                return [f"f[{self.index()}] = N({self.expression()}) + 0.0"]
            case "sum":
                return [f"sum = I(sum + {self.expression()})"]
            case "flag":
                return ["flag = not flag"]
            case "turn":
                return [f"k = (k + 1) % {self.random.randint(2, 5)}"]
            case "walk":
                return [f"j = j {self.pick('+ 1', '- 1', '+ 2')}"]
            case "table":
                return [f"last = {{i, {self.number()}}}", "sum = I(sum + N(last[1]))"]
            case "break":
                return [f"if {self.condition()} then break end"]
            case "x":
                return [f"x = N({self.number()})"]
            case "other":
                return [f"a[{self.index()}] = {self.pick('nil', 'true', '1.5', 'i')}"]
            case "skip":
                return [f"if {self.condition()} then goto {self.label} end"] if self.label else []
            case "loop":
                return [f"for m = {self.pick('1', 'i % 3', '4')}, {self.pick('3', '20', 'k', 'i % 5')} do", *self.block(depth - 1), "end"]
            case _:
                lines = [f"if {self.condition()} then", *self.block(depth - 1)]
                if self.random.random() < 0.6:
                    lines += ["else", *self.block(depth - 1)]
                return [*lines, "end"]

    def block(self, depth: int) -> list[str]:
        outside, self.label = self.label, ""
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth)]
        self.label = outside
        return lines

    def function(self, number: int) -> list[str]:
        head = self.random.choice(HEADS)
        self.label = "continue"
        body = [line for _ in range(self.random.randint(1, 5)) for line in self.statement(2)]
        return [f"local function loop{number}(a, f, n, p)", "local sum, flag, k, j, x, last = 0, false, 0, 1, 0, nil", head,
                "do", *body, "::continue::", "end", "until i >= n" if "repeat" in head else "end",
                "return sum, flag, k, j, N(x)", "end", f"check({number}, loop{number})"]

    def program(self) -> str:
        return "\n".join([PRELUDE] + [line for number in range(1, LOOPS + 1) for line in self.function(number)]) + "\n"


def main() -> int:
    arguments = argument_parser(__doc__, count=12).parse_args()
    loop = ["--policy=optimizer", "--deterministic", "--jit-log", "-e", "local s = 0 for i = 1, 1000000 do s = s + i end"]
    log = subprocess.run([arguments.engine, *loop], capture_output=True, text=True)
    if "there is no optimizer" in log.stderr:
        print(log.stderr.strip().splitlines()[-1])
        return 77
    options = ["--stress=region:{seed}", "--policy=optimizer:warm=30,record=200 --deterministic"]
    return compare(arguments, options, lambda seed: Generator(seed).program(), LOOPS, "loops")


if __name__ == "__main__":
    sys.exit(main())
