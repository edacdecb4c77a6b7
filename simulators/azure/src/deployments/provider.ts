import type { ArmProvider } from "../arm/provider.ts";
import type { DeploymentHistory } from "./history.ts";

/**
 * Describes deployments, which are handled before Azure Resource Manager and send requests to it. Deleting a
 * group deletes its history.
 */
export function deploymentsProvider(history: DeploymentHistory): ArmProvider {
  return {
    namespace: "Microsoft.Resources",
    describedTypes: ["deployments"],
    groupRemoved: (id) => history.deleteBelow(id),
  };
}
