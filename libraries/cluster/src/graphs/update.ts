import { condition, graph, step } from "@keelson/workflow";
import type { ClusterContext } from "../context.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../steps/control-plane/certificates.ts";
import { apiServersReady } from "../steps/control-plane/cluster-operators.ts";
import { startVMs } from "../steps/control-plane/start-machines.ts";
import {
  aroCredentialsRequestReconciled,
  updateAROSecret,
  updateOpenShiftSecret,
} from "../steps/credentials/azure-credentials.ts";
import { fixUserAdminKubeconfig } from "../steps/credentials/kubeconfigs.ts";
import { rotateACRTokenPassword } from "../steps/credentials/registry-token.ts";
import { clusterSPObjectID } from "../steps/credentials/service-principal.ts";
import { createOrUpdateClusterServicePrincipalRBAC } from "../steps/identity/role-assignments.ts";
import { hiveEnsureResources } from "../steps/install/hive.ts";
import { reconcileLoadBalancerProfile } from "../steps/load-balancer/outbound-rule.ts";
import { reconcileSoftwareDefinedNetwork } from "../steps/network/network-profile.ts";
import { ensureCredentialsRequest, restartAROOperatorMaster } from "../steps/operator/install-operator.ts";
import { aroDeploymentReady } from "../steps/operator/operator-readiness.ts";
import { createOrUpdateDenyAssignment } from "../steps/resource-group/deny-assignment.ts";
import { validateResources } from "../steps/validation/validate-resources.ts";
import { scaleWorkers, scalingEnded, updateWorkerProfilesStatus } from "../steps/workers/scale-workers.ts";
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
