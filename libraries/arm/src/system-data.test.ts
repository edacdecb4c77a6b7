import assert from "node:assert/strict";
import { test } from "node:test";
import { overlaySystemData, parseSystemData } from "./system-data.ts";

test("the header overrides only properties that it has", () => {
  const created = parseSystemData('{"createdBy":"ann","createdAt":"2026-01-01T00:00:00Z","other":1}');
  const changed = parseSystemData('{"createdBy":"","lastModifiedBy":"bob"}');
  assert.deepEqual(overlaySystemData(created, changed), {
    createdBy: "ann",
    createdAt: "2026-01-01T00:00:00Z",
    lastModifiedBy: "bob",
  });
});

for (const header of [undefined, "", "not json", "[]", "null", '"text"', "{"]) {
  test(`a header that is not an object counts as absent: ${header}`, () => {
    assert.equal(parseSystemData(header), undefined);
    assert.deepEqual(overlaySystemData({ createdBy: "ann" }, parseSystemData(header)), { createdBy: "ann" });
  });
}

for (const [time, accepted] of [
  ["2026-01-01T00:00:00Z", true],
  ["2026-01-01T00:00:00.1234567Z", true],
  ["2026-01-01T02:00:00+02:00", true],
  ["", true],
  ["2026-01-01", false],
  ["2026-13-01T00:00:00Z", false],
  ["yesterday", false],
  [5, false],
] as const) {
  test(`a header with the time ${JSON.stringify(time)} is ${accepted ? "used" : "ignored"}`, () => {
    const header = JSON.stringify({ lastModifiedBy: "bob", lastModifiedAt: time });
    assert.equal(parseSystemData(header)?.lastModifiedBy, accepted ? "bob" : undefined);
  });
}
