import type { Subscription } from "../arm/subscription.ts";
import type { Injection } from "./effects.ts";

/** Error that closes the connection without a response. */
export class ConnectionDropped extends Error {
  constructor() {
    super("a fault ends the connection");
    this.name = "ConnectionDropped";
  }
}

/** Applies faults that take effect before a request is processed: a delay or a closed connection. @throws ConnectionDropped */
export async function injectBefore(
  { clock, store }: Pick<Subscription, "clock" | "store">,
  { delayMs = 0, drop, refusal }: Injection,
  signal: AbortSignal,
): Promise<void> {
  // Stores the fault counts before the fault takes effect.
  if (delayMs > 0 || drop || refusal) await store.durable();
  if (delayMs > 0) await clock.sleep(delayMs, signal);
  if (drop === "before") throw new ConnectionDropped();
}
