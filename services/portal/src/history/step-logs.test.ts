/** Tests log lines and median durations of steps with a real document store. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { newCluster, openStore } from "@keelson/cluster/testing";
import { create } from "@keelson/database";
import { clusterKeys, type JournalDocument, type ServiceDatabase } from "@keelson/model";
import { stepDurationsSchema, stepLogsSchema } from "@keelson/portal-api";
import { Value } from "typebox/value";
import { stepDurationsReader } from "./step-durations.ts";
import { readStepLogs } from "./step-logs.ts";

const signal = AbortSignal.timeout(900_000);
const partitionKey = "33333333-3333-4333-8333-333333333333";
const { key: openShiftClusterKey } = clusterKeys(newCluster({ name: "c", state: "Updating" }));
const at = "2026-01-01T00:00:00.000Z";
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

test("log lines of an operation are returned for its cluster only, without control characters", async () => {
  const operationId = randomUUID();
  const entries = [
    { at, level: "info", message: "a\u009bb" },
    { at, level: "warning", message: "retry", details: '{"a":"\u202e"}', attempt: 1, error: "no\u001b" },
  ] as const;
  const id = `${operationId}.createDns`;
  const step = { id, partitionKey, operationId, openShiftClusterKey, step: "createDns", entries, omitted: 2 };
  await database.commit(partitionKey, [create(database.collections.stepLogs, step)], { signal });
  const logs = await readStepLogs(
    database,
    { partitionKey, cluster: openShiftClusterKey, operationId },
    signal,
  );
  assert.ok(Value.Check(stepLogsSchema, logs));
  assert.deepEqual(logs.steps, [
    {
      name: "createDns",
      omitted: 2,
      entries: [
        { at, level: "info", message: "a\\u009bb" },
        {
          ...{ at, level: "warning", message: "retry", details: '{"a":"\\u202e"}' },
          ...{ attempt: 1, error: "no\u241b" },
        },
      ],
    },
  ]);
  const other = { partitionKey, cluster: "/subscriptions/other", operationId };
  assert.deepEqual(await readStepLogs(database, other, signal), { steps: [] });
  for (const invalid of ["", "../x", "a b", "x".repeat(65)])
    await assert.rejects(readStepLogs(database, { ...other, operationId: invalid }, signal), {
      code: "BadRequest",
    });
});

test("medians count finished steps of all clusters with one attempt, and are shared for ten minutes", async () => {
  const clock = new ManualClock(new Date(at));
  const read = stepDurationsReader(database, clock);
  const store = (step: string, seconds: number, more: Partial<JournalDocument> = {}) => {
    const operationId = randomUUID();
    const partition = more.partitionKey ?? partitionKey;
    const document: JournalDocument = {
      ...{ id: `${operationId}.${step}`, partitionKey: partition, operationId, openShiftClusterKey, step },
      ...{ state: "finished", attempt: 1, worker: "w", generation: 1, startedAt: at },
      finishedAt: new Date(Date.parse(at) + seconds * 1_000).toISOString(),
      ...more,
    };
    return database.commit(partition, [create(database.collections.journal, document)], { signal });
  };
  for (const seconds of [1, 9, 3]) await store("createDns", seconds);
  await store("createDns", 1_000, { attempt: 2 });
  await store("createDns", 1_000, { state: "failed" });
  await store("createVm", 2, { partitionKey: "44444444-4444-4444-8444-444444444444" });
  await store("createVm", 5);
  const durations = await read(signal);
  assert.ok(Value.Check(stepDurationsSchema, durations));
  const byName = new Map(durations.steps.map(({ name, medianMs, count }) => [name, [medianMs, count]]));
  assert.deepEqual(byName.get("createDns"), [3_000, 3]);
  assert.deepEqual(byName.get("createVm"), [3_500, 2]);
  await store("createVm", 5);
  assert.deepEqual(await read(signal), durations);
  await clock.advance(600_001);
  const later = await read(signal);
  assert.deepEqual(
    later.steps.find(({ name }) => name === "createVm"),
    { name: "createVm", medianMs: 5_000, count: 3 },
  );
});
