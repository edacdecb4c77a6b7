import type { ClusterContext } from "../context.ts";
import { condition, graph, step } from "../engine/graph.ts";
import { createOrUpdateRouterIPEarly, updateAPIIPEarly } from "../steps/addresses.ts";
import { bootstrapComplete, createMachines, removeBootstrap } from "../steps/bootstrap.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../steps/certificates.ts";
import { updateClusterData } from "../steps/cluster-data.ts";
import {
  apiServersReady,
  clusterOperatorsHaveSettled,
  clusterVersionReady,
  disableUpdates,
  ingressControllerReady,
  operatorConsoleExists,
  operatorConsoleReady,
} from "../steps/cluster-operators.ts";
import { createDNS } from "../steps/dns.ts";
import {
  ensureInfraID,
  ensureSSHKey,
  ensureStorageSuffix,
  finishInstallation,
  incrInstallPhase,
  populateMTUSize,
  startInstall,
} from "../steps/identifiers.ts";
import { generateInstallState } from "../steps/install-state.ts";
import { generateKubeconfigs } from "../steps/kubeconfigs.ts";
import { createInternalLoadBalancer, createPublicLoadBalancer } from "../steps/load-balancers.ts";
import { attachNSGs, createNetworkSecurityGroup } from "../steps/network-security-group.ts";
import { aroDeploymentReady, installAROOperator } from "../steps/operator.ts";
import { createPublicIps } from "../steps/public-ips.ts";
import { ensureResourceGroup } from "../steps/resource-group.ts";
import { createClusterServicePrincipalRBAC } from "../steps/role-assignments.ts";
import { clusterSPObjectID } from "../steps/service-principal.ts";
import { validateResources } from "../steps/validate-resources.ts";
import {
  awaitRemainingWorkers,
  minimumWorkerNodesReady,
  updateWorkerProfilesStatus,
} from "../steps/workers.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";

/**
 * From nothing to an API server with our operator (Azure/ARO-RP pkg/cluster/install.go, bootstrap phase). Names
 * that others also have keep their spelling; upstream's one deployment of base resources is a step for each object.
 */
export const bootstrapGraph = graph<ClusterContext>("create: bootstrap", [
  step({ name: "startInstall", run: startInstall }),
  step({ name: "validateResources", needs: ["startInstall"], run: validateResources }),
  step({ name: "clusterSPObjectID", needs: ["validateResources"], run: clusterSPObjectID }),
  step({ name: "ensureInfraID", needs: ["validateResources"], run: ensureInfraID }),
  step({ name: "ensureSSHKey", needs: ["validateResources"], run: ensureSSHKey }),
  step({ name: "ensureStorageSuffix", needs: ["validateResources"], run: ensureStorageSuffix }),
  step({ name: "populateMTUSize", needs: ["validateResources"], run: populateMTUSize }),
  step({ name: "createDNS", needs: ["validateResources"], run: createDNS }),
  step({ name: "generateInstallState", needs: ["ensureInfraID"], run: generateInstallState }),
  step({ name: "ensureResourceGroup", needs: ["createDNS", "ensureInfraID"], run: ensureResourceGroup }),
  step({
    name: "createClusterServicePrincipalRBAC",
    needs: ["ensureResourceGroup", "clusterSPObjectID"],
    run: createClusterServicePrincipalRBAC,
  }),
  step({
    name: "createNetworkSecurityGroup",
    needs: ["ensureResourceGroup"],
    run: createNetworkSecurityGroup,
  }),
  step({ name: "createPublicIPs", needs: ["ensureResourceGroup"], run: createPublicIps }),
  step({
    name: "createInternalLoadBalancer",
    needs: ["ensureResourceGroup"],
    run: createInternalLoadBalancer,
  }),
  step({ name: "createPublicLoadBalancer", needs: ["createPublicIPs"], run: createPublicLoadBalancer }),
  step({ name: "attachNSGs", needs: ["createNetworkSecurityGroup"], run: attachNSGs }),
  step({
    name: "updateAPIIPEarly",
    needs: ["createInternalLoadBalancer", "createPublicIPs"],
    run: updateAPIIPEarly,
  }),
  step({
    name: "createOrUpdateRouterIPEarly",
    needs: ["createPublicIPs"],
    run: createOrUpdateRouterIPEarly,
  }),
  step({ name: "createCertificates", needs: ["createDNS"], run: createCertificates }),
  step({ name: "generateKubeconfigs", needs: ["generateInstallState"], run: generateKubeconfigs }),
  step({
    name: "createMachines",
    needs: [
      "attachNSGs",
      "createClusterServicePrincipalRBAC",
      "createInternalLoadBalancer",
      "createOrUpdateRouterIPEarly",
      "createPublicLoadBalancer",
      "ensureSSHKey",
      "ensureStorageSuffix",
      "generateInstallState",
      "populateMTUSize",
      "updateAPIIPEarly",
    ],
    weight: 5,
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
  condition({
    name: "apiServersReady",
    needs: ["bootstrapComplete"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
  step({
    name: "installAROOperator",
    needs: ["apiServersReady", "createCertificates"],
    run: installAROOperator,
  }),
  step({ name: "incrInstallPhase", needs: ["installAROOperator"], run: incrInstallPhase }),
]);

/** From there to a cluster that its customer can use (the same file, remove bootstrap phase). */
export const removeBootstrapGraph = graph<ClusterContext>("create: remove bootstrap", [
  step({ name: "removeBootstrap", weight: 2, run: removeBootstrap }),
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
    needs: ["operatorConsoleExists"],
    until: operatorConsoleReady,
    timeoutMs: 20 * minutesMs,
    timeoutMessage: timeoutMessages.operatorConsoleReady,
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
  condition({
    name: "clusterOperatorsHaveSettled",
    needs: ["aroDeploymentReady", "clusterVersionReady", "ingressControllerReady"],
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
    needs: ["clusterOperatorsHaveSettled", "updateClusterData", "updateWorkerProfilesStatus"],
    run: finishInstallation,
  }),
]);
