import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Opens a headless browser. It must be installed on this machine. */
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

/** Collects errors of the pages' scripts, and violations of the content security policy. */
export function complaintsOf(context: BrowserContext): readonly string[] {
  const complaints: string[] = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    // Failed requests are not collected, because the tests check the pages that display them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}

/**
 * Returns axe's accessibility findings for a page, one per line. The browser injects the axe script, so the page's content
 * security policy does not block it.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(axe, "utf8"));
  return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + ": " + failureSummary)))`);
}
