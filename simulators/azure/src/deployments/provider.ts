import type { ArmProvider } from "../arm/provider.ts";
import type { DeploymentHistory } from "./history.ts";

/**
 * Returns the provider description of deployments. Other code handles their requests before ARM. Deleting a group also deletes
 * its deployment history.
 */
export function deploymentsProvider(history: DeploymentHistory): ArmProvider {
  return {
    namespace: "Microsoft.Resources",
    describedTypes: ["deployments"],
    groupRemoved: (id) => history.deleteBelow(id),
  };
}
