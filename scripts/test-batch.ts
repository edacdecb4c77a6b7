/**
 * Test files, given by their paths, one after another in one process: what they have in common is loaded once. Each
 * is a test named by its path, which loads the file when its turn comes, and a suite, whose hooks are its own.
 */
import process from "node:process";
import { describe, test } from "node:test";

for (const file of process.argv.slice(2)) {
  test(file, { timeout: 900_000 }, () =>
    describe("tests", async () => {
      await import(file);
    }),
  );
}
