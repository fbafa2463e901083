#!/usr/bin/env python3
"""Runs the language behaviour files of tests/lua under every configuration of an engine.

Every configuration must give the same bytes: a tier may change the speed of a program, never its meaning.  Adding a
tier is adding a line to CONFIGURATIONS; CMake asks for the list, so nothing else changes.

    run_lua_tests.py --engine build/release/bin/mangata                all areas, all configurations
    run_lua_tests.py --engine ... --area metatables --configuration profiled
    run_lua_tests.py --engine lua5.4 --configuration none              validates the files themselves
"""

import argparse
import concurrent.futures
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import expectations  # noqa: E402

# Name of the configuration -> options that come before the script.  `none` is for engines that are not mangata.
CONFIGURATIONS = {
    "interpreter": ["--policy=interpreter"],
    "profiled": ["--policy=interpreter", "--profile-paths=/dev/null"],
    "gc-stress": ["--policy=interpreter", "--gc-stress"],
    # Compiled code: from the first call, by thresholds, and changing tier all the time (schedule: at random; resume: after
    # every runtime call). Without a JIT these are the interpreter once more.
    "baseline": ["--policy=baseline"],
    "counter": ["--policy=counter:entry=2,loop=3"],
    "schedule-1": ["--stress=schedule:1"],
    "schedule-2": ["--stress=schedule:2"],
    "schedule-3": ["--stress=schedule:3"],
    "profile-1": ["--stress=profile:1"],
    "profile-2": ["--stress=profile:2"],
    "adaptive": ["--policy=adaptive:entry=2,loop=3,warm=5,sample=20,quiet=50"],
    "optimizer": ["--policy=optimizer:warm=16,record=300"],
    "regions": ["--stress=region:3"],
    "side-exits": ["--stress=deopt:5"],
    "quick": ["--stress=region:7", "--opt-compiler=quick"],
    "quick-side-exits": ["--stress=deopt:7", "--opt-compiler=quick"],
    "resume": ["--policy=baseline", "--stress=resume"],
    "baseline-gc-stress": ["--policy=baseline", "--gc-stress"],
    "baseline-profiled": ["--policy=baseline", "--profile-paths=/dev/null", "--profile-k=2"],
}

# Configurations that take long, and the areas that they are for; the fuzzer has them for everything.
ONLY_AREAS = {
    "optimizer": {"for_loops", "tables", "closures", "functions", "coroutines", "goto", "metatables"},
    "regions": {"for_loops", "tables", "functions", "metatables"},
    "side-exits": {"for_loops", "tables", "metatables"},
    "quick": {"for_loops", "tables", "functions", "metatables", "closures", "coroutines", "goto"},
    "quick-side-exits": {"for_loops", "tables", "metatables"},
}

# Configurations that differ in a seed only: each area has one of them in the tests, in turns; all of them in the campaign.
BY_SEED = [["schedule-1", "schedule-2", "schedule-3"], ["profile-1", "profile-2"]]

LUA_ROOT = Path(__file__).resolve().parent.parent / "lua"
# Files under a folder of this name are modules that behaviour files load, not tests.
SUPPORT_FOLDER = "modules"


def areas() -> list[str]:
    """The folders of tests/lua, each one ctest test per configuration."""
    return sorted(path.name for path in LUA_ROOT.iterdir() if path.is_dir())


def files_of(area: str) -> list[Path]:
    return sorted(p for p in (LUA_ROOT / area).rglob("*.lua") if SUPPORT_FOLDER not in p.parts)


def only_in_campaign(area: str, configuration: str) -> bool:
    """Whether the area has another seed of this configuration in the tests."""
    seeds = next((names for names in BY_SEED if configuration in names), [configuration])
    return configuration != seeds[areas().index(area) % len(seeds)]


@functools.cache
def expectations_of(path: Path) -> expectations.Expectations:
    return expectations.parse(path.read_text(encoding="latin-1"))


def applies(path: Path, configuration: str) -> bool:
    """False when the file says that it is not meant for this configuration; gc-stress means every tier under it."""
    excluded = expectations_of(path).not_under
    return not any(configuration == name or configuration.endswith("-" + name) for name in excluded)


def is_long(path: Path, configuration: str) -> bool:
    """Whether the file says that it takes long under this configuration."""
    return configuration in expectations_of(path).long_under


# Where the behaviour files find modules written in C; set by --cpath.
module_path: dict[str, str] = {}


def clean_environment() -> dict[str, str]:
    """The environment without the variables that change what a Lua engine does."""
    return {k: v for k, v in os.environ.items() if not k.startswith("LUA_")} | {"LC_ALL": "C"} | module_path


def run_file(command: list[str], path: Path, timeout: float) -> list[str]:
    """Runs one file in its own folder (so that messages name it by its bare name); returns the differences. Where each safepoint collects,
    nothing waits for code to get hot: hot loops may have ROUNDS=few."""
    rounds = {"ROUNDS": "few"} if "--gc-stress" in command else {}
    expected = expectations_of(path)
    try:
        done = subprocess.run(
            command + [path.name],
            cwd=path.parent,
            env=clean_environment() | rounds,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return [f"  no end after {timeout:g} s"]
    error = expectations.strip_program_name(done.stderr.decode("latin-1"), program_names(command))
    return expectations.differences(expected, done.stdout.decode("latin-1"), error, done.returncode)


def program_names(command: list[str]) -> list[str]:
    return [command[0], Path(command[0]).name, "lua"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", help="the program under test")
    parser.add_argument("--configuration", action="append", help="a name of CONFIGURATIONS, or `none`; default: all")
    parser.add_argument("--area", action="append", help="a folder of tests/lua; default: all")
    parser.add_argument("--file", action="append", help="run only files whose path contains this text")
    parser.add_argument("--cpath", help="where modules written in C are: the files' package.cpath")
    parser.add_argument("--jobs", type=int, default=1, help="files run at the same time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds allowed to one file")
    parser.add_argument("--long", choices=["out", "only"], help="the files that take long under a configuration: leave them out, or only them")
    parser.add_argument("--list", action="store_true", help="print `area configuration [Campaign]` lines for CMake and stop")
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    if arguments.list:
        for area in areas():
            for configuration in CONFIGURATIONS:
                if area in ONLY_AREAS.get(configuration, {area}):
                    print(area, configuration, "Campaign" if only_in_campaign(area, configuration) else "")
        return 0
    if not arguments.engine or not shutil.which(arguments.engine):
        print("run_lua_tests.py: --engine must name a program", file=sys.stderr)
        return 2
    if arguments.cpath:
        module_path["LUA_CPATH"] = arguments.cpath
    engine = arguments.engine if os.sep not in arguments.engine else os.path.abspath(arguments.engine)

    jobs = []
    for configuration in arguments.configuration or list(CONFIGURATIONS):
        options = [] if configuration == "none" else CONFIGURATIONS[configuration]
        for area in arguments.area or areas():
            for path in files_of(area):
                wanted = not arguments.file or any(text in str(path) for text in arguments.file)
                wanted = wanted and (not arguments.long or is_long(path, configuration) == (arguments.long == "only"))
                if wanted and applies(path, configuration):
                    jobs.append((configuration, [engine] + options, path))

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda job: run_file(job[1], job[2], arguments.timeout), jobs)
        for (configuration, _, path), lines in zip(jobs, results):
            if lines:
                failed += 1
                print(f"FAILED {path.relative_to(LUA_ROOT)} [{configuration}]")
                print("\n".join(lines))
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
