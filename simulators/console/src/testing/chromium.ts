import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Starts the local Chromium in headless mode. */
export function openBrowser(): Promise<Browser> {
  const executablePath = programs.find((program) => existsSync(program));
  if (!executablePath) throw new Error(`no browser: none of ${programs.join(", ")} is there`);
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Collects page errors and Content-Security-Policy violations of a browser context. */
export function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    // Chromium also logs failed requests as errors. Tests check those requests separately.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}

/**
 * Returns the accessibility violations that axe finds on a page, one line each. The axe script is not subject to the page's
 * Content-Security-Policy.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + ": " + failureSummary)))`);
}
