import assert from "node:assert/strict";
import { test } from "node:test";
import { overlaySystemData, parseSystemData } from "./system-data.ts";

test("the header overlays only members that it fills", () => {
  const created = parseSystemData('{"createdBy":"ann","createdAt":"2026-01-01T00:00:00Z","other":1}');
  const changed = parseSystemData('{"createdBy":"","lastModifiedBy":"bob"}');
  assert.deepEqual(overlaySystemData(created, changed), {
    createdBy: "ann",
    createdAt: "2026-01-01T00:00:00Z",
    lastModifiedBy: "bob",
  });
});

for (const header of [undefined, "", "not json", "[]", "null", '"text"', "{"]) {
  test(`a header that is no object counts as absent: ${header}`, () => {
    assert.equal(parseSystemData(header), undefined);
    assert.deepEqual(overlaySystemData({ createdBy: "ann" }, parseSystemData(header)), { createdBy: "ann" });
  });
}
