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
