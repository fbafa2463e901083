// Numbers for people.

const grouped = (value) => Math.round(value).toLocaleString("en-US");

/** 1,234 or 12.3M: few digits, for tables. */
function short(value) {
  const size = Math.abs(value);
  if (size < 10_000) return grouped(value);
  const [unit, name] = size < 1e6 ? [1e3, "k"] : size < 1e9 ? [1e6, "M"] : size < 1e12 ? [1e9, "G"] : [1e12, "T"];
  const scaled = value / unit;
  return scaled.toFixed(Math.abs(scaled) < 100 ? 1 : 0) + name;
}

function duration(nanoseconds) {
  const size = Math.abs(nanoseconds);
  if (size < 1e6) return (nanoseconds / 1e6).toFixed(2) + " ms";
  return size < 1e9 ? (nanoseconds / 1e6).toFixed(1) + " ms" : (nanoseconds / 1e9).toFixed(2) + " s";
}

const share = (value, total) => (total > 0 ? (100 * value) / total : 0);
const percent = (value, digits = 1) => value.toFixed(digits) + "%";

/** By what the weight is: time in seconds, anything else as a number. */
const valueText = (value, weight) => (weight === "time" ? duration(value) : short(value));
const exactText = (value, weight) => (weight === "time" ? duration(value) : grouped(value) + " " + (weight === "count" ? "paths" : weight));

const plural = (count, noun) => grouped(count) + " " + noun + (count === 1 ? "" : "s");
