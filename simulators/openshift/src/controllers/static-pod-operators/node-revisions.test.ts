import assert from "node:assert/strict";
import { test } from "node:test";
import { withNodes, withRevisions } from "./node-revisions.ts";

test("nodes first get entries without a revision, and existing entries are preserved", () => {
  const known = [{ nodeName: "a", currentRevision: 4 }];
  assert.deepEqual(withNodes(known, ["a", "b"]), [{ nodeName: "a", currentRevision: 4 }, { nodeName: "b" }]);
  assert.equal(withNodes(known, ["a"]), known);
});

test("an entry without a revision gets the highest existing one, or 1", () => {
  assert.deepEqual(withRevisions([{ nodeName: "a" }]), [{ nodeName: "a", currentRevision: 1 }]);
  assert.deepEqual(
    withRevisions([
      { nodeName: "a", currentRevision: 4 },
      { nodeName: "b" },
      { nodeName: "c", currentRevision: 0 },
    ]),
    [
      { nodeName: "a", currentRevision: 4 },
      { nodeName: "b", currentRevision: 4 },
      { nodeName: "c", currentRevision: 4 },
    ],
  );
});
