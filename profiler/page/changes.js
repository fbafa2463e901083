// What has changed since another run: functions and their paths by how much their cost differs.

const kChangesAtFirst = 15;

function changeBar(before, after, largest) {
  const part = largest > 0 ? (50 * Math.abs(after - before)) / largest : 0;
  const fill = element("span", { class: "fill " + (after > before ? "worse" : "better"), "width%": part });
  fill.style.left = after > before ? "50%" : 50 - part + "%";
  return element("span", { class: "delta", "aria-hidden": "true" }, fill);
}

const signed = (value, text) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + text(Math.abs(value));

function changeCells(before, after, counts, largest) {
  const { weight, before: allBefore, after: allAfter } = data.difference;
  const points = share(after, allAfter) - share(before, allBefore);
  return [
    element("td", { class: "share" }, changeBar(before, after, largest)),
    element("td", { class: "number" }, signed(after - before, (value) => valueText(value, weight))),
    element("td", { class: "number" }, valueText(before, weight)),
    element("td", { class: "number" }, valueText(after, weight)),
    element("td", { class: "number" }, signed(points, (value) => value.toFixed(2))),
    element("td", { class: "number" }, counts[0] + counts[1] > 0 ? short(counts[0]) + " \u2192 " + short(counts[1]) : ""),
  ];
}

function changeRows(change, largest) {
  const pathRows = change.paths.map(([fate, before, after, countBefore, countAfter, path]) =>
    element("tr", { class: "details", hidden: true }, ...changeCells(before, after, [countBefore, countAfter], largest), element("td", { class: "fate" }, fate), element("td", { class: "path", colspan: 2, title: path }, element("code", {}, path))));
  if (change.more) pathRows.push(element("tr", { class: "details", hidden: true }, element("td", { colspan: 9, class: "remark" }, "and " + plural(change.more, "other path"))));
  const show = () => {
    const row = listed.find((row) => row.name === change.name && row.place === change.place);
    if (row) selection.show(row);
    for (const path of pathRows) path.hidden = !path.hidden;
    if (pathRows.length > 0) tr.setAttribute("aria-expanded", String(!pathRows[0].hidden));
  };
  const tr = element("tr", { tabindex: 0, class: "choice", onclick: show, "aria-expanded": pathRows.length > 0 ? "false" : null, onkeydown: (event) => { if (event.key === "Enter") show(); } },
    ...changeCells(change.before, change.after, change.calls, largest), element("td", { class: "fate" }, change.fate),
    element("td", { class: "name", title: change.name }, shortName(change.name)), element("td", { class: "place", title: change.place }, fileName(change.place)));
  return [tr, ...pathRows];
}

function drawChanges() {
  const { difference } = data;
  if (!difference) return;
  const { weight, before, after, functions, base: [base] } = difference;
  const section = byId("changes");
  section.hidden = false;
  section.append(heading("Changes", "by " + weight + ": " + valueText(before, weight) + " before, " + valueText(after, weight) + " after (" + signed(after - before, (value) => valueText(value, weight)) + ", " +
    signed(share(after - before, before), (value) => percent(value)) + ")"));
  if (base) section.append(element("p", { class: "remark" }, "since ", element("code", {}, base.command), " " + base.date.replace("T", " ").replace("Z", "")));
  if (functions.length === 0) return section.append(element("p", { class: "empty" }, "Nothing differs."));
  const largest = Math.max(...functions.map((change) => Math.abs(change.after - change.before)));
  const titles = ["", "change", "before", "after", "points", "calls", "", "function", "file:line"];
  const body = element("tbody");
  const fill = (most) => body.replaceChildren(...functions.slice(0, most).flatMap((change) => changeRows(change, largest)));
  fill(kChangesAtFirst);
  const left = difference.differing - functions.length;
  section.append(element("div", { class: "scroll" }, element("table", { class: "changes" },
    element("thead", {}, element("tr", {}, ...titles.map((title, index) => element("th", { scope: "col", class: index > 0 && index < 6 ? "number" : null,
      title: title === "points" ? "by how much its share of its run has grown" : null }, title)))), body)),
    element("button", { class: "more", hidden: functions.length <= kChangesAtFirst, onclick: (event) => { fill(functions.length); event.target.remove(); } }, "Show all " + functions.length),
    left > 0 ? element("p", { class: "remark" }, plural(left, "other function") + " differ, by less") : null);
}
