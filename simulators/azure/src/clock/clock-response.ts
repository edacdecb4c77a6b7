import type { JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at } from "../base/json.ts";

/** Advances the subscription's time by `ms` milliseconds, which may be negative. Returns the new time. @throws ArmError 400 */
export function advance(subscription: Subscription, ms: number): Date {
  const clockAheadMs = subscription.settings.current.clockAheadMs + ms;
  subscription.store.transaction(() => subscription.settings.change({ clockAheadMs }));
  return subscription.clock.now();
}

/** Handles `/sim/clock`. `GET` returns the time, `POST {"advanceMs"}` advances it, and `DELETE` resets the offset. */
export async function clockResponse(
  subscription: Subscription,
  method: string,
  body: JsonValue | undefined,
): Promise<ArmResponse> {
  if (method === "POST") {
    const advanceMs = at(body, "advanceMs");
    if (typeof advanceMs !== "number") {
      throw new ArmError(400, "InvalidRequestContent", "The request needs 'advanceMs', a number.");
    }
    advance(subscription, advanceMs);
  } else if (method === "DELETE") {
    subscription.store.transaction(() => subscription.settings.change({ clockAheadMs: null }));
  } else if (method !== "GET") {
    throw new ArmError(405, "HttpMethodNotAllowed", "The clock accepts GET, POST and DELETE.");
  }
  await subscription.store.durable();
  return ok({ now: subscription.clock.now().toISOString(), aheadMs: subscription.clock.aheadMs });
}
