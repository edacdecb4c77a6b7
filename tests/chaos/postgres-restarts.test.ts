import assert from "node:assert/strict";
import { test } from "node:test";
import { survivePostgresRestarts } from "./postgres-restarts.ts";

test("PostgreSQL is restarted under writers and workers: nothing acknowledged is lost, nothing is held twice or stuck", async () => {
  const result = await survivePostgresRestarts({
    writers: 60,
    workers: 6,
    restarts: ["kill", "fast", "immediate"],
    everyMs: 700,
    report: () => undefined,
    signal: AbortSignal.timeout(900_000),
  });
  assert.ok(result.acknowledged > 60 && result.unknown > 0 && result.leases > 0, JSON.stringify(result));
});
