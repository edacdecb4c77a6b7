import { readFileSync } from "node:fs";

/** Returns the version in the program's package.json. */
export function buildVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
