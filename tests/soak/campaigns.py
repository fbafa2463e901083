"""What a soak consists of: campaigns, and the builds that each of them runs in.

A campaign is a command that takes seeds from a first one on, ends by itself, and says in its last line what it compared.
Read next: soak.py, which takes them in turns.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "fuzz"))
from turns import TURNS, Turn, release_of  # noqa: E402

# How many times slower programs run in each build, roughly.
BUILDS = {"release": 1, "asan": 20, "tsan": 40}
WITH_SANITIZERS = ["release", "asan", "tsan"]


@dataclass
class Setting:
    """What all campaigns are told."""

    builds: Path  # the folder of the builds
    judge: str  # another Lua 5.4
    jobs: int
    findings: Path

    def engine(self, build: str) -> str:
        return str(self.builds / build / "bin" / "mangata")


@dataclass
class Campaign:
    """`command` gives the words to run in a build from a first seed for so many seconds. `total` finds what the last line says: programs,
    comparisons (the programs, where it does not say), differences."""

    name: str
    description: str
    builds: list[str]
    command: Callable[[Setting, str, int, float], list[str]]
    total: str
    needs: Callable[[Setting, str], list[Path]] = lambda setting, build: []  # files, besides the engine, without which it is left out
    newest_judge: bool = False  # runs only with 5.4.8 or newer as the judge
    judged: bool = False  # the other Lua is its judge

    def count(self, output: str) -> tuple[int, int, int] | None:
        """Programs, comparisons and differences; None when the output ends without saying so."""
        found = list(re.finditer(self.total, output))
        if not found:
            return None
        numbers = found[-1].groupdict()
        return int(numbers["programs"]), int(numbers.get("comparisons") or numbers["programs"]), int(numbers["differences"])


def generated(turn: Turn) -> Campaign:
    """Generated programs, a turn of the fuzzer's campaigns."""

    def command(setting: Setting, build: str, first: int, seconds: float) -> list[str]:
        words = turn.command_line(setting.engine(build), setting.judge, first, slower=BUILDS[build])
        return [*words, "--seconds", str(seconds), "--jobs", str(setting.jobs), "--findings", str(setting.findings)]

    return Campaign(turn.name, turn.description(), WITH_SANITIZERS, command,
                    r"(?P<comparisons>\d+) comparisons of (?P<programs>\d+) programs of kind \w+, (?P<differences>\d+) different",
                    newest_judge=turn.newest_reference, judged=turn.needs_reference())


def loops(setting: Setting, build: str, first: int, seconds: float) -> list[str]:
    return [sys.executable, "-B", str(TESTS / "tiers" / "loops_agree.py"), "--engine", setting.engine(build), "--first", str(first),
            "--seconds", str(seconds), "--findings", str(setting.findings)]


def library_and_host(setting: Setting, build: str) -> list[Path]:
    folder = setting.builds / build
    return [folder / "lib" / "lua5.4" / "liblua5.4.so.0", folder / "tests" / "capi" / "random_calls"]


def api_calls(setting: Setting, build: str, first: int, seconds: float) -> list[str]:
    library, host = library_and_host(setting, build)
    return [sys.executable, "-B", str(TESTS / "capi" / "random_calls.py"), "--library", str(library), "--host", str(host), "--first", str(first), "--count", str(int(50 * seconds))]


def leaks(setting: Setting, build: str, first: int, seconds: float) -> list[str]:
    return [sys.executable, "-B", str(TESTS / "fuzz" / "leaks.py"), "--engine", setting.engine(build), "--first", str(first), "--seconds", str(seconds)]


PROFILES_EVERY = 60


def whole_profiles(setting: Setting, build: str, first: int, seconds: float) -> list[str]:
    return [sys.executable, "-B", str(TESTS / "tiers" / "profiles_agree.py"), "--engine", setting.engine(build), "--jobs", str(setting.jobs),
            "--every", str(PROFILES_EVERY), "--from", str(first % PROFILES_EVERY), "--tier", "schedule", "--tier", "resume", "--tier", "optimizer", "--tier", "deopt"]


CAMPAIGNS = [
    *(generated(turn) for turn in TURNS),
    Campaign("loops", "loops over arrays: interpreter against regions and the optimizer", WITH_SANITIZERS, loops,
             r"(?P<comparisons>\d+) loops compared, (?P<differences>\d+) programs and options different, (?P<programs>\d+) programs"),
    Campaign("leaks", "programs run, and dropped, many times over: memory stays what it was", ["release"], leaks,
             r"(?P<comparisons>\d+) runs of (?P<programs>\d+) programs, (?P<differences>\d+) leak"),
    Campaign("api-calls", "random calls of the C API: Debian's liblua5.4.so.0 against ours", ["release"], api_calls,
             r"(?P<programs>\d+) sequences, (?P<differences>\d+) parted", needs=library_and_host),
    Campaign("profiles-of-programs", "profiles of the programs of bench/suite, examples and tests/lua: interpreter against tiers", ["release"], whole_profiles,
             r"(?P<programs>\d+) programs and modes, (?P<differences>\d+) differences"),
]
