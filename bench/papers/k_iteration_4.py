"""Roy & Srikant 2009, table 4: how fast the number of static paths grows with k."""

import document
import published
import svg
from document import number

NAME = "k_iteration_4"
TITLE = "k-iteration paths, table 4: static paths for k = 1 to 5"
TIMED = False
KS = (1, 2, 3, 4, 5)
SHOWN = 16
WHAT = f"""How many paths the code of a function has when its innermost loops are followed through k iterations and outer ones through one
(mixed mode, as in the paper): the paths of our tables of the function and of its loops added up, which are the valid paths in the
paper's sense. Main chunks, which only repeat the work, are left out. Listed are the {SHOWN} functions with the most paths for k = 2.
`-`: a window of k iterations would not fit 27 bits, so that our profiler takes a smaller k there (the paper's gives up above 60,000
paths)."""


def measure(lab):
    """(program, function, paths for each k) of every function that has a loop to be followed; main chunks are not among them."""
    rows = []
    for program in lab.programs:
        by_k = [lab.static_paths(program, k) for k in KS]
        for functions in zip(*by_k):
            if functions[0].line != 0 and functions[0].paths != functions[1].paths:
                rows.append([program.name, functions[0].name, *(function.paths for function in functions)])
    return rows


def beyond(rows, limit):
    return [sum(1 for row in rows if row[1 + k] is None or row[1 + k] > limit) for k in KS]


def chart(rows):
    drawing = svg.Drawing(700, 480, "Static paths of a function by k")
    most = max(count for row in rows for count in row[2:] if count)
    axes = svg.Axes(drawing, (0.8, 5.2), (1, max(most, 60000)), ("k", "paths"), (False, True))
    drawing.legend(250, 44, [("ours", svg.COLOURS[0]), ("the paper's", svg.COLOURS[1])])
    limit = published.K_ITERATION_GIVES_UP_ABOVE
    drawing.line([axes.at(0.8, limit), axes.at(5.2, limit)], svg.GREY, 1, "4 3")
    for of_paper, its in ((False, rows), (True, published.K_ITERATION_4)):
        for row in its:
            points = [axes.at(k, count) for k, count in zip(KS, row[2:]) if count]
            drawing.line(points, svg.COLOURS[int(of_paper)], 2.0 if of_paper else 0.6)
    return drawing.done()


def make(lab, _):
    rows = measure(lab)
    most = sorted(rows, key=lambda row: -(row[3] or 1e18))[:SHOWN]
    growth = [row[3] / row[2] for row in rows if row[3]], [row[4] / row[3] for row in rows if row[3] and row[4]]
    paper = published.K_ITERATION_4
    its = [row[3] / row[2] for row in paper], [row[4] / row[3] for row in paper if row[4]]
    headings = ["program", "function", *(f"k={k}" for k in KS)]
    steps = document.table(["mean (lowest to highest)", "ours", "the paper's"],
                           [[f"paths for k={k + 2} over k={k + 1}", document.spread_of(growth[k]), document.spread_of(its[k])]
                            for k in (0, 1)])
    shares = document.table(
        ["functions of ours with such a loop", *(f"k={k}" for k in KS)],
        [["all", *[len(rows)] * len(KS)]] +
        [[f"above {limit:,} paths ({what})", *beyond(rows, limit)] for limit, what in
         ((published.K_ITERATION_HASHED_ABOVE, "the paper's hash tables"), (published.K_ITERATION_GIVES_UP_ABOVE, "where it gives up"))])
    text = [document.table(headings, [[row[0], row[1], *map(number, row[2:])] for row in its]) for its in (most, paper)]
    return document.page(TITLE, lab.how(NAME), WHAT, [steps, shares, f"![static paths]({NAME}.svg)", "## Ours", text[0], "## The paper's", text[1]]
                         ), chart(rows)
