"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const [NAME, KIND, X, Y, WEIGHT, GROUP, ABOUT, ALIASES] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [FROM, TO, TYPE, STRENGTH, SAID] = [0, 1, 2, 3, 4];
  const { nodes, edges, kinds, links } = data;
  const canvas = document.getElementById("graph");
  const pen = canvas.getContext("2d");
  const search = document.getElementById("search");
  const results = document.getElementById("results");
  const details = document.getElementById("details");
  const shown = kinds.map(() => true);
  const near = nodes.map(() => []);
  edges.forEach((edge, n) => { near[edge[FROM]].push(n); near[edge[TO]].push(n); });
  const view = { x: 0, y: 0, zoom: 1 };
  let chosen = -1;
  let step = -1;
  let waiting = false;
  let colours = {};

  const element = (name, text, where) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (where) where.append(made);
    return made;
  };
  const words = (text) => text.replaceAll("_", " ");
  const visible = (n) => shown[nodes[n][KIND]];
  const radius = (n) => 3 + 9 * Math.sqrt(nodes[n][WEIGHT]);
  const hue = (group) => (group < 0 ? "hsl(0 0% 60%)" : `hsl(${(group * 137.508) % 360} 55% 55%)`);
  const other = (edge, n) => (edge[FROM] === n ? edge[TO] : edge[FROM]);

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["paper", "ink", "quiet", "link", "chosen"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  function draw() {
    waiting = false;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const toX = (x) => (x - view.x) * view.zoom + width / 2;
    const toY = (y) => (y - view.y) * view.zoom + height / 2;
    const around = new Set(chosen < 0 ? [] : near[chosen].map((n) => other(edges[n], chosen)));
    pen.lineWidth = 1;
    pen.strokeStyle = colours.link;
    pen.globalAlpha = chosen < 0 ? 0.45 : 0.15;
    pen.beginPath();
    for (const edge of edges) {
      if (!visible(edge[FROM]) || !visible(edge[TO])) continue;
      const [a, b] = [nodes[edge[FROM]], nodes[edge[TO]]];
      const [ax, ay, bx, by] = [toX(a[X]), toY(a[Y]), toX(b[X]), toY(b[Y])];
      const outside = (ax < 0 && bx < 0) || (ay < 0 && by < 0)
        || (ax > width && bx > width) || (ay > height && by > height);
      if (outside) continue;
      pen.moveTo(ax, ay);
      pen.lineTo(bx, by);
    }
    pen.stroke();
    pen.globalAlpha = 1;
    if (chosen >= 0) {
      pen.strokeStyle = colours.chosen;
      for (const n of near[chosen]) {
        const edge = edges[n];
        if (!visible(other(edge, chosen))) continue;
        pen.lineWidth = 1 + 2 * edge[STRENGTH];
        pen.beginPath();
        pen.moveTo(toX(nodes[edge[FROM]][X]), toY(nodes[edge[FROM]][Y]));
        pen.lineTo(toX(nodes[edge[TO]][X]), toY(nodes[edge[TO]][Y]));
        pen.stroke();
      }
    }
    const size = Math.min(2.5, Math.max(0.35, Math.sqrt(view.zoom)));
    const named = [];
    for (let n = 0; n < nodes.length; n += 1) {
      if (!visible(n)) continue;
      const [x, y, r] = [toX(nodes[n][X]), toY(nodes[n][Y]), radius(n) * size];
      if (x < -20 || y < -20 || x > width + 20 || y > height + 20) continue;
      const lit = chosen < 0 || n === chosen || around.has(n);
      pen.globalAlpha = lit ? 1 : 0.25;
      pen.fillStyle = hue(nodes[n][GROUP]);
      pen.beginPath();
      pen.arc(x, y, r, 0, 2 * Math.PI);
      pen.fill();
      if (n === chosen) {
        pen.lineWidth = 3;
        pen.strokeStyle = colours.chosen;
        pen.stroke();
      }
      if (lit) named.push([n, x, y, r]);
    }
    pen.globalAlpha = 1;
    writeNames(named, around);
  }

  /* Names of what is chosen first, then of what matters most, where there is room for them. */
  function writeNames(named, around) {
    const first = (n) => (n === chosen ? 2 : around.has(n) ? 1 : 0);
    named.sort((a, b) => first(b[0]) - first(a[0]) || nodes[b[0]][WEIGHT] - nodes[a[0]][WEIGHT]);
    const taken = new Set();
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    pen.strokeStyle = colours.paper;
    pen.fillStyle = colours.ink;
    let left = 160;
    for (const [n, x, y, r] of named) {
      const name = nodes[n][NAME].slice(0, 40);
      const rows = [Math.floor((y - 6) / 12), Math.floor((y + 6) / 12)];
      const [begin, end] = [Math.floor((x + r) / 40), Math.floor((x + r + name.length * 7) / 40)];
      let free = true;
      for (const row of rows) {
        for (let at = begin; at <= end && free; at += 1) free = !taken.has(`${row}:${at}`);
      }
      if (!free && n !== chosen) continue;
      for (const row of rows) {
        for (let at = begin; at <= end; at += 1) taken.add(`${row}:${at}`);
      }
      pen.strokeText(name, x + r + 3, y);
      pen.fillText(name, x + r + 3, y);
      left -= 1;
      if (!left) break;
    }
  }

  function redraw() {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(draw);
    }
  }

  function fit() {
    const inside = nodes.filter((node) => shown[node[KIND]]);
    if (!inside.length) return;
    const xs = inside.map((node) => node[X]);
    const ys = inside.map((node) => node[Y]);
    const low = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
    const high = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
    view.x = (low(xs) + high(xs)) / 2;
    view.y = (low(ys) + high(ys)) / 2;
    const wide = Math.max(60, high(xs) - low(xs));
    const tall = Math.max(60, high(ys) - low(ys));
    view.zoom = Math.min(3, 0.9 * Math.min(canvas.clientWidth / wide, canvas.clientHeight / tall));
    redraw();
  }

  function choose(n, move) {
    chosen = n;
    step = -1;
    if (n >= 0 && move) {
      view.x = nodes[n][X];
      view.y = nodes[n][Y];
      view.zoom = Math.max(view.zoom, 1.2);
    }
    describe();
    redraw();
  }

  function describe() {
    details.replaceChildren();
    if (chosen < 0) return;
    const node = nodes[chosen];
    element("h2", node[NAME], details);
    element("p", kinds[node[KIND]], details).className = "quiet";
    if (node[ALIASES].length) element("p", `also ${node[ALIASES].join(", ")}`, details);
    for (const line of node[ABOUT].split("\n")) if (line) element("p", line, details);
    element("h3", `${near[chosen].length} relations`, details);
    const list = element("ul", "", details);
    list.id = "neighbours";
    for (const n of near[chosen].slice(0, 200)) {
      const edge = edges[n];
      const out = edge[FROM] === chosen;
      const target = other(edge, chosen);
      const type = words(links[edge[TYPE]]);
      const text = out ? `${type} → ${nodes[target][NAME]}` : `${nodes[target][NAME]} ${type} this`;
      const button = element("button", text, element("li", "", list));
      button.type = "button";
      if (edge[SAID]) button.title = edge[SAID];
      button.addEventListener("click", () => choose(target, true));
    }
  }

  function find() {
    const wanted = search.value.trim().toLowerCase();
    results.replaceChildren();
    if (!wanted) return;
    const found = [];
    nodes.forEach((node, n) => {
      const names = [node[NAME], ...node[ALIASES]].map((name) => name.toLowerCase());
      const best = Math.min(...names.map((name) => {
        const at = name.indexOf(wanted);
        return at < 0 ? Infinity : name === wanted ? 0 : at === 0 ? 1 : 2;
      }));
      if (best < Infinity) found.push([best, -node[WEIGHT], n]);
    });
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [, , n] of found.slice(0, 12)) {
      const button = element("button", nodes[n][NAME], element("li", "", results));
      button.type = "button";
      button.addEventListener("click", () => choose(n, true));
    }
    if (!found.length) element("li", "nothing is called so", results).className = "quiet";
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    return [
      (left - canvas.clientWidth / 2) / view.zoom + view.x,
      (top - canvas.clientHeight / 2) / view.zoom + view.y,
    ];
  }

  function nearest(event) {
    const [x, y] = at(event);
    let [best, distance] = [-1, Infinity];
    nodes.forEach((node, n) => {
      if (!visible(n)) return;
      const away = Math.hypot(node[X] - x, node[Y] - y) - radius(n) / view.zoom;
      if (away < distance) [best, distance] = [n, away];
    });
    return distance * view.zoom < 14 ? best : -1;
  }

  function zoom(factor, x, y) {
    const after = Math.min(20, Math.max(0.02, view.zoom * factor));
    view.x = x - ((x - view.x) * view.zoom) / after;
    view.y = y - ((y - view.y) * view.zoom) / after;
    view.zoom = after;
    redraw();
  }

  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    canvas.setPointerCapture(event.pointerId);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
    const apart = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    };
    const gap = fingers.size === 2 ? apart() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    moved += Math.abs(dx) + Math.abs(dy);
    if (gap) {
      zoom(apart() / gap, ...at(event));
      return;
    }
    view.x -= dx / view.zoom;
    view.y -= dy / view.zoom;
    redraw();
  });
  const lifted = (event) => fingers.delete(event.pointerId);
  canvas.addEventListener("pointercancel", lifted);
  canvas.addEventListener("pointerup", (event) => {
    lifted(event);
    if (moved < 5) choose(nearest(event), false);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), ...at(event));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const far = 60 / view.zoom;
    const keys = {
      ArrowLeft: () => { view.x -= far; },
      ArrowRight: () => { view.x += far; },
      ArrowUp: () => { view.y -= far; },
      ArrowDown: () => { view.y += far; },
      "+": () => zoom(1.25, view.x, view.y),
      "=": () => zoom(1.25, view.x, view.y),
      "-": () => zoom(0.8, view.x, view.y),
      0: fit,
    };
    if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
      redraw();
    }
  });

  /* Goes through the neighbours of what is chosen; without a choice, to what matters most. */
  function nextNeighbour() {
    if (chosen < 0) {
      if (nodes.length) choose(0, true);
      return;
    }
    const buttons = [...details.querySelectorAll("#neighbours button")];
    if (!buttons.length) return;
    step = (step + 1) % buttons.length;
    buttons[step].focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "n" && document.activeElement !== search) {
      nextNeighbour();
    } else if (event.key === "Escape") {
      search.value = "";
      find();
      choose(-1, false);
    }
  });
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    const first = results.querySelector("button");
    if (event.key === "Enter" && first) first.click();
    if (event.key === "ArrowDown" && first) {
      event.preventDefault();
      first.focus();
    }
  });
  const list = document.getElementById("kinds");
  kinds.forEach((kind, n) => {
    const label = element("label", "", list);
    const box = element("input", "", label);
    box.type = "checkbox";
    box.checked = true;
    box.value = kind;
    element("span", `${kind} (${nodes.filter((node) => node[KIND] === n).length})`, label);
    box.addEventListener("change", () => {
      shown[n] = box.checked;
      redraw();
    });
  });
  document.getElementById("summary").textContent = data.summary;
  readColours();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    readColours();
    redraw();
  });
  addEventListener("resize", redraw);
  fit();
  document.documentElement.dataset.ready = "yes";
})();
