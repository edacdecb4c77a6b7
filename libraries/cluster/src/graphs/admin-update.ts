import { compareVersions, type OpenShiftCluster, parseVersion, usesWorkloadIdentity } from "@keelson/model";
import { condition, type Graph, type Step, sequence, step } from "@keelson/workflow";
import { ensureBillingRecord } from "../billing/billing-steps.ts";
import type { ClusterContext } from "../context/context.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../control-plane/certificates.ts";
import { apiServersReady } from "../control-plane/cluster-operators.ts";
import { fixSREKubeconfig, fixUserAdminKubeconfig } from "../control-plane/kubeconfigs.ts";
import { recordMasterHostKeys } from "../control-plane/master-host-keys.ts";
import { startVMs } from "../control-plane/start-machines.ts";
import { rotateACRTokenPassword } from "../credentials/registry-token.ts";
import { fixupClusterSPObjectID } from "../credentials/service-principal.ts";
import { hiveEnsureResources } from "../install/hive.ts";
import { ensureDefaults, fixInfraID } from "../install/identifiers.ts";
import { fixSSH } from "../load-balancer/fix-ssh.ts";
import { migrateInternalLoadBalancerZones } from "../load-balancer/load-balancer-zones.ts";
import { ensureResourceGroup } from "../managed-group/resource-group.ts";
import { createOrUpdateRouterIPFromCluster, populateDatabaseIntIP } from "../network/addresses.ts";
import { ensureMTUSize, reconcileSoftwareDefinedNetwork } from "../network/network-profile.ts";
import { ensureServiceEndpoints } from "../network/subnet-policies.ts";
import { ensureAROOperator, syncClusterObject } from "../operator/install-operator.ts";
import {
  aroDeploymentProgress,
  aroDeploymentReady,
  ensureAROOperatorRunningDesiredVersion,
} from "../operator/operator-readiness.ts";
import { ensureGatewayUpgrade } from "../private-link/gateway.ts";
import { createOrUpdateDenyAssignment } from "../resource-group/deny-assignment.ts";
import { populateRegistryStorageAccountName } from "../storage/registry-storage.ts";
import { migrateStorageAccounts } from "../storage/storage-accounts.ts";
import { rewriteWorkerProfilesStatus } from "../workers/worker-profiles-status.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";
import { identityFixups } from "./workload-identity.ts";

type ClusterStep = Step<ClusterContext>;

/** First version that supports operator updates. Clusters with older versions keep their operator. */
const firstVersionWithOperatorUpdates = "4.7.0";

/**
 * Returns the sequential steps of the administrator's task that the cluster's document names (Azure/ARO-RP
 * pkg/cluster/install.go, AdminUpdate). The task `Everything` combines several tasks. A step that is part of more than one of
 * them runs only once.
 */
export function adminUpdateGraph(cluster: OpenShiftCluster): Graph<ClusterContext> {
  const steps = [...alwaysFirst(cluster), ...stepsOf(cluster)];
  const once = steps.filter(({ name }, index) => steps.findIndex((each) => each.name === name) === index);
  return sequence("admin update", once);
}

function alwaysFirst(cluster: OpenShiftCluster): readonly ClusterStep[] {
  return [
    step({ name: "ensureBillingRecord", run: ensureBillingRecord }),
    step({ name: "ensureDefaults", run: ensureDefaults }),
    ...(usesWorkloadIdentity(cluster)
      ? identityFixups
      : [step({ name: "fixupClusterSPObjectID", run: fixupClusterSPObjectID })]),
    step({ name: "fixInfraID", run: fixInfraID }),
  ];
}

function stepsOf(cluster: OpenShiftCluster): readonly ClusterStep[] {
  const task = cluster.properties.maintenanceTask ?? "Everything";
  const operator = getsOperatorUpdates(cluster) ? operatorUpdate : [];
  switch (task) {
    case "Everything":
      return [...generalFixes, ...certificatesRenewal, ...operator, adoption];
    case "OperatorUpdate":
      return operator;
    case "CertificatesRenewal":
      return certificatesRenewal;
    case "SyncClusterObject":
      return [...apiServerUp, synchronize];
    case "MigrateLoadBalancer":
      return loadBalancerMigration;
    default:
      return task satisfies never;
  }
}

function getsOperatorUpdates({ properties }: OpenShiftCluster): boolean {
  const version = parseVersion(properties.clusterProfile.version);
  const first = parseVersion(firstVersionWithOperatorUpdates);
  return version !== undefined && first !== undefined && compareVersions(version, first) >= 0;
}

const apiServerUp: readonly ClusterStep[] = [
  step({ name: "startVMs", run: startVMs }),
  condition({
    name: "apiServersReady",
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
];

const repairSSH: ClusterStep = step({ name: "fixSSH", run: fixSSH });

const generalFixes: readonly ClusterStep[] = [
  step({ name: "ensureResourceGroup", run: ensureResourceGroup }),
  step({ name: "createOrUpdateDenyAssignment", run: createOrUpdateDenyAssignment }),
  step({ name: "ensureServiceEndpoints", run: ensureServiceEndpoints }),
  step({ name: "populateRegistryStorageAccountName", run: populateRegistryStorageAccountName }),
  step({ name: "migrateStorageAccounts", run: migrateStorageAccounts }),
  repairSSH,
  ...apiServerUp,
  step({ name: "recordMasterHostKeys", run: recordMasterHostKeys }),
  step({ name: "rewriteWorkerProfilesStatus", run: rewriteWorkerProfilesStatus }),
  step({ name: "fixSREKubeconfig", run: fixSREKubeconfig }),
  step({ name: "fixUserAdminKubeconfig", run: fixUserAdminKubeconfig }),
  step({ name: "createOrUpdateRouterIPFromCluster", run: createOrUpdateRouterIPFromCluster }),
  step({ name: "ensureGatewayUpgrade", run: ensureGatewayUpgrade }),
  step({ name: "rotateACRTokenPassword", run: rotateACRTokenPassword }),
  step({ name: "ensureMTUSize", run: ensureMTUSize }),
  step({ name: "reconcileSoftwareDefinedNetwork", run: reconcileSoftwareDefinedNetwork }),
];

const certificatesRenewal: readonly ClusterStep[] = [
  ...apiServerUp,
  step({ name: "populateDatabaseIntIP", run: populateDatabaseIntIP }),
  step({ name: "correctCertificateIssuer", run: createCertificates }),
  step({ name: "configureAPIServerCertificate", run: configureAPIServerCertificate }),
  step({ name: "configureIngressCertificate", run: configureIngressCertificate }),
];

const adoption: ClusterStep = step({ name: "hiveEnsureResources", run: hiveEnsureResources });

const synchronize: ClusterStep = step({ name: "syncClusterObject", run: syncClusterObject });

/**
 * Steps that update the operator. The Cluster resource is updated last, because the previous operator version may not understand
 * its new fields.
 */
export const operatorRollout: readonly ClusterStep[] = [
  step({ name: "ensureAROOperator", run: ensureAROOperator }),
  condition({
    name: "aroDeploymentReady",
    until: aroDeploymentReady,
    progress: aroDeploymentProgress,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  }),
  condition({
    name: "ensureAROOperatorRunningDesiredVersion",
    until: ensureAROOperatorRunningDesiredVersion,
    progress: aroDeploymentProgress,
    timeoutMs: 5 * minutesMs,
    timeoutMessage: timeoutMessages.ensureAROOperatorRunningDesiredVersion,
  }),
  synchronize,
];

const operatorUpdate: readonly ClusterStep[] = [...apiServerUp, ...operatorRollout];

export const loadBalancerMigration: readonly ClusterStep[] = [
  step({ name: "migrateInternalLoadBalancerZones", run: migrateInternalLoadBalancerZones }),
  repairSSH,
];
