"""Ball & Larus 1996, table 2: the paths that ran, and what edge profiles say of them."""

import document
import published
import svg
from document import number

NAME = "ball_larus_2"
TITLE = "Ball & Larus, table 2: acyclic paths, and what edge profiles make of them"
TIMED = False
WHAT = """`paths`: different ones that ran. Lengths in edges of the control flow graph and in bytecodes (the paper's: instructions);
means are weighted by how often a path ran. `named %`: share of the paths that are, from start to end, what one names by following the
most frequent edge out of each block (of equals the one that is not taken); `flow %`: the same of executions, which the paper does not
give. Named lengths are those up to the first edge that would not have been named. `functions` that ran, and paths of one of them."""

HEADINGS = ["program", "paths", "longest: edges", "longest: bytecodes", "mean: edges", "mean: bytecodes", "named %", "flow %",
            "named longest: edges", "bytecodes", "named mean: edges", "bytecodes", "functions", "most paths", "mean paths"]


def measure(profile):
    paths = [path for function in profile["functions"] for path in function["paths"]]
    executions = sum(path["count"] for path in paths)
    named = [path for path in paths if path["named_edges"] == path["edges"]]
    functions = [len(function["paths"]) for function in profile["functions"] if function["paths"]]

    def longest(key):
        return max(path[key] for path in paths)

    def mean(key):
        return sum(path["count"] * path[key] for path in paths) / executions

    return [len(paths), longest("edges"), longest("length"), mean("edges"), mean("length"), 100 * len(named) / len(paths),
            100 * sum(path["count"] for path in named) / executions, longest("named_edges"), longest("named_length"),
            mean("named_edges"), mean("named_length"), len(functions), max(functions), sum(functions) / len(functions)]


def make(lab, _):
    ours = [[program.name, *measure(lab.paths(program))] for program in lab.programs]
    paper = [[*row[:7], None, *row[7:]] for row in published.BALL_LARUS_2]
    columns, its = list(zip(*ours)), list(zip(*paper))
    shown = [("paths that ran", 1), ("mean length in edges", 4), ("mean length in bytecodes (the paper's: instructions)", 5),
             ("paths that edges name, %", 6), ("executions of paths that edges name, %", 7), ("named length in edges", 10),
             ("named length in bytecodes", 11), ("paths of a function", 14)]
    summary = document.table(["mean (lowest to highest)", "ours", "the paper's"],
                             [[label, document.spread_of(columns[i]), document.spread_of(its[i])] for label, i in shown])
    bars = [(row[0], [row[6], row[7]], False) for row in sorted(ours, key=lambda row: -row[6])]
    bars += [(row[0], [row[6], None], True) for row in sorted(paper, key=lambda row: -row[6])]

    def text(rows):
        return document.table(HEADINGS, [[row[0], *map(number, row[1:])] for row in rows])

    return document.page(TITLE, lab.how(NAME), WHAT, [
        summary, f"![named by edges]({NAME}.svg)", "## Ours", text(ours), "## The paper's (SPEC95)", text(paper)]), svg.bars(
            "Paths that an edge profile names", ["of the paths", "of their executions"], bars, "%", high=100)
