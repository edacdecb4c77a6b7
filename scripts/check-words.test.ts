import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { exemptions } from "./banned-words.ts";
import { compareWords, findWords, packageOf, readAllowed, readSources } from "./check-words.ts";

process.chdir(new URL("..", import.meta.url).pathname);
const sources = readSources();

test("no package has more banned words than it is allowed", () => {
  const { over } = compareWords(sources.flatMap(findWords), readAllowed());
  const lines = over.flatMap(({ findings }) =>
    findings.map((each) => `${each.path}:${each.line} ${each.word}`),
  );
  assert.deepEqual(lines, []);
});

test("every exemption is still needed", () => {
  const unused = exemptions.filter(
    ({ path, text }) => !sources.some((each) => each.path === path && each.text.includes(text)),
  );
  assert.deepEqual(unused, []);
});

const cases: readonly [name: string, line: string, words: readonly string[], path?: string][] = [
  ["a word in a comment", "// Tells whoever waits.", ["Tells", "whoever"]],
  ["a word within an identifier", "keepHouse(); AT_REST; toldAgain", ["told", "AT REST", "keep House"]],
  ["not a part of a word", "lookup(toLookup, intellect, stubborn, inborne)", []],
  ["not the usual uses", "// Looks up the key, encrypted at rest.", []],
  ["an identifier as a whole", "patiently(stepAdviser, patientlyWaiting)", ["stepAdviser", "patiently"]],
  ["a private name", "this.#stir();", ["#stir"]],
  ["an identifier only where it is meant", "type World = 1;", []],
  ["an identifier where it is meant", "type World = 1;", ["World"], "simulators/azure/src/a.ts"],
  ["a file name", "", ["doors"], "libraries/kube/src/http/doors.ts"],
];
for (const [name, text, words, path = "libraries/base/src/a.ts"] of cases) {
  test(`finds ${name}`, () => {
    const found = findWords({ path, text }).map(({ word }) => word);
    assert.deepEqual(found.toSorted(), [...words].toSorted());
  });
}

test("counts by package, and names what may be lowered", () => {
  assert.equal(packageOf("libraries/base/src/a.ts"), "libraries/base");
  assert.equal(packageOf("docs/howto/a.md"), "docs");
  assert.equal(packageOf("services/README.md"), "services");
  const findings = findWords({ path: "libraries/base/src/a.ts", text: "// told\n// anew" });
  assert.deepEqual(
    findings.map(({ line }) => line),
    [1, 2],
  );
  const names = (allowed: Record<string, number>) => {
    const { over, under } = compareWords(findings, allowed);
    return [over, under].map((each) => each.map(({ name }) => name));
  };
  assert.deepEqual(names({ "libraries/base": 2 }), [[], []]);
  assert.deepEqual(names({ "libraries/base": 1, docs: 1 }), [["libraries/base"], ["docs"]]);
  assert.deepEqual(names({ "libraries/base": 3 }), [[], ["libraries/base"]]);
});
