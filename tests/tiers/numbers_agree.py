#!/usr/bin/env python3
"""Operators on numbers of both subtypes give in every tier what the interpreter, or another Lua, gives.

    numbers_agree.py --engine build/release/bin/mangata [--judge lua5.4] [--seconds 600] [--first 1] [--options="--stress=deopt:{seed}"]

Generated kernels run over arrays of integers, of floats, and of both, which are made of the values at which conversions and roundings change: around
2^53 and 2^63, halves, zeros of both signs, infinities, NaN, and products that are one unit off a multiple. They compare, calculate, index tables,
bound loops, and call the functions of math and bit. What each kernel yields is compared, bit by bit.

Exit status: 0 no difference, 1 differences.
"""

import random
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from agreement import argument_parser, compare  # noqa: E402

KERNELS = 10  # in a program

PRELUDE = """
local has_bit, bit = pcall(require, "bit")
local inf, nan = math.huge, 0.0 / 0.0
local text = ("abcdefgh"):rep(4)
local function show(v)
  if v ~= v then return "nan" end
  return math.type(v) == "float" and ("%a"):format(v) or tostring(v)
end
local function check(id, kernel, ...)
  for round = 1, 4 do
    local out = {}
    local h = kernel(out, ...)
    local all = {}
    for i = 1, #out do all[i] = show(out[i]) end
    print(id, round, h, table.concat(all, " "))
  end
end
"""

COMPARISONS = ["<", "<=", ">", ">=", "==", "~="]
OPERATORS = ["+", "-", "*", "/", "%", "//", "%", "%"]
EDGES = [0, 1, -1, 2, 3, 7, -7, 100, 2**31, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 1, -(2**63), -(2**63) + 1, 2**63 - 512]
FLOAT_EDGES = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.5, 3.0, 0.1, 1e6, 5e6, 2.0**53, 2.0**53 + 2, -(2.0**53), 2.0**63, -(2.0**63), 2.0**63 - 1024,
               1e308, 5e-324, 2.2250738585072014e-308, float("inf"), float("-inf"), float("nan"), 360.0, 2.0**52 + 0.5]


def literal(value: int | float) -> str:
    if isinstance(value, int):
        return "math.mininteger" if value == -(2**63) else str(value)
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value.hex()


class Generator:
    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def integer(self) -> int:
        if self.random.random() < 0.5:
            return self.random.choice(EDGES)
        return self.random.randint(-(2**63), 2**63 - 1) >> self.random.randint(0, 63)

    def real(self) -> float:
        kind = self.random.randrange(5)
        if kind == 0:
            return self.random.choice(FLOAT_EDGES)
        if kind == 1:
            return float(self.integer())
        if kind == 2:
            return self.random.randint(-10000, 10000) / self.random.choice([1, 2, 10, 100])
        if kind == 3:
            return self.random.uniform(-2, 2) * 2.0 ** self.random.randint(-60, 60)
        return self.random.uniform(0, 1000)

    def number(self, kind: str) -> int | float:
        if kind == "mixed":
            kind = self.random.choice(["integers", "floats"])
        return self.integer() if kind == "integers" else self.real()

    def constant(self) -> str:
        """A numeral, as the compiler takes it for an operand; some have a sign, which it folds."""
        while True:
            value = self.number("mixed")
            if value == value and value not in (float("inf"), float("-inf")) and value != -(2**63):
                return literal(value)

    def array(self, kind: str, size: int) -> str:
        return "{" + ", ".join(literal(self.number(kind)) for _ in range(size)) + "}"

    def multiples(self, size: int) -> tuple[str, str]:
        """Dividends that are near a multiple of their divisor."""
        pairs = []
        for _ in range(size):
            divisor = self.random.choice([self.random.uniform(0.1, 10), float(self.random.randint(1, 9)), 0.1, self.random.uniform(1, 2) * 2.0 ** self.random.randint(-500, 500)])
            factor = float(self.random.getrandbits(self.random.randint(1, 53)))
            dividend = divisor * factor * (1 + self.random.randint(-2, 2) * 2.0**-53)
            pairs.append((dividend * self.random.choice([1, 1, -1]), divisor * self.random.choice([1, 1, -1])))
        return tuple("{" + ", ".join(literal(pair[i]) for pair in pairs) + "}" for i in (0, 1))

    def kernel(self) -> tuple[str, str, str]:
        """Statements of the inner loop, with x and y at hand, and the arrays that these come from."""
        pick = self.random.choice
        kind, other, size = pick(["integers", "floats", "mixed"]), pick(["integers", "floats", "mixed"]), 24
        a, b = self.array(kind, size), self.array(other, size)
        shape = self.random.randrange(9)
        if shape == 0:
            tests = [f"if x {pick(COMPARISONS)} {self.constant()} then h = (h * 31 + {i}) % 1000003 end" for i in range(4)]
            return " ".join(tests) + " out[i] = h", a, b
        if shape == 1:
            tests = [f"if {self.constant()} {pick(COMPARISONS)} x then h = (h * 31 + {i}) % 1000003 end" for i in range(3)]
            return " ".join(tests) + f" out[i] = x {pick(COMPARISONS)} y and 1 or 0", a, b
        if shape == 2:
            tests = [f"if x {pick(COMPARISONS)} y then h = (h * 31 + {i}) % 1000003 end" for i in range(4)]
            return " ".join(tests) + " out[i] = h", a, b
        if shape == 3:
            op = pick(OPERATORS)
            guard = "if x == 0 then x = 1 end if y == 0 then y = 1 end " if op in ("%", "//") else ""
            constant = pick([self.constant(), "3.0", "1.0", "360.0", "0.1", "7", "-7", "-2.5"])
            if op in ("%", "//") and constant in ("0", "-0"):
                constant = "3"
            return f"{guard} out[3 * i - 2], out[3 * i - 1], out[3 * i] = x {op} y, x {op} {constant}, {constant} {op} x", a, b
        if shape == 4:
            a, b = self.multiples(size)
            return "out[3 * i - 2], out[3 * i - 1], out[3 * i] = x % y, math.fmod(x, y), x // y", a, b
        if shape == 5:
            keys = ", ".join(pick([str(k), f"{k}.0", f"{k}.5", f"{k} * 0.5"]) for k in [self.random.randint(-1, 12) for _ in range(size)])
            kind = pick(["i", "i + 0.5", "'v' .. i"])
            return (f"t[x] = {kind} out[2 * i - 1] = t[i] and 1 or 0 local v = t[x / 1] out[2 * i] = v and (tonumber(v) or #v) or -1 h = h + (t[i // 2] and 1 or 0)",
                    "{" + keys + "}", b)
        if shape == 6:
            step = pick(["1", "2", "-1", "-3", "1.0", "0.5", "-0.25"])
            bounds = "{" + ", ".join(pick([str(n), f"{n}.0", f"{n}.5", f"{n} / 2"]) for n in [self.random.randint(-5, 12) for _ in range(size)]) + "}"
            first = pick(["1", "0", "5", "1.0", "2.5"])
            return f"local n = 0 for j = {first}, x, {step} do n = n + j end out[i] = n", bounds, b
        if shape == 7:
            return ("if x == x and x > -1e15 and x < 1e15 then out[5 * i - 4], out[5 * i - 3] = math.floor(x), math.ceil(x) else out[5 * i - 4], out[5 * i - 3] = 0, 0 end "
                    "out[5 * i - 2] = math.tointeger(x) or -1 out[5 * i - 1] = x ^ 2 out[5 * i] = text:byte(i * 2 / 2) or 0"), a, b
        return (f"if has_bit and x == x and y == y then out[4 * i - 3] = bit.{pick(['band', 'bor', 'bxor'])}(x, y) "
                f"out[4 * i - 2] = bit.{pick(['lshift', 'rshift', 'arshift', 'rol', 'ror'])}(x, y) "
                f"out[4 * i - 1] = bit.{pick(['bnot', 'bswap', 'tobit'])}(x) "
                f"out[4 * i] = bit.{pick(['band', 'bor', 'bxor'])}(x, bit.{pick(['lshift', 'rol', 'band'])}(y, {self.random.randint(-3, 40)}), i) "
                "else out[4 * i - 3], out[4 * i - 2], out[4 * i - 1], out[4 * i] = 0, 0, 0, 0 end"), a, b

    def program(self) -> str:
        lines = [PRELUDE]
        for number in range(KERNELS):
            body, a, b = self.kernel()
            rounds = self.random.choice([3, 20])
            lines.append(f"check({number}, function(out, a, b) local h, t = 0, {{10, 20, 30}} for r = 1, {rounds} do "
                         f"for i = 1, #a do local x, y = a[i], b[i] {body} end end return h end, {a}, {b})")
        return "\n".join(lines) + "\n"


def main() -> int:
    arguments = argument_parser(__doc__, count=8).parse_args()
    options = ["--policy=baseline", "--stress=region:{seed}", "--stress=deopt:{seed}"]

    def program(seed: int) -> str:
        text = Generator(seed).program()  # another Lua has no bit
        return text.replace('pcall(require, "bit")', "false") if arguments.judge else text

    return compare(arguments, options, program, KERNELS, "numbers")


if __name__ == "__main__":
    sys.exit(main())
