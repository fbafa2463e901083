// Making elements. Text is always text: nothing on this page is parsed as markup.

/** element("td", {class: "number", onclick: f}, "text", child, ...); null children are skipped. */
function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "width%") made.style.width = value + "%";
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const byId = (id) => document.getElementById(id);

/** A bar beside others, of which the largest is full, with its text in front. */
function bar(value, largest, text) {
  const width = largest > 0 ? Math.min(100, (100 * value) / largest) : 0;
  return element("span", { class: "bar" }, element("span", { class: "fill", "width%": width }), element("span", { class: "label" }, text));
}

/** A heading with remarks beside it. */
function heading(text, remark) {
  return element("div", { class: "heading" }, element("h2", {}, text), element("span", { class: "remark" }, remark));
}
