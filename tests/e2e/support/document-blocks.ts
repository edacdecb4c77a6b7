import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** Returns the shell blocks in a section of a document, in order. `path` is relative to the repository root. */
export function documentBlocks(path: string, section: string): readonly string[] {
  const document = readFileSync(join(root, path), "utf8");
  const passage = document.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
  return [...passage.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}
