import type { ArmProvider } from "../arm/provider.ts";
import type { DeploymentHistory } from "./history.ts";

/**
 * Returns the provider that describes deployments. Requests for deployments never reach this provider, because they are handled
 * before ARM's router. If a group is deleted, its deployment history is deleted too.
 */
export function deploymentsProvider(history: DeploymentHistory): ArmProvider {
  return {
    namespace: "Microsoft.Resources",
    describedTypes: ["deployments"],
    groupRemoved: (id) => history.deleteBelow(id),
  };
}
