import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

/**
 * Observes the probability with which an API server closes a connection, so that the client reconnects to a different API server.
 * The probability is zero if there is only one API server.
 */
export const observeGoawayChance: ConfigObserver = {
  name: "ObserveGoawayChance",
  paths: [argumentPath("goaway-chance")],
  inputs: [infrastructureInput],
  observe({ objects, existing }) {
    const infrastructure = findInfrastructure(objects);
    if (!infrastructure) return { config: existing };
    return { config: withArguments({ "goaway-chance": [infrastructure.isSingleReplica ? "0" : "0.001"] }) };
  },
};
