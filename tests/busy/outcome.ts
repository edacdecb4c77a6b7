import type { TestRunResult } from "../../scripts/test-runner/child-run.ts";
import { failureKind } from "./client-failure.ts";
import type { HealthChanges } from "./demo-health.ts";
import { type ClientResults, type ClusterOperation, type RequestKind, requestKinds } from "./light-client.ts";

export interface RequestSummary {
  /** Duration of each successful request in milliseconds. */
  readonly ms: readonly number[];
  readonly failures: readonly string[];
  /** Number of failures that the client attributes to its own connection timeout. */
  readonly clientLimits: number;
}

/** Results of the light client in one period. */
export interface PeriodRow {
  readonly kind: "period";
  readonly seconds: number;
  readonly loops: number;
  readonly requests: Readonly<Record<RequestKind, RequestSummary>>;
  readonly operations: readonly ClusterOperation[];
  readonly health: HealthChanges;
}

/** Result of one end-to-end suite run. */
export interface SuiteRow extends TestRunResult {
  readonly kind: "suite";
  readonly loops: number;
}

export type BusyRow = PeriodRow | SuiteRow;

export function summarize({ requests }: ClientResults): PeriodRow["requests"] {
  const all = Object.values(requests).flat();
  const summary = (kind: RequestKind): RequestSummary => {
    const failed = requests[kind].filter(({ failure }) => failure !== undefined);
    const own = failed.filter((each) => failureKind(each, all) === "failed");
    return {
      ms: requests[kind]
        .filter(({ failure }) => failure === undefined)
        .map(({ startedMs, endedMs }) => Math.round(endedMs - startedMs)),
      failures: own.map(({ failure = "" }) => failure),
      clientLimits: failed.length - own.length,
    };
  };
  return { arm: summary("arm"), kube: summary("kube"), kubectl: summary("kubectl") };
}

export interface BusyOutcome {
  /** Result table. The first row is the header. */
  readonly table: readonly (readonly string[])[];
  /** Failures, one line each. */
  readonly problems: readonly string[];
}

/** Evaluates the rows of this run and of earlier runs that it resumed. */
export function outcomeOf(rows: readonly BusyRow[]): BusyOutcome {
  const periods = rows.filter((row) => row.kind === "period");
  const suites = rows.filter((row) => row.kind === "suite");
  const operations = periods.flatMap((row) => row.operations);
  const requestsOf = (kind: RequestKind) => periods.map(({ requests }) => requests[kind]);
  const count = (name: string, done: number, problems: number, rest: readonly string[] = []) => [
    name,
    ...[done, problems].map(String),
    ...rest,
  ];
  const clusterRow = (kind: ClusterOperation["kind"]) => {
    const own = operations.filter((each) => each.kind === kind);
    const succeeded = own.filter(({ failure }) => failure === undefined);
    const seconds = succeeded.map((each) => each.seconds * 1_000);
    return count(`cluster ${kind}`, succeeded.length, own.length - succeeded.length, ["", ...times(seconds)]);
  };
  const requestRow = (kind: RequestKind) => {
    const all = requestsOf(kind);
    const ms = all.flatMap((each) => each.ms);
    const limits = all.reduce((sum, { clientLimits }) => sum + clientLimits, 0);
    return count(kind, ms.length, all.flatMap(({ failures }) => failures).length, [
      `${limits}`,
      ...times(ms),
    ]);
  };
  const changes = (name: keyof HealthChanges) => periods.flatMap(({ health }) => health[name]);
  const sum = (name: "passed" | "failed") => suites.reduce((total, row) => total + row[name], 0);
  return {
    table: [
      ["", "done", "problems", "client limits", "p50 ms", "p99 ms", "max ms"],
      ...requestKinds.map(requestRow),
      clusterRow("create"),
      clusterRow("delete"),
      count(`end-to-end tests, ${suites.length} rounds`, sum("passed"), sum("failed")),
      count("restarts of containers", 0, changes("restarts").length),
      count("exits of components", 0, changes("exits").length),
      count("changes of Degraded", 0, changes("degraded").length),
    ],
    problems: [
      ...requestKinds.flatMap((kind) =>
        requestsOf(kind).flatMap(({ failures }) => failures.map((each) => `${kind}: ${each.trim()}`)),
      ),
      ...operations.flatMap(({ kind, failure }) =>
        failure === undefined ? [] : [`cluster ${kind}: ${failure.trim()}`],
      ),
      ...suites.flatMap(({ failures }) =>
        failures.map(({ titles, place }) => `${titles.join(" > ")} at ${place}`),
      ),
      ...changes("restarts").map((each) => `restarted: ${each}`),
      ...changes("exits").map((each) => `exited: ${each}`),
      ...changes("degraded").map((each) => `Degraded: ${each}`),
    ],
  };
}

function times(ms: readonly number[]): readonly string[] {
  const sorted = ms.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
  return [percentile(0.5), percentile(0.99), sorted.at(-1)].map((each) => each?.toFixed(0) ?? "-");
}
