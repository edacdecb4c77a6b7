import type { JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import type { World } from "../arm/world.ts";
import { at } from "../json.ts";

/** Moves the world's time on by `ms`; back when negative. The new time. @throws ArmError 400 */
export function advance(world: World, ms: number): Date {
  const clockAheadMs = world.settings.current.clockAheadMs + ms;
  world.store.transaction(() => world.settings.change({ clockAheadMs }));
  return world.clock.now();
}

/** `/sim/clock`: `GET` shows the time, `POST {"advanceMs"}` moves it on, `DELETE` lets it be the true one. */
export async function clockAnswer(
  world: World,
  method: string,
  body: JsonValue | undefined,
): Promise<ArmResponse> {
  if (method === "POST") {
    const advanceMs = at(body, "advanceMs");
    if (typeof advanceMs !== "number") {
      throw new ArmError(400, "InvalidRequestContent", "The request needs 'advanceMs', a number.");
    }
    advance(world, advanceMs);
  } else if (method === "DELETE") {
    world.store.transaction(() => world.settings.change({ clockAheadMs: null }));
  } else if (method !== "GET") {
    throw new ArmError(405, "HttpMethodNotAllowed", "The clock takes GET, POST and DELETE.");
  }
  await world.store.durable();
  return ok({ now: world.clock.now().toISOString(), aheadMs: world.clock.aheadMs });
}
