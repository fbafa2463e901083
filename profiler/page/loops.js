// The loops: what their rounds cost, how well the rounds before predict the next, and which path follows which.

const kLoopsAtFirst = 12;

function allLoops() {
  return listed.flatMap((row) => (row.loops ?? []).map((loop) => ({ row, loop }))).sort((a, b) => b.loop.value - a.loop.value);
}

/** acc(1) to acc(k) as small columns. */
function accuracyBars(loop) {
  if (!loop.accuracy) return element("span", { class: "remark" }, loop.k > 1 ? "never " + loop.k + " rounds in one stay" : "");
  const text = loop.accuracy.map((value, index) => "acc(" + (index + 1) + ") = " + value.toFixed(2)).join("\n");
  const columns = loop.accuracy.map((value, index) => {
    const column = element("i", { class: index + 1 === loop.best_k ? "best" : null });
    column.style.height = Math.max(1, value * 16) + "px";
    return column;
  });
  return element("span", { class: "accuracy", title: text }, ...columns, element("span", {}, loop.accuracy.map((value) => value.toFixed(2)).join(" ")));
}

function loopRow({ row, loop }, hasRounds, largest) {
  const total = data.totals.path_value;
  const mark = data.path_weight === "time" ? "~" : "";
  const details = element("tr", { class: "details", hidden: true });
  const show = () => {
    selection.show(row);
    scrollToLine(loop.line);
    if (!(loop.windows?.length > 0)) return;
    details.hidden = !details.hidden;
    tr.setAttribute("aria-expanded", String(!details.hidden));
    if (details.childElementCount === 0) details.append(element("td", { colspan: hasRounds ? 7 : 4 }, transitions(row, loop)));
  };
  const tr = element("tr", { tabindex: 0, class: "choice", onclick: show, "aria-expanded": loop.windows?.length > 0 ? "false" : null,
    onkeydown: (event) => { if (event.key === "Enter") show(); } },
    element("td", { class: "share" }, bar(loop.value, largest, mark + percent(share(loop.value, total)))),
    element("td", { class: "name" }, loop.name),
    element("td", { class: "place", title: row.place }, shortName(row.name) + "  " + fileName(row.place)),
    element("td", { class: "number" }, short(loop.rounds)),
    ...(hasRounds ? [element("td", { class: "number" }, loop.k > 1 ? String(loop.k) : ""), element("td", { class: "number" }, loop.best_k ? String(loop.best_k) : ""),
      element("td", {}, accuracyBars(loop))] : []));
  return [tr, details];
}

function drawLoops() {
  const loops = allLoops();
  if (loops.length === 0) return;
  const hasRounds = data.k > 1;
  const titles = ["flat%", "loop", "function", "rounds", ...(hasRounds ? ["k", "best k", "acc(1..k)"] : [])];
  const body = element("tbody");
  const fill = (most) => body.replaceChildren(...loops.slice(0, most).flatMap((loop) => loopRow(loop, hasRounds, loops[0].loop.value)));
  fill(kLoopsAtFirst);
  byId("loops").hidden = false;
  byId("loops").append(
    heading("Loops", hasRounds ? "a click shows which path follows which; acc(n): share of rounds whose way the n-1 before predict"
      : "rounds but the first of each stay; --profile-k=3 tells which path follows which"),
    element("div", { class: "scroll" }, element("table", { class: "loops" },
      element("thead", {}, element("tr", {}, ...titles.map((title, index) => element("th", { scope: "col", class: index > 2 && index < 6 ? "number" : null }, title)))), body)),
    element("button", { class: "more", hidden: loops.length <= kLoopsAtFirst, onclick: (event) => { fill(loops.length); event.target.remove(); } }, "Show all " + loops.length));
}
