import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDatabaseConnections } from "./check-database-connections.ts";

const { signal } = new AbortController();

const withUsed = (used: number) => ({ query: async () => [{ usable: "97", used: `${used}` }] });

test("a server with enough connections for one more process has no finding", async () => {
  const finding = await checkDatabaseConnections(withUsed(85), undefined, signal);
  assert.deepEqual(
    [finding.status, finding.summary],
    ["ok", "85 of 97 are in use, and one process opens up to 12"],
  );
});

test("a server without enough connections for one more process is a warning", async () => {
  const finding = await checkDatabaseConnections(withUsed(86), undefined, signal);
  assert.deepEqual(
    [finding.status, finding.summary],
    ["warning", "86 of 97 are in use, and one process opens up to 12"],
  );
});

test("the configured maximum replaces the default of 10 connections", async () => {
  assert.equal((await checkDatabaseConnections(withUsed(86), 9, signal)).status, "ok");
  assert.equal((await checkDatabaseConnections(withUsed(1), 95, signal)).status, "warning");
});
