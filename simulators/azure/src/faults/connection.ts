import type { Subscription } from "../arm/subscription.ts";
import type { Injection } from "./effects.ts";

/** The client gets no answer: the server ends the connection. */
export class ConnectionDropped extends Error {
  constructor() {
    super("a fault ends the connection");
    this.name = "ConnectionDropped";
  }
}

/** What happens before anything is done: the answer waits, or the connection ends. @throws ConnectionDropped */
export async function injectBefore(
  { clock, store }: Pick<Subscription, "clock" | "store">,
  { delayMs = 0, drop, refusal }: Injection,
  signal: AbortSignal,
): Promise<void> {
  // How often faults have struck outlives the process, as all else does.
  if (delayMs > 0 || drop || refusal) await store.durable();
  if (delayMs > 0) await clock.sleep(delayMs, signal);
  if (drop === "before") throw new ConnectionDropped();
}
