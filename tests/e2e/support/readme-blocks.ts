import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The shell blocks of a section of the README, in order. */
export function readmeBlocks(section: string): readonly string[] {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const text = readme.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}
