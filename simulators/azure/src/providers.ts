import { ownProviders } from "./arm/own-providers.ts";
import type { ArmProvider } from "./arm/provider.ts";
import { authorizationProvider } from "./authorization/provider.ts";
import { computeProvider } from "./compute/provider.ts";
import { containerRegistryProvider } from "./container-registry/provider.ts";
import type { DeploymentHistory } from "./deployments/history.ts";
import { deploymentsProvider } from "./deployments/provider.ts";
import { documentDbProvider } from "./document-db/provider.ts";
import type { ActivityLog } from "./insights/activity-log.ts";
import { insightsProvider } from "./insights/provider.ts";
import { keyVaultProvider } from "./key-vault/provider.ts";
import { managedIdentityProvider } from "./managed-identity/provider.ts";
import { networkProvider } from "./network/provider.ts";
import { policyProvider } from "./policy/provider.ts";
import { postgresqlProvider } from "./postgresql/provider.ts";
import { redHatOpenShiftProvider } from "./resource-provider/provider.ts";
import { scaleSetsProvider } from "./scale-sets/provider.ts";
import type { Blobs } from "./storage/blob-store.ts";
import { storageProvider } from "./storage/provider.ts";

export interface ProviderParts {
  readonly blobs: Blobs;
  readonly activities: ActivityLog;
  readonly deployments: DeploymentHistory;
}

/** Returns all simulated resource providers. docs/howto/add-an-arm-resource-type.md describes how to add one. */
export function providers({ blobs, activities, deployments }: ProviderParts): readonly ArmProvider[] {
  return [
    networkProvider,
    computeProvider,
    managedIdentityProvider,
    authorizationProvider,
    policyProvider,
    storageProvider(blobs),
    keyVaultProvider,
    containerRegistryProvider,
    scaleSetsProvider,
    documentDbProvider,
    postgresqlProvider,
    insightsProvider(activities),
    redHatOpenShiftProvider,
    deploymentsProvider(deployments),
    ...ownProviders,
  ];
}
