// The paths of the selected function, heaviest first. A click draws one through the source; another click, or Escape, takes it away.

const kPathsAtFirst = 8;
const pathTable = { row: null, isWhole: false };

function pathRow(row, path) {
  const total = data.totals.path_value;
  const part = share(path.value, total);
  const isShown = selection.path === path;
  const show = () => {
    selection.show(row, isShown ? null : path);
    byId("source").querySelectorAll("tr.choice")[row.paths.indexOf(path)]?.focus({ preventScroll: true });
  };
  const text = pathText(row, path);
  return element("tr", { tabindex: 0, class: "choice", "aria-selected": String(isShown), onclick: show,
    onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") show();
      else if (event.key === "ArrowDown") event.currentTarget.nextElementSibling?.focus();
      else if (event.key === "ArrowUp") event.currentTarget.previousElementSibling?.focus();
      else return;
      event.preventDefault();
    } },
    element("td", { class: "share" }, bar(path.value, row.paths[0].value, (data.path_weight === "time" ? "~" : "") + percent(part))),
    element("td", { class: "number" }, short(path.count)),
    element("td", { class: "number" }, short(path.length)),
    data.allocations ? element("td", { class: "number" }, short(path.bytes ?? 0)) : null,
    element("td", { class: "path", title: text }, element("code", {}, (path.new ? "new: " : "") + text)));
}

function pathList(row) {
  if (pathTable.row !== row) Object.assign(pathTable, { row, isWhole: false });
  const isWhole = pathTable.isWhole || row.paths.indexOf(selection.path) >= kPathsAtFirst;
  const shown = isWhole ? row.paths : row.paths.slice(0, kPathsAtFirst);
  const [others, value] = row.more_paths ?? [0, 0];
  const hidden = row.paths.length - shown.length;
  const titles = ["flat%", "count", "length", ...(data.allocations ? ["bytes"] : []), "path"];
  return element("div", { class: "paths" },
    element("table", {}, element("thead", {}, element("tr", {}, ...titles.map((title, index) =>
      element("th", { scope: "col", class: index > 0 && index < titles.length - 1 ? "number" : null,
        title: title === "length" ? "bytecodes along the path" : title === "flat%" ? "of all paths of the program" : null }, title)))),
      element("tbody", {}, ...shown.map((path) => pathRow(row, path)))),
    hidden > 0 ? element("button", { class: "more", onclick: () => { pathTable.isWhole = true; drawSource(); } }, "Show " + plural(hidden, "other path")) : null,
    others > 0 && hidden === 0 ? element("p", { class: "remark" }, plural(others, "rarer path") + " left out, " + percent(share(value, data.totals.path_value), 2)) : null);
}
