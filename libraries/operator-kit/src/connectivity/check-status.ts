import { listAt, stringAt, valueAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";

/** Result of one connection attempt. */
export interface CheckOutcome {
  readonly at: Date;
  readonly latencyMs: number;
  readonly reason: "TCPConnect" | "TCPConnectError" | "DNSError";
  readonly message: string;
}

const keptEntries = 10;
const keptOutages = 20;

/**
 * Returns the status of a PodNetworkConnectivityCheck after an attempt. The status has the last ten successes, ten failures and
 * twenty outages.
 */
export function statusAfter(status: unknown, outcome: CheckOutcome): Readonly<Record<string, unknown>> {
  const success = outcome.reason === "TCPConnect";
  const entry = {
    time: timestamp(outcome.at),
    success,
    reason: outcome.reason,
    message: outcome.message,
    latency: `${outcome.latencyMs}ms`,
  };
  const [newest, ...others] = listAt(status, "outages");
  const isOut = newest !== undefined && stringAt(newest, "end") === undefined;
  const outages = success
    ? isOut
      ? [{ ...Object(newest), end: entry.time, endLogs: [entry] }, ...others]
      : listAt(status, "outages")
    : isOut
      ? listAt(status, "outages")
      : [{ start: entry.time, startLogs: [entry], message: outcome.message }, ...listAt(status, "outages")];
  const member = success ? "successes" : "failures";
  return {
    successes: listAt(status, "successes"),
    failures: listAt(status, "failures"),
    outages: outages.slice(0, keptOutages),
    [member]: [entry, ...listAt(status, member)].slice(0, keptEntries),
    conditions: [reachable(status, outcome)],
  };
}

export function isReachable(status: unknown): boolean | undefined {
  const condition = listAt(status, "conditions").find((each) => stringAt(each, "type") === "Reachable");
  return condition === undefined ? undefined : stringAt(condition, "status") === "True";
}

function reachable(before: unknown, { reason, message, at }: CheckOutcome) {
  const status = reason === "TCPConnect" ? "True" : "False";
  const known = listAt(before, "conditions").find((each) => stringAt(each, "type") === "Reachable");
  const since = stringAt(known, "status") === status ? valueAt(known, "lastTransitionTime") : undefined;
  return {
    type: "Reachable",
    status,
    reason: reason === "TCPConnect" ? "TCPConnectSuccess" : reason,
    message,
    lastTransitionTime: since ?? timestamp(at),
  };
}
