import type { KubeObject } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { caBundle, configMap, secret, tlsSecret } from "../../base/data-objects.ts";
import type { ClusterSettings } from "../../settings/cluster-settings.ts";
import { staticPodRevisions } from "./static-pod-revisions.ts";

const certificateDays = 730;

/** Returns component objects that other components read: certificates, alert routing and the pull secret. */
export async function componentSeeds(settings: ClusterSettings): Promise<readonly KubeObject[]> {
  const apps = `apps.${settings.domain}`;
  const authority = await createCertificateAuthority("ingress-operator", certificateDays);
  const router = await issueCertificate(authority, {
    commonName: `*.${apps}`,
    dnsNames: [`*.${apps}`],
    usage: "server",
    validDays: certificateDays,
  });
  const bundle = authority.certificatePem;
  return [
    tlsSecret("openshift-ingress", "router-certs-default", router, bundle),
    tlsSecret("openshift-ingress-operator", "router-ca", authority),
    caBundle("openshift-config-managed", "default-ingress-cert", bundle),
    secret(
      "openshift-config",
      "pull-secret",
      { ".dockerconfigjson": JSON.stringify({ auths: {} }) },
      "kubernetes.io/dockerconfigjson",
    ),
    secret("openshift-monitoring", "alertmanager-main", { "alertmanager.yaml": alertmanager }),
    configMap("openshift-config", "openshift-install", {
      invoker: "hive",
      version: settings.openShiftVersion,
    }),
    configMap("openshift-kube-apiserver", "config", { "config.yaml": "{}" }),
    // Configuration of the masters' initial revision. The operator reads this configuration before it creates the next revision.
    configMap("openshift-kube-apiserver", "config-1", { "config.yaml": '{"apiServerArguments":{}}' }),
    ...staticPodRevisions(),
    ...monitoringRoutes(apps),
    ...workloads(),
  ];
}

/** Returns the monitoring routes for external users. The router admits them. */
function monitoringRoutes(apps: string): readonly KubeObject[] {
  const namespace = "openshift-monitoring";
  const routes = [
    { name: "alertmanager-main", path: "/api", service: "alertmanager-main" },
    { name: "prometheus-k8s", path: "/api", service: "prometheus-k8s" },
    { name: "prometheus-k8s-federate", path: "/federate", service: "prometheus-k8s" },
    { name: "thanos-querier", path: "/api", service: "thanos-querier" },
  ];
  return routes.map(({ name, path, service }) => ({
    apiVersion: "route.openshift.io/v1",
    kind: "Route",
    metadata: { namespace, name, labels: { "app.kubernetes.io/part-of": namespace } },
    spec: {
      host: `${name}-${namespace}.${apps}`,
      path,
      port: { targetPort: "web" },
      tls: { insecureEdgeTerminationPolicy: "Redirect", termination: "reencrypt" },
      to: { kind: "Service", name: service, weight: 100 },
      wildcardPolicy: "None",
    },
  }));
}

/**
 * Alert routing of a new cluster. The receivers contain no integrations, so no notifications are sent. The watchdog and critical
 * alerts have separate receivers.
 */
const alertmanager = `global:
  resolve_timeout: 5m
inhibit_rules:
  - equal: [namespace, alertname]
    source_matchers: [severity = critical]
    target_matchers: [severity =~ warning|info]
receivers:
  - name: Default
  - name: Watchdog
  - name: Critical
  - name: "null"
route:
  group_by: [namespace]
  group_interval: 5m
  group_wait: 30s
  receiver: Default
  repeat_interval: 12h
  routes:
    - matchers: [alertname = Watchdog]
      receiver: Watchdog
    - matchers: [alertname = InfoInhibitor]
      receiver: "null"
    - matchers: [severity = critical]
      receiver: Critical
`;

/** Deployments of the core operators, each with one pod on the control plane. */
const deployments: readonly (readonly [namespace: string, name: string])[] = [
  ["openshift-cloud-credential-operator", "cloud-credential-operator"],
  ["openshift-cluster-version", "cluster-version-operator"],
  ["openshift-console", "console"],
  ["openshift-dns-operator", "dns-operator"],
  ["openshift-etcd-operator", "etcd-operator"],
  ["openshift-image-registry", "cluster-image-registry-operator"],
  ["openshift-ingress-operator", "ingress-operator"],
  ["openshift-kube-apiserver-operator", "kube-apiserver-operator"],
  ["openshift-machine-api", "machine-api-operator"],
  ["openshift-machine-config-operator", "machine-config-operator"],
  ["openshift-monitoring", "cluster-monitoring-operator"],
  ["openshift-network-operator", "network-operator"],
];

/** DaemonSets with a pod on every node. */
const daemonSets: readonly (readonly [namespace: string, name: string])[] = [
  ["openshift-machine-config-operator", "machine-config-daemon"],
  ["openshift-ovn-kubernetes", "ovnkube-node"],
];

function workloads(): readonly KubeObject[] {
  return [
    ...deployments.map(([namespace, name]) => workload("Deployment", namespace, name, { replicas: 1 })),
    ...daemonSets.map(([namespace, name]) => workload("DaemonSet", namespace, name, {})),
  ];
}

function workload(
  kind: "Deployment" | "DaemonSet",
  namespace: string,
  name: string,
  spec: Readonly<Record<string, unknown>>,
): KubeObject {
  const labels = { "k8s-app": name };
  const everywhere = kind === "DaemonSet";
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { namespace, name, labels },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name, image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev:${name}` }],
          priorityClassName: everywhere ? "system-node-critical" : "system-cluster-critical",
          tolerations: everywhere
            ? [{ operator: "Exists" }]
            : [{ key: "node-role.kubernetes.io/master", operator: "Exists", effect: "NoSchedule" }],
          ...(everywhere
            ? { hostNetwork: true }
            : { nodeSelector: { "node-role.kubernetes.io/master": "" } }),
        },
      },
    },
  };
}
