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
  if (sheet && sheet.matches("details.sheet")) { sheet.open = true; $("textarea, input:not([type=hidden])", sheet)?.focus(); history.replaceState(null, "", location.pathname + location.search); }
});
document.addEventListener("click", (event) => {
  const boxes = event.target.closest("[data-all]") ? $$("[data-list] input[type=checkbox]") : [];
  const all = boxes.every((box) => box.checked);
  boxes.forEach((box) => { box.checked = !all; });
  if (boxes.length) { count(); }
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

// Dependencies as lines: from what comes first to what waits, through the card that is open.
function ties() {
  const board = $(".board"), open = $(".card[aria-current=true]", board || document);
  $(".ties")?.remove();
  if (!board || !open) { return; }
  const within = board.getBoundingClientRect(), drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawn.classList.add("ties");
  drawn.setAttribute("aria-hidden", "true");
  const place = (card) => {
    const box = card.getBoundingClientRect();
    return { left: box.left - within.left + board.scrollLeft, right: box.right - within.left + board.scrollLeft, middle: box.top - within.top + board.scrollTop + Math.min(box.height / 2, 24) };
  };
  for (const card of $$(".card[data-tie]", board)) {
    const [from, to] = (card.dataset.tie === "first" ? [card, open] : [open, card]).map(place);
    const ahead = from.left < to.left, same = from.left === to.left;
    const [x1, x2] = same ? [from.left, to.left] : ahead ? [from.right, to.left] : [from.left, to.right];
    const bend = same ? -14 : (ahead ? 1 : -1) * Math.max(14, Math.abs(x2 - x1) / 2);
    const path = document.createElementNS(drawn.namespaceURI, "path"), end = document.createElementNS(drawn.namespaceURI, "circle");
    path.setAttribute("d", `M${x1} ${from.middle}C${x1 + bend} ${from.middle} ${x2 + (same ? bend : -bend)} ${to.middle} ${x2} ${to.middle}`);
    end.setAttribute("class", "end");
    for (const [name, value] of [["cx", x2], ["cy", to.middle], ["r", 3.5]]) { end.setAttribute(name, value); }
    drawn.append(path, end);
  }
  board.append(drawn);
}
document.addEventListener("shown", ties);
window.addEventListener("resize", ties);
ties();
