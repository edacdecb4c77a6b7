import type { WorldFacts } from "@keelson/sim-console";
import { embedded } from "../../state/embedded-defaults.ts";
import type { InstanceState } from "../open-state.ts";

/** `User-Agent` of the console's requests to the simulated world and the service. */
export const consoleUserAgent = "keelson-console";

/** Returns the data about the instance that all console pages show. */
export function consoleFacts(
  { identity, ports }: Pick<InstanceState, "identity" | "ports">,
  { hasPortal }: { readonly hasPortal: boolean },
): WorldFacts {
  const { subscriptionId, tenantId } = identity;
  const portal = `https://localhost:${ports.portal}`;
  return { subscriptionId, tenantId, location: embedded.location, ...(hasPortal ? { portal } : {}) };
}
