/** Client request. Its times are in milliseconds since the signal. */
export interface Sample {
  readonly startedMs: number;
  readonly endedMs: number;
  /** Kind of the error, for example `refused` or `503`. */
  readonly failure?: string;
  /** Error message. */
  readonly message?: string;
}

/** Outage of the service as one client experiences it. */
export interface Outage {
  /**
   * Milliseconds from the signal to the first success after the last failure. 0 if no request failed. Null if requests still
   * fail.
   */
  readonly servingMs: number | null;
  /** Duration of the slowest successful request in milliseconds. */
  readonly slowestMs: number;
  /** Number of failed requests by kind. */
  readonly failures: Readonly<Record<string, number>>;
  readonly last?: { readonly endedMs: number; readonly message: string };
}

/** Computes the outage from a client's requests. Ignores requests that ended before the signal. */
export function outageOf(samples: readonly Sample[]): Outage {
  const after = samples.filter(({ endedMs }) => endedMs > 0);
  const failures: Record<string, number> = {};
  for (const { failure } of after)
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
  const last = after.findLastIndex(({ failure }) => failure !== undefined);
  const [failed, recovered] = [after[last], after[last + 1]];
  const successes = after.filter(({ failure }) => failure === undefined);
  return {
    servingMs: last < 0 ? 0 : recovered === undefined ? null : Math.round(recovered.endedMs),
    slowestMs: Math.round(Math.max(0, ...successes.map((each) => each.endedMs - each.startedMs))),
    failures,
    ...(failed && { last: { endedMs: Math.round(failed.endedMs), message: failed.message ?? "" } }),
  };
}

const reset = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const noResponse = new Set(["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_ABORTED"]);

export function messageOf(error: unknown): string {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error);
  return [code, message].filter(Boolean).join(" ");
}

/** Returns the kind of a client error: `refused`, `reset`, `no response` or the error code. */
export function failureKind(error: unknown): string {
  const { code, name, message }: { code?: unknown; name?: unknown; message?: unknown } = Object(error);
  if (code === "ECONNREFUSED") return "refused";
  if (reset.has(String(code))) return "reset";
  if (noResponse.has(String(code)) || name === "TimeoutError" || name === "AbortError") return "no response";
  return String(code ?? message).slice(0, 200);
}
