import { graph } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import {
  configureAPIServerCertificate,
  configureIngressCertificate,
  createCertificates,
} from "../control-plane/certificates.ts";
import { apiServersReady } from "../control-plane/cluster-operators.ts";
import { fixUserAdminKubeconfig } from "../control-plane/kubeconfigs.ts";
import { startVMs } from "../control-plane/start-machines.ts";
import {
  aroCredentialsRequestProgress,
  aroCredentialsRequestReconciled,
  updateAROSecret,
  updateOpenShiftSecret,
} from "../credentials/azure-credentials.ts";
import { rotateACRTokenPassword } from "../credentials/registry-token.ts";
import { clusterSPObjectID } from "../credentials/service-principal.ts";
import { createOrUpdateClusterServicePrincipalRBAC } from "../identity/role-assignments.ts";
import { hiveEnsureResources } from "../install/hive.ts";
import { reconcileLoadBalancerProfile } from "../load-balancer/outbound-rule.ts";
import { restoreNSGs } from "../network/attach-subnets.ts";
import { reconcileSoftwareDefinedNetwork } from "../network/network-profile.ts";
import { ensureCredentialsRequest } from "../operator/install-operator.ts";
import { aroDeploymentProgress, aroDeploymentReady } from "../operator/operator-readiness.ts";
import { restartAROOperatorMaster } from "../operator/restart-operator.ts";
import { createOrUpdateDenyAssignment } from "../resource-group/deny-assignment.ts";
import { validateResources } from "../validation/validate-resources.ts";
import { scaleWorkers, scalingEnded } from "../workers/scale-workers.ts";
import { updateWorkerProfilesStatus } from "../workers/worker-profiles-status.ts";
import { minutesMs, timeoutMessages } from "./timeouts.ts";

/**
 * Applies a customer's update, and repairs expired or drifted resources (Azure/ARO-RP pkg/cluster/install.go, Update). Changes
 * the number of workers only if the customer requests a new number.
 */
export const updateGraph = graph<ClusterContext>("update")
  .step("restoreNSGs", { run: restoreNSGs })
  .step("validateResources", { needs: ["restoreNSGs"], run: validateResources })
  .step("fixupClusterSPObjectID", { needs: ["validateResources"], run: clusterSPObjectID })
  .step("createOrUpdateClusterServicePrincipalRBAC", {
    needs: ["fixupClusterSPObjectID"],
    run: createOrUpdateClusterServicePrincipalRBAC,
  })
  .step("createOrUpdateDenyAssignment", {
    needs: ["createOrUpdateClusterServicePrincipalRBAC"],
    run: createOrUpdateDenyAssignment,
  })
  .step("startVMs", { needs: ["validateResources"], run: startVMs })
  .condition("apiServersReady", {
    needs: ["startVMs"],
    until: apiServersReady,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.apiServersReady,
  })
  .step("rotateACRTokenPassword", { needs: ["apiServersReady"], run: rotateACRTokenPassword })
  .step("correctCertificateIssuer", { needs: ["apiServersReady"], run: createCertificates })
  .step("configureAPIServerCertificate", {
    needs: ["correctCertificateIssuer"],
    run: configureAPIServerCertificate,
  })
  .step("configureIngressCertificate", {
    needs: ["correctCertificateIssuer"],
    run: configureIngressCertificate,
  })
  .step("hiveEnsureResources", { needs: ["apiServersReady"], run: hiveEnsureResources })
  .step("fixUserAdminKubeconfig", { needs: ["validateResources"], run: fixUserAdminKubeconfig })
  .step("reconcileLoadBalancerProfile", {
    needs: ["validateResources"],
    weight: 2,
    run: reconcileLoadBalancerProfile,
  })
  .step("reconcileSoftwareDefinedNetwork", {
    needs: ["apiServersReady"],
    run: reconcileSoftwareDefinedNetwork,
  })
  .step("ensureCredentialsRequest", { needs: ["apiServersReady"], run: ensureCredentialsRequest })
  .step("updateOpenShiftSecret", {
    needs: ["createOrUpdateDenyAssignment", "ensureCredentialsRequest"],
    run: updateOpenShiftSecret,
  })
  .condition("aroCredentialsRequestReconciled", {
    needs: ["updateOpenShiftSecret"],
    until: aroCredentialsRequestReconciled,
    progress: aroCredentialsRequestProgress,
    timeoutMs: 3 * minutesMs,
  })
  .step("updateAROSecret", { needs: ["aroCredentialsRequestReconciled"], run: updateAROSecret })
  .step("restartAROOperatorMaster", { needs: ["updateAROSecret"], run: restartAROOperatorMaster })
  .step("scaleWorkers", { needs: ["updateOpenShiftSecret"], run: scaleWorkers })
  .condition("workersMatch", {
    needs: ["scaleWorkers"],
    weight: 5,
    until: scalingEnded,
    timeoutMs: 30 * minutesMs,
    timeoutMessage: timeoutMessages.workersMatch,
  })
  .step("updateWorkerProfilesStatus", { needs: ["workersMatch"], run: updateWorkerProfilesStatus })
  .condition("aroDeploymentReady", {
    needs: ["restartAROOperatorMaster", "workersMatch"],
    until: aroDeploymentReady,
    progress: aroDeploymentProgress,
    timeoutMs: 5 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  })
  .build();
