import type { JsonObject } from "@keelson/base";

const https = (path: string): JsonObject => ({ httpGet: { scheme: "HTTPS", port: 6443, path } });
const limits = { timeoutSeconds: 10, successThreshold: 1 };

/**
 * Probes of the API server. The bootstrap API server has the same probes. The liveness probe ignores etcd. The startup may take
 * two and a half minutes.
 */
export const apiServerProbes = {
  livenessProbe: { ...https("livez?exclude=etcd"), ...limits, periodSeconds: 10, failureThreshold: 3 },
  readinessProbe: { ...https("readyz"), ...limits, periodSeconds: 5, failureThreshold: 3 },
  startupProbe: { ...https("livez"), ...limits, periodSeconds: 5, failureThreshold: 30 },
};

/** Container that serves readiness over plain HTTP. Load balancers without TLS probes need it. */
export const insecureReadyz = {
  name: "kube-apiserver-insecure-readyz",
  imagePullPolicy: "IfNotPresent",
  terminationMessagePolicy: "FallbackToLogsOnError",
  command: ["cluster-kube-apiserver-operator", "insecure-readyz"],
  args: ["--insecure-port=6080", "--delegate-url=https://localhost:6443/readyz"],
  ports: [{ containerPort: 6080 }],
  resources: { requests: { memory: "50Mi", cpu: "5m" } },
};
