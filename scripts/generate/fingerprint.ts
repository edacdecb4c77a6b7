import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** File with the fingerprint of the documents and their source. `make generate` writes it. */
export const fingerprintFile = "api/generated.json";

/** Hashes of the documents and their source. A test uses them to detect outdated documents quickly. */
export interface Fingerprint {
  /** Hash of the TypeSpec, the compiler and library versions, and the generating scripts. */
  readonly source: string;
  readonly documents: string;
}

export function fingerprintOf(root: string): Fingerprint {
  return {
    source: hash(root, [
      "api/**/*.tsp",
      "api/package.json",
      "scripts/generate/emit-documents.ts",
      "scripts/generate/self-contained.ts",
    ]),
    documents: hash(root, ["swagger/**/redhatopenshift.json"]),
  };
}

function hash(root: string, patterns: readonly string[]): string {
  const sum = createHash("sha256");
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    const content = readFileSync(join(root, file));
    sum.update(`${file} ${content.length}\n`).update(content);
  }
  return sum.digest("hex");
}
