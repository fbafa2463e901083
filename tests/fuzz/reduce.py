"""Delta debugging by lines: makes a program small while something about it stays true."""

import time
from typing import Callable

Lines = list[str]
MOST_LINES_OF_A_BLOCK = 60
CLOSING = ("end", "until", "else", "}")


def reduce_lines(lines: Lines, holds: Callable[[Lines], bool], seconds: float) -> Lines:
    """A subsequence of `lines` for which `holds` is still true, small when the time suffices."""
    deadline = time.monotonic() + seconds
    before = None
    while before != lines and time.monotonic() < deadline:
        before = lines
        lines = remove_runs(lines, holds, deadline)
        lines = unwrap_blocks(lines, holds, deadline)
    return lines


def remove_runs(lines: Lines, holds: Callable[[Lines], bool], deadline: float) -> Lines:
    """Removes ever shorter runs of lines."""
    size = max(1, len(lines) // 2)
    while size >= 1 and time.monotonic() < deadline:
        start, removed = 0, False
        while start < len(lines) and time.monotonic() < deadline:
            candidate = lines[:start] + lines[start + size :]
            if holds(candidate):
                lines, removed = candidate, True
            else:
                start += size
        if size == 1 and not removed:
            break
        size = size if removed and size == 1 else size // 2
    return lines


def unwrap_blocks(lines: Lines, holds: Callable[[Lines], bool], deadline: float) -> Lines:
    """Removes an opening line together with a closing line after it (`do` ... `end`), with and without what is between."""
    start = 0
    while start < len(lines) and time.monotonic() < deadline:
        for end in range(start + 1, min(len(lines), start + MOST_LINES_OF_A_BLOCK)):
            if not lines[end].lstrip().startswith(CLOSING):
                continue
            without_block = lines[:start] + lines[end + 1 :]
            without_frame = lines[:start] + lines[start + 1 : end] + lines[end + 1 :]
            if holds(without_block):
                lines = without_block
                break
            if holds(without_frame):
                lines = without_frame
                break
            if time.monotonic() > deadline:
                return lines
        else:
            start += 1
    return lines
