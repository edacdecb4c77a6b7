/** Checks that each entry in the lists of differences and limits links an existing test file. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";

interface DifferenceList {
  readonly directory: string;
  /** Returns the entries of the list in the README. */
  readonly entriesOf: (readme: string) => readonly string[];
  /** Minimum number of entries. A lower number means that the list was not found. */
  readonly least: number;
}

/** Returns the list items of a section. The section ends at `end`, by default at the end of the README. */
function itemsOf(readme: string, heading: string, end?: string): readonly string[] {
  const [, section = ""] = readme.split(`${heading}\n`);
  const [list = ""] = end === undefined ? [section] : section.split(end);
  return list.split("\n- ").slice(1);
}

/** Returns the rows of the first table. */
function rowsOf(readme: string): readonly string[] {
  const [, rows = ""] = readme.split(/^\| --- .*\n/m);
  return rows.trim().split("\n");
}

const lists: readonly DifferenceList[] = [
  {
    directory: "simulators/apiserver",
    entriesOf: (readme) => itemsOf(readme, "## Differences from kube-apiserver"),
    least: 31,
  },
  {
    directory: "simulators/openshift",
    entriesOf: (readme) => itemsOf(readme, "\n## Limits", "\nMay import:"),
    least: 16,
  },
  {
    directory: "operators/aro",
    entriesOf: (readme) => [
      ...itemsOf(readme, "\n## Differences from the original", "\n## "),
      ...rowsOf(readme),
    ],
    least: 36,
  },
];

const root = resolve(import.meta.dirname, "../..");
for (const { directory, entriesOf, least } of lists)
  test(`every difference or limit in the README of ${directory} names an existing test file`, () => {
    const entries = entriesOf(readFileSync(join(root, directory, "README.md"), "utf8"));
    assert.ok(entries.length >= least, `${entries.length} entries`);
    for (const entry of entries) {
      const files = [...entry.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = ""]) => file);
      assert.ok(files.length > 0, `no test: ${entry.slice(0, 80)}`);
      for (const file of files) assert.ok(existsSync(join(root, directory, file)), file);
    }
  });
