import { condition, graph, step } from "@keelson/workflow";
import type { ClusterContext } from "../context.ts";
import { ensureBillingRecord } from "../steps/billing/billing-record.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../steps/control-plane/certificates.ts";
import { updateClusterData } from "../steps/control-plane/cluster-data.ts";
import {
  apiServersReady,
  clusterOperatorsHaveSettled,
  clusterVersionReady,
  disableUpdates,
  ingressControllerReady,
  operatorConsoleExists,
  operatorConsoleReady,
} from "../steps/control-plane/cluster-operators.ts";
import {
  disableOperatorHubSources,
  disableSamples,
  updateConsoleBranding,
} from "../steps/control-plane/cluster-settings.ts";
import { generateKubeconfigs } from "../steps/credentials/kubeconfigs.ts";
import { ensureACRToken } from "../steps/credentials/registry-token.ts";
import { clusterSPObjectID } from "../steps/credentials/service-principal.ts";
import {
  bootstrapComplete,
  createMachines,
  finishInstaller,
  removeBootstrap,
} from "../steps/install/bootstrap.ts";
import { hiveClusterDeploymentReady, hiveEnsureResources } from "../steps/install/hive.ts";
import { ensureInfraID, ensureSSHKey, ensureStorageSuffix } from "../steps/install/identifiers.ts";
import { finishInstallation, incrInstallPhase, startInstall } from "../steps/install/install-phase.ts";
import { generateInstallState, persistGraph } from "../steps/install/install-state.ts";
import { createOrUpdateRouterIPEarly, updateAPIIPEarly } from "../steps/network/addresses.ts";
import { attachNSGs, ensurePreconfiguredNSG } from "../steps/network/attach-subnets.ts";
import { createDNS } from "../steps/network/dns.ts";
import { populateMTUSize } from "../steps/network/network-profile.ts";
import { ensureServiceEndpoints, setMasterSubnetPolicies } from "../steps/network/subnet-policies.ts";
import { installAROOperator } from "../steps/operator/install-operator.ts";
import { aroDeploymentReady } from "../steps/operator/operator-readiness.ts";
import {
  disableOperatorReconciliation,
  enableOperatorReconciliation,
} from "../steps/operator/operator-settings.ts";
import { ensureGatewayCreate } from "../steps/private-link/gateway.ts";
import { createAPIServerPrivateEndpoint } from "../steps/private-link/private-endpoint.ts";
import { deployBaseResourceTemplate } from "../steps/resource-group/base-resources.ts";
import { ensureResourceGroup } from "../steps/resource-group/resource-group.ts";
import { removeBootstrapIgnition } from "../steps/storage/cluster-storage.ts";
import { configureDefaultStorageClass } from "../steps/storage/storage-classes.ts";
import { validateResources } from "../steps/validation/validate-resources.ts";
import { validateZones } from "../steps/validation/validate-zones.ts";
import { awaitRemainingWorkers, minimumWorkerNodesReady } from "../steps/workers/await-workers.ts";
import { updateWorkerProfilesStatus } from "../steps/workers/scale-workers.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";

/** An installer has an hour of its own, and says itself what is wrong when that is over. */
const installerMs = 65 * minutesMs;

/**
 * From nothing to an API server with our operator (Azure/ARO-RP pkg/cluster/install.go, bootstrap phase). Names
 * that others also have keep their spelling.
 */
export const bootstrapGraph = graph<ClusterContext>("create: bootstrap", [
  step({ name: "startInstall", run: startInstall }),
  step({ name: "validateResources", needs: ["startInstall"], run: validateResources }),
  step({ name: "validateZones", needs: ["validateResources"], run: validateZones }),
  step({ name: "clusterSPObjectID", needs: ["validateResources"], run: clusterSPObjectID }),
  step({ name: "ensurePreconfiguredNSG", needs: ["validateResources"], run: ensurePreconfiguredNSG }),
  step({ name: "ensureACRToken", needs: ["validateResources"], run: ensureACRToken }),
  step({ name: "ensureInfraID", needs: ["validateResources"], run: ensureInfraID }),
  step({ name: "ensureSSHKey", needs: ["validateResources"], run: ensureSSHKey }),
  step({ name: "ensureStorageSuffix", needs: ["validateResources"], run: ensureStorageSuffix }),
  step({ name: "populateMTUSize", needs: ["validateResources"], run: populateMTUSize }),
  step({ name: "createDNS", needs: ["validateResources"], run: createDNS }),
  step({
    name: "ensureResourceGroup",
    needs: ["createDNS", "ensureInfraID", "validateZones"],
    run: ensureResourceGroup,
  }),
  step({
    name: "ensureServiceEndpoints",
    needs: ["ensureResourceGroup"],
    run: ensureServiceEndpoints,
  }),
  step({
    name: "setMasterSubnetPolicies",
    needs: ["ensureServiceEndpoints"],
    run: setMasterSubnetPolicies,
  }),
  step({
    name: "deployBaseResourceTemplate",
    needs: ["clusterSPObjectID", "ensureStorageSuffix", "setMasterSubnetPolicies"],
    weight: 2,
    run: deployBaseResourceTemplate,
  }),
  step({ name: "attachNSGs", needs: ["deployBaseResourceTemplate"], run: attachNSGs }),
  step({ name: "updateAPIIPEarly", needs: ["deployBaseResourceTemplate"], run: updateAPIIPEarly }),
  step({
    name: "createOrUpdateRouterIPEarly",
    needs: ["deployBaseResourceTemplate"],
    run: createOrUpdateRouterIPEarly,
  }),
  step({ name: "ensureGatewayCreate", needs: ["deployBaseResourceTemplate"], run: ensureGatewayCreate }),
  step({
    name: "createAPIServerPrivateEndpoint",
    needs: ["deployBaseResourceTemplate"],
    run: createAPIServerPrivateEndpoint,
  }),
  step({ name: "createCertificates", needs: ["createDNS"], run: createCertificates }),
  step({
    name: "generateInstallState",
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
  }),
  step({ name: "persistGraph", needs: ["generateInstallState"], run: persistGraph }),
  step({ name: "generateKubeconfigs", needs: ["generateInstallState"], run: generateKubeconfigs }),
  step({
    name: "createMachines",
    needs: ["generateInstallState"],
    weight: 5,
    timeoutMs: installerMs,
    run: createMachines,
  }),
  condition({
    name: "bootstrapComplete",
    needs: ["createMachines", "generateKubeconfigs"],
    weight: 10,
    until: bootstrapComplete,
    timeoutMs: 60 * minutesMs,
    timeoutMessage: timeoutMessages.bootstrapComplete,
  }),
  step({ name: "hiveEnsureResources", needs: ["bootstrapComplete"], run: hiveEnsureResources }),
  condition({
    name: "hiveClusterDeploymentReady",
    needs: ["hiveEnsureResources"],
    until: hiveClusterDeploymentReady,
    timeoutMs: 5 * minutesMs,
  }),
  step({ name: "finishInstaller", needs: ["bootstrapComplete"], run: finishInstaller }),
  step({ name: "ensureBillingRecord", needs: ["bootstrapComplete"], run: ensureBillingRecord }),
  condition({
    name: "apiServersReady",
    needs: ["ensureBillingRecord"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
  step({
    name: "installAROOperator",
    needs: ["apiServersReady", "createCertificates"],
    run: installAROOperator,
  }),
  step({
    name: "enableOperatorReconciliation",
    needs: ["installAROOperator"],
    run: enableOperatorReconciliation,
  }),
  step({
    name: "incrInstallPhase",
    needs: ["enableOperatorReconciliation", "finishInstaller", "hiveClusterDeploymentReady", "persistGraph"],
    run: incrInstallPhase,
  }),
]);

/** From there to a cluster that its customer can use (the same file, remove bootstrap phase). */
export const removeBootstrapGraph = graph<ClusterContext>("create: remove bootstrap", [
  step({ name: "removeBootstrap", weight: 2, run: removeBootstrap }),
  step({ name: "removeBootstrapIgnition", run: removeBootstrapIgnition }),
  condition({
    name: "apiServersReadyAfterBootstrap",
    needs: ["removeBootstrap"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
  step({
    name: "configureAPIServerCertificate",
    needs: ["apiServersReadyAfterBootstrap"],
    run: configureAPIServerCertificate,
  }),
  condition({
    name: "apiServersReadyAfterCertificate",
    needs: ["configureAPIServerCertificate"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
  condition({
    name: "minimumWorkerNodesReady",
    needs: ["apiServersReadyAfterCertificate"],
    weight: 5,
    until: minimumWorkerNodesReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.minimumWorkerNodesReady,
  }),
  condition({
    name: "operatorConsoleExists",
    needs: ["minimumWorkerNodesReady"],
    until: operatorConsoleExists,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.operatorConsoleExists,
  }),
  condition({
    name: "operatorConsoleReady",
    needs: ["updateConsoleBranding"],
    until: operatorConsoleReady,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.operatorConsoleReady,
  }),
  step({
    name: "updateConsoleBranding",
    needs: ["operatorConsoleExists"],
    run: updateConsoleBranding,
  }),
  step({ name: "disableSamples", needs: ["apiServersReadyAfterCertificate"], run: disableSamples }),
  step({
    name: "disableOperatorHubSources",
    needs: ["apiServersReadyAfterCertificate"],
    run: disableOperatorHubSources,
  }),
  step({ name: "disableUpdates", needs: ["apiServersReadyAfterCertificate"], run: disableUpdates }),
  condition({
    name: "clusterVersionReady",
    needs: ["disableUpdates", "operatorConsoleReady"],
    weight: 3,
    until: clusterVersionReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.clusterVersionReady,
  }),
  condition({
    name: "aroDeploymentReady",
    needs: ["minimumWorkerNodesReady"],
    until: aroDeploymentReady,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  }),
  step({ name: "updateClusterData", needs: ["clusterVersionReady"], run: updateClusterData }),
  step({
    name: "configureIngressCertificate",
    needs: ["minimumWorkerNodesReady"],
    run: configureIngressCertificate,
  }),
  condition({
    name: "ingressControllerReady",
    needs: ["configureIngressCertificate"],
    until: ingressControllerReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.ingressControllerReady,
  }),
  step({
    name: "configureDefaultStorageClass",
    needs: ["ingressControllerReady"],
    run: configureDefaultStorageClass,
  }),
  step({
    name: "disableOperatorReconciliation",
    needs: [
      ...["aroDeploymentReady", "clusterVersionReady", "configureDefaultStorageClass"],
      ...["disableOperatorHubSources", "disableSamples"],
    ],
    run: disableOperatorReconciliation,
  }),
  condition({
    name: "clusterOperatorsHaveSettled",
    needs: ["disableOperatorReconciliation"],
    until: clusterOperatorsHaveSettled,
    timeoutMs: 30 * minutesMs,
  }),
  step({
    name: "awaitRemainingWorkers",
    needs: ["minimumWorkerNodesReady"],
    weight: 2,
    run: awaitRemainingWorkers,
  }),
  step({
    name: "updateWorkerProfilesStatus",
    needs: ["awaitRemainingWorkers"],
    run: updateWorkerProfilesStatus,
  }),
  step({
    name: "finishInstallation",
    needs: [
      ...["clusterOperatorsHaveSettled", "removeBootstrapIgnition", "updateClusterData"],
      "updateWorkerProfilesStatus",
    ],
    run: finishInstallation,
  }),
]);
