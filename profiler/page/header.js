// What ran, its totals, and what the order is by.

function tile(name, value, hint) {
  return element("div", { class: "tile", title: hint }, element("b", {}, value), element("span", {}, name));
}

function tiles() {
  const { totals, time } = data;
  const list = [];
  if (time) {
    list.push(tile("processor time", duration(time.thread), plural(time.samples, "sample") + ", one each " + duration(time.period)));
    list.push(tile("elapsed", duration(time.wall), "waiting " + duration(time.waiting) + "; compile thread " + duration(time.compile)));
    const collector = data.functions.filter((row) => row.kind === "collector").reduce((sum, row) => sum + row.self[kNanoseconds], 0);
    if (collector > 0) list.push(tile("garbage collector", percent(share(collector, time.thread)), duration(collector) + " of processor time"));
    list.push(tile("samples", short(time.samples), plural(time.invalid, "sample") + " invalid"));
  }
  list.push(tile("bytecodes", short(totals.bytecodes), grouped(totals.bytecodes) + ", exact"));
  if (data.allocations) list.push(tile("allocated", short(totals.bytes) + "B", grouped(totals.bytes) + " bytes in " + grouped(totals.objects) + " objects, exact"));
  list.push(tile("paths taken", short(totals.completed), grouped(totals.completed) + " completed, " + totals.cut + " cut off"));
  list.push(tile("different paths", short(totals.distinct), grouped(totals.distinct)));
  list.push(tile("functions", short(totals.functions), "with at least one path"));
  return list;
}

/** What is not on the page, and what its numbers need to be read. */
function remarks() {
  const { left_out: left, totals } = data;
  const list = [];
  const few = data.time && data.weight === "bytecodes";
  list.push(byTime ? "Ordered by processor time. Times of paths and loops are estimates: the time of a function split among its paths."
    : "Ordered by " + (data.weight === "count" ? "completed paths" : data.weight === "bytecodes" ? "bytecodes executed" : data.weight + " allocated") +
      ", exact" + (few ? ": with 500 samples of processor time it would be by that." : !data.time && data.weight === "bytecodes" ? "; no time was sampled." : "."));
  if (data.estimate) list.push("Counts are estimates, scaled up from samples.");
  if (data.k > 1) list.push("Paths run through up to " + data.k + " rounds of innermost loops, with | between two rounds.");
  if (data.rarest) list.push("To stay within memory, " + plural(data.rarest[0], "rare path") + " were not kept, which ran " + plural(data.rarest[1], "time") + ".");
  if (left.functions > 0) list.push("Not listed here: " + plural(left.functions, "function") + " with " + percent(share(left.value, totals.value), 2) + " of all.");
  if (left.sources > 0) list.push("Without source, for the size of this page: " + plural(left.sources, "function") + ".");
  return list.join(" ");
}

function drawHeader() {
  const [run] = data.runs;
  const more = data.run_count > 1 ? " and " + plural(data.run_count - 1, "other run") : "";
  byId("summary").append(
    element("div", { class: "what" },
      element("h1", {}, data.difference ? "What changed" : "Path profile"),
      run ? element("code", { class: "command", title: run.command }, run.command) : null,
      run ? element("span", { class: "remark" }, run.date.replace("T", " ").replace("Z", "") + ", Mangata " + run.version +
        (run.policy ? ", " + run.policy : "") + (run.exit_status ? ", exit status " + run.exit_status : "") + more) : null),
    element("div", { class: "tiles" }, ...tiles()),
    element("p", { class: "remark" }, remarks()));
}
