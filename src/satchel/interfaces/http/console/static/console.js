// Keys and live changes. Every page works without this file.
"use strict";
(function () {
  var waiting = "";
  var places = { o: "overview", r: "review", t: "tasks", s: "sessions", m: "memories", i: "intent" };

  function typing(target) {
    return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
  }

  document.addEventListener("keydown", function (event) {
    // A key that is held down decides once: what comes next was not read yet.
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) { return; }
    var base = location.pathname.split("/").slice(0, 3).join("/");
    if (waiting === "g" && places[event.key]) {
      waiting = "";
      location.href = base + "/" + places[event.key];
      return;
    }
    waiting = event.key === "g" ? "g" : "";
    if (event.key === "/") {
      var field = document.querySelector("input[type=search]");
      event.preventDefault();
      if (field) { field.focus(); } else { location.href = base + "/search"; }
      return;
    }
    var chosen = document.querySelector('[data-key="' + CSS.escape(event.key) + '"]');
    if (chosen) { event.preventDefault(); chosen.click(); }
  });

  document.addEventListener("submit", function (event) {
    var question = event.target.getAttribute("data-ask");
    if (question && !window.confirm(question)) { event.preventDefault(); }
  });

  var address = document.body.getAttribute("data-events");
  var source = null;

  // A browser has six connections for one server: tabs that nobody looks at must not hold them.
  function listen() {
    if (source) { source.close(); source = null; }
    if (document.hidden) { return; }
    source = new EventSource(address);
    source.addEventListener("changed", function () {
      document.getElementById("live").textContent = "Something has changed; reload to see it.";
    });
  }

  if (address && window.EventSource) {
    listen();
    document.addEventListener("visibilitychange", listen);
    window.addEventListener("pagehide", function () { if (source) { source.close(); } });
  }
}());
