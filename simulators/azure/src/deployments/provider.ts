import type { ArmProvider } from "../arm/provider.ts";
import type { DeploymentHistory } from "./history.ts";

/**
 * Returns the provider description for deployments. The requests themselves are handled before they reach ARM. If a group is
 * deleted, its deployment history is deleted too.
 */
export function deploymentsProvider(history: DeploymentHistory): ArmProvider {
  return {
    namespace: "Microsoft.Resources",
    describedTypes: ["deployments"],
    groupRemoved: (id) => history.deleteBelow(id),
  };
}
