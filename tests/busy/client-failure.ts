/**
 * Client error messages for an expired connection timeout. undici waits 10 s for TCP and TLS. Go's net/http waits 10 s for TLS
 * and 30 s for TCP.
 */
const connectionLimits: readonly RegExp[] = [
  /UND_ERR_CONNECT_TIMEOUT|Connect Timeout Error/,
  /net\/http: TLS handshake timeout/,
  /dial tcp [^ ]*: i\/o timeout/,
];

/** Shortest connection timeout of the clients in milliseconds. */
const shortestLimitMs = 10_000;

/** Client request. All times are in milliseconds and come from the same clock. */
export interface TimedRequest {
  readonly startedMs: number;
  readonly endedMs: number;
  /** Error of the client. */
  readonly failure?: string;
}

/** Kind of a failure. `client-limit`: the client's connection timeout expired although the service responded in time. */
export type FailureKind = "failed" | "client-limit";

/**
 * Classifies a failed request. If a connection timeout expired and a concurrent successful request took longer than the shortest
 * timeout, the service was too slow. The result is then `failed`.
 */
export function failureKind(failed: TimedRequest, others: readonly TimedRequest[]): FailureKind {
  if (!connectionLimits.some((limit) => limit.test(failed.failure ?? ""))) return "failed";
  const hasLateResponse = others.some(
    ({ startedMs, endedMs, failure }) =>
      failure === undefined &&
      startedMs < failed.endedMs &&
      endedMs > failed.startedMs &&
      endedMs - startedMs >= shortestLimitMs,
  );
  return hasLateResponse ? "failed" : "client-limit";
}
