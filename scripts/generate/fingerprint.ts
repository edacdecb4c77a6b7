import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where `make generate` notes from what it made the documents. */
export const fingerprintFile = "api/generated.json";

/** Hashes by which a test knows in an instant whether the documents are those of the source. */
export interface Fingerprint {
  /** Of the TypeSpec, the versions of its compiler and libraries, and what turns it into documents. */
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
