import { isPlainObject } from "@keelson/base";
import type { ClockState, Expiring } from "../api/clock.ts";
import { consoleErrors } from "../http/errors.ts";
import { type Route, route } from "../http/route.ts";
import { listOf } from "../http/world-result.ts";
import type { World } from "../world/world.ts";

const maxApplications = 2_000;
const maxExpiring = 500;
/** Maximum advance of the clock in milliseconds: ten years. */
const maxAdvanceMs = 3_652 * 86_400_000;

/** Routes for the simulated Azure's clock and the expiring credentials. */
export function clockRoutes(world: () => Promise<World>): readonly Route[] {
  return [
    route("GET", "/api/clock", async ({ signal }) => {
      return { status: 200, json: await clockState(await world(), signal) };
    }),
    route("POST", "/api/clock", async ({ json }) => {
      const { advanceMs } = await json();
      if (!Number.isSafeInteger(advanceMs) || Number(advanceMs) < 1 || Number(advanceMs) > maxAdvanceMs)
        throw consoleErrors.BadRequest("advanceMs must be a whole number of milliseconds up to ten years.");
      await (await world()).clock.advance(Number(advanceMs));
      return { status: 204 };
    }),
    route("DELETE", "/api/clock", async () => {
      await (await world()).clock.reset();
      return { status: 204 };
    }),
  ];
}

async function clockState({ clock, graph }: World, signal: AbortSignal): Promise<ClockState> {
  const [time, inVaults, applications] = await Promise.all([
    clock.time(),
    clock.vaultExpiries(),
    listOf(
      graph,
      "/v1.0/applications?$select=displayName,passwordCredentials,keyCredentials&$top=200",
      maxApplications,
      signal,
    ),
  ]);
  const all = [...applications.items.flatMap(credentialsOf), ...inVaults].sort((one, other) =>
    one.expires < other.expires ? -1 : one.expires > other.expires ? 1 : 0,
  );
  return { ...time, expiring: all.slice(0, maxExpiring), omitted: Math.max(0, all.length - maxExpiring) };
}

function credentialsOf(application: Readonly<Record<string, unknown>>): readonly Expiring[] {
  const owner = String(application.displayName);
  const expiring = (kind: Expiring["kind"], value: unknown): readonly Expiring[] =>
    (Array.isArray(value) ? value : []).filter(isPlainObject).flatMap((credential) => {
      const { endDateTime, displayName, keyId } = credential;
      if (typeof endDateTime !== "string") return [];
      const expires = new Date(endDateTime);
      if (Number.isNaN(expires.getTime())) return [];
      const name = typeof displayName === "string" && displayName !== "" ? displayName : String(keyId);
      return [{ kind, owner, name, expires: expires.toISOString() }];
    });
  return [
    ...expiring("application secret", application.passwordCredentials),
    ...expiring("application certificate", application.keyCredentials),
  ];
}
