import assert from "node:assert/strict";
import { test } from "node:test";
import { maskCode } from "./masked-text.ts";
import { countWords, splitSentences } from "./sentences.ts";

const cases: readonly [title: string, text: string, sentences: readonly string[]][] = [
  [
    "a full stop, question mark and exclamation mark",
    "One. Two? Three! Four",
    ["One.", "Two?", "Three!", "Four"],
  ],
  [
    "a full stop before a name in lower case",
    "It fails. kube-apiserver exits.",
    ["It fails.", "kube-apiserver exits."],
  ],
  [
    "a full stop in a closing quote or bracket",
    'Prints "a." (Or b.) Exits.',
    ['Prints "a."', "(Or b.)", "Exits."],
  ],
  ["an empty line", "One\n\nTwo", ["One", "Two"]],
  ["list items", "One:\n- two\n- three\n  more\n1. four", ["One:", "- two", "- three\n  more", "1. four"]],
  ["JSDoc tags", "Returns it.\n@throws Error if it fails", ["Returns it.", "@throws Error if it fails"]],
  ["a wrapped line not", "One two\nthree.", ["One two\nthree."]],
  ["versions and file names not", "Node.js 24.1 reads a.b.", ["Node.js 24.1 reads a.b."]],
  ["abbreviations not", "Codes (e.g. 404), i.e. errors.", ["Codes (e.g. 404), i.e. errors."]],
  [
    "etc. before a lower-case word not",
    "CPUs etc. are metrics. CPUs etc. Next",
    ["CPUs etc. are metrics.", "CPUs etc.", "Next"],
  ],
  ["an ellipsis within a sentence not", "Waits ... for it... Done", ["Waits ... for it...", "Done"]],
  ["code spans not", "Reads `a. B` now.", ["Reads `a. B` now."]],
  ["punctuation without words not", "... !", []],
];
for (const [title, text, expected] of cases) {
  test(`sentences are separated by ${title}`, () => {
    const masked = maskCode(text);
    assert.deepEqual(
      splitSentences(masked).map(({ start, end }) => text.slice(start, end)),
      expected,
    );
  });
}

test("a code span, URL, template value and hyphenated compound count as one word each", () => {
  const text = "`git log -1` prints https://example.com/a?b=c {…} in-flight — 42";
  assert.equal(countWords(maskCode(text)), 6);
});

test("masking keeps the length and leaves unpaired backticks", () => {
  for (const text of ["a `b` c", "``a`b`` `", "` a ``", "", "https://a.b/c)"]) {
    assert.equal(maskCode(text).length, text.length, text);
  }
  assert.match(maskCode("a ` nobody"), /nobody/);
  assert.doesNotMatch(maskCode("``nobody ` nobody``"), /nobody/);
});
