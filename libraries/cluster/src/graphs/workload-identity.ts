import { type Step, step, varyGraph } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import {
  clusterIdentityIDs,
  ensureClusterMsiCertificate,
  fixupClusterMsiTenantID,
} from "../identity/cluster-identity.ts";
import {
  deleteFederatedCredentials,
  federateIdentityCredentials,
  retireIdentities,
} from "../identity/federated-credentials.ts";
import { ensurePlatformWorkloadIdentityRBAC } from "../identity/identity-roles.ts";
import {
  deployPlatformWorkloadIdentitySecrets,
  ensureUpgradeAnnotation,
} from "../identity/identity-secrets.ts";
import { createOIDC, deleteOIDC } from "../identity/oidc.ts";
import { platformWorkloadIdentityIDs } from "../identity/platform-identities.ts";
import { removeAzureFileCSIStorageClass } from "../storage/storage-classes.ts";
import { bootstrapGraph, removeBootstrapGraph } from "./create.ts";
import { deleteGraph } from "./delete.ts";
import { updateGraph } from "./update.ts";

type ClusterStep = Step<ClusterContext>;

/**
 * Bootstrap graph for clusters with managed identities. The names and the order of the steps come from Azure/ARO-RP
 * pkg/cluster/install.go and delete.go. Unlike Azure/ARO-RP, the graph stores the result of `platformWorkloadIdentityIDs`
 * immediately, because a different worker may run the next step.
 */
export const identityBootstrapGraph = varyGraph(
  bootstrapGraph,
  `${bootstrapGraph.name}, with managed identities`,
  {
    replaced: { clusterSPObjectID: ["clusterIdentityIDs"] },
    needs: {
      createMachines: ["federateIdentityCredentials"],
      validateResources: ["platformWorkloadIdentityIDs"],
      installAROOperator: ["deployPlatformWorkloadIdentitySecrets"],
    },
    added: (kept) =>
      kept
        .step("ensureClusterMsiCertificate", { needs: ["startInstall"], run: ensureClusterMsiCertificate })
        .step("platformWorkloadIdentityIDs", {
          needs: ["ensureClusterMsiCertificate"],
          run: platformWorkloadIdentityIDs,
        })
        .step("clusterIdentityIDs", { needs: ["validateResources"], run: clusterIdentityIDs })
        .step("createOIDC", { needs: ["validateResources"], run: createOIDC })
        .step("federateIdentityCredentials", {
          needs: ["createOIDC", "deployBaseResourceTemplate"],
          run: federateIdentityCredentials,
        })
        .step("deployPlatformWorkloadIdentitySecrets", {
          needs: ["apiServersReady"],
          run: deployPlatformWorkloadIdentitySecrets,
        }),
  },
);

export const identityRemoveBootstrapGraph = varyGraph(
  removeBootstrapGraph,
  `${removeBootstrapGraph.name}, with managed identities`,
  {
    needs: { disableOperatorReconciliation: ["removeAzureFileCSIStorageClass"] },
    added: (kept) =>
      kept.step("removeAzureFileCSIStorageClass", {
        needs: ["ingressControllerReady"],
        run: removeAzureFileCSIStorageClass,
      }),
  },
);

export const identityUpdateGraph = varyGraph(updateGraph, `${updateGraph.name}, with managed identities`, {
  replaced: {
    fixupClusterSPObjectID: [],
    createOrUpdateClusterServicePrincipalRBAC: ["ensurePlatformWorkloadIdentityRBAC"],
    updateOpenShiftSecret: ["deployPlatformWorkloadIdentitySecrets"],
    aroCredentialsRequestReconciled: [],
    updateAROSecret: [],
  },
  needs: {
    validateResources: ["platformWorkloadIdentityIDs"],
    // The identities may have changed. The operator must be restarted, because it reads its identity only at startup.
    restartAROOperatorMaster: ["deployPlatformWorkloadIdentitySecrets"],
  },
  added: (kept) =>
    kept
      .step("fixupClusterMsiTenantID", { run: fixupClusterMsiTenantID })
      .step("ensureClusterMsiCertificate", {
        needs: ["fixupClusterMsiTenantID"],
        run: ensureClusterMsiCertificate,
      })
      .step("platformWorkloadIdentityIDs", {
        needs: ["ensureClusterMsiCertificate"],
        run: platformWorkloadIdentityIDs,
      })
      .step("clusterIdentityIDs", { needs: ["validateResources"], run: clusterIdentityIDs })
      .step("ensurePlatformWorkloadIdentityRBAC", {
        needs: ["clusterIdentityIDs"],
        run: ensurePlatformWorkloadIdentityRBAC,
      })
      .step("federateIdentityCredentials", {
        needs: ["ensurePlatformWorkloadIdentityRBAC"],
        run: federateIdentityCredentials,
      })
      .step("ensureUpgradeAnnotation", { needs: ["apiServersReady"], run: ensureUpgradeAnnotation })
      .step("deployPlatformWorkloadIdentitySecrets", {
        needs: ["ensureUpgradeAnnotation", "federateIdentityCredentials"],
        run: deployPlatformWorkloadIdentitySecrets,
      })
      .step("retireIdentities", { needs: ["deployPlatformWorkloadIdentitySecrets"], run: retireIdentities }),
});

export const identityDeleteGraph = varyGraph(deleteGraph, `${deleteGraph.name}, with managed identities`, {
  needs: { deleteRoleAssignments: ["deleteOIDC"], markBillingForDeletion: ["deleteFederatedCredentials"] },
  added: (kept) =>
    kept.step("deleteOIDC", { needs: ["deleteDNS"], run: deleteOIDC }).step("deleteFederatedCredentials", {
      needs: ["deleteResourceGroup"],
      run: deleteFederatedCredentials,
    }),
});

/** First steps of every administrator update on clusters with managed identities. */
export const identityFixups: readonly ClusterStep[] = [
  step({ name: "fixupClusterMsiTenantID", run: fixupClusterMsiTenantID }),
  step({ name: "ensureClusterMsiCertificate", run: ensureClusterMsiCertificate }),
  step({ name: "clusterIdentityIDs", run: clusterIdentityIDs }),
  step({ name: "platformWorkloadIdentityIDs", run: platformWorkloadIdentityIDs }),
];
