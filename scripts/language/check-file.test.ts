import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkFile } from "./check-file.ts";
import { type Finding, formatFinding, type RuleName } from "./finding.ts";

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(" ");

/** Returns the rules that a comment violates. */
function rulesOf(comment: string): RuleName[] {
  return checkFile("scripts/a.ts", `/** ${comment} */`, []).map(({ rule }) => rule);
}

const refused: Readonly<Record<Exclude<RuleName, "identifier">, readonly string[]>> = {
  "first-word": [
    ...["What it does.", "Whether it runs.", "Which one.", "Who calls.", "Whom it calls.", "How it runs."],
    ...[
      "Where it is.",
      "Why it fails.",
      "Of a file.",
      "By name.",
      "As a file.",
      "For tests.",
      "From a file.",
    ],
    ...["In tests.", "Until it exits.", "Beside it.", "what it does.", "“What it does.”", "What's new."],
  ],
  "sentence-length": [`Returns ${words(30)}.`, `Short. ${words(31)}`, `- item\n - ${words(31)}`],
  default: ["Milliseconds, 10 when absent.", "The port, where\n * absent: 443."],
  agent: [
    "Locked by nobody.",
    "No one reads it.",
    "Somebody writes.",
    "Read by someone.",
    "Whoever writes it.",
  ],
  positive: ["Tried on no real cluster.", "Belongs to no cluster.", "Writes nothing else than logs."],
  word: [
    ...[
      "Mends it.",
      "Heeds the signal.",
      "Hears of changes.",
      "Is told the name.",
      "Looks at it.",
      "Read anew.",
    ],
    ...[
      "Likewise for b.",
      "It is in the place of b.",
      "Has a port of its own.",
      "A port of its own for it.",
      "Goes on with b.",
      "Names the way out.",
    ],
    ...[
      "Prints what there is.",
      "Lists those that there are.",
      "Returns what was asked for.",
      "Prints what is wrong.",
    ],
    ...[
      "Requests under way.",
      "Its newborn objects.",
      "It suffers.",
      "What-if befalls it.",
      "It foretells b.",
    ],
    ...["Keeps house.", "Pods at rest.", "The doors of it."],
  ],
};
for (const [rule, comments] of Object.entries(refused)) {
  for (const comment of comments) {
    test(`${rule} refuses a comment: ${comment.slice(0, 40)}`, () => {
      assert.deepEqual(rulesOf(comment), [rule]);
    });
  }
}

const accepted: readonly string[] = [
  ...[
    "Returns the file.",
    "True if it runs.",
    "In-flight operations.",
    "From-source builds.",
    "Inputs of it.",
  ],
  ...["`What` is a name.", "AS 65515 is Azure's.", "Ways to do it.", "Forwards requests.", "Default: 10 ms."],
  ...[`Returns ${words(29)}.`, `Returns \`${words(40)}\`.`, `${words(25)}. ${words(25)}.`],
  ...[
    "Looks up the key.",
    "Data encrypted at rest.",
    "Encryption at rest.",
    "Azure Front Door.",
    "Stubborn.",
  ],
  ...[
    "Writes the labels that go on the node.",
    "The pod no longer runs.",
    "Matches at no more than 5.",
    "`nobody` runs.",
  ],
  ...[
    "The user nobody-else.",
    "Fixtures of its own tests.",
    "Present or absent.",
    "See https://example.com/anew/heed.",
  ],
];
for (const comment of accepted) {
  test(`every rule accepts a comment: ${comment.slice(0, 40)}`, () => {
    assert.deepEqual(rulesOf(comment), []);
  });
}

test("a string is checked for all rules but the first word", () => {
  const content = `f("what nobody reads anew", 'for ${"word ".repeat(31)}');`;
  assert.deepEqual(
    checkFile("scripts/a.ts", content, []).map(({ rule }) => rule),
    ["agent", "word", "sentence-length"],
  );
});

test("test titles, Python docstrings, shell comments and documents are checked", () => {
  const found = (path: string, content: string) => checkFile(path, content, []).map(({ rule }) => rule);
  assert.deepEqual(found("tests/a.test.ts", 'test("a server goes on", () => {});'), ["word"]);
  assert.deepEqual(found("clients/a/a.py", 'def f():\n    """What it does."""'), ["first-word"]);
  assert.deepEqual(found("scripts/a.sh", "# Where it is"), ["first-word"]);
  assert.deepEqual(found("docs/a.md", "What it does\ngoes\non."), ["word"]);
});

test("a finding has the lines, words and remedy", () => {
  const content = `\n/**\n * Returns ${words(20)}\n * ${words(20)}.\n *\n * It is no\n * one's.\n */`;
  assert.deepEqual(
    checkFile("scripts/a.ts", content, []).map(({ line, endLine, text }) => [
      line,
      endLine,
      text.slice(0, 11),
    ]),
    [
      [3, 4, "Returns wor"],
      [6, 7, "no\none"],
    ],
  );
  const [first, second] = checkFile("scripts/a.ts", content, []).map(formatFinding);
  assert.match(
    first ?? "",
    /^scripts\/a\.ts:3: sentence-length: "Returns word0 .* …": 41 words; split it, at most 25/,
  );
  assert.match(second ?? "", /^scripts\/a\.ts:6: agent: "no one": name the agent/);
});

test("a first-word finding quotes the beginning of the comment", () => {
  const [finding] = checkFile("scripts/a.ts", "// What it does\n// now.", []);
  assert.equal(finding?.text, "What it does");
});

const product = "simulators/azure/src/a.ts";
const identifiers: readonly [title: string, code: string, names: readonly string[], path?: string][] = [
  ["a renamed identifier", "patiently(stepAdviser, patientlyWaiting)", ["patiently", "stepAdviser"]],
  ["a private name", "class A { #stir() {} }", ["#stir"]],
  ["a member access", "AbortSignal.timeout(1)", ["AbortSignal.timeout"]],
  ["a word within a name", "keepHouse(AT_REST, toldAgain)", ["keepHouse", "AT_REST", "toldAgain"]],
  ["a name of one directory", "type World = 1", ["World"]],
  ["no such name elsewhere", "type World = 1", [], "libraries/base/src/a.ts"],
  ["no part of a word", "lookup(toLookUp, intellect, stubborn)", []],
  ["no names of tests", "patiently()", [], "libraries/base/src/a.test.ts"],
  ["no names of scripts", "patiently()", [], "scripts/a.ts"],
  ["a file name", "", ["doors"], "libraries/kube/src/http/doors.ts"],
];
for (const [title, code, names, path = product] of identifiers) {
  test(`identifier refuses ${title}`, () => {
    const found = checkFile(path, code, []).filter(({ rule }) => rule === "identifier");
    assert.deepEqual(found.map(({ text }) => text).toSorted(), names.toSorted());
  });
}

test("an exemption drops the findings of its lines in its file", () => {
  const content = "// Read anew.\nf();\n// Written anew.";
  const lines = (path: string): readonly Finding["line"][] =>
    checkFile(path, content, [{ path: "scripts/a.ts", text: "Written", reason: "test" }]).map(
      ({ line }) => line,
    );
  assert.deepEqual(lines("scripts/a.ts"), [1]);
  assert.deepEqual(lines("scripts/b.ts"), [1, 3]);
});

test("checking arbitrary comments succeeds and findings are sorted by line", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("\n", " nobody ", "anew. ", "`"))),
      (parts) => {
        const lines = checkFile("docs/a.md", parts.join(""), []).map(({ line }) => line);
        assert.deepEqual(
          lines,
          lines.toSorted((a, b) => a - b),
        );
      },
    ),
  );
});
