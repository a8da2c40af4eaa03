// Tables are made here, reports by the binary.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..", "..");
const binary = process.env.ISOTHERM_BIN ?? path.join(root, "target", "debug", "isotherm");
export const made = path.join(here, "..", "made");
mkdirSync(made, { recursive: true });

/** Numbers from 0 to 1 that follow from a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const quoted = (cell) => `"${String(cell).replaceAll('"', '""')}"`;

/** Writes a table of rows of cells. */
export function table(name, header, rows) {
  const file = path.join(made, name);
  writeFileSync(file, [header, ...rows].map((r) => r.map(quoted).join(",")).join("\n") + "\n");
  return file;
}

/** Rows in as many clouds as there are classes, the first of each cloud labelled. */
export function clouds(rows, classes, labelled, seed = 1) {
  const draw = random(seed);
  return Array.from({ length: rows }, (_, i) => {
    const k = i % classes.length;
    const spread = () => draw() + draw() + draw() - 1.5;
    const x = 3 * Math.cos(k * 2.4) + spread(), y = 3 * Math.sin(k * 2.4) + spread();
    return [`row ${i}`, x.toFixed(5), y.toFixed(5), i < labelled * classes.length ? classes[k] : ""];
  });
}

/** Runs `isotherm report`; the page's path. */
export function report(data, name, ...more) {
  const out = path.join(made, name);
  execFileSync(binary, ["report", data, "-o", out, "--force", "--quiet", ...more], { cwd: made, stdio: ["ignore", "inherit", "inherit"] });
  return out;
}

export const bytes = (file) => statSync(file).size;
