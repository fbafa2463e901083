"""Vaswani, Nori & Chilimbi 2007, figure 15: what preferential profiles cost, beside Ball-Larus."""

import document
import published
import svg
from document import number, percent

NAME = "preferential_15"
TITLE = "Preferential path profiling, figure 15: overhead"
TIMED = True
WHAT = """What profiles add to machine code without any, in percent of instructions and of user time (± half the range). `paths`: as
`--profile-paths` counts, in arrays, and in hash tables where a function has more than 4,096 possible paths. `hash`: every function in a
hash table (`--profile-array=0`). `preferential`: every function preferentially (`--profile-array=0 --profile-residual=…`), all paths
of the run being interesting, as in the paper. `hashed`: percent of the increments of `paths` that go to a hash table."""

MODES = ["paths", "hash", "preferential"]
HEADINGS = ["program", "hashed %", *(f"{mode} %" for mode in MODES), *(f"{mode} % time" for mode in MODES)]


def make(lab, times):
    counts = lab.count_instructions(MODES)
    rows = []
    for program in lab.programs:
        its = counts[program.name]
        timed = [lab.time_ratio(times, program, mode) for mode in MODES]
        paths, _, hashed, _ = lab.increments(program)
        rows.append({"name": program.name, "hashed": 100 * hashed / paths, "instructions": [its[m] / its["none"] for m in MODES],
                     "each": [(its[m] - its["none"]) / paths for m in MODES], "timed": timed})

    def added(chosen, index):
        return document.spread_of([(row["instructions"][index] - 1) * 100 for row in chosen])

    def added_time(chosen, index):
        return document.spread_of([(row["timed"][index][0] - 1) * 100 for row in chosen if row["timed"][index][0]])

    wide = [row for row in rows if row["hashed"] > 1]
    kinds = [("all programs", rows), ("those with hashed increments", wide)]
    summary = document.table(
        ["mean (lowest to highest), %", *MODES],
        [[f"instructions, {what}", *(added(chosen, i) for i in range(3))] for what, chosen in kinds] +
        [[f"time, {what}", *(added_time(chosen, i) for i in range(3))] for what, chosen in kinds] +
        [["instructions added per increment", *(document.spread_of([row["each"][i] for row in rows]) for i in range(3))]] +
        [["the paper's, time: mean (highest)", f"{published.PREFERENTIAL_15['Ball-Larus'][0]} ({published.PREFERENTIAL_15['Ball-Larus'][1]})",
          "-", f"{published.PREFERENTIAL_15['preferential'][0]} ({published.PREFERENTIAL_15['preferential'][1]})"]])
    text = document.table(HEADINGS, [
        [row["name"], number(row["hashed"]), *(percent(ratio) for ratio in row["instructions"]),
         *("-" if ratio is None else f"{percent(ratio)} ± {spread * 100:.1f}" for ratio, spread in row["timed"])] for row in rows])
    bars = [(row["name"], [(ratio - 1) * 100 for ratio in row["instructions"]], False)
            for row in sorted(rows, key=lambda row: -row["instructions"][2])]
    bars.append(("mean of the paper", [published.PREFERENTIAL_15["Ball-Larus"][0], None, published.PREFERENTIAL_15["preferential"][0]], True))
    return document.page(TITLE, lab.how(NAME), WHAT, [summary, f"![overhead]({NAME}.svg)", text]), svg.bars(
        "Overhead of preferential profiles (ours: instructions; the paper's: time)", MODES, bars, "%")
