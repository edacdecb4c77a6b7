import { resources } from "@keelson/kube";
import { defineCollector } from "../collector.ts";
import { type ReportedCondition, unexpectedConditions } from "../conditions.ts";

const expected = {
  Available: "True",
  Degraded: "False",
  Progressing: "False",
  Upgradeable: "True",
  EvaluationConditionsDetected: "False",
};

/**
 * Condition types for which the status Unknown is also expected. Conditions of these types are Unknown until the cluster
 * evaluates them for the first time (Azure/ARO-RP 255df1b67a).
 */
const mayBeUnknown = new Set(["Upgradeable", "EvaluationConditionsDetected"]);

/** Harmless conditions in the form `{operator} {type}={status}` (Azure/ARO-RP pkg/monitor/cluster). */
const harmless = new Set([
  "cloud-controller-manager TrustedCABundleControllerControllerDegraded=False",
  "cloud-controller-manager TrustedCABundleControllerControllerAvailable=True",
  "cloud-controller-manager CloudConfigControllerDegraded=False",
  "cloud-controller-manager CloudConfigControllerUpgradeable=True",
  "cloud-controller-manager CloudControllerOwner=True",
  "baremetal Disabled=True",
  "network ManagementStateDegraded=False",
]);
/**
 * Conditions that are ignored, whatever their status is. `operator` matches part of the ClusterOperator's name, and `type`
 * matches part of the condition's type.
 */
const ignored: readonly { readonly operator: RegExp; readonly type: RegExp }[] = [
  { operator: /etcd/, type: /RecentBackup/ },
  { operator: /insights/, type: /^/ },
  { operator: /cluster-api/, type: /(CapiInstaller|SecretSync|InfraCluster)ControllerAvailable/ },
];

export const clusterOperatorConditions = defineCollector({
  name: "emitClusterOperatorConditions",
  metrics: {
    "clusteroperator.conditions": {
      help: "1 for each condition of a ClusterOperator with an unexpected status.",
      dimensions: ["name", "status", "type"],
    },
    "clusteroperator.count": { help: "Number of ClusterOperators.", dimensions: [] },
  },
  async collect({ view, emit, explain }) {
    const operators = await view.list(resources.clusterOperators);
    for (const operator of operators) {
      const { name } = operator.metadata;
      for (const condition of unexpectedConditions(operator, expected)) {
        if (isIgnored(name, condition)) continue;
        const { status, type, message } = condition;
        emit("clusteroperator.conditions", 1, { name, status, type });
        explain({ metric: "clusteroperator.conditions", name, status, type, message });
      }
    }
    emit("clusteroperator.count", operators.length, {});
  },
});

function isIgnored(name: string, { type, status }: ReportedCondition): boolean {
  if (status === "Unknown" && mayBeUnknown.has(type)) return true;
  if (Object.hasOwn(expected, type)) return false;
  if (harmless.has(`${name} ${type}=${status}`)) return true;
  return ignored.some((rule) => rule.operator.test(name) && rule.type.test(type));
}
