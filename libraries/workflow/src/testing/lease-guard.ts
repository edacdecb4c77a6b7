import type { Document, Leased } from "@keelson/database";
import { workflowErrors } from "../errors.ts";
import type { LeaseGuard } from "../lease-guard.ts";

/** Returns the guard of a lease that is held until `lose` is called. */
export function guardOf({ lease, attempt }: Leased<Document>): LeaseGuard & { lose(): void } {
  const lost = new AbortController();
  return {
    lease,
    attempt,
    survivedLosses: [],
    signal: lost.signal,
    assertHeld: () => lost.signal.throwIfAborted(),
    lose: () => lost.abort(workflowErrors.LeaseLost("lost by the test")),
  };
}
