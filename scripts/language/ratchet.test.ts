import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, RuleName } from "./finding.ts";
import {
  type Counts,
  compareCounts,
  countFindings,
  formatCounts,
  lowerCounts,
  parseCounts,
} from "./ratchet.ts";

const finding = (path: string, rule: RuleName): Finding => ({
  path,
  line: 1,
  endLine: 1,
  rule,
  text: "",
  remedy: "",
});
const found = countFindings([
  finding("libraries/base/src/a.ts", "word"),
  finding("libraries/base/README.md", "word"),
  finding("libraries/README.md", "agent"),
  finding("docs/howto/a.md", "word"),
]);

test("findings are counted by package and rule", () => {
  assert.deepEqual(found, { "libraries/base": { word: 2 }, libraries: { agent: 1 }, docs: { word: 1 } });
});

test("a higher count is a rise, also of a package that is not in the file", () => {
  const allowed: Counts = { "libraries/base": { word: 1 }, docs: { word: 1 } };
  assert.deepEqual(compareCounts(found, allowed), {
    rises: [
      { package: "libraries", rule: "agent", found: 1, allowed: 0 },
      { package: "libraries/base", rule: "word", found: 2, allowed: 1 },
    ],
    falls: [],
  });
});

test("a lower count is a fall, also of a package without findings", () => {
  const allowed: Counts = { ...found, docs: { word: 3 }, bench: { agent: 1 } };
  assert.deepEqual(compareCounts(found, allowed), {
    rises: [],
    falls: [
      { package: "bench", rule: "agent", found: 0, allowed: 1 },
      { package: "docs", rule: "word", found: 1, allowed: 3 },
    ],
  });
});

test("lowering keeps the lower number and adds no package", () => {
  const allowed: Counts = { "libraries/base": { word: 1, agent: 2 }, docs: { word: 3 }, bench: { agent: 1 } };
  assert.deepEqual(lowerCounts(found, allowed), { "libraries/base": { word: 1 }, docs: { word: 1 } });
});

test("the file has sorted packages and rules, one number per line, without zeros", () => {
  assert.equal(
    formatCounts({ docs: { word: 1, agent: 2 }, bench: { word: 0 }, api: { word: 3 } }),
    '{\n  "api": {\n    "word": 3\n  },\n  "docs": {\n    "agent": 2,\n    "word": 1\n  }\n}\n',
  );
});

test("a file with conflict markers is reported by name", () => {
  assert.throws(() => parseCounts("<<<<<<< HEAD"), /ratchet\.json is not JSON/);
});
