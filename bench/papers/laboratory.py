"""What the tables are made from: profiles, executed instructions and times of programs, each measured when it is first asked for.

Instructions are counted by valgrind, as bench/profile_cost.py does: twice, at two scales, and the difference is what more of
the same work takes, without start-up, compiling, instrumenting and reports. What profiles add is counted without garbage
collection: its cycles begin at other moments when anything else differs, which is as much as profiling costs. Times are user times less those of a run with hardly any
work, for the same reason, and interleaved.
"""

import hashlib
import json
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import profile_cost
import run as suite

NO_COLLECTION = ["-e", "collectgarbage('stop')"]
OWN_PROGRAMS = Path(__file__).resolve().parent / "programs"
BASE = "none"
MODES = {
    BASE: [],
    "edges": ["--profile-edges=/dev/null"],
    "paths": ["--profile-paths=/dev/null"],
    "k=2": ["--profile-paths=/dev/null", "--profile-k=2"],
    "k=3": ["--profile-paths=/dev/null", "--profile-k=3"],
    "hash": ["--profile-paths=/dev/null", "--profile-array=0"],
    "preferential": ["--profile-paths=/dev/null", "--profile-array=0"],  # and --profile-residual, of a run of the same program
}


@dataclass
class StaticPaths:
    """How many paths the code of a function has."""

    line: int
    name: str
    paths: int | None  # None: more than can be numbered, or some loop has a smaller k than asked for


def all_programs():
    programs = [suite.Program(path, suite.read_group(path)) for folder in (suite.SUITE, OWN_PROGRAMS)
                for path in sorted(folder.glob("*.lua"))]
    return sorted(programs, key=lambda program: program.name)


def scale_of(program):
    """For runs that are counted or profiled: one repetition of the work, or a fiftieth of all where that is more."""
    repetitions = int(re.search(r"math\.floor\((\d+) \* scale\)", program.path.read_text(encoding="utf-8")).group(1))
    return max(0.02, 1.01 / repetitions)


def has_two_inputs(program):
    return '== "train"' in program.path.read_text(encoding="utf-8")


class Laboratory:
    def __init__(self, engine, programs, options):
        self.engine, self.programs, self.options = engine, programs, options
        self.folder = tempfile.TemporaryDirectory()
        self.profiles = {}
        self.machine_code_checked = False
        self.kept = {"engine": hashlib.sha256(Path(engine).read_bytes()).hexdigest(), "instructions": {}, "seconds": {}}
        if options.measurements and Path(options.measurements).exists():
            kept = json.loads(Path(options.measurements).read_text(encoding="utf-8"))
            if kept["engine"] != self.kept["engine"]:
                sys.exit(f"{options.measurements} is of another build of the engine: remove it")
            self.kept = kept

    def note(self, text):
        if not self.options.quiet:
            print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    def keep(self):
        """What takes long is worth keeping: --measurements."""
        if self.options.measurements:
            kept = {kind: dict(its) if isinstance(its, dict) else its for kind, its in self.kept.items()}   # others go on adding
            Path(self.options.measurements).write_text(json.dumps(kept, indent=1), encoding="utf-8")

    def how(self, name):
        """The command that makes a table or figure."""
        chosen = [f"--program '{glob}'" if "*" in glob else f"--program {glob}" for glob in self.options.program or []]
        return " ".join(["./dev papers --only", name, *(["--quick"] if self.options.quick else []), *chosen])

    # --- running

    def command(self, program, flags, scale, *arguments):
        path = program.path.relative_to(suite.ROOT)
        return [self.engine, "--policy=baseline", *flags, str(path), f"{scale:g}", *arguments]

    def flags(self, program, mode):
        flags = list(MODES[mode])
        if mode == "preferential":
            flags.append(f"--profile-residual={self.baseline_file(program)}")
        return flags

    def baseline_file(self, program):
        self.paths(program)
        return Path(self.folder.name) / f"{program.name}.--profile-paths..{scale_of(program):g}..json"

    def run(self, command):
        done = subprocess.run(command, cwd=suite.ROOT, capture_output=True, text=True, errors="replace",
                              timeout=self.options.timeout)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    # --- profiles

    def profile(self, program, option, scale, *arguments, flags=()):
        """The report of one run. What it says of paths does not depend on the scale."""
        name = ".".join([program.name, option, "_".join(flags), f"{scale:g}", *(arguments or [""]), "json"]).replace("/", "_")
        if name not in self.profiles:
            self.note(f"profile of {program.name}")
            file = Path(self.folder.name) / name
            self.run(self.command(program, [f"{option}={file}", *flags], scale, *arguments))
            self.profiles[name] = json.loads(file.read_text(encoding="utf-8"))
        return self.profiles[name]

    def paths(self, program, scale=None):
        return self.profile(program, "--profile-paths", scale or scale_of(program))

    def edges(self, program, scale=None):
        return self.profile(program, "--profile-edges", scale or scale_of(program))

    def training(self, program):
        """The profile of the other input, of one repetition."""
        return self.profile(program, "--profile-paths", 0, "train")

    def preferential(self, program):
        """Of a run whose paths are all in the baseline, counted preferentially in every function."""
        flags = ("--profile-array=0", f"--profile-residual={self.baseline_file(program)}")
        return self.profile(program, "--profile-paths", scale_of(program), flags=flags)

    def increments(self, program):
        """Path increments, edge increments, hashed path increments and bytecodes of the work that instructions are counted of."""
        def at(scale):
            paths = self.paths(program, scale)
            hashed = sum(f["completed"] for f in paths["functions"] if f["table"] == "hash")
            edges = sum(e["count"] for f in self.edges(program, scale)["functions"] for e in f["edges"] if e["counted"])
            return paths["totals"]["completed"], edges, hashed, paths["totals"]["bytecodes"]

        scale = scale_of(program)
        return [high - low for low, high in zip(at(scale), at(2 * scale))]

    def static_paths(self, program, k):
        """Of each function of a program, in the order of its lines. The paths of k iterations are those of the function's own
        table and the windows of each loop's: together the valid paths of the k-iteration paper (numbering/README.md)."""
        text = self.run(self.command(program, ["--dump=numbering", f"--profile-k={k}"], 1))
        source = program.path.read_text(encoding="utf-8").splitlines()
        functions = []
        for part in re.split(r"(?m)^numbering <", text)[1:]:
            line = int(re.match(r".*:(\d+)>", part).group(1))
            count = re.search(r"(?m)^== numbering\npaths (\d+)", part)
            paths = int(count.group(1)) if count else None
            for shown, body in re.findall(r"(?m)^window \d+: L\d+ k (\d+) bits \d+ body paths (\d+)", part):
                paths = paths + int(body) ** k if paths is not None and int(shown) == k else None
            if re.search(r"(?m)^L\d+ truncation", part) or self.is_shortened(part, k):
                paths = None
            functions.append(StaticPaths(line, function_name(source, line), paths))
        return functions

    @staticmethod
    def is_shortened(dump, k):
        """An innermost loop that could have had a window has none."""
        loops = len(re.findall(r"(?m)^L\d+ natural .*innermost", dump))
        return k > 1 and len(re.findall(r"(?m)^window \d+:", dump)) < loops

    # --- instructions

    def instructions_of(self, program, mode, collects=False):
        """Of the second half of the work."""
        key = f"{program.name} {mode}" + (", collected" if collects else "")
        if key not in self.kept["instructions"]:
            flags = [*self.flags(program, mode), *([] if collects else NO_COLLECTION)]
            low, high = (self.valgrind(self.command(program, flags, scale)) for scale in (scale_of(program), 2 * scale_of(program)))
            self.kept["instructions"][key] = high - low
        return self.kept["instructions"][key]

    def valgrind(self, command):
        count, error = profile_cost.count_instructions(command, self.options.timeout)
        if error:
            sys.exit(f"{' '.join(command)}: {error}")
        return count

    def count_instructions(self, modes):
        """Of every program: {program name: {mode: instructions}}. Without a profile they are those of a usual run; what a
        profile adds to them is counted without garbage collection. Counting does not depend on what else the machine does, so
        several at once."""
        for program in self.programs:
            self.paths(program)
        if not self.machine_code_checked:
            self.check_machine_code(self.programs[0])
            self.machine_code_checked = True
        with ThreadPoolExecutor(self.options.jobs) as pool:
            usual = [pool.submit(self.instructions_of, p, BASE, collects=True) for p in self.programs]
            jobs = {p.name: {m: pool.submit(self.instructions_of, p, m) for m in [BASE, *modes]} for p in self.programs}
            result = {}
            for program, base in zip(self.programs, usual):
                self.note(f"instructions of {program.name}")
                counts = {mode: job.result() for mode, job in jobs[program.name].items()}
                result[program.name] = {mode: base.result() + counts[mode] - counts[BASE] for mode in counts}
                self.keep()
        return result

    def check_machine_code(self, program):
        """Valgrind once ran our code so that it was never entered: what was counted then was the interpreter."""
        counts = {}
        for policy in ("interpreter", "baseline"):
            counts[policy] = self.valgrind([self.engine, f"--policy={policy}", str(program.path), f"{scale_of(program):g}"])
        if counts["baseline"] >= counts["interpreter"]:
            sys.exit(f"machine code does not run under valgrind, or does not pay: {counts}")

    # --- times

    def measure_times(self):
        """Round by round, program by program, mode by mode: {program name: {mode: [seconds]}}."""
        for number in range(self.options.runs):
            for program in self.programs:
                for mode in MODES:
                    samples = self.kept["seconds"].setdefault(f"{program.name} {mode} {self.options.time_scale:g}", [])
                    if len(samples) > number:
                        continue
                    self.note(f"times, round {number + 1}/{self.options.runs}: {program.name}, {mode}")
                    flags = self.flags(program, mode)
                    work, fixed = (self.user_seconds(self.command(program, flags, scale)) for scale in (self.options.time_scale, 0))
                    samples.append(work - fixed)
            self.keep()
        return {p.name: {m: self.kept["seconds"][f"{p.name} {m} {self.options.time_scale:g}"][:self.options.runs]
                         for m in MODES} for p in self.programs} if self.options.runs else {}

    def user_seconds(self, command):
        sample = suite.measure(command, self.options.timeout)
        if sample.error:
            sys.exit(f"{' '.join(command)}: {sample.error}")
        return sample.user_seconds

    def time_ratio(self, times, program, mode, base=BASE):
        """The median of the ratios of neighbouring runs, and half of their range; None when no times are measured."""
        if not times:
            return None, None
        ratios = [own / other for own, other in zip(times[program.name][mode], times[program.name][base]) if other > 0]
        if not ratios:
            return None, None
        return statistics.median(ratios), (max(ratios) - min(ratios)) / 2


def function_name(source, line):
    """What the line that begins a function calls it."""
    if line == 0:
        return "main chunk"
    match = re.search(r"function\s+([\w.:]+)|([\w.]+)\s*=\s*function", source[line - 1])
    return next((name for name in match.groups() if name), None) if match else f"function in line {line}"
