#!/usr/bin/env python3
"""Generated automata do in regions with contexts by facts what they do in the interpreter, or in another Lua.

    automata_agree.py --engine build/release/bin/mangata [--judge lua5.4] [--seconds 600] [--first 1] [--options="--stress=deopt:{seed}"]

Loops with states in locals, in fields and in captured variables: integers, strings, booleans, nil, and now and then something else (a float
that equals one of them, a value from the input). Inputs repeat some habits, and change them in the middle.

Exit status: 0 no difference, 1 differences, 77 there is no optimizer.
"""

import random
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from agreement import argument_parser, compare  # noqa: E402

AUTOMATA = 5  # in a program

PRELUDE = """
local function show(...)
  local all = table.pack(...)
  for i = 1, all.n do all[i] = type(all[i]) == "table" and "table" or tostring(all[i]) end
  return table.concat(all, " ")
end
local function input(seed, habits)
  local all = {}
  for part = 1, 2 do
    for i = 1, 40 do
      seed = seed * 16807 % 2147483647
      local habit = habits[seed % #habits + 1]
      for j = 1, #habit do all[#all + 1] = (habit[j] + (seed % 11 == 0 and 1 or 0)) % 7 end
      if part == 2 and seed % 3 == 0 then all[#all + 1] = seed % 7 end
    end
  end
  return all
end
local function check(id, f, habits)
  for round = 1, 40 do
    print(id, round, show(pcall(f, input(round + id, habits), round)))
  end
end
"""


class Automaton:
    """One function: state variables, a loop over the input, and a chain of tests that assigns new states."""

    def __init__(self, pick: random.Random, number: int) -> None:
        self.pick, self.number = pick, number
        self.variables = {}
        for name in ["state", "mode", "flag"][: pick.randint(1, 3)]:
            kind = pick.choice(["integers", "integers", "strings", "booleans", "mixed"])
            values = {"integers": [str(v) for v in range(-1, pick.randint(2, 5))], "strings": ['"idle"', '"busy"', '"done"', '"lost"'],
                      "booleans": ["true", "false", "nil"][: pick.randint(2, 3)], "mixed": ["0", "1", '"one"', "false", "nil"]}[kind]
            self.variables[name] = values
        self.place = {name: name for name in self.variables}
        if pick.random() < 0.2:
            self.place["state"] = "self.state"
        self.captures = pick.random() < 0.2
        self.depth = 0

    def value(self, name: str) -> str:
        pick, values = self.pick, self.variables[name]
        if pick.random() < 0.06:
            return pick.choice(["1.0", "x", "x % 3", "count", '"idle" .. "s"', "2^53", f"{self.place[pick.choice(list(self.variables))]}"])
        return pick.choice(values)

    def test(self) -> str:
        pick = self.pick
        if pick.random() < 0.3:
            return pick.choice(["x == {}", "x ~= {}", "x < {}", "x >= {}"]).format(pick.randint(0, 6))
        name = pick.choice(list(self.variables))
        place = self.place[name]
        return pick.choice([f"{place} == {self.value(name)}"] * 5 + [f"{place} ~= {self.value(name)}", place, f"not {place}",
                           f"{place} == x", f"{place} == {self.value(name)} and x > {pick.randint(0, 5)}",
                           f"{place} == {self.value(name)} or x == {pick.randint(0, 6)}"])

    def statement(self, indent: str) -> list[str]:
        pick = self.pick
        name = pick.choice(list(self.variables))
        place = self.place[name]
        kind = pick.randint(0, 19)
        if kind < 8:
            return [f"{indent}{place} = {self.value(name)}"]
        if kind < 10 and "1" in self.variables[name]:
            return [f"{indent}if math.type({place}) == \"integer\" then {place} = {place} {pick.choice('+-')} 1 end"]
        if kind < 13:
            return [f"{indent}count = count + {pick.choice(['1', 'x', '3'])}"]
        if kind == 13:
            return [f"{indent}seen[#seen + 1] = {place}"]
        if kind == 14:
            return [f"{indent}{place} = {self.test()} and {self.value(name)} or {self.value(name)}"]
        if kind == 15 and self.captures:
            return [f"{indent}touch(x)"]
        if kind == 16:
            return [f"{indent}last = {place}"]
        if kind == 17 and self.depth < 2:
            return [f"{indent}if x == 6 and count % 97 == 0 then break end"]
        return self.chain(indent) if self.depth < 3 else [f"{indent}count = count + 2"]

    def block(self, indent: str) -> list[str]:
        return [line for _ in range(self.pick.randint(1, 2)) for line in self.statement(indent)]

    def chain(self, indent: str) -> list[str]:
        self.depth += 1
        lines = [f"{indent}if {self.test()} then", *self.block(indent + "  ")]
        for _ in range(self.pick.randint(0, 4 if self.depth == 1 else 1)):
            lines += [f"{indent}elseif {self.test()} then", *self.block(indent + "  ")]
        if self.pick.random() < 0.6:
            lines += [f"{indent}else", *self.block(indent + "  ")]
        self.depth -= 1
        return [*lines, f"{indent}end"]

    def text(self) -> str:
        pick = self.pick
        first = [f"  local {name} = {pick.choice(values)}" for name, values in self.variables.items()]
        uses_self = self.place["state"] == "self.state"
        if uses_self:
            first[0] = f"  local self = {{ state = {pick.choice(self.variables['state'])} }}"
        captured = self.place[pick.choice(list(self.variables))]
        touch = [f"  local function touch(x) if x == 3 then {captured} = {self.value(next(iter(self.variables)))} end end"] if self.captures else []
        head = pick.choice(["for i = 1, #list do local x = list[i]", "for i, x in ipairs(list) do", "local i = 0 while i < #list do i = i + 1 local x = list[i]",
                            "local i = 0 repeat i = i + 1 local x = list[i]"])
        end = "until i >= #list" if "repeat" in head else "end"
        body = self.chain("    ") + (self.chain("    ") if pick.random() < 0.4 else self.statement("    "))
        shown = ", ".join(self.place.values())
        habits = ", ".join("{ " + ", ".join(str(pick.randint(0, 6)) for _ in range(pick.randint(1, 6))) + " }" for _ in range(pick.randint(1, 3)))
        return "\n".join([f"check({self.number}, function(list, round)", "  local count, last, seen = 0, nil, {}", *first, *touch, "  " + head, *body, "  " + end,
                          f"  return count, last, #seen, seen[#seen], {shown}", f"end, {{ {habits} }})"])


def program(seed: int) -> str:
    pick = random.Random(seed)
    return PRELUDE + "\n".join(Automaton(pick, number).text() for number in range(AUTOMATA))


FACTS = "--opt-paths=facts"
OPTIONS = [f"--policy=optimizer:warm=300,record=2000,k=3 --deterministic {FACTS}", f"--stress=region:{{seed}} {FACTS}", f"--stress=deopt:{{seed}} {FACTS}", f"--stress=osr:{{seed}},O0 {FACTS}"]


def main() -> int:
    arguments = argument_parser(__doc__, 12).parse_args()
    has_optimizer = subprocess.run([arguments.engine, "--policy=optimizer", "--jit-log", "-e", "for i = 1, 1e6 do end"], capture_output=True, text=True)
    if "there is no optimizer" in has_optimizer.stderr:
        return 77
    return compare(arguments, OPTIONS, program, AUTOMATA, "automata")


if __name__ == "__main__":
    sys.exit(main())
