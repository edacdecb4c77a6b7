import type { ClusterContext } from "../context.ts";
import { condition, graph, step } from "../engine/graph.ts";
import { updateOpenShiftSecret } from "../steps/azure-credentials.ts";
import { startVMs } from "../steps/bootstrap.ts";
import { configureAPIServerCertificate, configureIngressCertificate } from "../steps/certificates.ts";
import { apiServersReady } from "../steps/cluster-operators.ts";
import { fixUserAdminKubeconfig } from "../steps/kubeconfigs.ts";
import { aroDeploymentReady } from "../steps/operator.ts";
import { reconcileLoadBalancerProfile } from "../steps/outbound-rule.ts";
import { createClusterServicePrincipalRBAC } from "../steps/role-assignments.ts";
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
    run: createClusterServicePrincipalRBAC,
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
    name: "configureAPIServerCertificate",
    needs: ["apiServersReady"],
    run: configureAPIServerCertificate,
  }),
  step({
    name: "configureIngressCertificate",
    needs: ["apiServersReady"],
    run: configureIngressCertificate,
  }),
  step({ name: "fixUserAdminKubeconfig", needs: ["validateResources"], run: fixUserAdminKubeconfig }),
  step({
    name: "reconcileLoadBalancerProfile",
    needs: ["validateResources"],
    weight: 2,
    run: reconcileLoadBalancerProfile,
  }),
  step({
    name: "updateOpenShiftSecret",
    needs: ["apiServersReady", "createOrUpdateClusterServicePrincipalRBAC"],
    run: updateOpenShiftSecret,
  }),
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
    needs: ["workersMatch"],
    until: aroDeploymentReady,
    timeoutMs: 5 * minutesMs,
    timeoutMessage: timeoutMessages.aroDeploymentReady,
  }),
]);
