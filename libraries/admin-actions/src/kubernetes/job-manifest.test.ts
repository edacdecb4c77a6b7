import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { stringAt, valueAt } from "@keelson/base";
import { runnableJob } from "./job-manifest.ts";

const container = { name: "main", image: "busybox" };

function job(change: {
  readonly kind?: string;
  readonly metadata?: object;
  readonly spec?: object;
  readonly pod?: object;
}): object {
  return {
    apiVersion: "batch/v1",
    kind: change.kind ?? "Job",
    metadata: { name: "collect", ...change.metadata },
    spec: {
      ...change.spec,
      template: { spec: { restartPolicy: "Never", containers: [container], ...change.pod } },
    },
  };
}

test("a job gets a new name, the operator's namespace and no second try", () => {
  const sent = job({ metadata: { uid: "1", resourceVersion: "2", labels: { a: "b" }, finalizers: ["x"] } });
  const runnable = runnableJob({ ...sent, status: { active: 1 } });
  assert.match(runnable.name, /^collect-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assert.equal(runnable.namespace, "openshift-azure-operator");
  assert.equal(runnable.container, "main");
  const { name, namespace } = runnable;
  assert.deepEqual(runnable.object.metadata, { name, namespace, labels: { a: "b" } });
  assert.equal(valueAt(runnable.object, "spec", "backoffLimit"), 0);
  assert.equal(stringAt(runnable.object, "spec", "template", "spec", "restartPolicy"), "Never");
  assert.equal(runnable.object.status, undefined);
  assert.notEqual(runnableJob(sent).name, runnable.name);
});

test("long names make room for what is added", () => {
  const { name } = runnableJob(job({ metadata: { name: `${"a".repeat(56)}--b` } }));
  assert.equal(name.length, 56 + 1 + 5);
  assert.throws(() => runnableJob(job({ metadata: { name: "-".repeat(60) } })), /reduces to empty/);
});

test("jobs that could not be followed are refused", () => {
  const rows: readonly (readonly [unknown, number, RegExp])[] = [
    [[], 400, /^Failed to parse request body\.$/],
    [job({ kind: "Pod" }), 400, /^Expected kind 'Job', got 'Pod'\.$/],
    [job({ metadata: { name: "" } }), 400, /must have a non-empty metadata\.name\.$/],
    [job({ metadata: { name: "a b" } }), 400, /^The provided Job metadata\.name 'a b' is invalid\.$/],
    [job({ metadata: { namespace: "a b" } }), 400, /metadata\.namespace 'a b' is invalid\.$/],
    [
      job({ metadata: { namespace: "shop" } }),
      403,
      /^Access to the provided namespace 'shop' is forbidden\.$/,
    ],
    [job({ spec: { parallelism: 2 } }), 400, /^Jobs with spec\.parallelism > 1 are not implemented\.$/],
    [job({ spec: { completions: 2 } }), 400, /^Jobs with spec\.completions > 1 are not implemented\.$/],
    [job({ spec: { backoffLimit: 1 } }), 400, /^Jobs with spec\.backoffLimit != 0 are not supported/],
    [job({ pod: { restartPolicy: "Always" } }), 400, /must be Never or OnFailure, got "Always"\.$/],
    [job({ pod: { restartPolicy: undefined } }), 400, /must be Never or OnFailure, got ""\.$/],
    [job({ pod: { containers: [] } }), 400, /exactly one container, got 0\.$/],
    [job({ pod: { containers: [container, container] } }), 400, /exactly one container, got 2\.$/],
    [job({ pod: { containers: [{ image: "x" }] } }), 400, /non-empty container name\.$/],
    [job({ pod: { containers: [{ name: "a b" }] } }), 400, /container name 'a b' is invalid\.$/],
  ];
  for (const [body, status, message] of rows) {
    assert.throws(
      () => runnableJob(body),
      (error) => {
        assert.ok(error instanceof CloudError);
        assert.match(error.message, message);
        return error.status === status;
      },
    );
  }
  for (const spec of [{ parallelism: 1, completions: 1, backoffLimit: 0 }, {}]) runnableJob(job({ spec }));
  runnableJob(job({ pod: { restartPolicy: "OnFailure" } }));
});
