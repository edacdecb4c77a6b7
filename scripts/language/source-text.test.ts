import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { softBreak } from "./passage.ts";
import { readSource } from "./read-source.ts";
import { countWords } from "./sentences.ts";

/** Returns passages in the form `kind line: text`. */
function read(path: string, source: string): string[] {
  return readSource(path, source).passages.map(
    ({ kind, line, text }) => `${kind} ${line}: ${text.trim().replaceAll(softBreak, "/")}`,
  );
}

const cases: readonly [title: string, path: string, source: string, passages: readonly string[]][] = [
  ["a doc comment", "a.ts", "\n/** Returns it. */\n", ["comment 2: Returns it."]],
  ["a doc comment of several lines", "a.ts", "/**\n * One\n * two.\n */", ["comment 1: One\ntwo."]],
  [
    "consecutive line comments as one",
    "a.ts",
    "// One\n// two.\n\n// Three.",
    ["comment 1: One\ntwo.", "comment 4: Three."],
  ],
  ["a comment after code apart", "a.ts", "a(); // One\n// Two", ["comment 1: One", "comment 2: Two"]],
  ["no directives", "a.ts", "// biome-ignore lint: why\n// @ts-expect-error why\n/* Copyright me */", []],
  [
    "no code in comments",
    "a.ts",
    "/**\n * Runs:\n *\n *     node a.ts b\n *\n * ```\n * code\n * ```\n */",
    ["comment 1: Runs:"],
  ],
  [
    "a string of three words",
    "a.ts",
    `f("one two three", "one two", \`four $\{a} five six\`);`,
    ["string 1: one two three", "string 1: four {…} five six"],
  ],
  [
    "concatenated strings as one",
    "a.ts",
    'f("one two " +\n  x +\n  " three four");',
    ["string 1: one two /{…}/ three four"],
  ],
  [
    "lines of a template",
    "a.ts",
    "f(`one two three\nfour five six`);",
    ["string 1: one two three", "string 2: four five six"],
  ],
  [
    "escaped line breaks",
    "a.ts",
    String.raw`f("one two three\nfour five \"six\"");`,
    ["string 1: one two three", 'string 1: four five "six"'],
  ],
  [
    "strings in template values",
    "a.ts",
    `f(\`one two $\{g('four five six')} three\`);`,
    ["string 1: one two {…} three", "string 1: four five six"],
  ],
  [
    "no import specifiers, keys, types, directives",
    "a.ts",
    `"use a b c";import "a b c d"; type A = "a b c d"; ({ "a b c d": 1 }); enum E { "a b c d" }`,
    [],
  ],
  ["no SQL", "a.ts", "f('select a from b where c', 'update a set b = c', 'insert into a values b');", []],
  ["no code in strings", "a.ts", "f('a = b; c = (d) => e; f()', 'x-1 y_2 z3 / 4');", []],
  [
    "text and attributes of JSX",
    "a.tsx",
    'f(<p className="a b c d" title="one two three">four {x} five\nsix</p>);',
    ["string 1: one two three", "string 1: four {…} five/six"],
  ],
  [
    "headings and paragraphs",
    "a.md",
    "# One\n\nTwo\nthree.\n",
    ["document 1: # One", "document 3: Two\nthree."],
  ],
  [
    "list items and quotes",
    "a.md",
    "- One\n  two\n- Three\n\n> Four",
    ["document 1: - One\n  two", "document 3: - Three", "document 5: Four"],
  ],
  [
    "table cells",
    "a.md",
    "| a | b \\| c |\n|---|---|\n| d | 1 |",
    ["document 1: a", "document 1: b \\| c", "document 3: d"],
  ],
  [
    "no code blocks",
    "a.md",
    "One\n\n````sh\na\n```\nb\n````\n\n    indented\n\nTwo",
    ["document 1: One", "document 11: Two"],
  ],
  ["continued list items", "a.md", "1. One\n\n    two", ["document 1: 1. One", "document 3: two"]],
  [
    "no link targets, comments and tags",
    "a.md",
    '[One](a(b).md "t") <b>two</b> <!-- c\nd --> three\n[x]: http://y',
    ["document 1: [One]  two  \n three"],
  ],
  [
    "Python comments and docstrings",
    "a.py",
    '#!/usr/bin/python\n"""One.\n\nRuns:\n\n    code\n"""\ndef f():\n    """Two.\n\n    Three."""\n    # Four\n    # five\n',
    ["comment 2: One.\n\nRuns:", "comment 9: Two.\n\nThree.", "comment 12: Four\nfive"],
  ],
  [
    "Python strings",
    "a.py",
    "f(\n  'one two '\n  f'{x} three',\n  r'four five six',\n)\ny = 'a # b'",
    ["string 2: one two /{…} three", "string 4: four five six"],
  ],
  [
    "shell comments, strings and here-documents",
    "a.sh",
    "#!/bin/sh\n# One\n# two\necho \"three $a four five\" # Six\ncat <<'END'\nseven eight nine\nEND\necho 'a#b'",
    ["comment 2: One\ntwo", "comment 4: Six", "string 4: three {…} four five", "string 6: seven eight nine"],
  ],
];
for (const [title, path, source, expected] of cases) {
  test(`${path.replace("a.", ".")} files provide ${title}`, () => {
    assert.deepEqual(read(path, source).toSorted(), [...expected].toSorted());
  });
}

test(".ts files provide identifiers, private ones and member accesses", () => {
  const { identifiers } = readSource("a.ts", "class A { #b = AbortSignal.timeout(c); }");
  assert.deepEqual(identifiers.map(({ name }) => name).toSorted(), [
    "#b",
    "A",
    "AbortSignal",
    "AbortSignal.timeout",
    "c",
    "timeout",
  ]);
});

const paths = fc.constantFrom("a.ts", "a.tsx", "a.mjs", "a.md", "a.py", "a.sh", "keelson");
/** Generates text with many comment, string and block delimiters. */
const sources = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\\",
        '"',
        "'",
        "`",
        '"""',
        "#",
        "//",
        "/*",
        "*/",
        "${",
        "}",
        "(",
        "```",
        "|",
        "<!--",
      ),
      fc.constantFrom("\u2028", "\r\n", "<<E\n", "- ", "](", "one two three ", "+ ", "<p>", "f'{"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

test("reading arbitrary text succeeds and every passage lies within the file", () => {
  fc.assert(
    fc.property(paths, sources, (path, source) => {
      const lines = source.split("\n").length;
      for (const { line, text } of readSource(path, source).passages) {
        const last = line + (text.match(/[\n\u2028]/g)?.length ?? 0);
        assert.ok(line >= 1 && last <= lines, `${line} to ${last} of ${lines}`);
      }
    }),
    { numRuns: 500 },
  );
});

test("the comments of a file of comments contain all its words", () => {
  const word = fc.stringMatching(/^[a-z]{2,8}$/);
  const lines = fc.array(fc.array(word, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lines, fc.constantFrom("a.ts", "a.py", "a.sh"), (comments, path) => {
      const marker = path === "a.ts" ? "//" : "#";
      const prefix = (line: readonly string[]) => `${marker} The ${line.join(" ")}`;
      const { passages } = readSource(path, comments.map(prefix).join("\n"));
      const expected = comments.flat().length + comments.length;
      assert.equal(
        passages.reduce((sum, { text }) => sum + countWords(text), 0),
        expected,
      );
    }),
  );
});
