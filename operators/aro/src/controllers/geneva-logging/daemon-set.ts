import { createHash } from "node:crypto";
import { type Manifest, manifest } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import type { Gateway } from "./gateway.ts";
import { accountName, configKey, configName, type ExporterRole, exporterName, namespace } from "./names.ts";

const master = "node-role.kubernetes.io/master";
const controlPlane = "node-role.kubernetes.io/control-plane";
const nodes: Readonly<Record<ExporterRole, readonly object[]>> = {
  // A node is selected if it matches at least one term. A node matches a term if it matches all of the term's expressions.
  master: [master, controlPlane].map((key) => ({ matchExpressions: [{ key, operator: "Exists" }] })),
  worker: [{ matchExpressions: [master, controlPlane].map((key) => ({ key, operator: "DoesNotExist" })) }],
};
const cpuLimits: Readonly<Record<ExporterRole, string>> = { master: "2", worker: "200m" };
const healthPort = 13_133;
const metricsPort = 8_888;

const volumes = [
  { name: "log", readOnly: true, mountPath: "/var/log", source: { hostPath: { path: "/var/log" } } },
  {
    name: "machine-id",
    readOnly: true,
    mountPath: "/etc/machine-id",
    source: { hostPath: { path: "/etc/machine-id", type: "File" } },
  },
  {
    name: configName,
    readOnly: true,
    mountPath: "/etc/otel",
    source: { configMap: { name: configName } },
  },
  {
    name: "otel-file-storage",
    mountPath: "/var/lib/otelcol/file_storage",
    source: { hostPath: { path: "/var/lib/otelcol/file_storage", type: "DirectoryOrCreate" } },
  },
];

export interface ExporterOptions {
  readonly role: ExporterRole;
  readonly image: string;
  /** Collector configuration. */
  readonly config: string;
  readonly gateway: Gateway;
}

/** Returns the DaemonSet of the collectors on a role's nodes. */
export function daemonSet({ role, image, config, gateway }: ExporterOptions): Manifest {
  const name = exporterName(role);
  const labels = { app: name };
  const probe = (initialDelaySeconds: number) => ({
    httpGet: { path: "/healthz", port: healthPort },
    initialDelaySeconds,
    periodSeconds: 10,
    failureThreshold: 3,
  });
  return manifest(
    resources.daemonSets,
    { name, namespace },
    {
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels,
            annotations: {
              "aro.openshift.io/otel-config-sha256": createHash("sha256").update(config).digest("hex"),
            },
          },
          spec: {
            // The null removes node selectors that other writers have set, because they could exclude all nodes.
            nodeSelector: null,
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodes[role] },
              },
            },
            tolerations: [
              { effect: "NoExecute", operator: "Exists" },
              { effect: "NoSchedule", operator: "Exists" },
            ],
            priorityClassName: "system-cluster-critical",
            serviceAccountName: accountName,
            automountServiceAccountToken: false,
            hostAliases: [{ ip: gateway.ip, hostnames: [gateway.hostname] }],
            volumes: volumes.map(({ name, source }) => ({ name, ...source })),
            containers: [
              {
                name: "otel-exporter",
                image,
                args: ["--config", `/etc/otel/${configKey(role)}`],
                env: [
                  { name: "GENEVA_GATEWAY_ENDPOINT", value: gateway.endpoint },
                  {
                    name: "MONITORING_ROLE_INSTANCE",
                    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "spec.nodeName" } },
                  },
                ],
                ports: [
                  { name: "health", containerPort: healthPort },
                  { name: "metrics", containerPort: metricsPort },
                ],
                livenessProbe: probe(10),
                readinessProbe: probe(5),
                resources: {
                  requests: { cpu: "10m", memory: "250Mi" },
                  limits: { cpu: cpuLimits[role], memory: "1000Mi" },
                },
                securityContext: {
                  runAsUser: 0,
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: ["ALL"] },
                  seccompProfile: { type: "RuntimeDefault" },
                  seLinuxOptions: { type: "spc_t" },
                },
                volumeMounts: volumes.map(({ source: _, ...mount }) => mount),
              },
            ],
          },
        },
      },
    },
  );
}
