import type { ClusterAlerts } from "@keelson/portal-api";

export const exampleAlerts: ClusterAlerts = {
  total: 2,
  alerts: [
    {
      name: "Watchdog",
      severity: "none",
      namespace: "openshift-monitoring",
      summary: "Fires always, so that its absence shows that alerting is broken.",
      description: "",
      since: "2026-11-20T08:50:00Z",
      labels: {},
    },
    {
      name: "KubeNodeNotReady",
      severity: "warning",
      namespace: "openshift-monitoring",
      summary: "Node is not ready.",
      description: "demo-x7k2p-worker-1 has been unready for more than 15 minutes.",
      runbookUrl: "https://github.com/openshift/runbooks/blob/master/alerts/KubeNodeNotReady.md",
      since: "2026-11-26T13:00:00Z",
      labels: { node: "demo-x7k2p-worker-1", container: "kube-rbac-proxy-main" },
    },
  ],
};
