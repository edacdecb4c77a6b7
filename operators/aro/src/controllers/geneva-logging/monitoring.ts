import { type Manifest, manifest, on, reading } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { exporterName, exporterRoles, namespace } from "./names.ts";

const prometheus = { kind: "ServiceAccount", name: "prometheus-k8s", namespace: "openshift-monitoring" };
const role = { name: prometheus.name, namespace };

const exporters = `kube_pod_info{namespace="${namespace}",created_by_kind="DaemonSet",pod=~"otel-exporter-.*"}`;
const running = `(up{namespace="${namespace}"} == 1)`;
const sent = `(sum by (pod) (rate(otelcol_exporter_sent_log_records{namespace="${namespace}"}[1h])) > 0)`;

/** Prometheus configuration for the exporters. An alert fires if an exporter sends no logs. */
export const exporterMonitoring: readonly Manifest[] = [
  manifest(resources.roles, role, { rules: [on("", "services endpoints pods", reading)] }),
  manifest(resources.roleBindings, role, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role.name },
    subjects: [prometheus],
  }),
  manifest(
    resources.podMonitors,
    { name: "otel-exporter", namespace },
    {
      spec: {
        selector: {
          matchExpressions: [{ key: "app", operator: "In", values: exporterRoles.map(exporterName) }],
        },
        podMetricsEndpoints: [
          {
            port: "metrics",
            relabelings: [{ sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "node" }],
          },
        ],
      },
    },
  ),
  manifest(
    resources.prometheusRules,
    { name: "otel-exporter-alerts", namespace },
    {
      spec: {
        groups: [
          {
            name: "sre-otel-exporter-alerts",
            rules: [
              {
                alert: "OTelExporterNoLogsShippedSRE",
                for: "10m",
                expr: `${exporters} unless on(pod) (${running} * on(pod) group_left() ${sent})`,
                labels: { severity: "critical", namespace },
                annotations: {
                  summary: "OTel exporter on {{ $labels.node }} has not shipped logs",
                  description:
                    "OTel exporter pod {{ $labels.pod }} on node {{ $labels.node }} has not exported any log records in the past hour",
                },
              },
            ],
          },
        ],
      },
    },
  ),
];
