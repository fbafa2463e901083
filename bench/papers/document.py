"""Markdown: tables, and the page around one."""

import math
import statistics


def number(value, digits=1):
    """`-` for what was not measured."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{digits}f}"


def percent(ratio, digits=1):
    """What a ratio adds."""
    return "-" if ratio is None else f"{(ratio - 1) * 100:+.{digits}f}"


def table(headings, rows):
    """The first column is text, all others are numbers; those without any are left out."""
    for row in rows:
        assert len(row) == len(headings), (headings, row)
    full = [i for i in range(len(headings)) if i == 0 or any(row[i] != "-" for row in rows)]
    headings, rows = [headings[i] for i in full], [[row[i] for i in full] for row in rows]
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    lines += ["| " + " | ".join(str(field) for field in row) + " |" for row in rows]
    return "\n".join(lines)


def spread_of(values, digits=1):
    """`mean (lowest to highest)`."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    return f"{statistics.fmean(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def mean(values):
    values = [value for value in values if value is not None]
    return statistics.fmean(values) if values else None


def page(title, command, what, parts):
    """Generated: nothing on it is to be edited."""
    head = f"# {title}\n\nMade by `{command}`; do not edit. What it means: [README](../README.md).\n\n{what}\n"
    return head + "\n" + "\n\n".join(parts) + "\n"
