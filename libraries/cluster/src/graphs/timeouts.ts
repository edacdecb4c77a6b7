export const minutesMs = 60_000;

const retryHint = "Please retry, and if the issue persists, raise an Azure support ticket";

function orSupport(what: string): string {
  return `${what} ${retryHint}`;
}

/** Client messages for timeouts of conditions (Azure/ARO-RP pkg/util/steps/condition.go). */
export const timeoutMessages = {
  apiServersReady: orSupport("Kube API has not initialised successfully and is unavailable."),
  minimumWorkerNodesReady: orSupport("Minimum number of worker nodes have not been successfully created."),
  operatorConsoleExists: orSupport("Console Cluster Operator has failed to initialize successfully."),
  operatorConsoleReady: orSupport("Console Cluster Operator has not started successfully."),
  clusterVersionReady: orSupport("Cluster Version is not reporting status as ready."),
  ingressControllerReady: orSupport("Ingress Cluster Operator has not started successfully."),
  aroDeploymentReady: orSupport("ARO Cluster Operator has failed to initialize successfully."),
  ensureAROOperatorRunningDesiredVersion: orSupport("ARO Cluster Operator is not running desired version."),
  /** Azure/ARO-RP has no message for this condition, because its installer waits for the bootstrap. */
  bootstrapComplete: orSupport("Timed out waiting for the condition to complete."),
  workersMatch: orSupport("The worker nodes do not match the requested number."),
} as const;
