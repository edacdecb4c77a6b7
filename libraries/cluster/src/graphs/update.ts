import type { ClusterContext } from "../context.ts";
import { condition, graph, step } from "../engine/graph.ts";
import {
  aroCredentialsRequestReconciled,
  updateAROSecret,
  updateOpenShiftSecret,
} from "../steps/azure-credentials.ts";
import { createOrUpdateDenyAssignment } from "../steps/base-resources.ts";
import { startVMs } from "../steps/bootstrap.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../steps/certificates.ts";
import { apiServersReady } from "../steps/cluster-operators.ts";
import { hiveEnsureResources } from "../steps/hive.ts";
import { fixUserAdminKubeconfig } from "../steps/kubeconfigs.ts";
import { reconcileSoftwareDefinedNetwork } from "../steps/network-profile.ts";
import { aroDeploymentReady, ensureCredentialsRequest, restartAROOperatorMaster } from "../steps/operator.ts";
import { reconcileLoadBalancerProfile } from "../steps/outbound-rule.ts";
import { rotateACRTokenPassword } from "../steps/registry-token.ts";
import { createOrUpdateClusterServicePrincipalRBAC } from "../steps/role-assignments.ts";
import { clusterSPObjectID } from "../steps/service-principal.ts";
import { validateResources } from "../steps/validate-resources.ts";
import { scaleWorkers, scalingEnded, updateWorkerProfilesStatus } from "../steps/workers.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";

/**
 * Brings a cluster to what its customer asked for, and repairs what time has worn out (Azure/ARO-RP
 * pkg/cluster/install.go, Update). Workers follow a newly requested number; otherwise they are left as the cluster's own API has them.
 */
export const updateGraph = graph<ClusterContext>("update", [
  step({ name: "validateResources", run: validateResources }),
  step({ name: "fixupClusterSPObjectID", needs: ["validateResources"], run: clusterSPObjectID }),
  step({
    name: "createOrUpdateClusterServicePrincipalRBAC",
    needs: ["fixupClusterSPObjectID"],
    run: createOrUpdateClusterServicePrincipalRBAC,
  }),
  step({
    name: "createOrUpdateDenyAssignment",
    needs: ["createOrUpdateClusterServicePrincipalRBAC"],
    run: createOrUpdateDenyAssignment,
  }),
  step({ name: "startVMs", needs: ["validateResources"], run: startVMs }),
  condition({
    name: "apiServersReady",
    needs: ["startVMs"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  }),
  step({
    name: "rotateACRTokenPassword",
    needs: ["apiServersReady"],
    run: rotateACRTokenPassword,
  }),
  step({
    name: "correctCertificateIssuer",
    needs: ["apiServersReady"],
    run: createCertificates,
  }),
  step({
    name: "configureAPIServerCertificate",
    needs: ["correctCertificateIssuer"],
    run: configureAPIServerCertificate,
  }),
  step({
    name: "configureIngressCertificate",
    needs: ["correctCertificateIssuer"],
    run: configureIngressCertificate,
  }),
  step({ name: "hiveEnsureResources", needs: ["apiServersReady"], run: hiveEnsureResources }),
  step({ name: "fixUserAdminKubeconfig", needs: ["validateResources"], run: fixUserAdminKubeconfig }),
  step({
    name: "reconcileLoadBalancerProfile",
    needs: ["validateResources"],
    weight: 2,
    run: reconcileLoadBalancerProfile,
  }),
  step({
    name: "reconcileSoftwareDefinedNetwork",
    needs: ["apiServersReady"],
    run: reconcileSoftwareDefinedNetwork,
  }),
  step({ name: "ensureCredentialsRequest", needs: ["apiServersReady"], run: ensureCredentialsRequest }),
  step({
    name: "updateOpenShiftSecret",
    needs: ["createOrUpdateDenyAssignment", "ensureCredentialsRequest"],
    run: updateOpenShiftSecret,
  }),
  condition({
    name: "aroCredentialsRequestReconciled",
    needs: ["updateOpenShiftSecret"],
    until: aroCredentialsRequestReconciled,
    timeoutMs: 3 * minutesMs,
  }),
  step({ name: "updateAROSecret", needs: ["aroCredentialsRequestReconciled"], run: updateAROSecret }),
  step({ name: "restartAROOperatorMaster", needs: ["updateAROSecret"], run: restartAROOperatorMaster }),
  step({ name: "scaleWorkers", needs: ["updateOpenShiftSecret"], run: scaleWorkers }),
  condition({
    name: "workersMatch",
    needs: ["scaleWorkers"],
    weight: 5,
    until: scalingEnded,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.workersMatch,
  }),
  step({ name: "updateWorkerProfilesStatus", needs: ["workersMatch"], run: updateWorkerProfilesStatus }),
  condition({
    name: "aroDeploymentReady",
    needs: ["restartAROOperatorMaster", "workersMatch"],
    until: aroDeploymentReady,
    timeoutMs: 5 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  }),
]);
