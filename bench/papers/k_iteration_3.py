"""Roy & Srikant 2009, table 3: what paths of several iterations cost, over acyclic ones."""

import document
import laboratory
import published
import svg
from document import number

NAME = "k_iteration_3"
TITLE = "k-iteration paths, table 3: slowdown over acyclic paths"
TIMED = True
WHAT = """What a program takes while it counts paths of k iterations, as a multiple of what it takes while it counts acyclic ones: in
instructions, and in user time (the median of ratios of neighbouring runs; ± half their range)."""

HEADINGS = ["program", "k=2", "k=3", "k=2, time", "k=3, time", "k=2: hashed %", "k=3: hashed %"]


def hashed(lab, program, k):
    """Percent of the counts (paths and windows) that go to hash tables."""
    profile = lab.profile(program, "--profile-paths", laboratory.scale_of(program), flags=(f"--profile-k={k}",))
    tables = [table for function in profile["functions"] for table in [function, *function.get("loops", [])]]
    return 100 * sum(t["completed"] for t in tables if t["table"] == "hash") / sum(t["completed"] for t in tables)


def time_text(ratio, spread):
    return "-" if ratio is None else f"{ratio:.3f} ± {spread:.3f}"


def make(lab, times):
    counts = lab.count_instructions(["paths", "k=2", "k=3"])
    ours, timed = [], {"k=2": [], "k=3": []}
    for program in lab.programs:
        its = counts[program.name]
        texts = []
        for mode in ("k=2", "k=3"):
            ratio, spread = lab.time_ratio(times, program, mode, "paths")
            timed[mode].append(ratio)
            texts.append(time_text(ratio, spread))
        ours.append([program.name, its["k=2"] / its["paths"], its["k=3"] / its["paths"], *texts, hashed(lab, program, 2),
                     hashed(lab, program, 3)])
    paper = published.K_ITERATION_3
    columns, its = list(zip(*ours)), list(zip(*paper))
    summary = document.table(
        ["mean (lowest to highest)", "ours, instructions", "ours, time", "the paper's, time"],
        [[f"k={k}", document.spread_of(columns[k - 1], 3), document.spread_of(timed[f"k={k}"], 3), document.spread_of(its[k - 1], 2)]
         for k in (2, 3)])
    bars = [(row[0], [row[1], row[2]], False) for row in sorted(ours, key=lambda row: -row[1])]
    bars += [(row[0], [row[1], row[2]], True) for row in sorted(paper, key=lambda row: -row[1])]
    return document.page(TITLE, lab.how(NAME), WHAT, [
        summary, f"![slowdown]({NAME}.svg)", "## Ours",
        document.table(HEADINGS, [[row[0], number(row[1], 3), number(row[2], 3), row[3], row[4], number(row[5]), number(row[6])]
                                  for row in ours]),
        "## The paper's", document.table(["program", "k=2, time", "k=3, time"],
                                         [[row[0], number(row[1], 2), number(row[2], 2)] for row in paper])]), svg.bars(
            "Slowdown over acyclic paths (ours: instructions; the paper's: time)", ["k=2", "k=3"], bars, "", low=1.0)
