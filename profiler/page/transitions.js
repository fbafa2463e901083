// Which path follows which: from the windows of k rounds of a loop, what comes after each way of k-1 rounds.

const letterOf = (index) => (index < 26 ? String.fromCharCode(65 + index) : letterOf(Math.floor(index / 26) - 1) + letterOf(index % 26));

/** Ways through one round, most frequent first, and for each sequence of k-1 of them how often each came next. */
function followers(loop) {
  const ways = new Map();
  const contexts = new Map();
  const add = (map, key, make) => map.get(key) ?? (map.set(key, make()), map.get(key));
  for (const [count, steps, rounds] of loop.windows) {
    const parts = roundsOf({ steps, rounds });
    const keys = parts.map((round) => round.join(","));
    parts.forEach((round, index) => {
      const way = add(ways, keys[index], () => ({ steps: round, count: 0 }));
      if (index === parts.length - 1) way.count += count;
    });
    const context = add(contexts, keys.slice(0, -1).join(";"), () => ({ keys: keys.slice(0, -1), count: 0, next: new Map() }));
    context.count += count;
    context.next.set(keys.at(-1), (context.next.get(keys.at(-1)) ?? 0) + count);
  }
  const sorted = [...ways].sort((a, b) => b[1].count - a[1].count);
  sorted.forEach(([, way], index) => { way.letter = letterOf(index); way.hue = index % 8; });
  return { ways: new Map(sorted), contexts: [...contexts.values()].sort((a, b) => b.count - a.count) };
}

/** One round as a path that can be drawn through the source. */
function roundAsPath(row, loop, steps) {
  const lines = [...new Set([loop.line, ...steps.map((code) => stepOf(row, code).condition[0])])].sort((a, b) => a - b);
  return { start: loop.name, end: loop.name, from: loop.line, to: loop.line, steps, lines, count: 0, isRound: true };
}

function wayButton(row, loop, way) {
  return element("button", { class: "way hue" + way.hue, title: way.steps.map((code) => stepText(row, code)).join(" ") || "no condition",
    onclick: (event) => { event.stopPropagation(); selection.show(row, roundAsPath(row, loop, way.steps)); } }, way.letter);
}

function transitions(row, loop) {
  const { ways, contexts } = followers(loop);
  const all = contexts.reduce((sum, context) => sum + context.count, 0);
  const legend = [...ways.values()].slice(0, 12).map((way) => element("li", {}, wayButton(row, loop, way),
    element("code", {}, way.steps.map((code) => stepText(row, code)).join(" ") || "(no condition)"), element("span", { class: "remark" }, percent(share(way.count, all)))));
  const rows = contexts.slice(0, 12).map((context) => {
    const next = [...context.next].sort((a, b) => b[1] - a[1]);
    const parts = next.map(([key, count]) => {
      const way = ways.get(key);
      const part = share(count, context.count);
      return element("span", { class: "part hue" + way.hue, "width%": part, title: way.letter + ": " + grouped(count) + " times, " + percent(part) }, part > 9 ? way.letter + " " + percent(part, 0) : "");
    });
    return element("tr", {}, element("td", {}, ...context.keys.map((key) => wayButton(row, loop, ways.get(key)))),
      element("td", { class: "number" }, short(context.count)), element("td", { class: "next" }, element("span", { class: "parts" }, ...parts)));
  });
  const hidden = contexts.length - rows.length;
  return element("div", { class: "transitions" }, element("ul", { class: "legend" }, ...legend),
    element("table", {}, element("thead", {}, element("tr", {}, element("th", {}, "after"), element("th", { class: "number" }, "times"), element("th", {}, "comes"))), element("tbody", {}, ...rows)),
    hidden > 0 ? element("p", { class: "remark" }, plural(hidden, "rarer sequence") + " not shown") : null);
}
