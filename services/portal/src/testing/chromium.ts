import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import type { Person } from "./test-portal.ts";

/** Opens a headless Chromium. It must be installed on this machine. */
export function openChromium(): Promise<Browser> {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
  assert.ok(executablePath, "Chromium is missing");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
}

/** Opens a browser context in which a person is signed in. */
export async function contextOf(browser: Browser, person: Person, url: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1440, height: 900 },
  });
  await context.addCookies(
    [...person.browser.cookies].map(([name, value]) => {
      const flags = { secure: true, httpOnly: true, sameSite: "Lax" as const };
      return { name, value, url, ...flags };
    }),
  );
  return context;
}
