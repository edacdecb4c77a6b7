/** Checks that the tests named in lists of acceptance checks exist. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");

/** Returns the tests in a list that do not exist. The first paragraph of the list defines path abbreviations. */
function missingTests(path: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  // Joins the lines of the paragraph, because it may contain a line break between any two words.
  const prose = text.replace(/\s+/g, " ");
  const starts = new Map(
    [...prose.matchAll(/`([\w-]+\/)` is `([^`]+)`/g)].map(([, short = "", long = ""]) => [short, long]),
  );
  const usual = prose.includes("other files are below `src/`") ? join(dirname(path), "src") : ".";
  const rows = text.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  assert.ok(rows.length > 5, `${path} has ${rows.length} checks`);
  return rows.flatMap((row) => {
    const [, number = "", , tests = ""] = row.replaceAll("\\|", " ").split("|");
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    if (named.length === 0) return [`${path} ${number.trim()}: no test`];
    return named
      .filter((name) => {
        const [start] = /^[\w-]+\//.exec(name) ?? [""];
        const long = starts.get(start);
        return !existsSync(join(root, long ? join(long, name.slice(start.length)) : join(usual, name)));
      })
      .map((name) => `${path} ${number.trim()}: ${name}`);
  });
}

test("tests named by acceptance checks exist", () => {
  const lists = globSync("{clients,services,operators}/**/acceptance.md", {
    cwd: root,
    exclude: ["**/node_modules"],
  });
  assert.ok(lists.length >= 3, String(lists));
  assert.deepEqual(lists.flatMap(missingTests), []);
});
