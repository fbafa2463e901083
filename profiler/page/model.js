// The profile: what C++ has written into the page (README.md says what its members are), and what is shown of it now.

const data = JSON.parse(byId("data").textContent);
const byTime = data.weight === "time";
const outcomeNames = ["T", "F", "loop", "done", "enter", "skip"];
const [kCount, kBytecodes, kNanoseconds, , kBytes, kObjects] = [0, 1, 2, 3, 4, 5];

data.functions.forEach((row, index) => { row.index = index; });
const listed = data.functions.filter((row) => !row.unlisted);

/** What is selected; everything that shows it listens. */
const selection = {
  row: null,
  path: null,
  listeners: [],
  show(row, path = null) {
    this.row = row;
    this.path = path;
    for (const listener of this.listeners) listener();
  },
};

/** The end of "folder/file.lua:30": tables have no room for folders and long names. */
function fileName(place) {
  const name = /^[\w./-]+:[\d:]+$/.test(place) ? place.slice(place.lastIndexOf("/") + 1) : place;
  return name.length > 24 ? "\u2026" + name.slice(-23) : name;
}

/** Functions without a name are called by their place: without its folders, too. */
const shortName = (name) => (/^function <.*\/.*>$/.test(name) ? "function <" + name.slice(name.lastIndexOf("/") + 1) : name);

const stepOf = (row, code) => ({ condition: row.conditions[Math.floor(code / 6)], outcome: code % 6 });

function stepText(row, code) {
  const { condition, outcome } = stepOf(row, code);
  return condition[3] + ":" + outcomeNames[outcome];
}

/** The steps of each round of a path. */
function roundsOf(path) {
  const ends = path.rounds ?? [];
  const rounds = [];
  let from = 0;
  for (const end of [...ends, path.steps.length]) {
    rounds.push(path.steps.slice(from, end));
    from = end;
  }
  return rounds;
}

/** "entry > 33:T 35:F > return 40", as in the other reports. */
function pathText(row, path) {
  const most = 24;
  let listedSteps = 0;
  const rounds = roundsOf(path).map((round) => {
    const shown = round.slice(0, Math.max(0, most - listedSteps));
    listedSteps += shown.length;
    const left = round.length - shown.length;
    return shown.map((code) => stepText(row, code)).join(" ") + (left > 0 ? " (" + left + " more)" : "");
  });
  const middle = rounds.join(" | ") + (path.more ? " (" + path.more + " more)" : "");
  return path.start + (middle.trim() === "" ? "" : " > " + middle) + " > " + path.end;
}
