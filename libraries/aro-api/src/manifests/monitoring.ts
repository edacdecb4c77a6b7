import { resources } from "@keelson/kube";
import { type Manifest, manifest } from "./manifest.ts";
import { operatorNameOf, operatorNamespace } from "./operator-names.ts";

const name = operatorNameOf("master");
const namespace = operatorNamespace;
const prometheus = { kind: "ServiceAccount", name: "prometheus-k8s", namespace: "openshift-monitoring" };

/**
 * Service for the ports of the operator's master role, and the monitoring objects through which the cluster's Prometheus scrapes
 * these ports.
 */
export const monitoring: readonly Manifest[] = [
  manifest(
    resources.services,
    { name, namespace, labels: { name } },
    {
      spec: {
        selector: { app: name },
        ports: [
          { name: "http", port: 8080, targetPort: 8080 },
          { name: "http-metrics", port: 8888, targetPort: 8888 },
        ],
      },
    },
  ),
  manifest(
    resources.roles,
    { name: prometheus.name, namespace },
    {
      rules: [
        { apiGroups: [""], resources: ["services", "endpoints", "pods"], verbs: ["get", "list", "watch"] },
      ],
    },
  ),
  manifest(
    resources.roleBindings,
    { name: prometheus.name, namespace },
    {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: prometheus.name },
      subjects: [prometheus],
    },
  ),
  manifest(
    resources.serviceMonitors,
    { name, namespace },
    { spec: { selector: { matchLabels: { name } }, endpoints: [{ port: "http-metrics" }] } },
  ),
];
