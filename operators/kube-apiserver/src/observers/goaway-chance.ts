import type { ConfigObserver } from "@keelson/operator-kit";
import { argumentPath, withArguments } from "./arguments.ts";
import { findInfrastructure, infrastructureInput } from "./infrastructure.ts";

/** How likely a connection is closed so that the client finds another API server: not where there is no other. */
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
