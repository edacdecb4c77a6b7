import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readGovernance } from "./governance-config.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-governance-"));
after(() => rmSync(directory, { recursive: true }));

const written = (content: unknown) => {
  const path = join(directory, "rules.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
};

test("a file with rules is read with their defaults", () => {
  const freeze = { from: "2026-12-20T00:00:00Z", until: "2027-01-04T00:00:00Z", reason: "end of the year" };
  assert.deepEqual(readGovernance(written({ elevation: {}, freezes: [freeze] })), {
    elevation: { maxMinutes: 60 },
    freezes: [{ ...freeze, emergency: false }],
  });
  assert.deepEqual(readGovernance(written({})), { freezes: [] });
});

for (const [title, content, message] of [
  ["an unknown field", { elevations: {} }, /rules\.json: \/elevations is unknown/],
  ["a number out of range", { elevation: { maxMinutes: 481 } }, /\/elevation\/maxMinutes/],
  [
    "a time without a zone",
    { freezes: [{ from: "2026-12-20", until: "x", reason: "y" }] },
    /\/freezes\/0\/from/,
  ],
  ["a list", [], /is not a JSON object/],
] as const)
  test(`a file with ${title} is refused with its name and field`, () => {
    assert.throws(() => readGovernance(written(content)), message);
  });
