import { type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";

const name = "sre-managed-upgrade-operator-alerts";
const namespace = "openshift-monitoring";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly summary: string;
  readonly description: string;
}

const timedOut = (metric: string) => `avg_over_time(upgradeoperator_${metric}[10m]) == 1`;

const alerts: readonly Alert[] = [
  {
    alert: "UpgradeConfigValidationFailedSRE",
    expr: "upgradeoperator_upgradeconfig_validation_failed == 1",
    summary: "Upgrade config validation failed",
    description: "Upgrade config validation failed",
  },
  {
    alert: "UpgradeControlPlaneUpgradeTimeoutSRE",
    expr: timedOut("controlplane_timeout"),
    summary: "Controlplane upgrade timeout for {{ $labels.version }}",
    description: "controlplane upgrade for {{ $labels.version }} cannot be finished in the given time period",
  },
  {
    alert: "UpgradeNodeUpgradeTimeoutSRE",
    expr: timedOut("worker_timeout"),
    summary: "Nodes upgrade timeout for {{ $labels.version }}",
    description: "nodes upgrade for {{ $labels.version }} cannot be finished after the silence expired",
  },
  {
    alert: "UpgradeNodeDrainFailedSRE",
    expr: timedOut("node_drain_timeout"),
    summary: "Node drain failed in the given time period which is not caused by the PDB",
    description:
      "node drain takes too long and cannot be finished in the given time period during cluster upgrade",
  },
];

/** Upgrade alerts for the service's engineers. */
export const upgradeAlerts: Manifest = manifest(
  resources.prometheusRules,
  { name, namespace, labels: { prometheus: name, role: "alert-rules" } },
  {
    spec: {
      groups: [
        {
          name,
          rules: alerts.map(({ alert, expr, ...annotations }) => ({
            alert,
            expr,
            for: "10m",
            labels: { severity: "critical", namespace },
            annotations,
          })),
        },
      ],
    },
  },
);
