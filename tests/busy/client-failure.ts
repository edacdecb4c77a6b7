/**
 * Messages by which clients report their own limit for a connection: undici (10 s for TCP and TLS), Go's net/http (10 s for TLS,
 * 30 s for TCP).
 */
const connectionLimits: readonly RegExp[] = [
  /UND_ERR_CONNECT_TIMEOUT|Connect Timeout Error/,
  /net\/http: TLS handshake timeout/,
  /dial tcp [^ ]*: i\/o timeout/,
];

/** The shortest of these limits. */
const shortestLimitMs = 10_000;

/** A request of a client, in milliseconds of one clock. */
export interface TimedRequest {
  readonly startedMs: number;
  readonly endedMs: number;
  /** The client's error. */
  readonly failure?: string;
}

/** `client-limit`: the client's limit for a connection has expired while the service responded in time. */
export type FailureKind = "failed" | "client-limit";

/**
 * Kind of a failed request. An expired limit for the connection is a failure of the service if a response to a concurrent
 * request was later than the limit.
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
