import { resources } from "@keelson/kube";
import { type CustomCloud, cloudParts, credentialParts } from "./azure-access.ts";
import { versionLabel } from "./image-version.ts";
import { type Manifest, manifest } from "./manifest.ts";
import { type OperatorRole, operatorNameOf, operatorNamespace } from "./operator-names.ts";

export interface DeploymentOptions {
  /** Image reference of the operator. */
  readonly image: string;
  /** True if the cluster has managed identities instead of a service principal. */
  readonly usesWorkloadIdentity: boolean;
  /** True for OpenShift 4.11 and later. */
  readonly supportsPodSecurity: boolean;
  /** Endpoints of a custom cloud. Undefined for the Azure clouds that the operator has built in. */
  readonly cloud?: CustomCloud;
}

/** Returns the Deployment of one operator role (Azure/ARO-RP pkg/operator/deploy/staticresources/master and worker). */
export function deployment(role: OperatorRole, options: DeploymentOptions): Manifest {
  const { image, supportsPodSecurity, cloud } = options;
  const name = operatorNameOf(role);
  const labels = { app: name };
  const parts = [
    ...(role === "master" ? [credentialParts(options.usesWorkloadIdentity)] : []),
    cloudParts(cloud),
  ];
  const volumeMounts = parts.flatMap(({ mounts }) => mounts);
  const volumes = parts.flatMap((part) => part.volumes);
  return manifest(
    resources.deployments,
    { name, namespace: operatorNamespace, labels: { ...labels, version: versionLabel(image) } },
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: name,
            priorityClassName: "system-cluster-critical",
            // Unlike the original, the selector does not require the architecture amd64, because this image contains no native
            // code and also runs on arm64 workers.
            nodeSelector: { [`node-role.kubernetes.io/${role}`]: "" },
            tolerations: [
              { effect: "NoExecute", operator: "Exists" },
              { effect: "NoSchedule", operator: "Exists" },
            ],
            ...(supportsPodSecurity
              ? { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } }
              : {}),
            containers: [
              {
                name: "aro-operator",
                image,
                command: ["keelson"],
                args: ["operator", role],
                env: [...ownPlace, ...littleMemory, ...parts.flatMap(({ env }) => env)],
                ports: [
                  { name: "http", containerPort: 8080 },
                  { name: "http-metrics", containerPort: 8888 },
                ],
                // The original has no startup probe. The probe is necessary here, because pods on a busy node may take minutes to
                // start.
                startupProbe: {
                  httpGet: { path: "/healthz/ready", port: 8080 },
                  periodSeconds: 5,
                  failureThreshold: 120,
                },
                livenessProbe: { httpGet: { path: "/healthz/ready", port: 8080 } },
                // The original has no readiness probe. Without the probe, a pod would count as available before its caches are
                // filled.
                readinessProbe: { httpGet: { path: "/readyz/ready", port: 8080 }, periodSeconds: 5 },
                resources: { requests: { cpu: "10m", memory: role === "master" ? "250Mi" : "100Mi" } },
                ...(supportsPodSecurity ? { securityContext: restricted } : {}),
                ...(volumeMounts.length > 0 ? { volumeMounts } : {}),
              },
            ],
            ...(volumes.length > 0 ? { volumes } : {}),
          },
        },
      },
    },
  );
}

/**
 * Disruption budget of a role's Deployment. The budget permits the eviction of one replica at a time. A Deployment with a single
 * replica therefore does not block the drain of its node.
 */
export function disruptionBudget(role: OperatorRole): Manifest {
  const name = operatorNameOf(role);
  return manifest(
    resources.podDisruptionBudgets,
    { name, namespace: operatorNamespace },
    { spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } } },
  );
}

const ownPlace = [
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
  { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
];

/** Environment variables that reduce the memory use of a process that is mostly idle. */
export const littleMemory = [
  // Limits the young generation of the Node.js heap. The default limit is tens of megabytes, which an operator does not need.
  { name: "NODE_OPTIONS", value: "--max-semi-space-size=2" },
  // Makes glibc's malloc use one arena for all threads and return free memory to the system.
  { name: "MALLOC_ARENA_MAX", value: "1" },
  { name: "MALLOC_TRIM_THRESHOLD_", value: "65536" },
];

/** Pod Security settings of the profile `restricted`. The operator needs no further privileges, because it only uses APIs. */
const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};
