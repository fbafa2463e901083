// The drawn path: a line in the margin through the conditions in the order in which they were met, each round of a loop in a lane of its own.

const kLane = 9;
const kMostLanes = 8;

/** By condition: the outcomes that the path took there, "T", "T|F" in two rounds. */
function takenOutcomes(row, path) {
  const taken = new Map();
  for (const code of path.steps) {
    const { condition, outcome } = stepOf(row, code);
    const before = taken.get(condition);
    taken.set(condition, (before === undefined ? "" : before + "|") + outcomeNames[outcome]);
  }
  return taken;
}

/** Points [lane, line], in order. */
function pointsOf(row, path) {
  const points = [[0, path.from > 0 ? path.from : path.lines[0]]];
  roundsOf(path).forEach((round, lane) => {
    if (lane > 0 && path.start.startsWith("loop")) points.push([lane, path.from]);
    for (const code of round) points.push([lane, stepOf(row, code).condition[0]]);
  });
  const lane = points.at(-1)[0];
  if (path.to > 0) points.push([lane, path.to]);
  return points.filter(([, line]) => line > 0).map(([lane, line]) => [Math.min(lane, kMostLanes - 1), line]);
}

function drawRail(listing, row, path) {
  const points = pointsOf(row, path);
  const lanes = Math.max(0, ...points.map(([lane]) => lane)) + 1;
  listing.style.setProperty("--rail", (lanes * kLane + 16) + "px");
  const lineAt = (line) => listing.querySelector('[data-line="' + line + '"]');
  const top = listing.getBoundingClientRect().top;
  const placed = [];
  for (const [lane, line] of points) {
    const found = lineAt(line);
    if (!found) continue;
    const box = found.getBoundingClientRect();
    placed.push({ x: 12 + lane * kLane, y: box.top - top + 9, line });
  }
  const shapes = [];
  placed.forEach((point, index) => {
    const last = placed[index - 1];
    if (!last || (last.x === point.x && last.y === point.y)) return;
    const isBack = point.y < last.y;
    const bend = last.x - 9;
    const shape = isBack && last.x === point.x
      ? "M" + last.x + " " + last.y + " C" + bend + " " + last.y + " " + bend + " " + point.y + " " + point.x + " " + point.y
      : "M" + last.x + " " + last.y + " L" + point.x + " " + point.y;
    shapes.push(drawing("path", { d: shape, class: isBack ? "back" : "" }));
  });
  placed.forEach((point, index) => shapes.push(drawing("circle", { cx: point.x, cy: point.y, r: index === 0 || index === placed.length - 1 ? 4 : 2.5,
    class: index === 0 ? "first" : index === placed.length - 1 ? "last" : "" })));
  const height = listing.scrollHeight;
  listing.append(drawing("svg", { class: "rail", width: lanes * kLane + 16, height, "aria-hidden": "true" }, ...shapes));
}
