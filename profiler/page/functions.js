// The table of functions: searched, and sorted by any column. Those without a name are called by their place, which stands beside it.

const functionTable = { sort: null, isDescending: true, words: "", isWhole: false };
const kRowsAtFirst = 20;

function functionColumns() {
  const { totals, weight } = data;
  const number = (title, hint, value, text) => ({ title, hint, value, isNumber: true, cell: (row) => text(value(row), row) });
  const largest = Math.max(0, ...listed.map((row) => row.value));
  const isLua = (row) => row.kind === "lua";
  const columns = [
    { title: "flat%", hint: "share of " + weight + ", without what it calls", isNumber: true, isShare: true, value: (row) => row.value,
      cell: (row) => bar(row.value, largest, percent(share(row.value, totals.value))) },
    { title: "function", hint: "", value: (row) => row.name.toLowerCase(), cell: (row) => row.name.replace(/^function <.*>$/s, "function") },
    { title: "file:line", hint: "", value: (row) => row.place, cell: (row) => fileName(row.place) },
    number("flat", weight + ", without what it calls", (row) => row.value, (value) => valueText(value, weight)),
  ];
  if (byTime) columns.push(number("\u00b1", "one standard error of flat%", (row) => row.error ?? 0, (value) => value.toFixed(1)));
  if (data.time) {
    if (!byTime) columns.push(number("time", "processor time, without what it calls", (row) => row.self[kNanoseconds], duration));
    columns.push(number("cum", "processor time with what it calls", (row) => row.total, duration));
    if (byTime) columns.push(number("cum%", "share of the time, with what it calls", (row) => row.total, (value) => percent(share(value, totals.value))));
  }
  columns.push(number("calls", "exact", (row) => row.self[kCount], (value, row) => (isLua(row) ? short(value) : "")));
  if (weight !== "bytecodes") columns.push(number("bytecodes", "executed, exact", (row) => row.self[kBytecodes], (value, row) => (isLua(row) ? short(value) : "")));
  if (data.allocations) {
    if (weight !== "bytes") columns.push(number("bytes", "allocated, exact", (row) => row.self[kBytes], short));
    columns.push(number("objects", "allocated, exact", (row) => row.self[kObjects], short));
  }
  return columns;
}

function sortedFunctions(columns) {
  const words = functionTable.words.toLowerCase().split(" ").filter((word) => word !== "");
  const rows = listed.filter((row) => words.every((word) => (row.name + " " + row.place).toLowerCase().includes(word)));
  if (functionTable.sort === null) return rows;
  const { value } = columns[functionTable.sort];
  const sign = functionTable.isDescending ? -1 : 1;
  return rows.sort((a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0));
}

function headCell(columns, index, redraw) {
  const column = columns[index];
  const isSorted = functionTable.sort === null ? index === 0 : functionTable.sort === index;
  const sort = () => {
    functionTable.isDescending = isSorted ? !functionTable.isDescending : Boolean(column.isNumber);
    functionTable.sort = index;
    redraw();
    byId("functions").querySelectorAll("th button")[index].focus();
  };
  const order = isSorted ? (functionTable.isDescending ? "descending" : "ascending") : "none";
  return element("th", { class: column.isNumber && !column.isShare ? "number" : null, "aria-sort": order, scope: "col" },
    element("button", { title: column.hint, onclick: sort }, column.title));
}

function functionRow(columns, row) {
  const cells = columns.map((column) => element("td", { class: column.isShare ? "share" : column.isNumber ? "number" : column.title === "function" ? "name" : "place",
    title: column.isNumber ? null : row.name + "\n" + row.place }, column.cell(row)));
  const show = () => selection.show(row);
  return element("tr", { tabindex: 0, class: "choice", "data-row": row.index, onclick: show,
    onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") show();
      else if (event.key === "ArrowDown") event.currentTarget.nextElementSibling?.focus();
      else if (event.key === "ArrowUp") event.currentTarget.previousElementSibling?.focus();
      else return;
      event.preventDefault();
    } }, ...cells);
}

function drawFunctions() {
  const columns = functionColumns();
  const count = element("span", { class: "remark" });
  const table = element("table", { class: "functions" });
  const rest = element("button", { class: "more", onclick: () => { functionTable.isWhole = !functionTable.isWhole; redraw(); } });
  const search = element("input", { type: "search", placeholder: "Search ( / )", "aria-label": "Search functions",
    oninput: (event) => { functionTable.words = event.target.value; redraw(); markFlame(event.target.value); } });
  function redraw() {
    const rows = sortedFunctions(columns);
    const shown = functionTable.isWhole ? rows : rows.slice(0, kRowsAtFirst);
    table.replaceChildren(element("thead", {}, element("tr", {}, ...columns.map((_, index) => headCell(columns, index, redraw)))),
      element("tbody", {}, ...shown.map((row) => functionRow(columns, row))));
    const value = rows.reduce((sum, row) => sum + row.value, 0);
    count.textContent = plural(rows.length, "function") + ", " + percent(share(value, data.totals.value));
    rest.hidden = rows.length <= kRowsAtFirst;
    rest.textContent = functionTable.isWhole ? "Show the first " + kRowsAtFirst : "Show all " + rows.length;
    markFunction();
  }
  byId("functions").append(element("div", { class: "heading" }, element("h2", {}, "Functions"), count, search), element("div", { class: "scroll" }, table), rest);
  if (listed.length === 0) byId("functions").append(element("p", { class: "empty" }, "Nothing that was counted is shown: no function completed a path, or filters hide all."));
  redraw();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.tagName === "INPUT") return;
    event.preventDefault();
    search.focus();
  });
  selection.listeners.push(markFunction);
}

function markFunction() {
  for (const tr of byId("functions").querySelectorAll("tr[data-row]")) {
    tr.setAttribute("aria-selected", String(selection.row !== null && Number(tr.dataset.row) === selection.row.index));
  }
}
