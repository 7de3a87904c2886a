// What single pages add: copying, choosing many, the board, finding within a session.
"use strict";
document.addEventListener("click", async (event) => {
  const copies = event.target.closest("[data-copy]");
  if (copies) {
    const text = copies.dataset.copy || $(copies.dataset.copyFrom)?.textContent || location.href;
    await navigator.clipboard.writeText(text.startsWith("#") ? location.href.split("#")[0] + text : text);
    const said = copies.title;
    copies.title = "Copied";
    copies.classList.add("copied");
    setTimeout(() => { copies.title = said; copies.classList.remove("copied"); }, 1200);
  }
  const shows = event.target.closest("[data-shows]");
  if (shows) {
    const panel = document.getElementById(shows.dataset.shows);
    panel.open = !panel.open;
    if (panel.open) { $("textarea, input:not([type=hidden]), select", panel)?.focus(); }
  }
});

// Many at once: the buttons below a list act on what is ticked.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submits]")) { event.target.form.requestSubmit(); }
  count();
});
function count() {
  const ticked = $$("[data-list] input[type=checkbox]:checked").length;
  $$("[data-ticked]").forEach((one) => { one.textContent = ticked ? `${ticked} chosen` : "None chosen"; });
}
document.addEventListener("shown", count);
document.addEventListener("shown", () => {
  const sheet = location.hash && document.getElementById(location.hash.slice(1));
  if (sheet?.matches("details.sheet")) { sheet.open = true; $("textarea, input:not([type=hidden])", sheet)?.focus(); history.replaceState(null, "", location.pathname + location.search); }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "x" || isTyping(event.target) || event.repeat || !single.checked) { return; }
  const box = $("[data-list] [aria-current=true]")?.closest("li")?.querySelector("input[type=checkbox]");
  if (box) { box.checked = !box.checked; count(); }
});

// The board: a card is moved by dragging it, or by [ and ].
function moveTask(id, to) {
  const form = $("#moving");
  if (!form || !to) { return; }
  form.action = `${base}/work/${encodeURIComponent(id)}/move`;
  form.elements.to.value = to;
  form.requestSubmit();
}
document.addEventListener("keydown", (event) => {
  if (!/^[[\]]$/.test(event.key) || isTyping(event.target) || event.repeat || !single.checked) { return; }
  const card = document.activeElement.closest("[data-task]") || $(".card[aria-current=true]");
  const columns = $$("[data-column]");
  const at = columns.indexOf(card?.closest("[data-column]"));
  if (at >= 0) { moveTask(card.dataset.task, columns[at + (event.key === "]" ? 1 : -1)]?.dataset.column); }
});
document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.("[data-task]");
  if (card) { event.dataTransfer.setData("text/plain", card.dataset.task); event.dataTransfer.effectAllowed = "move"; }
});
for (const name of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(name, (event) => {
    const column = event.target.closest?.("[data-column]");
    $$(".col.over").forEach((one) => { if (one !== column || name !== "dragover") { one.classList.remove("over"); } });
    if (!column) { return; }
    if (name !== "dragleave") { event.preventDefault(); }
    if (name === "dragover") { column.classList.add("over"); }
    if (name === "drop") { moveTask(event.dataTransfer.getData("text/plain"), column.dataset.column); }
  });
}
