import { graph } from "@keelson/workflow";
import { ensureBillingRecord } from "../billing/billing-steps.ts";
import type { ClusterContext } from "../context/context.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../control-plane/certificates.ts";
import { updateClusterData } from "../control-plane/cluster-data.ts";
import {
  apiServersReady,
  clusterOperatorsHaveSettled,
  clusterVersionReady,
  disableUpdates,
  ingressControllerReady,
  operatorConsoleExists,
  operatorConsoleReady,
} from "../control-plane/cluster-operators.ts";
import {
  disableOperatorHubSources,
  disableSamples,
  updateConsoleBranding,
} from "../control-plane/cluster-settings.ts";
import { generateKubeconfigs } from "../control-plane/kubeconfigs.ts";
import { recordMasterHostKeys } from "../control-plane/master-host-keys.ts";
import { ensureACRToken } from "../credentials/registry-token.ts";
import { clusterSPObjectID } from "../credentials/service-principal.ts";
import { bootstrapComplete, createMachines, finishInstaller, removeBootstrap } from "../install/bootstrap.ts";
import {
  hiveClusterDeploymentProgress,
  hiveClusterDeploymentReady,
  hiveEnsureResources,
} from "../install/hive.ts";
import { ensureInfraID, ensureSSHKey, ensureStorageSuffix } from "../install/identifiers.ts";
import { finishInstallation, incrInstallPhase, startInstall } from "../install/install-phase.ts";
import { generateInstallState, persistGraph } from "../install/install-state.ts";
import { ensureResourceGroup } from "../managed-group/resource-group.ts";
import { createOrUpdateRouterIPEarly, updateAPIIPEarly } from "../network/addresses.ts";
import { attachNSGs, ensurePreconfiguredNSG } from "../network/attach-subnets.ts";
import { createDNS } from "../network/dns.ts";
import { populateMTUSize } from "../network/network-profile.ts";
import { ensureServiceEndpoints, setMasterSubnetPolicies } from "../network/subnet-policies.ts";
import { installAROOperator } from "../operator/install-operator.ts";
import { aroDeploymentProgress, aroDeploymentReady } from "../operator/operator-readiness.ts";
import {
  disableOperatorReconciliation,
  enableOperatorReconciliation,
} from "../operator/operator-settings.ts";
import { ensureGatewayCreate } from "../private-link/gateway.ts";
import { createAPIServerPrivateEndpoint } from "../private-link/private-endpoint.ts";
import { deployBaseResourceTemplate } from "../resource-group/base-resources.ts";
import { removeBootstrapIgnition } from "../storage/cluster-storage.ts";
import { configureDefaultStorageClass } from "../storage/storage-classes.ts";
import { validateResources } from "../validation/validate-resources.ts";
import { validateZones } from "../validation/validate-zones.ts";
import { awaitRemainingWorkers, minimumWorkerNodesReady } from "../workers/await-workers.ts";
import { updateWorkerProfilesStatus } from "../workers/worker-profiles-status.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";

/**
 * Time limit of the installer step in ms. It is longer than the installer's own limit of three hours, so that the installer can
 * report its timeout first.
 */
const installerMs = 185 * minutesMs;

/**
 * First phase of a cluster's creation. It ends when the API server and the ARO operator are running (Azure/ARO-RP
 * pkg/cluster/install.go, bootstrap phase). Steps that also exist in Azure/ARO-RP have the same names there.
 */
export const bootstrapGraph = graph<ClusterContext>("create: bootstrap")
  .step("startInstall", { run: startInstall })
  .step("validateResources", { needs: ["startInstall"], run: validateResources })
  .step("validateZones", { needs: ["validateResources"], run: validateZones })
  .step("clusterSPObjectID", { needs: ["validateResources"], run: clusterSPObjectID })
  .step("ensurePreconfiguredNSG", { needs: ["validateResources"], run: ensurePreconfiguredNSG })
  .step("ensureACRToken", { needs: ["validateResources"], run: ensureACRToken })
  .step("ensureInfraID", { needs: ["validateResources"], run: ensureInfraID })
  .step("ensureSSHKey", { needs: ["validateResources"], run: ensureSSHKey })
  .step("ensureStorageSuffix", { needs: ["validateResources"], run: ensureStorageSuffix })
  .step("populateMTUSize", { needs: ["validateResources"], run: populateMTUSize })
  .step("createDNS", { needs: ["validateResources"], run: createDNS })
  .step("ensureResourceGroup", {
    needs: ["createDNS", "ensureInfraID", "validateZones"],
    run: ensureResourceGroup,
  })
  .step("ensureServiceEndpoints", { needs: ["ensureResourceGroup"], run: ensureServiceEndpoints })
  .step("setMasterSubnetPolicies", { needs: ["ensureServiceEndpoints"], run: setMasterSubnetPolicies })
  .step("deployBaseResourceTemplate", {
    needs: ["clusterSPObjectID", "ensureStorageSuffix", "setMasterSubnetPolicies"],
    weight: 2,
    run: deployBaseResourceTemplate,
  })
  .step("attachNSGs", { needs: ["deployBaseResourceTemplate"], run: attachNSGs })
  .step("updateAPIIPEarly", { needs: ["deployBaseResourceTemplate"], run: updateAPIIPEarly })
  .step("createOrUpdateRouterIPEarly", {
    needs: ["deployBaseResourceTemplate"],
    run: createOrUpdateRouterIPEarly,
  })
  .step("ensureGatewayCreate", { needs: ["deployBaseResourceTemplate"], run: ensureGatewayCreate })
  .step("createAPIServerPrivateEndpoint", {
    needs: ["deployBaseResourceTemplate"],
    run: createAPIServerPrivateEndpoint,
  })
  .step("createCertificates", { needs: ["createDNS"], run: createCertificates })
  .step("generateInstallState", {
    needs: [
      "attachNSGs",
      "createAPIServerPrivateEndpoint",
      "createOrUpdateRouterIPEarly",
      "ensureACRToken",
      "ensureGatewayCreate",
      "ensurePreconfiguredNSG",
      "ensureSSHKey",
      "populateMTUSize",
      "updateAPIIPEarly",
    ],
    timeoutMs: installerMs,
    run: generateInstallState,
  })
  .step("persistGraph", { needs: ["generateInstallState"], run: persistGraph })
  .step("generateKubeconfigs", { needs: ["generateInstallState"], run: generateKubeconfigs })
  .step("createMachines", {
    needs: ["generateInstallState"],
    weight: 5,
    timeoutMs: installerMs,
    run: createMachines,
  })
  .condition("bootstrapComplete", {
    needs: ["createMachines", "generateKubeconfigs"],
    weight: 10,
    until: bootstrapComplete,
    timeoutMs: 60 * minutesMs,
    timeoutMessage: timeoutMessages.bootstrapComplete,
  })
  .step("hiveEnsureResources", { needs: ["bootstrapComplete"], run: hiveEnsureResources })
  .condition("hiveClusterDeploymentReady", {
    needs: ["hiveEnsureResources"],
    until: hiveClusterDeploymentReady,
    progress: hiveClusterDeploymentProgress,
    timeoutMs: 5 * minutesMs,
  })
  .step("finishInstaller", { needs: ["bootstrapComplete"], run: finishInstaller })
  .step("ensureBillingRecord", { needs: ["bootstrapComplete"], run: ensureBillingRecord })
  .condition("apiServersReady", {
    needs: ["ensureBillingRecord"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  })
  .step("installAROOperator", { needs: ["apiServersReady", "createCertificates"], run: installAROOperator })
  .step("enableOperatorReconciliation", { needs: ["installAROOperator"], run: enableOperatorReconciliation })
  .step("incrInstallPhase", {
    needs: ["enableOperatorReconciliation", "finishInstaller", "hiveClusterDeploymentReady", "persistGraph"],
    run: incrInstallPhase,
  })
  .build();

/** Removes the bootstrap machine and completes the cluster (Azure/ARO-RP pkg/cluster/install.go, remove bootstrap phase). */
export const removeBootstrapGraph = graph<ClusterContext>("create: remove bootstrap")
  .step("removeBootstrap", { weight: 2, run: removeBootstrap })
  .step("removeBootstrapIgnition", { run: removeBootstrapIgnition })
  .condition("apiServersReadyAfterBootstrap", {
    needs: ["removeBootstrap"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  })
  .step("configureAPIServerCertificate", {
    needs: ["apiServersReadyAfterBootstrap"],
    run: configureAPIServerCertificate,
  })
  .condition("apiServersReadyAfterCertificate", {
    needs: ["configureAPIServerCertificate"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  })
  .condition("minimumWorkerNodesReady", {
    needs: ["apiServersReadyAfterCertificate"],
    weight: 5,
    until: minimumWorkerNodesReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.minimumWorkerNodesReady,
  })
  .condition("operatorConsoleExists", {
    needs: ["minimumWorkerNodesReady"],
    until: operatorConsoleExists,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.operatorConsoleExists,
  })
  .step("updateConsoleBranding", { needs: ["operatorConsoleExists"], run: updateConsoleBranding })
  .condition("operatorConsoleReady", {
    needs: ["updateConsoleBranding"],
    until: operatorConsoleReady,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.operatorConsoleReady,
  })
  .step("disableSamples", { needs: ["apiServersReadyAfterCertificate"], run: disableSamples })
  .step("disableOperatorHubSources", {
    needs: ["apiServersReadyAfterCertificate"],
    run: disableOperatorHubSources,
  })
  .step("disableUpdates", { needs: ["apiServersReadyAfterCertificate"], run: disableUpdates })
  .condition("clusterVersionReady", {
    needs: ["disableUpdates", "operatorConsoleReady"],
    weight: 3,
    until: clusterVersionReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.clusterVersionReady,
  })
  .condition("aroDeploymentReady", {
    needs: ["minimumWorkerNodesReady"],
    until: aroDeploymentReady,
    progress: aroDeploymentProgress,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  })
  .step("updateClusterData", { needs: ["clusterVersionReady"], run: updateClusterData })
  .step("configureIngressCertificate", {
    needs: ["minimumWorkerNodesReady"],
    run: configureIngressCertificate,
  })
  .condition("ingressControllerReady", {
    needs: ["configureIngressCertificate"],
    until: ingressControllerReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.ingressControllerReady,
  })
  .step("configureDefaultStorageClass", {
    needs: ["ingressControllerReady"],
    run: configureDefaultStorageClass,
  })
  .step("disableOperatorReconciliation", {
    needs: [
      "aroDeploymentReady",
      "clusterVersionReady",
      "configureDefaultStorageClass",
      "disableOperatorHubSources",
      "disableSamples",
    ],
    run: disableOperatorReconciliation,
  })
  .condition("clusterOperatorsHaveSettled", {
    needs: ["disableOperatorReconciliation"],
    until: clusterOperatorsHaveSettled,
    timeoutMs: 30 * minutesMs,
  })
  .step("awaitRemainingWorkers", {
    needs: ["minimumWorkerNodesReady"],
    weight: 2,
    run: awaitRemainingWorkers,
  })
  .step("updateWorkerProfilesStatus", { needs: ["awaitRemainingWorkers"], run: updateWorkerProfilesStatus })
  .step("recordMasterHostKeys", { needs: ["minimumWorkerNodesReady"], run: recordMasterHostKeys })
  .step("finishInstallation", {
    needs: [
      "clusterOperatorsHaveSettled",
      "recordMasterHostKeys",
      "removeBootstrapIgnition",
      "updateClusterData",
      "updateWorkerProfilesStatus",
    ],
    run: finishInstallation,
  })
  .build();
