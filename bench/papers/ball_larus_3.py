"""Ball & Larus 1996, table 3: how much of one input's paths another one shows."""

import document
import laboratory
import published
import svg
from document import number

NAME = "ball_larus_3"
TITLE = "Ball & Larus, table 3: paths of one input in the profile of another"
TIMED = False
WHAT = """Of the paths of the full input (ref) those that the small one (`train`) takes, too: how many, their share of the paths, of the
executions and of the executed bytecodes (the paper's: instructions). Of programs that have a second input. `train`: paths that it
takes in all."""

HEADINGS = ["program", "common", "% of paths", "% of executions", "% of bytecodes", "ref", "train"]


def path_table(profile):
    return {(function["id"], path["key"]): (path["count"], path["count"] * path["length"])
            for function in profile["functions"] for path in function["paths"]}


def measure(lab, program):
    ref, train = path_table(lab.paths(program)), path_table(lab.training(program))
    common = [ref[key] for key in ref if key in train]

    def share(index):
        return 100 * sum(item[index] for item in common) / sum(item[index] for item in ref.values())

    return [program.name, len(common), 100 * len(common) / len(ref), share(0), share(1), len(ref), len(train)]


def make(lab, _):
    ours = [measure(lab, program) for program in lab.programs if laboratory.has_two_inputs(program)]
    paper = [[*row, None, None] for row in published.BALL_LARUS_3]
    columns, its = list(zip(*ours)), list(zip(*paper))
    summary = document.table(["mean (lowest to highest)", "ours", "the paper's"],
                             [[label, document.spread_of(columns[i]), document.spread_of(its[i])] for label, i in
                              [("% of paths", 2), ("% of executions", 3), ("% of bytecodes (instructions)", 4)]])
    bars = [(row[0], [row[2], row[3]], False) for row in sorted(ours, key=lambda row: -row[3])]
    bars += [(row[0], [row[2], row[3]], True) for row in sorted(paper, key=lambda row: -row[3])]

    def text(rows):
        return document.table(HEADINGS, [[row[0], *map(number, row[1:])] for row in rows])

    return document.page(TITLE, lab.how(NAME), WHAT, [
        summary, f"![common paths]({NAME}.svg)", "## Ours", text(ours), "## The paper's (SPEC95)", text(paper)]), svg.bars(
            "What the profile of a train input has of the paths of ref", ["of the paths", "of their executions"], bars, "%", high=100)
