"""Charts as SVG, by hand: bars, lines and points. Sizes are in pixels; text is in whatever sans serif there is."""

import math
from html import escape

COLOURS = ["#2b6cb0", "#dd6b20", "#2f855a", "#b83280"]
PAPER_COLOURS = ["#90b4d8", "#f0b98d", "#9ac7ae", "#dba3c3"]  # the same, of the paper
GREY = "#718096"


class Drawing:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [f"<title>{escape(title)}</title>", f'<rect width="{width}" height="{height}" fill="white"/>']
        self.text(12, 22, title, size=15)

    def text(self, x, y, content, anchor="start", size=11, colour="#1a202c"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
                          f"{escape(str(content))}</text>")

    def rectangle(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" fill="{colour}"/>')

    def line(self, points, colour=GREY, width=1.0, dashes=""):
        shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{shown}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>')

    def point(self, x, y, colour, radius=3.0):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity="0.6"/>')

    def legend(self, x, y, entries):
        for label, colour in entries:
            self.rectangle(x, y - 9, 10, 10, colour)
            self.text(x + 14, y, label)
            x += 30 + 6.3 * len(label)

    def done(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif">\n' + "\n".join(self.parts) + "\n</svg>\n")


def ticks(low, high, most=8):
    """Round numbers in between."""
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9) / most))
    while (high - low) / step > most:
        step *= 2 if str(f"{step:.0e}")[0] != "2" else 2.5
    first = math.ceil(low / step)
    return [index * step for index in range(first, math.floor(high / step + 1e-9) + 1)]


def bars(title, series, rows, unit, low=0.0, high=None):
    """Horizontal bars. rows: (label, values, is of the paper), one value of each series, None where there is none. Bars begin at
    0 or at `low`; those longer than `high` are cut off, with their value behind."""
    values = [value for _, its, _ in rows for value in its if value is not None]
    lowest, highest = min([low, *values]), high if high is not None else max([low + 1e-9, *values])
    thick, left, width = 7, 150, 560
    tall = thick * len(series) + 5
    drawing = Drawing(left + width + 70, 70 + tall * len(rows) + 30, title)
    entries = [(f"{name}, ours", COLOURS[i]) for i, name in enumerate(series)]
    if any(of_paper for _, _, of_paper in rows):
        entries += [(f"{name}, the paper's", PAPER_COLOURS[i]) for i, name in enumerate(series)]
    drawing.legend(12, 44, entries)

    def place(value):
        return left + (min(max(value, lowest), highest) - lowest) / (highest - lowest) * width

    bottom = 60 + tall * len(rows)
    for tick in ticks(lowest, highest):
        drawing.line([(place(tick), 56), (place(tick), bottom)], "#e2e8f0")
        drawing.text(place(tick), bottom + 16, f"{tick:g}{unit}", "middle")
    for index, (label, its, of_paper) in enumerate(rows):
        top = 60 + tall * index
        drawing.text(left - 6, top + tall / 2 + 2, label, "end", 10, GREY if of_paper else "#1a202c")
        for i, value in enumerate(its):
            if value is None:
                continue
            begin, end = sorted((place(max(low, lowest)), place(value)))
            drawing.rectangle(begin, top + thick * i, end - begin, thick - 1, (PAPER_COLOURS if of_paper else COLOURS)[i])
            if value > highest:
                drawing.text(end + 3, top + thick * (i + 1), f"{value:.0f}{unit}", size=9)
    return drawing.done()


class Axes:
    """A square of logarithmic or linear scales."""

    def __init__(self, drawing, x, y, labels, logarithmic=(False, False)):
        self.drawing, self.ranges, self.logarithmic = drawing, (x, y), logarithmic
        self.left, self.top, self.width, self.height = 70, 60, drawing.width - 100, drawing.height - 115
        for axis in (0, 1):
            for tick in self.ticks(axis):
                at = self.at(tick, self.ranges[1][0]) if axis == 0 else self.at(self.ranges[0][0], tick)
                over = self.at(tick, self.ranges[1][1]) if axis == 0 else self.at(self.ranges[0][1], tick)
                drawing.line([at, over], "#e2e8f0")
                if axis == 0:
                    drawing.text(at[0], at[1] + 16, f"{tick:g}", "middle")
                else:
                    drawing.text(at[0] - 6, at[1] + 4, f"{tick:g}", "end")
        drawing.text(self.left + self.width / 2, drawing.height - 14, labels[0], "middle")
        drawing.text(12, 48, labels[1])

    def ticks(self, axis):
        low, high = self.ranges[axis]
        if not self.logarithmic[axis]:
            return ticks(low, high)
        return [10**power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]

    def share(self, value, axis):
        low, high = self.ranges[axis]
        if self.logarithmic[axis]:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return (value - low) / (high - low)

    def at(self, x, y):
        return self.left + self.share(x, 0) * self.width, self.top + (1 - self.share(y, 1)) * self.height
