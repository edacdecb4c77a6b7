import assert from "node:assert/strict";
import { test } from "node:test";
import { withNodes, withRevisions } from "./node-revisions.ts";

test("nodes get entries without a revision first, and known ones stay", () => {
  const known = [{ nodeName: "a", currentRevision: 4 }];
  assert.deepEqual(withNodes(known, ["a", "b"]), [{ nodeName: "a", currentRevision: 4 }, { nodeName: "b" }]);
  assert.equal(withNodes(known, ["a"]), known);
});

test("an entry without a revision, or with none yet, gets the highest of the others, and 1 where there is none", () => {
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
