// The report in a real browser: what it shows, to whom, and what it never does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { launch, visit, wrong } from "../support/browser.js";
import { bytes, clouds, made, random, report, table } from "../support/reports.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SECTIONS = [
  "answer", "map", "balance", "confusion", "curve", "reliability", "next", "suspects", "unreached", "spectrum",
  "tuning", "warnings", "made",
];
const HEADER = ["name", "a", "b", "y"];
let browser, plain;

before(async () => {
  browser = await launch();
  const data = table("clouds.csv", HEADER, clouds(300, ["ash", "birch", "cedar"], 10));
  plain = report(data, "plain.html", "--label", "y", "--id", "name");
});
after(() => browser.close());

/** Runs with a page of a report, in a browser of these options. */
async function within(file, options, run) {
  const context = await browser.open(options);
  try {
    const { page, seen } = await visit(context, file);
    await run(page, seen);
  } finally {
    await context.close();
  }
}

async function accessible(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const told = found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | ")}`);
  assert.deepEqual(told, []);
}

test("every section is there and nothing is complained of, fetched or blocked", async () => {
  await within(plain, {}, async (page, seen) => {
    for (const id of SECTIONS) assert.equal(await page.locator(`#${id} h2`).count(), 1, id);
    await page.locator("#live").waitFor({ state: "visible" });
    assert.equal(await page.locator("[style]:not(#tip)").count(), 0);
    assert.deepEqual(wrong(seen), []);
  });
});

test("the first paragraph tells rows, labels, accuracy and the baseline", async () => {
  await within(plain, {}, async (page) => {
    const lead = await page.locator(".lead").innerText();
    for (const part of ["300 rows", "30 have a label", "other 270", "% interval", "kernel ridge on the labelled rows"]) {
      assert.ok(lead.includes(part), `no ${part} in ${lead}`);
    }
  });
});

for (const [name, options] of [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["forced colours", { forcedColors: "active" }],
  ["a narrow screen", { viewport: { width: 320, height: 640 } }],
]) {
  test(`axe finds nothing in ${name}`, async () => {
    await within(plain, options, async (page, seen) => {
      await page.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true)));
      await accessible(page);
      assert.deepEqual(wrong(seen), []);
    });
  });
}

test("a screen of 320 pixels, 400 % of 1280, scrolls in one direction", async () => {
  await within(plain, { viewport: { width: 320, height: 640 } }, async (page) => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} pixels too wide`);
  });
});

test("without scripts all sections are there and the map is a picture", async () => {
  await within(plain, { javaScriptEnabled: false }, async (page) => {
    for (const id of SECTIONS) assert.ok(await page.locator(`#${id}`).isVisible(), id);
    assert.ok(await page.locator("#still svg").isVisible());
    assert.ok(!(await page.locator("#live").isVisible()));
  });
});

test("the keyboard moves, zooms, resets and steps through labels", async () => {
  await within(plain, {}, async (page, seen) => {
    const canvas = page.locator("#canvas");
    const view = () => canvas.getAttribute("data-view");
    const becomes = async (same, other) => {
      await page.waitForFunction(([o, s]) => (document.getElementById("canvas").dataset.view === o) === s, [other, same]);
      return view();
    };
    await page.waitForFunction(() => document.getElementById("canvas").dataset.view);
    const home = await view();
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    const moved = await becomes(false, home);
    await page.keyboard.press("+");
    const zoomed = await becomes(false, moved);
    assert.ok(Number(zoomed.split(" ")[2]) > Number(moved.split(" ")[2]));
    await page.keyboard.press("0");
    await becomes(true, home);
    await page.keyboard.press("n");
    await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("1 of "));
    const said = await page.locator("#status").innerText();
    assert.match(said, /line \d+: row \d+, (label: (ash|birch|cedar)|.*suggested)/);
    await page.keyboard.press("Shift+Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "reset");
    assert.deepEqual(wrong(seen), []);
  });
});

test("the pointer is told what lies under it, and a class can be seen alone", async () => {
  await within(plain, {}, async (page, seen) => {
    const canvas = page.locator("#canvas");
    await page.waitForFunction(() => document.getElementById("canvas").dataset.view);
    await canvas.focus();
    await page.keyboard.press("n");
    // What was stepped to is in the middle.
    await page.waitForFunction(() => document.getElementById("status").textContent !== "");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator("#tip").waitFor({ state: "visible" });
    assert.match(await page.locator("#tip").innerText(), /row \d+/);
    const first = page.locator(".legend button").first();
    await first.click();
    assert.equal(await first.getAttribute("aria-pressed"), "true");
    assert.deepEqual(wrong(seen), []);
  });
});

const HOSTILE = [
  "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"><svg onload=alert(3)>", "\u202eevil\u202c",
  "]]><!--", "{{7*7}}${7*7}", "javascript:alert(4)", "' onmouseover='alert(5)", "\u2028\u0001 </style><style>*{display:none}",
];

test("hostile text in cells, classes, columns, titles and names of files is shown and runs nothing", async () => {
  const rows = clouds(120, HOSTILE.slice(0, 4), 5).map((r, i) => [HOSTILE[i % HOSTILE.length], ...r.slice(1)]);
  rows[119][0] = "<b>".repeat(350_000);
  const header = [HOSTILE[0], HOSTILE[2], HOSTILE[7], "</title><script>alert(6)</script>"];
  const data = table("<img src=x onerror=alert(7)>.csv", header, rows);
  const file = report(data, "hostile.html", "--label", header[3], "--id", header[0], "--title", HOSTILE[1] + HOSTILE[8]);
  assert.ok(bytes(file) < 2_000_000, "a cell of a megabyte is bounded");
  await within(file, {}, async (page, seen) => {
    await page.locator("#live").waitFor({ state: "visible" });
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("script").count(), 3);
    assert.equal(await page.locator("style").count(), 1);
    assert.ok((await page.locator("h1").innerText()).startsWith(HOSTILE[1]));
    const shown = await page.locator("#balance").innerText();
    for (const text of [HOSTILE[0], HOSTILE[1], "\\u{202e}evil\\u{202c}"]) assert.ok(shown.includes(text), text);
    await page.locator("#canvas").focus();
    for (let k = 0; k < 8; k++) await page.keyboard.press("n");
    await accessible(page);
    assert.deepEqual(wrong(seen), []);
  });
  await within(file, { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.locator("iframe, object, embed, form, link, base").count(), 0);
  });
});

test("printing has every section and the map as a picture", async () => {
  await within(plain, {}, async (page) => {
    await page.emulateMedia({ media: "print" });
    for (const id of SECTIONS) assert.ok(await page.locator(`#${id} h2`).isVisible(), id);
    assert.ok(await page.locator("#still svg").isVisible());
    assert.ok(!(await page.locator("#live").isVisible()));
    const pdf = await page.pdf({ format: "A4", printBackground: true, path: path.join(made, "plain.pdf") });
    assert.ok(pdf.length > 20_000);
  });
});

test("numbers as labels, and three labels, say what cannot be had", async () => {
  const draw = random(3);
  const rows = Array.from({ length: 150 }, (_, i) => {
    const a = draw(), b = draw();
    return [i, a, b, i < 40 ? (3 * a + b).toFixed(3) : ""];
  });
  const numbers = report(table("numbers.csv", HEADER, rows), "numbers.html", "--label", "y", "--task", "regress", "--id", "name");
  await within(numbers, { colorScheme: "dark" }, async (page, seen) => {
    assert.match(await page.locator(".lead").innerText(), /mean squared error .* lower is better/s);
    assert.match(await page.locator("#confusion .missing").innerText(), /numbers/);
    await accessible(page);
    assert.deepEqual(wrong(seen), []);
  });
  const few = report(table("few.csv", HEADER, clouds(60, ["u", "v", "w"], 1)), "few.html", "--label", "y", "--id", "name");
  await within(few, {}, async (page, seen) => {
    for (const id of ["curve", "reliability"]) {
      assert.match(await page.locator(`#${id} .missing`).innerText(), /^Not shown: ./, id);
    }
    await accessible(page);
    assert.deepEqual(wrong(seen), []);
  });
});

test("a graph has its report, with nodes by name", async () => {
  const nodes = Array.from({ length: 60 }, (_, i) => [`p${i}`, i % 12 === 0 ? (i < 30 ? "left" : "right") : ""]);
  const edges = [];
  for (let i = 0; i < 60; i++) for (const j of [1, 2, 3]) {
    const other = i < 30 ? (i + j) % 30 : 30 + ((i - 30 + j) % 30);
    edges.push([`p${i}`, `p${other}`]);
  }
  edges.push(["p0", "p30"], ["lone1", "lone2"]);
  const graph = table("edges.csv", ["from", "to"], edges);
  const file = report(table("nodes.csv", ["node", "y"], nodes), "graph.html", "--label", "y", "--graph", graph);
  await within(file, {}, async (page, seen) => {
    assert.match(await page.locator(".lead").innerText(), /62 nodes/);
    assert.match(await page.locator("#unreached").innerText(), /lone1/);
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await page.waitForFunction(() => /p\d+/.test(document.getElementById("status").textContent));
    await accessible(page);
    assert.deepEqual(wrong(seen), []);
  });
});

test("100,000 rows stay under ten megabytes and answer to zooming and panning", async () => {
  const data = table("large.csv", HEADER, clouds(100_000, ["one", "two", "three", "four", "five"], 20, 7));
  // Landmarks: what is looked at is the page, not the search for neighbours in a debug build.
  const file = report(data, "large.html", "--label", "y", "--exclude", "name", "--method", "laplacian", "--landmarks", "100");
  assert.ok(bytes(file) < 10_000_000, `${bytes(file)} bytes`);
  await within(file, {}, async (page, seen) => {
    await page.waitForFunction(() => document.getElementById("canvas").dataset.view);
    const inked = await page.evaluate(() => {
      const canvas = document.getElementById("canvas");
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      let count = 0;
      for (let i = 3; i < pixels.length; i += 4) count += pixels[i] > 0;
      return count;
    });
    assert.ok(inked > 20_000, `${inked} pixels of ink`);
    await page.locator("#canvas").focus();
    for (const key of ["+", "ArrowLeft", "-", "ArrowDown"]) {
      const old = await page.locator("#canvas").getAttribute("data-view");
      await page.keyboard.press(key);
      await page.waitForFunction((o) => document.getElementById("canvas").dataset.view !== o, old);
    }
    assert.deepEqual(wrong(seen), []);
  });
});

for (const colorScheme of ["light", "dark"]) {
  test(`marks of seven colours and any confidence stand out by 3 to 1 in ${colorScheme}`, async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    // Clouds that overlap: confidences of every size.
    const rows = clouds(700, names, 6).map(([n, x, y, l]) => [n, x / 3, y / 3, l]);
    const file = report(table("seven.csv", HEADER, rows), "seven.html", "--label", "y", "--exclude", "name");
    await within(file, { colorScheme }, async (page) => {
      await page.waitForFunction(() => document.getElementById("canvas").dataset.view);
      const faint = await page.evaluate(() => {
        const canvas = document.getElementById("canvas"), { width, height } = canvas;
        const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
        const paper = getComputedStyle(canvas).backgroundColor.match(/\d+/g).map(Number);
        const luminance = (c) => {
          const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const counts = new Map();
        const solid = (x, y) => pixels[4 * (y * width + x) + 3] > 0;
        for (let y = 1; y < height - 1; y++) for (let x = 1; x < width - 1; x++) {
          const at = 4 * (y * width + x);
          if (pixels[at + 3] < 255 || (solid(x - 1, y) && solid(x + 1, y) && solid(x, y - 1) && solid(x, y + 1))) continue;
          const key = pixels.slice(at, at + 3).join();
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const found = [...counts].filter(([, n]) => n >= 40).map(([key]) => key.split(",").map(Number));
        const dim = luminance(paper);
        const contrasts = found.map((c) => {
          const own = luminance(c);
          return (Math.max(own, dim) + 0.05) / (Math.min(own, dim) + 0.05);
        });
        return { colours: found.length, low: contrasts.filter((c) => c > 1.01 && c < 3) };
      });
      assert.ok(faint.colours >= 7, JSON.stringify(faint));
      assert.deepEqual(faint.low, []);
    });
  });
}

test("numbers are never broken, and wide tables scroll in their own box", async () => {
  const names = Array.from({ length: 14 }, (_, k) => `Department of very long administrative names ${k}, subsection of others`);
  const file = report(table("wide.csv", HEADER, clouds(420, names, 6)), "wide.html", "--label", "y", "--id", "name");
  for (const width of [1200, 360]) {
    await within(file, { viewport: { width, height: 800 } }, async (page) => {
      const broken = await page.evaluate(() => [...document.querySelectorAll("td.n, .value")]
        .filter((cell) => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1;
        })
        .map((cell) => cell.textContent));
      assert.deepEqual(broken, []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    });
  }
  await within(file, {}, async (page) => {
    const heads = await page.locator("#confusion thead bdi").allInnerTexts();
    assert.equal(new Set(heads).size, 14, heads.join(" | "));
    assert.equal(await page.locator(".legend button").count(), 14);
  });
});

test("a label's number stands beside the fitted one, and one far out does not flatten the colours", async () => {
  const draw = random(5);
  const rows = Array.from({ length: 200 }, (_, i) => {
    const a = draw(), b = draw();
    return [i, a, b, i === 0 ? 1e6 : i < 60 ? (10 * a).toFixed(3) : ""];
  });
  const file = report(table("far.csv", HEADER, rows), "far.html", "--label", "y", "--task", "regress", "--exclude", "name");
  await within(file, {}, async (page, seen) => {
    await page.locator("#canvas").focus();
    await page.keyboard.press("n");
    await page.waitForFunction(() => document.getElementById("status").textContent !== "");
    const said = [];
    for (let k = 0; k < 70; k++) {
      said.push(await page.locator("#status").innerText());
      await page.keyboard.press("n");
    }
    assert.ok(said.some((s) => /line \d+, label: [\d.,]+, fitted: /.test(s)), said[0]);
    assert.match(await page.locator(".legend .scale").innerText(), /2nd to the 98th percentile/);
    assert.deepEqual(wrong(seen), []);
  });
});

test("buttons do not cover the map", async () => {
  await within(plain, {}, async (page) => {
    const canvas = await page.locator("#canvas").boundingBox();
    for (const id of ["zoom-in", "zoom-out", "reset"]) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.y + box.height <= canvas.y, id);
    }
  });
});
