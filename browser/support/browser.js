// Debian's Chromium, headless and without a network; and pages that are watched.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Opens a browser with an empty profile; `close` takes the profile away. */
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(`there is no ${executablePath}: install Debian's package chromium, or set CHROMIUM`);
  }
  const profile = mkdtempSync(path.join(tmpdir(), "isotherm-browser-"));
  const open = (options = {}) =>
    chromium.launchPersistentContext(path.join(profile, String(Math.random()).slice(2)), {
      executablePath, headless: true, args: FLAGS, viewport: { width: 1200, height: 900 }, ...options,
    });
  return { open, close: () => rmSync(profile, { recursive: true, force: true }) };
}

/** Opens a report in a context, and keeps everything that should not happen. */
export async function visit(context, file) {
  const page = await context.newPage();
  const seen = { console: [], errors: [], violations: [], requests: [], dialogs: [] };
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && seen.console.push(m.text()));
  page.on("pageerror", (e) => seen.errors.push(String(e)));
  page.on("dialog", (d) => { seen.dialogs.push(d.message()); d.dismiss(); });
  const url = pathToFileURL(file).href;
  await page.route("**/*", (route) => {
    const asked = route.request().url();
    if (asked === url) return route.continue();
    seen.requests.push(asked);
    return route.abort();
  });
  await page.exposeFunction("tellViolation", (v) => seen.violations.push(v));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (e) =>
      window.tellViolation(`${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  await page.goto(url);
  return { page, seen };
}

/** What a page must never do, in one list. */
export function wrong(seen) {
  return [...seen.console, ...seen.errors, ...seen.violations, ...seen.requests, ...seen.dialogs];
}
