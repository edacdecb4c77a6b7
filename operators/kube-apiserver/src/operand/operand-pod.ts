import type { JsonObject } from "@keelson/base";
import { fieldVariable } from "@keelson/operator-kit";
import { certificateDir, configMapFile, resourceDir, syncerKubeconfig } from "../config/operand-paths.ts";
import { apiServerScript, setupScript } from "./container-scripts.ts";
import type { OperandSettings } from "./operand-settings.ts";
import { apiServerProbes, insecureReadyz } from "./probes.ts";

export interface OperandImages {
  readonly operand: string;
  readonly operator: string;
  /** Version of the operator. */
  readonly version: string;
}

/** Placeholder that the installer replaces with the revision number. */
const revision = "REVISION";

const mounts = {
  resources: { mountPath: resourceDir, name: "resource-dir" },
  certificates: { mountPath: certificateDir, name: "cert-dir" },
  audit: { mountPath: "/var/log/kube-apiserver", name: "audit-dir" },
  tmp: { mountPath: "/tmp", name: "tmp-dir" },
  bundle: { mountPath: "/etc/pki/ca-trust/extracted/pem", name: "ca-bundle-dir" },
};
const checkEndpointsPort = 17697;

const podName = fieldVariable("POD_NAME", "metadata.name");
const podNamespace = fieldVariable("POD_NAMESPACE", "metadata.namespace");

const common = { imagePullPolicy: "IfNotPresent", terminationMessagePolicy: "FallbackToLogsOnError" };
const requests = (memory: string, cpu: string) => ({ resources: { requests: { memory, cpu } } });
const readOnly = { securityContext: { readOnlyRootFilesystem: true } };
const privileged = { securityContext: { readOnlyRootFilesystem: true, privileged: true } };
// The installer writes files that only root can read. Sidecars therefore run as root.
const sidecar = (command: string) => ({
  ...common,
  securityContext: { ...readOnly.securityContext, runAsUser: 0 },
  command: ["cluster-kube-apiserver-operator", command],
});

/** Returns the static pod of one revision, with the API server and its sidecars. */
export function operandPod(images: OperandImages, settings: OperandSettings): JsonObject {
  const { gracefulTerminationSeconds, proxy } = settings;
  const proxyEnvironment = proxy.map(([name, value]) => ({ name, value }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "openshift-kube-apiserver",
      name: "kube-apiserver",
      annotations: {
        "kubectl.kubernetes.io/default-container": "kube-apiserver",
        "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
      },
      labels: { app: "openshift-kube-apiserver", apiserver: "true", revision },
    },
    spec: {
      initContainers: [setup(images, gracefulTerminationSeconds)],
      containers: containers(images, settings).map(({ env = [], ...container }) => {
        const environment = [...env, ...proxyEnvironment];
        return { ...container, ...(environment.length > 0 ? { env: environment } : {}) };
      }),
      terminationGracePeriodSeconds: gracefulTerminationSeconds,
      hostNetwork: true,
      priority: 2_000_001_000,
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists" }],
      volumes: [
        { hostPath: { path: `${resourceDir}/kube-apiserver-pod-${revision}` }, name: "resource-dir" },
        { hostPath: { path: `${resourceDir}/kube-apiserver-certs` }, name: "cert-dir" },
        { hostPath: { path: "/var/log/kube-apiserver" }, name: "audit-dir" },
        { emptyDir: {}, name: "tmp-dir" },
        { emptyDir: {}, name: "ca-bundle-dir" },
      ],
    },
  };
}

function setup({ operand }: OperandImages, gracefulTerminationSeconds: number): JsonObject {
  // The timeout allows 85 s after the wait for the lock. The script uses at most 75 s: 10 s for the ports and 65 s for the last
  // requests. Of the remaining 10 s, the container runtime needs 5 s. The other 5 s are a reserve.
  const timeoutSeconds = gracefulTerminationSeconds + 80 + 5;
  return {
    name: "setup",
    image: operand,
    ...common,
    ...privileged,
    ...requests("50Mi", "5m"),
    volumeMounts: [mounts.audit, mounts.tmp],
    command: ["/usr/bin/timeout", String(timeoutSeconds), "/bin/bash", "-ec"],
    args: [setupScript(gracefulTerminationSeconds)],
  };
}

interface Container extends JsonObject {
  readonly env?: readonly JsonObject[];
}

function containers(
  { operand, operator, version }: OperandImages,
  settings: OperandSettings,
): readonly Container[] {
  return [
    {
      name: "kube-apiserver",
      image: operand,
      ...common,
      ...privileged,
      ...requests("1Gi", "265m"),
      ...apiServerProbes,
      command: ["/bin/bash", "-ec"],
      args: [apiServerScript(settings.gracefulTerminationSeconds, settings.verbosity)],
      ports: [{ containerPort: 6443 }],
      volumeMounts: [mounts.resources, mounts.certificates, mounts.audit, mounts.tmp, mounts.bundle],
      env: [
        podName,
        podNamespace,
        { name: "STATIC_POD_VERSION", value: revision },
        fieldVariable("HOST_IP", "status.hostIP"),
        { name: "GOGC", value: String(settings.garbageCollectionPercent) },
      ],
    },
    {
      name: "kube-apiserver-cert-syncer",
      image: operator,
      ...sidecar("cert-syncer"),
      ...requests("50Mi", "5m"),
      args: [
        `--kubeconfig=${syncerKubeconfig}`,
        "--namespace=$(POD_NAMESPACE)",
        `--destination-dir=${certificateDir}`,
      ],
      volumeMounts: [mounts.resources, mounts.certificates, mounts.tmp],
      env: [podName, podNamespace],
    },
    {
      name: "kube-apiserver-cert-regeneration-controller",
      image: operator,
      ...sidecar("cert-regeneration-controller"),
      ...requests("50Mi", "5m"),
      args: [`--kubeconfig=${syncerKubeconfig}`, "--namespace=$(POD_NAMESPACE)", "-v=2"],
      volumeMounts: [mounts.resources, mounts.tmp],
      env: [podNamespace, { name: "OPERATOR_IMAGE_VERSION", value: version }],
    },
    { ...insecureReadyz, image: operator, ...readOnly },
    checkEndpoints(operator, settings.checkEndpointsAddress),
  ];
}

function checkEndpoints(image: string, address: string): Container {
  const probe = {
    httpGet: { scheme: "HTTPS", port: checkEndpointsPort, path: "healthz" },
    initialDelaySeconds: 10,
    timeoutSeconds: 10,
  };
  return {
    name: "kube-apiserver-check-endpoints",
    image,
    ...sidecar("check-endpoints"),
    ...requests("50Mi", "10m"),
    args: [
      "--kubeconfig",
      configMapFile(certificateDir, "check-endpoints-kubeconfig", "kubeconfig"),
      "--config",
      configMapFile(resourceDir, "config", "config.yaml"),
      "--listen",
      `${address}:${checkEndpointsPort}`,
      "--namespace",
      "$(POD_NAMESPACE)",
      "--v",
      "2",
    ],
    ports: [
      {
        name: "check-endpoints",
        hostPort: checkEndpointsPort,
        containerPort: checkEndpointsPort,
        protocol: "TCP",
      },
    ],
    livenessProbe: probe,
    readinessProbe: probe,
    volumeMounts: [mounts.resources, mounts.certificates, mounts.tmp],
    env: [podName, podNamespace],
  };
}
