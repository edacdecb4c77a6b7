import { type Graph, graph, type Step, step } from "@keelson/workflow";
import type { ClusterContext } from "../context.ts";
import {
  clusterIdentityIDs,
  ensureClusterMsiCertificate,
  fixupClusterMsiTenantID,
} from "../steps/identity/cluster-identity.ts";
import {
  deleteFederatedCredentials,
  federateIdentityCredentials,
  retireIdentities,
} from "../steps/identity/federated-credentials.ts";
import { ensurePlatformWorkloadIdentityRBAC } from "../steps/identity/identity-roles.ts";
import {
  deployPlatformWorkloadIdentitySecrets,
  ensureUpgradeAnnotation,
} from "../steps/identity/identity-secrets.ts";
import { createOIDC, deleteOIDC } from "../steps/identity/oidc.ts";
import { platformWorkloadIdentityIDs } from "../steps/identity/platform-identities.ts";
import { removeAzureFileCSIStorageClass } from "../steps/storage/storage-classes.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./create.ts";
import { deleteGraph } from "./delete.ts";
import { updateGraph } from "./update.ts";

type ClusterStep = Step<ClusterContext>;

/** How the graph of clusters with managed identities differs from that of clusters with service principals. */
interface Difference {
  /** What takes the place of steps, by their names, for those that need them. */
  readonly replaced?: Readonly<Record<string, readonly string[]>>;
  /** What steps need besides. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly added: readonly ClusterStep[];
}

/**
 * Names and order of the steps are those of Azure/ARO-RP pkg/cluster/install.go and delete.go, but that what
 * `platformWorkloadIdentityIDs` finds is stored at once: the next step may be another worker's.
 */
export const identityBootstrapGraph = different(bootstrapGraph, {
  replaced: { clusterSPObjectID: ["clusterIdentityIDs"] },
  needs: {
    createMachines: ["federateIdentityCredentials"],
    validateResources: ["platformWorkloadIdentityIDs"],
    installAROOperator: ["deployPlatformWorkloadIdentitySecrets"],
  },
  added: [
    step({
      name: "ensureClusterMsiCertificate",
      needs: ["startInstall"],
      run: ensureClusterMsiCertificate,
    }),
    step({
      name: "platformWorkloadIdentityIDs",
      needs: ["ensureClusterMsiCertificate"],
      run: platformWorkloadIdentityIDs,
    }),
    step({ name: "clusterIdentityIDs", needs: ["validateResources"], run: clusterIdentityIDs }),
    step({ name: "createOIDC", needs: ["validateResources"], run: createOIDC }),
    step({
      name: "federateIdentityCredentials",
      needs: ["createOIDC", "deployBaseResourceTemplate"],
      run: federateIdentityCredentials,
    }),
    step({
      name: "deployPlatformWorkloadIdentitySecrets",
      needs: ["apiServersReady"],
      run: deployPlatformWorkloadIdentitySecrets,
    }),
  ],
});

export const identityRemoveBootstrapGraph = different(removeBootstrapGraph, {
  needs: { disableOperatorReconciliation: ["removeAzureFileCSIStorageClass"] },
  added: [
    step({
      name: "removeAzureFileCSIStorageClass",
      needs: ["ingressControllerReady"],
      run: removeAzureFileCSIStorageClass,
    }),
  ],
});

export const identityUpdateGraph = different(updateGraph, {
  replaced: {
    fixupClusterSPObjectID: [],
    createOrUpdateClusterServicePrincipalRBAC: ["ensurePlatformWorkloadIdentityRBAC"],
    updateOpenShiftSecret: ["deployPlatformWorkloadIdentitySecrets"],
    aroCredentialsRequestReconciled: [],
    updateAROSecret: [],
    restartAROOperatorMaster: [],
  },
  needs: { validateResources: ["platformWorkloadIdentityIDs"] },
  added: [
    step({ name: "fixupClusterMsiTenantID", run: fixupClusterMsiTenantID }),
    step({
      name: "ensureClusterMsiCertificate",
      needs: ["fixupClusterMsiTenantID"],
      run: ensureClusterMsiCertificate,
    }),
    step({
      name: "platformWorkloadIdentityIDs",
      needs: ["ensureClusterMsiCertificate"],
      run: platformWorkloadIdentityIDs,
    }),
    step({ name: "clusterIdentityIDs", needs: ["validateResources"], run: clusterIdentityIDs }),
    step({
      name: "ensurePlatformWorkloadIdentityRBAC",
      needs: ["clusterIdentityIDs"],
      run: ensurePlatformWorkloadIdentityRBAC,
    }),
    step({
      name: "federateIdentityCredentials",
      needs: ["ensurePlatformWorkloadIdentityRBAC"],
      run: federateIdentityCredentials,
    }),
    step({ name: "ensureUpgradeAnnotation", needs: ["apiServersReady"], run: ensureUpgradeAnnotation }),
    step({
      name: "deployPlatformWorkloadIdentitySecrets",
      needs: ["ensureUpgradeAnnotation", "federateIdentityCredentials"],
      run: deployPlatformWorkloadIdentitySecrets,
    }),
    step({
      name: "retireIdentities",
      needs: ["deployPlatformWorkloadIdentitySecrets"],
      run: retireIdentities,
    }),
  ],
});

export const identityDeleteGraph = different(deleteGraph, {
  needs: { deleteRoleAssignments: ["deleteOIDC"], markBillingForDeletion: ["deleteFederatedCredentials"] },
  added: [
    step({ name: "deleteOIDC", needs: ["deleteDNS"], run: deleteOIDC }),
    step({
      name: "deleteFederatedCredentials",
      needs: ["deleteResourceGroup"],
      run: deleteFederatedCredentials,
    }),
  ],
});

/** What an administrator's update of any kind begins with. */
export const identityFixups: readonly ClusterStep[] = [
  step({ name: "fixupClusterMsiTenantID", run: fixupClusterMsiTenantID }),
  step({ name: "ensureClusterMsiCertificate", run: ensureClusterMsiCertificate }),
  step({ name: "clusterIdentityIDs", run: clusterIdentityIDs }),
  step({ name: "platformWorkloadIdentityIDs", run: platformWorkloadIdentityIDs }),
];

function different(
  { name, steps }: Graph<ClusterContext>,
  { replaced = {}, needs = {}, added }: Difference,
): Graph<ClusterContext> {
  const kept = steps.filter((each) => replaced[each.name] === undefined);
  const changed = kept.map((each) => ({
    ...each,
    needs: [...each.needs.flatMap((need) => replaced[need] ?? [need]), ...(needs[each.name] ?? [])],
  }));
  return graph(`${name}, with managed identities`, [...changed, ...added]);
}
