// Pages change in place, follow what changes elsewhere, and listen to keys. All of it works without.
"use strict";
const base = document.body.dataset.base;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const cookie = (name) => document.cookie.match(new RegExp("(?:^|; )" + name + "=([^;]*)"))?.[1] || "";
const keep = (name, value) => { document.cookie = `${name}=${value}; path=/console; max-age=31536000; SameSite=Strict`; };

// Showing a page that was fetched: what is the same stays, with its focus and its place.
const settled = {
  morphStyle: "outerHTML",
  ignoreActiveValue: true,
  callbacks: {
    beforeNodeMorphed: (old, next) => !(old.nodeType === 1 && (old.matches("form.dirty, dialog[open]") || old.isEqualNode(next))),
    beforeNodeRemoved: (old) => !(old.nodeType === 1 && old.matches("form.dirty") && old.contains(document.activeElement)),
    beforeAttributeUpdated: (name, node) => !(name === "open" && node.tagName === "DETAILS"),
  },
};

// Walking on keeps what can still be taken back; what was sent answers for itself.
function bring(toasts, sent) {
  if (sent || toasts.childElementCount) { $("#toasts").replaceChildren(...toasts.childNodes); }
}

function present(page, { live = false, sent = false } = {}) {
  const fresh = live ? held(page) : 0;
  for (const id of ["rail", "main", "toasts"]) {
    if (id === "toasts") { bring($("#toasts", page), sent); continue; }
    Idiomorph.morph($("#" + id), $("#" + id, page), settled);
  }
  document.title = page.title;
  $("link[rel=icon]").href = $("link[rel=icon]", page).getAttribute("href");
  const pill = $("#fresh");
  if (pill && fresh) { pill.hidden = false; pill.textContent = `${fresh} new, show`; }
  ready();
}

// What is new in a list waits until it is asked for, so that nothing jumps under a hand.
function held(page) {
  let count = 0;
  for (const list of $$("[data-hold]", page)) {
    const here = document.getElementById(list.id);
    for (const row of here ? $$(":scope > li[id]", list) : []) {
      if (!document.getElementById(row.id)) { row.remove(); count += 1; }
    }
  }
  return count;
}

let asking = null, sending = 0, sent = 0;
async function ask(url, how = {}) {
  asking?.abort();
  asking = how.method ? null : new AbortController();
  const answer = await fetch(url, { headers: { accept: "text/html" }, signal: asking?.signal, ...how });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { answer, page };
}

async function visit(url, { push = true, live = false } = {}) {
  if (live && sending) { changed = setTimeout(() => visit(location.href, { push: false, live }), 300); return; }
  const before = sent;
  try {
    const { answer, page } = await ask(url);
    if (before !== sent) { return; } // what was sent meanwhile answers for itself
    if (!$("#rail", page)) { if (!live) { location.assign(url); } return; }
    if (push && answer.url !== location.href) { history.pushState(null, "", answer.url); }
    present(page, { live });
  } catch (error) { if (error.name !== "AbortError") { offline(); } }
}

async function send(form, button) {
  const data = new FormData(form, button || undefined);
  form.classList.remove("dirty");
  sending += 1;
  sent += 1;
  clearTimeout(stepping);
  try {
    const { answer, page } = await ask(form.action, { method: "POST", body: new URLSearchParams(data) });
    if (!$("#rail", page)) { form.classList.add("dirty"); refuse($("[role=alert]", page)?.textContent.trim() || "It was not done."); return; }
    if (answer.redirected) { history.replaceState(null, "", answer.url); }
    present(page, { sent: true });
  } catch (error) { if (error.name !== "AbortError") { form.classList.add("dirty"); offline(); } }
  finally { sending -= 1; }
}

function refuse(text) {
  $("#refused")?.remove();
  const banner = document.createElement("p");
  banner.id = "refused";
  banner.className = "banner bad";
  banner.setAttribute("role", "alert");
  banner.textContent = text;
  $("#main .bar").after(banner);
}
const offline = () => refuse("The server does not answer. What you typed is still here; try again in a moment.");

// Toasts: a change can be taken back for ten seconds.
let counting = 0;
let again = 0;
function ready() {
  document.body.classList.add("scripted");
  clearTimeout(again);
  // What is still being counted is asked for until it is there.
  if ($("[data-again]")) { again = setTimeout(() => visit(location.href, { push: false, live: true }), 700); }
  const url = new URL(location.href);
  if (url.searchParams.has("mark")) {
    ["told", "mark", "undo"].forEach((name) => url.searchParams.delete(name));
    history.replaceState(null, "", url);
    clearInterval(counting);
    let left = 10;
    const tick = () => {
      const shown = $("#told [data-seconds]");
      if (shown) { shown.textContent = left; }
      if (left === 0) { clearInterval(counting); $("#told")?.remove(); }
      left -= 1;
    };
    tick();
    counting = setInterval(tick, 1000);
  }
  document.dispatchEvent(new CustomEvent("shown"));
}

document.addEventListener("submit", (event) => {
  const form = event.target, button = event.submitter;
  if (form.method === "post" && form.action.startsWith(location.origin + base)) {
    event.preventDefault();
    if (!form.dataset.sent) { form.dataset.sent = "1"; send(form, button).finally(() => delete form.dataset.sent); }
  } else if (form.method === "get" && form.matches("[data-morph]")) {
    event.preventDefault();
    visit(addressOf(form));
  } else if (form.dataset.busy && button) {
    const said = button.textContent;
    button.textContent = form.dataset.busy;
    window.addEventListener("pagehide", () => { button.textContent = said; }, { once: true });
  }
});
const addressOf = (form) => {
  const given = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  return form.action.split("?")[0] + (given.size ? "?" + given : "");
};

// A link of a drawing has no address but its attribute.
const addressIn = (link) => new URL(link.getAttribute("href"), location.href).href;
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-morph]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) { return; }
  event.preventDefault();
  visit(addressIn(link));
});
window.addEventListener("popstate", () => visit(location.href, { push: false }));

let typing = 0;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form) { return; }
  if (form.method === "post") { form.classList.add("dirty"); return; }
  if (!form.matches("[data-morph]")) { return; }
  clearTimeout(typing);
  typing = setTimeout(() => {
    visit(addressOf(form), { push: false });
    history.replaceState(null, "", addressOf(form));
  }, event.target.type === "search" ? 140 : 0);
});

// Live changes. A browser has six connections for one server: hidden tabs must not hold them.
let source = null, changed = 0;
function listen() {
  source?.close();
  source = null;
  if (document.hidden) { return; }
  source = new EventSource(base + "/events");
  source.addEventListener("ready", () => $("#live")?.classList.add("on"));
  source.addEventListener("error", () => $("#live")?.classList.remove("on"));
  source.addEventListener("changed", () => {
    clearTimeout(changed);
    changed = setTimeout(() => visit(location.href, { push: false, live: true }), 100);
  });
}
document.addEventListener("visibilitychange", () => {
  listen();
  if (!document.hidden) { visit(location.href, { push: false, live: true }); }
});
window.addEventListener("pagehide", () => source?.close());
document.addEventListener("click", (event) => {
  if (event.target.id !== "fresh") { return; }
  event.target.hidden = true;
  visit(location.href, { push: false });
});

// The palette: everything that can be found or gone to.
const palette = $("#palette"), field = $("input", palette), found = $("#found");
let looking = 0, chosen = 0;
function openPalette() {
  if (palette.open) { return; }
  palette.showModal();
  field.value = "";
  look();
}
async function look() {
  const asked = field.value;
  const answer = await fetch(`${base}/find?q=${encodeURIComponent(asked)}`, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (asked !== field.value) { return; }
  const groups = $$("#results > section", page).map((section) => {
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", $("h2", section).textContent);
    $("h2", section).setAttribute("aria-hidden", "true");
    group.append(...section.childNodes);
    return group;
  });
  found.replaceChildren(...groups);
  $$("a", found).forEach((link, n) => { link.id = `option-${n}`; link.setAttribute("role", "option"); link.tabIndex = -1; });
  choose(0);
}
function choose(to) {
  const options = $$("a", found);
  chosen = options.length ? (to + options.length) % options.length : 0;
  options.forEach((one, n) => one.setAttribute("aria-selected", n === chosen));
  field.setAttribute("aria-activedescendant", options[chosen]?.id || "");
  options[chosen]?.scrollIntoView({ block: "nearest" });
}
field.addEventListener("input", () => { clearTimeout(looking); looking = setTimeout(look, 100); });
palette.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose(chosen + (event.key === "ArrowDown" ? 1 : -1)); }
  if (event.key === "Enter") { event.preventDefault(); $$("a", found)[chosen]?.click(); }
});
found.addEventListener("click", () => palette.close());
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette]")) { event.preventDefault(); openPalette(); }
  if (event.target === palette || event.target === $("#keys")) { event.target.close(); }
  if (event.target.closest("[data-theme-switch]")) {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    keep("satchel_theme", document.documentElement.dataset.theme);
  }
});

// Keys. One that is held down decides once: what comes next was not read yet.
// The field of a dialog that was just closed has the focus for a moment longer.
const isTyping = (target) => !target.closest?.("dialog:not([open])") && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && !/^(checkbox|radio)$/.test(target.type);
let first = "";
const single = $("[data-single-keys]");
single.checked = cookie("satchel_keys") !== "off";
single.addEventListener("change", () => keep("satchel_keys", single.checked ? "on" : "off"));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); openPalette(); return; }
  if (event.key === "ArrowDown" && event.target.matches?.("#main input[type=search]")) {
    const first = $$("#main [data-list] a, #main .set .value .input").find((one) => one.offsetParent !== null);
    if (first) { event.preventDefault(); first.focus(); }
  }
  if (event.key === "Escape" && isTyping(event.target) && !palette.open) { event.target.blur(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !single.checked || $("dialog[open]")) { return; }
  if (first === "g") {
    first = "";
    const link = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); return; }
  }
  first = event.key === "g" ? "g" : "";
  if (event.key === "j" || event.key === "k") { step(event.key === "j" ? 1 : -1); return; }
  if (event.repeat) { return; }
  if (event.key === "?") { $("#keys").showModal(); return; }
  if (event.key === "/") { event.preventDefault(); const search = $("#main input[type=search]"); if (search) { search.focus(); search.select(); } else { openPalette(); } return; }
  const target = $$(`[data-key="${CSS.escape(event.key)}"]`).find((one) => one.offsetParent !== null);
  if (target) { event.preventDefault(); if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== "checkbox") { target.focus(); } else { target.click(); } }
});

let stepping = 0;
function step(by) {
  const rows = $$("[data-list] a.row, [data-list] a.open").filter((one) => one.offsetParent !== null);
  if (!rows.length) { return; }
  const at = rows.findIndex((one) => one.getAttribute("aria-current") === "true" || one === document.activeElement);
  const to = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  rows.forEach((one) => one.removeAttribute("aria-current"));
  to.setAttribute("aria-current", "true");
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
  clearTimeout(stepping);
  if (to.matches("[data-morph]")) { stepping = setTimeout(() => visit(addressIn(to)), 60); }
}

ready();
$("[data-list] [aria-current=true]")?.scrollIntoView({ block: "nearest" });
listen();
