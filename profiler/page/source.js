// The source of the selected function: what each line cost, how often it ran, the outcomes of its conditions, and the drawn path.

function linesOfFile(file) {
  if (file.texts) return file.texts;
  file.texts = new Map();
  for (const [first, text] of file.ranges) text.split("\n").forEach((line, index) => file.texts.set(first + index, line));
  return file.texts;
}

function shownLines(row, file) {
  const texts = linesOfFile(file);
  const ran = row.lines.map(([line]) => line);
  const first = Math.min(Math.max(row.line, 1), ...ran), last = Math.max(row.last, ...ran);
  return [...texts.keys()].filter((line) => line >= first && line <= last).sort((a, b) => a - b);
}

/** Time by line where time orders, else bytecodes. */
const lineValue = (line) => (byTime ? line[3] : line[2]);

function listingLine(row, number, text, context) {
  const cost = context.costs.get(number);
  const all = context.conditions.get(number) ?? [];
  const conditions = all.filter(isTelling);
  const value = cost ? lineValue(cost) : 0;
  const part = share(value, context.total);
  const isOnPath = context.onPath?.has(number);
  const taken = context.taken;
  const single = conditions.length === 1 ? conditions[0] : null;
  const line = element("div", { class: "line" + (cost ? "" : " idle") + (isOnPath ? " on" : ""), "data-line": number },
    element("span", { class: "margin" }),
    element("span", { class: "lineno" }, String(number)),
    element("span", { class: "hits", title: cost ? "paths through this line: " + grouped(cost[1]) : null }, cost ? short(cost[1]) : ""),
    element("span", { class: "cost", title: cost ? exactText(value, byTime ? "time" : "bytecodes") + (byTime ? "\n" + grouped(cost[2]) + " bytecodes" : "") +
      (data.time ? "\nwith what it calls: " + duration(cost[4]) : "") : null }, value > 0 ? percent(part) : ""),
    element("span", { class: "outcomes" }, single ? outcomeBar(single) : conditions.length > 1 ? element("span", { class: "remark" }, conditions.length + " cond.") : ""),
    takenText(conditions.length > 1 || !taken ? "" : all.filter((its) => taken.has(its)).map((its) => taken.get(its)).join(" ")),
    element("code", {}, ...(taken && !context.isHead ? markedText(text, all, taken) : [text])));
  line.style.setProperty("--heat", value > 0 ? Math.max(0.06, Math.sqrt(value / context.hottest)) : 0);
  return conditions.length > 1 ? [line, conditionList(row, conditions, taken)] : [line];
}

function listing(row, file, path) {
  const costs = new Map(row.lines.map((line) => [line[0], line]));
  const conditions = new Map();
  for (const condition of row.conditions) {
    if (!conditions.has(condition[0])) conditions.set(condition[0], []);
    conditions.get(condition[0]).push(condition);
  }
  const context = {
    costs, conditions,
    total: data.totals.value && (byTime || data.weight === "bytecodes") ? data.totals.value : data.totals.bytecodes,
    hottest: Math.max(1, ...row.lines.map(lineValue)),
    onPath: path ? new Set(path.lines) : null,
    taken: path ? takenOutcomes(row, path) : null,
  };
  const texts = linesOfFile(file);
  const children = [];
  let before = null;
  for (const number of shownLines(row, file)) {
    if (before !== null && number > before + 1) children.push(element("div", { class: "gap" }, "\u22ef"));
    before = number;
    const isHead = row.head && number === row.line;
    children.push(...listingLine(row, number, isHead ? "\u2026" + row.head : texts.get(number), { ...context, isHead }));
  }
  return element("div", { class: "listing" + (path ? " drawn" : ""), tabindex: 0, "aria-label": "Source lines" }, element("div", { class: "line titles" },
    element("span", { class: "margin" }), element("span", { class: "lineno" }, "line"), element("span", { class: "hits", title: "completed paths through the line" }, data.k > 1 ? "paths" : "hits"), element("span", { class: "cost" }, byTime ? "time" : "flat%"),
    element("span", { class: "outcomes" }, "outcomes"), takenText(path ? "taken" : ""), element("span", {}, file.name)), ...children);
}

let drawnRow = null;

function drawSource() {
  const { row, path } = selection;
  const place = byId("source");
  if (row === null) return place.replaceChildren();
  const head = element("div", { class: "heading" }, element("h2", { title: row.name }, shortName(row.name)), element("span", { class: "remark" }, row.place + (row.kind === "lua" ? ", " + plural(row.self[kCount], "call") : "") +
    ", " + exactText(row.value, data.weight) + ", " + percent(share(row.value, data.totals.value)) +
    (row.more_conditions ? "; " + plural(row.more_conditions, "condition") + " left out" : "")));
  if (!row.paths) return place.replaceChildren(head, element("p", { class: "empty" }, row.kind === "lua" ? "No path of it is on this page." : "This is no Lua function: it has no paths and no source here."));
  const file = data.files[row.file];
  const hasLines = shownLines(row, file).length > 0;
  const problem = file.problem ? "No source: " + file.problem + "." : "No source: it did not fit into this page.";
  const lines = hasLines ? listing(row, file, path) : element("p", { class: "empty" }, problem);
  place.replaceChildren(head, pathList(row), lines);
  if (drawnRow !== null && drawnRow !== row && matchMedia("(max-width: 1000px)").matches) place.scrollIntoView();
  drawnRow = row;
  if (path && hasLines) {
    drawRail(lines, row, path);
    scrollToLine(path.lines[0]);
  }
}

function scrollToLine(number) {
  const list = byId("source").querySelector(".listing");
  const line = list?.querySelector('[data-line="' + number + '"]');
  if (line) list.scrollTop = line.offsetTop - list.clientHeight / 4;
}
