"""Vaswani, Nori & Chilimbi 2007, figure 16: how compact preferential numbers are."""

import document
import svg
from document import number

NAME = "preferential_16"
TITLE = "Preferential path profiling, figure 16: δ"
TIMED = False
SHOWN = 16
WHAT = f"""Of every function that ran: its interesting paths, which are all that were taken, the interval of numbers that they are given, and
δ = interval / paths; 1 is perfect. The {SHOWN} functions with the largest δ. `possible`: paths of the code, what an array of ordinary
Ball-Larus numbers would have to be long."""

CLASSES = [(1, 1), (2, 9), (10, 99), (100, 300), (301, None)]


def measure(lab):
    rows, refused = [], 0
    for program in lab.programs:
        for function in lab.preferential(program)["functions"]:
            if function["table"] == "preferential":
                its = function["preferential"]
                rows.append([program.name, function["name"], function["possible_paths"], its["paths"], its["slots"],
                             its["slots"] / its["paths"]])
            else:
                refused += 1
    return rows, refused


def classes(rows):
    lines = []
    for low, high in CLASSES:
        deltas = [row[5] for row in rows if low <= row[3] and (high is None or row[3] <= high)]
        if deltas:
            label = f"above {low - 1}" if high is None else f"{low}" if low == high else f"{low} to {high}"
            lines.append([label, len(deltas), sum(1 for delta in deltas if delta == 1), document.spread_of(deltas, 2)])
    return document.table(["interesting paths", "functions", "δ = 1", "δ: mean (lowest to highest)"], lines)


def chart(rows):
    drawing = svg.Drawing(640, 520, "Interval of preferential numbers against the paths in it")
    most = max(row[4] for row in rows) * 1.3
    axes = svg.Axes(drawing, (0.8, most), (0.8, most), ("interesting paths", "interval"), (True, True))
    drawing.line([axes.at(0.8, 0.8), axes.at(most, most)], svg.GREY, 1, "4 3")
    drawing.text(*axes.at(most / 2.2, most / 1.6), "δ = 1", "end", colour=svg.GREY)
    for row in rows:
        drawing.point(*axes.at(row[3], row[4]), svg.COLOURS[0])
    return drawing.done()


def make(lab, _):
    rows, refused = measure(lab)
    least = sorted(rows, key=lambda row: -row[5])[:SHOWN]
    text = document.table(["program", "function", "possible", "interesting", "interval", "δ"],
                          [[row[0], row[1], *map(number, row[2:5]), number(row[5], 2)] for row in least])
    total = f"{len(rows)} functions, {sum(1 for row in rows if row[5] == 1)} of them with δ = 1, {sum(1 for row in rows if row[5] > 10)} " \
            f"above 10; {refused} could not be numbered preferentially. Highest δ: {max(row[5] for row in rows):.2f}."
    return document.page(TITLE, lab.how(NAME), WHAT, [total, classes(rows), f"![intervals]({NAME}.svg)", text]), chart(rows)
