"""Ball & Larus 1996, table 1: what path profiles cost, beside edge profiles."""

import statistics

import document
import published
import svg
from document import number, percent

NAME = "ball_larus_1"
TITLE = "Ball & Larus, table 1: path profiles against edge profiles"
TIMED = True
WHAT = """`path` and `edge`: what profiles add to machine code without any, in percent of its instructions, and of its user time (the
median of ratios of neighbouring runs, ± half their range). `path inc`: counter updates of path profiles; `edge inc`: those of edge
profiles, as a multiple; `hashed`: percent of path increments that go to a hash table; `bytecodes` and `instr.` of the program without
a profile between two increments; `added`: instructions that path profiles add for each."""

HEADINGS = ["program", "Minstr.", "path %", "edge %", "path/edge", "path % time", "edge % time", "path inc (M)", "edge inc (×)",
            "hashed %", "bytecodes/inc", "instr./inc", "added/inc"]


def time_text(lab, times, program, mode):
    ratio, spread = lab.time_ratio(times, program, mode)
    return "-" if ratio is None else f"{percent(ratio)} ± {spread * 100:.1f}"


def measure(lab, times):
    """One dictionary for each program."""
    counts = lab.count_instructions(["edges", "paths"])
    rows = []
    for program in lab.programs:
        its = counts[program.name]
        paths, edges, hashed, bytecodes = lab.increments(program)
        rows.append({
            "name": program.name, "base": its["none"] / 1e6, "path": its["paths"] / its["none"], "edge": its["edges"] / its["none"],
            "path_time": lab.time_ratio(times, program, "paths")[0], "edge_time": lab.time_ratio(times, program, "edges")[0],
            "path_time_text": time_text(lab, times, program, "paths"), "edge_time_text": time_text(lab, times, program, "edges"),
            "paths": paths / 1e6, "edges": edges / paths, "hashed": 100 * hashed / paths, "bytecodes": bytecodes / paths,
            "instructions": its["none"] / paths, "added": (its["paths"] - its["none"]) / paths})
    return rows


def path_by_edge(row):
    """As in the paper a ratio of overheads; meaningless where edges cost next to nothing."""
    return (row["path"] - 1) / (row["edge"] - 1) if row["edge"] > 1.002 else None


def summary(rows):
    def added(key):
        return [(row[key] - 1) * 100 for row in rows if row[key] is not None]

    paper = list(zip(*published.BALL_LARUS_1))
    spread = document.spread_of
    return document.table(
        ["mean (lowest to highest)", "ours", "the paper's"],
        [["path overhead, % of instructions", spread(added("path")), "-"],
         ["edge overhead, % of instructions", spread(added("edge")), "-"],
         ["path overhead, % of time", spread(added("path_time")), spread(paper[1])],
         ["edge overhead, % of time", spread(added("edge_time")), spread(paper[2])],
         ["path overhead over edge overhead", spread([path_by_edge(row) for row in rows]), "2.8 (0.7 to 14.5)"],
         ["edge increments per path increment", spread([r["edges"] for r in rows]), spread(paper[4])],
         ["hashed increments, %", spread([r["hashed"] for r in rows]), spread(paper[5])],
         ["instructions per increment", spread([r["instructions"] for r in rows]), spread(paper[6])],
         ["bytecodes per increment", spread([r["bytecodes"] for r in rows]), "-"],
         ["instructions added per increment", spread([r["added"] for r in rows]), "-"]])


def make(lab, times):
    rows = measure(lab, times)
    ours = [[row["name"], number(row["base"]), percent(row["path"]), percent(row["edge"]), number(path_by_edge(row)),
             row["path_time_text"], row["edge_time_text"], number(row["paths"], 2), number(row["edges"]), number(row["hashed"]),
             number(row["bytecodes"]), number(row["instructions"]), number(row["added"])] for row in rows]
    its = [[name, "-", "-", "-", number(path / edge) if edge > 0.2 else "-", f"{path:+.1f}", f"{edge:+.1f}", number(paths), number(times_edges),
            number(hashed), "-", number(instructions), "-"]
           for name, path, edge, paths, times_edges, hashed, instructions in published.BALL_LARUS_1]
    by_cost = sorted(rows, key=lambda row: -row["path"])
    bars = [(row["name"], [(row["path"] - 1) * 100, (row["edge"] - 1) * 100], False) for row in by_cost]
    bars += [(row[0], [row[1], row[2]], True) for row in sorted(published.BALL_LARUS_1, key=lambda row: -row[1])]
    wide = [row["path"] for row in rows if row["hashed"] > 1]
    parts = [summary(rows)]
    if wide:
        narrow = [row["path"] for row in rows if row["hashed"] <= 1]
        parts.append(f"Path overhead in instructions: {percent(statistics.fmean(wide))} % where more than a hundredth of the increments "
                     f"are hashed ({len(wide)} programs)" + (f", {percent(statistics.fmean(narrow))} % elsewhere." if narrow else "."))
    return document.page(TITLE, lab.how(NAME), WHAT, [
        *parts, f"![overhead]({NAME}.svg)", "## Ours", document.table(HEADINGS, ours), "## The paper's (SPEC95)",
        document.table(HEADINGS, its)]), svg.bars(
            "Overhead of path and edge profiles (ours: instructions; the paper's: time)", ["paths", "edges"], bars, "%")
