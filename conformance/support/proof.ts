import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** What no client can see from outside, and the tests that show it. */
export interface Proof {
  /** Path of the test file below the root. */
  readonly file: string;
  /** Titles of tests in it, or how they begin. */
  readonly titles: readonly string[];
}

/** @throws AssertionError when a file has no test with such a title, or skips it */
export function assertProven(proofs: readonly Proof[]): void {
  for (const { file, titles } of proofs) {
    const source = readFileSync(new URL(file, root), "utf8");
    for (const title of titles) {
      assert.ok(source.includes(title), `${file} has no test "${title}"`);
      assert.doesNotMatch(source, /\b(test|it|describe)\.(skip|todo|only)\b/, `${file} leaves tests out`);
    }
  }
}
