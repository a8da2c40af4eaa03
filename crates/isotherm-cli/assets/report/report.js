"use strict";
// The map: draws every point, pans, zooms, tells what is under the pointer.
// It sets text and numbers only; nothing from the data becomes markup.
(() => {
  const at = (id) => document.getElementById(id);
  const block = at("points");
  const canvas = at("canvas");
  const pen = canvas && canvas.getContext("2d");
  if (!block || !pen) return;

  const data = JSON.parse(block.textContent);
  const n = data.count;
  const text = atob(data.points);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const xs = new Float32Array(n), ys = new Float32Array(n);
  const kinds = new Uint16Array(n), sure = new Uint8Array(n), flags = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    xs[i] = view.getUint16(8 * i, true) / 65535;
    ys[i] = 1 - view.getUint16(8 * i + 2, true) / 65535;
    kinds[i] = view.getUint16(8 * i + 4, true);
    sure[i] = bytes[8 * i + 6];
    flags[i] = bytes[8 * i + 7];
  }
  const LABELLED = 1, REACHED = 2, SUSPICIOUS = 4, NEXT = 8, NONE = 65535;
  // Numbers as they are; the points hold where they lie among the colours.
  let values = null;
  if (data.values) {
    const raw = atob(data.values), all = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) all[i] = raw.charCodeAt(i);
    const numbers = new DataView(all.buffer);
    values = Float64Array.from({ length: n }, (_, i) => numbers.getFloat64(8 * i, true));
  }
  const special = [];
  for (let i = 0; i < n; i++) if (flags[i] & (LABELLED | NEXT)) special.push(i);

  at("live").hidden = false;
  at("still").hidden = true;

  // Colours come from the style sheet, so that they follow the theme.
  let inks;
  const rgb = (css) => {
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = css;
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
  };
  const readInks = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => rgb(style.getPropertyValue(name).trim());
    const paper = of("--paper"), ink = of("--ink");
    const classes = [0, 1, 2, 3, 4, 5, 6].map((k) => of("--c" + k));
    const pack = (c) => (255 << 24) | (c[2] << 16) | (c[1] << 8) | c[0];
    const blend = (from, to, share) => [0, 1, 2].map((k) => Math.round(from[k] + (to[k] - from[k]) * share));
    // An edge is the mark's own colour, taken towards the ink until it stands out from the paper.
    const edge = (c) => {
      for (let k = 0; k <= 20; k++) {
        const found = blend(c, ink, k / 20);
        if (contrast(found, paper) >= 3.2) return found;
      }
      return ink;
    };
    const ramp = [];
    for (let k = 0; k < 64; k++) {
      const place = (k / 63) * (VIRIDIS.length - 1), low = Math.min(VIRIDIS.length - 2, Math.floor(place));
      ramp.push(blend(VIRIDIS[low], VIRIDIS[low + 1], place - low));
    }
    const pale = of("--pale");
    inks = {
      ink: style.getPropertyValue("--ink").trim(),
      paper: style.getPropertyValue("--paper").trim(),
      accent: style.getPropertyValue("--accent").trim(),
      pale: pack(pale),
      paleEdge: pack(edge(pale)),
      ramp: ramp.map(pack),
      rampEdges: ramp.map((c) => pack(edge(c))),
      // Eight steps of confidence for each colour; the edge is the same for all.
      classes: classes.map((c) => [...Array(8).keys()].map((k) => pack(blend(paper, c, 0.12 + (0.88 * k) / 7)))),
      edges: classes.map((c) => pack(edge(c))),
      css: [0, 1, 2, 3, 4, 5, 6].map((k) => style.getPropertyValue("--c" + k).trim()),
    };
  };
  // Numbers, the lighter the larger: viridis, as in the pictures.
  const VIRIDIS = [
    [68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142],
    [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
  ];
  // WCAG's contrast of two colours.
  const luminance = (c) => {
    const [r, g, b] = [0, 1, 2].map((k) => {
      const v = c[k] / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };

  // Shapes as lists of pixels about the middle; the fifth is a triangle on its tip.
  const stamps = new Map();
  const stamp = (shape, r) => {
    const key = shape * 64 + r;
    if (stamps.has(key)) return stamps.get(key);
    const inside = [
      (x, y) => x * x + y * y <= r * r + r * 0.6,
      (x, y) => y <= r * 0.8 && y >= -r * 1.3 && Math.abs(x) <= ((y + r * 1.3) / (2.1 * r)) * 1.2 * r,
      (x, y) => Math.abs(x) <= r * 0.9 && Math.abs(y) <= r * 0.9,
      (x, y) => Math.abs(x) + Math.abs(y) <= r * 1.3,
      (x, y) => y >= -r * 0.8 && y <= r * 1.3 && Math.abs(x) <= ((r * 1.3 - y) / (2.1 * r)) * 1.2 * r,
      (x, y) => Math.abs(Math.abs(x) - Math.abs(y)) <= 0.5 && Math.abs(x) <= r,
    ][shape];
    const reach = Math.ceil(r * 1.4), found = { fill: [], edge: [] };
    for (let y = -reach; y <= reach; y++) {
      for (let x = -reach; x <= reach; x++) {
        if (!inside(x, y)) continue;
        const inner = inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1);
        (inner && shape !== 5 ? found.fill : found.edge).push(x, y);
      }
    }
    stamps.set(key, found);
    return found;
  };

  // What is seen: a square of the map, in units of its side.
  const home = { x: 0.5, y: 0.5, scale: 1 };
  let seen = { ...home }, alone = -1, marked = -1, width = 0, height = 0, ratio = 1, picture = null;
  // Axes are stretched to the frame: coordinates of a map have no common unit.
  const wide = () => width * 0.94, tall = () => height * 0.92;
  const toX = (i) => (xs[i] - seen.x) * seen.scale * wide() + width / 2;
  const toY = (i) => (ys[i] - seen.y) * seen.scale * tall() + height / 2;

  const measure = () => {
    const box = canvas.getBoundingClientRect();
    ratio = Math.min(window.devicePixelRatio || 1, 2);
    width = Math.max(1, Math.round(box.width * ratio));
    height = Math.max(1, Math.round(box.height * ratio));
    canvas.width = width;
    canvas.height = height;
    picture = pen.createImageData(width, height);
  };

  const radius = () => {
    const base = n > 50000 ? 1 : n > 8000 ? 1.6 : n > 1500 ? 2.4 : 3.4;
    return Math.max(1, Math.min(7, Math.round(base * ratio * Math.min(2.5, Math.sqrt(seen.scale)))));
  };

  const draw = () => {
    const pixels = new Uint32Array(picture.data.buffer);
    pixels.fill(0);
    const r = radius();
    const dot = (own, x, y, colour) => {
      for (let k = 0; k < own.length; k += 2) {
        const px = x + own[k], py = y + own[k + 1];
        if (px >= 0 && py >= 0 && px < width && py < height) pixels[py * width + px] = colour;
      }
    };
    for (let i = 0; i < n; i++) {
      if (flags[i] & LABELLED) continue;
      const x = Math.round(toX(i)), y = Math.round(toY(i));
      if (x < -8 || y < -8 || x > width + 8 || y > height + 8) continue;
      const kind = kinds[i], lost = !(flags[i] & REACHED) || kind === NONE;
      let colour, edge, shape;
      if (lost) {
        colour = inks.pale;
        edge = inks.paleEdge;
        shape = flags[i] & REACHED ? 0 : 5;
      } else if (values) {
        const step = Math.round((kind / 65534) * 63);
        colour = inks.ramp[step];
        edge = inks.rampEdges[step];
        shape = 0;
      } else {
        colour = inks.classes[kind % 7][sure[i] >> 5];
        edge = inks.edges[kind % 7];
        shape = kind % 5;
      }
      const behind = alone >= 0 && kind !== alone;
      if (behind) {
        colour = edge = inks.pale;
        shape = 0;
      }
      const own = stamp(shape, lost && shape === 5 ? r + 1 : behind ? 1 : r);
      dot(own.fill, x, y, colour);
      dot(own.edge, x, y, edge);
    }
    pen.putImageData(picture, 0, 0);
    for (const i of special) drawSpecial(i, r);
    if (marked >= 0) {
      pen.strokeStyle = inks.accent;
      pen.lineWidth = 3 * ratio;
      pen.beginPath();
      pen.arc(toX(marked), toY(marked), r + 9 * ratio, 0, 7);
      pen.stroke();
    }
  };

  // Labels are filled, with a ring; a square frame is a label that others contradict, a diamond
  // a suggestion: the same marks as in the picture.
  const drawSpecial = (i, r) => {
    const x = toX(i), y = toY(i), size = r + 2.2 * ratio;
    if (x < -20 || y < -20 || x > width + 20 || y > height + 20) return;
    const kind = kinds[i];
    if (flags[i] & LABELLED) {
      if (alone >= 0 && kind !== alone) return;
      outline(x, y, size + 1.6 * ratio, shapeOf(kind));
      pen.fillStyle = inks.paper;
      pen.fill();
      outline(x, y, size, shapeOf(kind));
      const ramp = values && kind !== NONE && inks.ramp[Math.round((kind / 65534) * 63)];
      pen.fillStyle = kind === NONE ? inks.paper : values
        ? `rgb(${ramp & 255},${(ramp >> 8) & 255},${(ramp >> 16) & 255})` : inks.css[kind % 7];
      pen.fill();
      pen.strokeStyle = inks.ink;
      pen.lineWidth = 1.6 * ratio;
      pen.stroke();
      if (flags[i] & SUSPICIOUS) framed(x, y, size + 5 * ratio, 2);
    } else {
      framed(x, y, size + 2.5 * ratio, 3);
    }
  };
  const shapeOf = (kind) => (values || kind === NONE ? 0 : kind % 5);
  const framed = (x, y, size, shape) => {
    outline(x, y, size, shape);
    for (const [colour, wide] of [[inks.paper, 4], [inks.ink, 1.8]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = wide * ratio;
      pen.stroke();
    }
  };
  const outline = (x, y, s, shape) => {
    pen.beginPath();
    if (shape === 0) return void pen.arc(x, y, s, 0, 7);
    const corners = [
      [],
      [[0, -1.3], [1.2, 0.8], [-1.2, 0.8]],
      [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
      [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
      [[0, 1.3], [1.2, -0.8], [-1.2, -0.8]],
    ][shape];
    corners.forEach(([a, b], k) => (k ? pen.lineTo(x + a * s, y + b * s) : pen.moveTo(x + a * s, y + b * s)));
    pen.closePath();
  };

  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
      canvas.dataset.view = [seen.x.toFixed(4), seen.y.toFixed(4), seen.scale.toFixed(3)].join(" ");
    });
  };

  // A grid of cells finds the nearest point without looking at all of them.
  const CELLS = 128;
  const starts = new Uint32Array(CELLS * CELLS + 1), order = new Uint32Array(n);
  const cellOf = (v) => Math.min(CELLS - 1, Math.max(0, Math.floor(v * CELLS)));
  for (let i = 0; i < n; i++) starts[cellOf(ys[i]) * CELLS + cellOf(xs[i]) + 1]++;
  for (let c = 0; c < CELLS * CELLS; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  for (let i = 0; i < n; i++) order[next[cellOf(ys[i]) * CELLS + cellOf(xs[i])]++] = i;
  const nearest = (px, py) => {
    const reach = 12 * ratio;
    const x = (px - width / 2) / (seen.scale * wide()) + seen.x;
    const y = (py - height / 2) / (seen.scale * tall()) + seen.y;
    const dx = reach / (seen.scale * wide()), dy = reach / (seen.scale * tall());
    let best = -1, least = reach * reach;
    for (let cy = cellOf(y - dy); cy <= cellOf(y + dy); cy++) {
      for (let cx = cellOf(x - dx); cx <= cellOf(x + dx); cx++) {
        for (let k = starts[cy * CELLS + cx]; k < starts[cy * CELLS + cx + 1]; k++) {
          const i = order[k], d = (toX(i) - px) ** 2 + (toY(i) - py) ** 2;
          // A label in reach is what is meant.
          const weighed = flags[i] & LABELLED ? d / 4 : d;
          if (weighed < least) { least = weighed; best = i; }
        }
      }
    }
    return best;
  };

  // Where a sample stands in its file: the last run that begins at or before it.
  const placeOf = (sample) => {
    const runs = data.places;
    let low = 0, high = runs.length;
    while (low < high) {
      const half = (low + high) >> 1;
      if (runs[half][0] <= sample) low = half + 1;
      else high = half;
    }
    if (!low) return `${data.thing} ${sample + 1}`;
    const [first, word, number] = runs[low - 1];
    return `${word} ${number + sample - first}`;
  };
  const told = (v) => (Math.abs(v) >= 1e15 || (v && Math.abs(v) < 1e-4)
    ? v.toPrecision(3) : Number(v.toPrecision(4)).toLocaleString("en-GB", { maximumFractionDigits: 8 }));
  const said = (i) => {
    const sample = data.samples ? data.samples[i] : i;
    const named = data.names && data.names[i];
    const place = named && !data.places.length ? "" : placeOf(sample);
    const lines = [[place, named].filter(Boolean).join(": ")];
    const labelled = flags[i] & LABELLED, kind = kinds[i];
    const share = Math.round((100 * sure[i]) / 255);
    if (labelled && data.given[i] !== undefined) lines.push(`label: ${data.given[i]}`);
    else if (labelled && (values || kind === NONE || data.share)) lines.push("has a label");
    if (!(flags[i] & REACHED) && !labelled) lines.push("not reached from any label");
    else if (values) {
      if (!Number.isNaN(values[i])) lines.push(`${labelled ? "fitted" : "predicted"}: ${told(values[i])}`);
    } else if (kind !== NONE) {
      const name = data.classes[kind] ?? `class ${kind + 1}`;
      if (data.share) lines.push(`mostly ${name}: ${share} %`);
      else lines.push(labelled ? `label: ${name}` : `${name}, ${share} % sure`);
    }
    if (flags[i] & SUSPICIOUS) lines.push("the other labels contradict it");
    if (flags[i] & NEXT) lines.push("suggested to label next");
    return lines;
  };
  const tip = at("tip"), status = at("status");
  const hover = (px, py) => {
    const i = nearest(px, py);
    tip.hidden = i < 0;
    if (i < 0) return;
    tip.textContent = said(i).join("\n");
    const x = toX(i) / ratio, y = toY(i) / ratio;
    const left = x + 16 + tip.offsetWidth > width / ratio ? x - tip.offsetWidth - 12 : x + 14;
    tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, y - tip.offsetHeight - 6)}px)`;
  };

  const zoom = (factor, px = width / 2, py = height / 2) => {
    const scale = Math.min(400, Math.max(0.5, seen.scale * factor));
    const x = (px - width / 2) / wide(), y = (py - height / 2) / tall();
    seen.x += x / seen.scale - x / scale;
    seen.y += y / seen.scale - y / scale;
    seen.scale = scale;
    tip.hidden = true;
    redraw();
  };
  const pan = (dx, dy) => {
    seen.x = Math.min(1.5, Math.max(-0.5, seen.x - dx / (seen.scale * wide())));
    seen.y = Math.min(1.5, Math.max(-0.5, seen.y - dy / (seen.scale * tall())));
    tip.hidden = true;
    redraw();
  };
  const reset = () => {
    seen = { ...home };
    marked = -1;
    status.textContent = "";
    redraw();
  };
  // Left to right, so that stepping follows the eye.
  const walk = special.slice().sort((a, b) => xs[a] - xs[b]);
  let place = -1;
  const step = (by) => {
    if (!walk.length) return void (status.textContent = "no labels to step through");
    place = (place + by + walk.length + (place < 0 && by < 0 ? 1 : 0)) % walk.length;
    marked = walk[place];
    seen.x = xs[marked];
    seen.y = ys[marked];
    seen.scale = Math.max(seen.scale, 2);
    status.textContent = `${place + 1} of ${walk.length}: ${said(marked).join(", ")}`;
    redraw();
  };

  const spot = (e) => {
    const box = canvas.getBoundingClientRect();
    return [(e.clientX - box.left) * ratio, (e.clientY - box.top) * ratio];
  };
  let held = null;
  canvas.addEventListener("pointerdown", (e) => {
    held = spot(e);
    canvas.setPointerCapture(e.pointerId);
    canvas.classList.add("held");
  });
  canvas.addEventListener("pointermove", (e) => {
    const now = spot(e);
    if (!held) return hover(...now);
    pan(now[0] - held[0], now[1] - held[1]);
    held = now;
  });
  const release = () => {
    held = null;
    canvas.classList.remove("held");
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
  canvas.addEventListener("wheel", (e) => {
    // The page scrolls unless the map has been entered: focused, or with a key as maps do.
    if (document.activeElement !== canvas && !e.ctrlKey) return;
    e.preventDefault();
    zoom(Math.exp(-e.deltaY * 0.002), ...spot(e));
  }, { passive: false });
  canvas.addEventListener("dblclick", (e) => zoom(2, ...spot(e)));
  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const far = 60 * ratio;
    const acts = {
      ArrowLeft: () => pan(far, 0), ArrowRight: () => pan(-far, 0), ArrowUp: () => pan(0, far), ArrowDown: () => pan(0, -far),
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: reset, Home: reset,
      n: () => step(1), p: () => step(-1),
    };
    const act = acts[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
  at("zoom-in").addEventListener("click", () => zoom(1.6));
  at("zoom-out").addEventListener("click", () => zoom(1 / 1.6));
  at("reset").addEventListener("click", reset);
  for (const button of document.querySelectorAll(".legend button")) {
    button.addEventListener("click", () => {
      const own = Number(button.dataset.class);
      alone = alone === own ? -1 : own;
      for (const other of document.querySelectorAll(".legend button")) {
        other.setAttribute("aria-pressed", String(Number(other.dataset.class) === alone));
      }
      redraw();
    });
  }

  const begin = () => { measure(); redraw(); };
  readInks();
  begin();
  new ResizeObserver(begin).observe(canvas);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", () => { readInks(); redraw(); });
  }
})();
