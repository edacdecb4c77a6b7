import type { ArmProvider } from "../arm/provider.ts";
import type { DeploymentHistory } from "./history.ts";

/** Deployments are answered ahead of Azure Resource Manager, to which they send requests; a group takes its history along. */
export function deploymentsProvider(history: DeploymentHistory): ArmProvider {
  return {
    namespace: "Microsoft.Resources",
    describedTypes: ["deployments"],
    groupRemoved: (id) => history.deleteBelow(id),
  };
}
