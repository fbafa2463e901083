#!/usr/bin/env python3
"""The experiments of the three papers on path profiling, on our machine: tables as Markdown, figures as SVG.

What they mean, and how they differ from the papers: bench/papers/README.md. Python's standard library only; needs valgrind.

    bench/papers/papers.py                                 every table and figure, into bench/papers/results
    bench/papers/papers.py --only ball_larus_1             one of them
    bench/papers/papers.py --quick --output /tmp/papers    a few programs, to see that it works
"""

import argparse
import fnmatch
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import run as suite  # noqa: E402  (bench/run.py)
import laboratory  # noqa: E402
import ball_larus_1  # noqa: E402
import ball_larus_2  # noqa: E402
import ball_larus_3  # noqa: E402
import k_iteration_3  # noqa: E402
import k_iteration_4  # noqa: E402
import preferential_15  # noqa: E402
import preferential_16  # noqa: E402

EXPERIMENTS = [ball_larus_1, ball_larus_2, ball_larus_3, k_iteration_3, k_iteration_4, preferential_15, preferential_16]
QUICK = ["forms", "utf8_decoder"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default=str(suite.ROOT / "build/release/bin/mangata"), metavar="FILE",
                        help="the executable (default: build/release/bin/mangata)")
    parser.add_argument("--only", action="append", choices=[e.NAME for e in EXPERIMENTS], metavar="NAME",
                        help="only this table or figure (may be repeated): " + ", ".join(e.NAME for e in EXPERIMENTS))
    parser.add_argument("--program", action="append", metavar="GLOB", help="only programs whose name matches")
    parser.add_argument("--output", default=str(HERE / "results"), metavar="FOLDER", help="default: bench/papers/results")
    parser.add_argument("--quick", action="store_true", help=f"only {', '.join(QUICK)}; one round of times")
    parser.add_argument("--runs", type=int, help="rounds of times (default 5; 1 with --quick; 0: no times)")
    parser.add_argument("--time-scale", type=float, help="of runs that are timed (default 0.5; 0.3 with --quick)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs under valgrind at a time (default: processors)")
    parser.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS", help="per run (default 300)")
    parser.add_argument("--measurements", metavar="FILE", help="keep instructions and times in FILE, and take from it what it has")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.parse_args()
    options.runs = options.runs if options.runs is not None else 1 if options.quick else 5
    options.time_scale = options.time_scale or (0.3 if options.quick else 0.5)
    options.quiet = options.quiet or not sys.stderr.isatty()
    if not shutil.which(options.engine):
        sys.exit(f"{options.engine} is not an executable")
    if not shutil.which("valgrind"):
        sys.exit("instructions are counted with valgrind, which is not installed")
    options.engine = str(Path(shutil.which(options.engine)).resolve())
    return options


def choose_programs(options):
    globs = options.program or (QUICK if options.quick else ["*"])
    programs = [p for p in laboratory.all_programs() if any(fnmatch.fnmatch(p.name, glob) for glob in globs)]
    if not programs:
        sys.exit("no program matches")
    return programs


def main():
    options = parse_arguments()
    suite.adopt_orphans()
    lab = laboratory.Laboratory(options.engine, choose_programs(options), options)
    chosen = [e for e in EXPERIMENTS if not options.only or e.NAME in options.only]
    times = lab.measure_times() if any(e.TIMED for e in chosen) else {}
    output = Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    for experiment in chosen:
        lab.note(experiment.TITLE)
        text, drawing = experiment.make(lab, times)
        (output / f"{experiment.NAME}.md").write_text(text, encoding="utf-8")
        (output / f"{experiment.NAME}.svg").write_text(drawing, encoding="utf-8")
    lab.note("")
    lab.keep()


if __name__ == "__main__":
    main()
