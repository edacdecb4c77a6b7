import assert from "node:assert/strict";
import { test } from "node:test";
import { newCluster } from "@keelson/cluster/testing";
import type { JournalDocument, OperationDocument } from "@keelson/model";
import { clusterKeys } from "@keelson/model";
import { operationSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { operationView } from "./operations.ts";

const { key } = clusterKeys(newCluster({ name: "c", state: "Updating" }));
const startTime = "2026-01-01T00:00:00.000Z";
const operation: OperationDocument = {
  id: "o",
  partitionKey: "s",
  openShiftClusterKey: key,
  kind: "Creating",
  correlationId: "c-1",
  asyncOperation: {
    id: "x",
    name: "o",
    status: "Creating",
    startTime,
    percentComplete: 25,
    properties: { step: "createMachines, createDns", completedSteps: 5, totalSteps: 20 },
  },
};
const entry = (step: string, second: number, more: Partial<JournalDocument> = {}): JournalDocument => ({
  id: `o.${step}`,
  partitionKey: "s",
  operationId: "o",
  openShiftClusterKey: key,
  step,
  state: "finished",
  attempt: 1,
  worker: "w",
  generation: 1,
  startedAt: `2026-01-01T00:00:0${second}Z`,
  finishedAt: `2026-01-01T00:00:0${second + 1}Z`,
  ...more,
});

test("steps are in the order of their starts, with attempts and errors", () => {
  const { finishedAt: _, ...running } = entry("createMachines", 5, { state: "running" });
  const failed = entry("createDns", 3, { state: "failed", attempt: 3, error: "no zone" });
  const view = operationView(operation, [running, failed, entry("validate", 1)]);
  assert.deepEqual(
    view.steps.map(({ name, attempts, outcome, error }) => [name, attempts, outcome, error]),
    [
      ["validate", 1, "succeeded", undefined],
      ["createDns", 3, "failed", "no zone"],
      ["createMachines", 1, "running", undefined],
    ],
  );
  assert.deepEqual(view.currentSteps, ["createMachines", "createDns"]);
  assert.ok(Value.Check(operationSchema, view));
});

test("the message of an error contains its details", () => {
  const details = Array.from({ length: 12 }, (_, at) => ({ code: "PolicyViolation", message: `no ${at}` }));
  const error = { code: "DeploymentFailed", message: "Deployment failed.", details };
  const view = operationView({ ...operation, asyncOperation: { ...operation.asyncOperation, error } }, []);
  const lines = view.error?.message.split("\n") ?? [];
  assert.deepEqual([lines.length, lines[0], lines[1]], [11, "Deployment failed.", "PolicyViolation: no 0"]);
});

test("a completed operation keeps its kind, and has no running steps", () => {
  const asyncOperation = { ...operation.asyncOperation, status: "Succeeded" as const, endTime: startTime };
  const view = operationView({ ...operation, asyncOperation }, []);
  assert.deepEqual([view.kind, view.state, view.currentSteps], ["Creating", "Succeeded", []]);
});

test("the kind of an older release's operation is derived", () => {
  const { kind: _, ...old } = operation;
  const ended = { ...old.asyncOperation, status: "Failed" as const, endTime: startTime };
  const cluster = newCluster({ name: "c", state: "Failed" });
  const properties = { ...cluster.properties, failedProvisioningState: "Updating" as const };
  const kindOf = (document: OperationDocument) => operationView(document, []).kind;
  assert.equal(kindOf(old), "Creating");
  assert.equal(kindOf({ ...old, asyncOperation: ended }), "Deleting");
  assert.equal(
    kindOf({ ...old, asyncOperation: ended, openShiftCluster: { ...cluster, properties } }),
    "Updating",
  );
});
