"""The engines a campaign compares: command lines, with parts that depend on the batch, and what running them gives.

In a command, `{seed}` becomes the first seed of the batch and `{a|b|c}` one of the alternatives, chosen by it; an
alternative may be empty.  So `mangata --stress=schedule:{seed} {|--gc-stress}` differs from batch to batch and is still
the same for the same seeds.
"""

import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from exact_profile import WITHOUT_TIME, exact_part

RUNNER = Path(__file__).resolve().parent / "run.lua"
MEMORY_LIMIT_BYTES = 8 << 30  # address space; not for engines that reserve much and touch little


WAITING = 5  # a busy machine may let a process wait that many times as long as it works


def limit(memory: bool, seconds: float) -> None:
    """What the process may take; its processor time, so that a hang is one however much else the machine does. It compiles on a second thread."""
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
    whole_seconds = 2 * int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole_seconds, whole_seconds + 5))


def instantiate(command: str, seed: int) -> list[str]:
    """The words of a command for the batch that starts with `seed`."""
    choices = random.Random(seed)

    def substitute(match: re.Match) -> str:
        text = match.group(1)
        return str(seed) if text == "seed" else choices.choice(text.split("|"))

    while "{" in command:  # an alternative may contain {seed}: the inner ones first
        command = re.sub(r"\{([^{}]*)\}", substitute, command)
    return shlex.split(command)


class Engine:
    """A command line that runs Lua scripts. `profile` is an option that takes a file, such as --profile-paths; what the
    engine writes there then belongs to its output."""

    def __init__(self, command: str, flags: list[str], limited: bool = False, profile: str = ""):
        self.command = command
        self.flags = flags
        self.limited = limited
        self.profile = profile

    def program(self) -> str:
        return shlex.split(self.command)[0]

    def is_usable(self) -> bool:
        """Whether the program is there and knows the options."""
        if shutil.which(self.program()) is None:
            return False
        commands = {tuple(self.words(seed, os.devnull)) for seed in range(20)}  # all alternatives, most likely
        return all(subprocess.run([*words, "-e", ""], capture_output=True).returncode == 0 for words in commands)

    def words(self, seed: int, profile_file: str = "") -> list[str]:
        words = instantiate(self.command, seed)
        if self.profile:
            words += [WITHOUT_TIME] * ("--profile-paths" in self.profile) + instantiate(self.profile, seed)
            words[-1] += f"={profile_file}"
        return words

    def run(self, seed: int, arguments: list[str], seconds: float, scratch: str) -> str:
        """Standard output, followed by how the process ended when that was not well, and by the profile. In so many seconds on an idle machine."""
        profile_file = os.path.join(scratch, "profile.json")
        Path(profile_file).unlink(missing_ok=True)
        try:
            done = subprocess.run(
                self.words(seed, profile_file) + [str(RUNNER)] + self.flags + arguments,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=WAITING * seconds,
                preexec_fn=lambda: limit(self.limited, seconds),
            )
        except subprocess.TimeoutExpired as expired:
            return (expired.stdout or b"").decode("latin-1") + "did not end\n"
        output = done.stdout.decode("latin-1")
        if done.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
            return output + "did not end\n"
        if done.returncode != 0:
            output += f"exit status {done.returncode}\n" + done.stderr.decode("latin-1")[-2000:]
        if self.profile:
            output += exact_part(Path(profile_file).read_text(encoding="latin-1")) if os.path.exists(profile_file) else "no profile\n"
        return output
