export const minutesMs = 60_000;

/** What a client reads when a condition did not come true in time (Azure/ARO-RP pkg/util/steps/condition.go). */
export const timeoutMessages = {
  apiServersReady: "Kube API has not initialised successfully and is unavailable.",
  minimumWorkerNodesReady: "Minimum number of worker nodes have not been successfully created.",
  operatorConsoleExists: "Console Cluster Operator has failed to initialize successfully.",
  operatorConsoleReady: "Console Cluster Operator has not started successfully.",
  clusterVersionReady: "Cluster Version is not reporting status as ready.",
  ingressControllerReady: "Ingress Cluster Operator has not started successfully.",
  aroDeploymentReady: "ARO Cluster Operator has failed to initialize successfully.",
  ensureAROOperatorRunningDesiredVersion: "ARO Cluster Operator is not running desired version.",
  /** Ours: others hide this wait in their installers. */
  bootstrapComplete: "Timed out waiting for the condition to complete.",
  workersMatch: "The worker nodes do not match the requested number.",
} as const;
