import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Starts the Chromium of this machine without a window. */
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

/** Errors of pages and violations of the policy, as they occur. */
export function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    // Pages show refused requests. Their tests check them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}

/** Violations that axe finds on a page, one line each. The script of axe runs outside the policy of the page. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + ": " + failureSummary)))`);
}
