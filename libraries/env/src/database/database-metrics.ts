import type { Metrics } from "@keelson/base";
import { type StoreObserver, writeBlockCauses } from "@keelson/database";

const statementSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Returns an observer that exports the database metrics of one process. */
export function databaseObserver(metrics: Metrics): StoreObserver {
  const connections = metrics.gauge<"state">({
    name: "database_pool_connections",
    help: "Open connections of the pool, by state (idle, busy)",
    labels: ["state"],
  });
  const waiting = metrics.gauge({
    name: "database_pool_waiting",
    help: "Statements that wait for a connection of the pool",
  });
  const failures = metrics.counter({
    name: "database_connection_errors_total",
    help: "Connections to the database that were lost or could not be opened",
  });
  const statements = metrics.histogram(
    {
      name: "database_statement_duration_seconds",
      help: "Duration of statements with the wait for a connection, by name and outcome (completed, failed)",
      labels: ["statement", "outcome"],
    },
    statementSeconds,
  );
  const blocked = metrics.gauge<"cause">({
    name: "database_writes_blocked",
    help: "1 while the database accepts no writes, by cause (synchronous_replication, refused, timeout)",
    labels: ["cause"],
  });
  failures.inc({}, 0);
  const setBlocked = (current: string | undefined) => {
    for (const cause of writeBlockCauses) blocked.set(cause === current ? 1 : 0, { cause });
  };
  setBlocked(undefined);
  return {
    statement: (statement, seconds, outcome) => statements.observe({ statement, outcome }, seconds),
    pool(size) {
      connections.set(size.idle, { state: "idle" });
      connections.set(size.open - size.idle, { state: "busy" });
      waiting.set(size.waiting);
    },
    connectionFailed: () => failures.inc(),
    writes: (state) => setBlocked(state.kind === "blocked" ? state.cause : undefined),
  };
}
