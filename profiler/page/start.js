// Draws the page.

drawHeader();
drawChanges();
drawFunctions();
drawFlame();
drawLoops();
selection.listeners.push(drawSource);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selection.path) selection.show(selection.row);
});
selection.show(listed.find((row) => row.paths) ?? listed[0] ?? null);
