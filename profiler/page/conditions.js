// Conditions in the source: the shares of their outcomes, and where they stand in their lines.

const kConditionsOfLine = 40;

/** Outcomes that came about, with their shares. */
function outcomesOf(condition) {
  const all = condition[4].reduce((sum, count) => sum + count, 0);
  return condition[4].map((count, outcome) => ({ name: outcomeNames[outcome], outcome, count, part: share(count, all) })).filter((outcome) => outcome.count > 0);
}

/** Not that a `for` ran at all, unless it once did not; nor the end of a numeric one, whose going on is no step. */
const isTelling = (condition) => condition[4][0] + condition[4][1] > 0 || condition[4][2] > 0 || condition[4][5] > 0;

const isGood = (outcome) => outcome % 2 === 0;

/** Never 0% or 100% of what has come about, or has not always. */
function partText(part) {
  if (part === 100) return "100%";
  return part > 99.95 ? ">99.9%" : part < 0.05 ? "<0.1%" : percent(part, part % 1 === 0 ? 0 : 1);
}

/** "T 83%" over a bar in two colours. */
function outcomeBar(condition) {
  const outcomes = outcomesOf(condition);
  const title = condition[3] + "\n" + outcomes.map((its) => its.name + ": " + grouped(its.count) + " (" + percent(its.part, 2) + ")").join("\n");
  const parts = outcomes.map((its) => element("span", { class: isGood(its.outcome) ? "yes" : "no", "width%": its.part }));
  const first = outcomes[0];
  const text = first ? first.name + " " + partText(first.part) : "";
  return element("span", { class: "outcome", title }, element("span", { class: "parts" }, ...parts), element("span", { class: "label" }, text));
}

/** Under a line with several conditions: each with its text. */
function conditionList(row, conditions, taken) {
  const shown = conditions.slice(0, kConditionsOfLine);
  const items = shown.map((condition) => element("span", { class: "condition" }, outcomeBar(condition),
    takenText(taken?.get(condition) ?? ""), element("code", {}, condition[5] ?? condition[3])));
  if (conditions.length > shown.length) items.push(element("span", { class: "remark" }, "and " + plural(conditions.length - shown.length, "other condition")));
  return element("div", { class: "conditions" }, ...items);
}

function takenText(outcomes) {
  return element("span", { class: "taken" }, outcomes);
}

/** Byte columns of conditions as places in the text of the line. */
function placeOf(text, bytes) {
  let place = 0;
  for (let at = 0; place < text.length && at < bytes; ++place) {
    const code = text.charCodeAt(place);
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  }
  return place;
}

/** The text of a line with the conditions of the drawn path marked by their outcomes. */
function markedText(text, conditions, taken) {
  const pieces = [];
  let done = 0;
  for (const condition of [...conditions].sort((a, b) => a[1] - b[1])) {
    const outcomes = taken.get(condition);
    const from = placeOf(text, condition[1] - 1);
    const to = placeOf(text, condition[1] - 1 + condition[2]);
    if (outcomes === undefined || condition[1] === 0 || from < done || to > text.length) continue;
    const isYes = /^(T|loop|enter)/.test(outcomes), isBoth = outcomes.includes("|") && new Set(outcomes.split("|")).size > 1;
    pieces.push(text.slice(done, from), element("mark", { class: isBoth ? "both" : isYes ? "yes" : "no", title: outcomes }, text.slice(from, to)));
    done = to;
  }
  return [...pieces, text.slice(done)];
}
