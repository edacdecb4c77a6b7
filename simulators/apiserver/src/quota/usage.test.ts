import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { encodeObject } from "../storage/stored-object.ts";
import { evaluatorFor } from "./evaluator-of-kind.ts";
import { type CountedObjects, isFew, usagePhases } from "./usage.ts";

const quota = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { namespace: "a", name: "q" },
  spec: { hard: { pods: "9", "requests.cpu": "9" } },
};
const resources = { requests: { cpu: "10m" } };
const pod = encodeObject("a/p", 1, {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "a", name: "p" },
  spec: { containers: [{ name: "c", image: "i", resources }] },
});

function counted(pods: number): CountedObjects {
  const evaluator = evaluatorFor("", "pods");
  assert.ok(evaluator);
  const objects = Array.from({ length: pods }, () => pod);
  const kinds = [{ group: "", plural: "pods", evaluator, objects }];
  return {
    quota,
    kinds: new Map([
      ["pods", kinds],
      ["requests.cpu", kinds],
    ]),
  };
}

test("the usage of many objects is computed in steps", () => {
  assert.equal(isFew(counted(100)), true);
  const many = counted(150_000);
  assert.equal(isFew(many), false);
  const phases = usagePhases({ clock: new ManualClock() }, many);
  let steps = 0;
  let next = phases.next();
  for (; !next.done; next = phases.next()) steps++;
  assert.deepEqual(next.value, { pods: "150k", "requests.cpu": "1500" });
  assert.ok(steps > 100, `${steps}`);
});
