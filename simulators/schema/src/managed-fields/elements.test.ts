import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPath } from "./elements.ts";

test("paths have the format that clients expect", () => {
  const path = ["f:spec", "f:containers", 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"a"', "i:3"];
  assert.equal(formatPath(path), '.spec.containers[containerPort=80,protocol="TCP"][="a"][3]');
});
