import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";

const programs = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

/**
 * Opens the installed Firefox in headless mode. Puppeteer can control it over WebDriver BiDi, whereas Playwright supports only
 * its own build of Firefox.
 */
export function openFirefox(): Promise<Browser> {
  const executablePath = programs.find((program) => existsSync(program));
  if (!executablePath) throw new Error(`no browser: none of ${programs.join(", ")} is there`);
  return puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    // The browser does not trust the local certificate authority of the test.
    acceptInsecureCerts: true,
    defaultViewport: { width: 1_440, height: 900 },
    protocolTimeout: 600_000,
    timeout: 300_000,
  });
}
