import type { JsonObject } from "@keelson/base";
import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { verbosity } from "@keelson/operator-kit";
import { configMapFile, resourceDir } from "../config/operand-paths.ts";
import type { OperandImages } from "./operand-pod.ts";
import type { OperatorSpec } from "./operand-settings.ts";

const manifestsDir = "/etc/kubernetes/manifests";
const logDir = "/var/log/kube-apiserver";
const revision = "REVISION";

/**
 * True if a startup monitor must observe new revisions: on a single master, which has no failover, or if an override enables the
 * monitor. False until the infrastructure is known. Until then, there is no earlier revision that the monitor could restore.
 */
export function wantsStartupMonitor(spec: OperatorSpec, infrastructure: KubeObject | undefined): boolean {
  if (!infrastructure) return false;
  const isSingle = stringAt(infrastructure, "status", "controlPlaneTopology") === "SingleReplica";
  return isSingle || spec.unsupportedConfigOverrides?.startupMonitor === true;
}

/**
 * Returns the static pod that monitors the start of a revision. After five minutes without success, it restores the last known
 * good revision.
 */
export function startupMonitorPod({ operator }: OperandImages, spec: OperatorSpec): JsonObject {
  const mount = (mountPath: string, name: string) => ({ mountPath, name });
  const ofRevision = (subPath: string) => ({
    ...mount(`${resourceDir}/${subPath}`, "pod-resource-dir"),
    subPath,
    readOnly: true,
  });
  const hostPath = (name: string, path: string) => ({ name, hostPath: { path } });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace: "openshift-kube-apiserver",
      name: "kube-apiserver-startup-monitor",
      labels: { revision },
    },
    spec: {
      containers: [
        {
          name: "startup-monitor",
          image: operator,
          imagePullPolicy: "IfNotPresent",
          terminationMessagePolicy: "FallbackToLogsOnError",
          command: ["cluster-kube-apiserver-operator", "startup-monitor"],
          args: [
            `-v=${verbosity(typeof spec.logLevel === "string" ? spec.logLevel : undefined)}`,
            "--fallback-timeout-duration=300s",
            "--target-name=kube-apiserver",
            `--manifests-dir=${manifestsDir}`,
            `--resource-dir=${resourceDir}`,
            "--installer-lock-file=/var/lock/kube-apiserver-installer.lock",
            `--revision=${revision}`,
            "--node-name=NODE_NAME",
            `--kubeconfig=${configMapFile(resourceDir, "kube-apiserver-cert-syncer-kubeconfig", "kubeconfig")}`,
            `--log-file-path=${logDir}/startup.log`,
          ],
          volumeMounts: [
            mount(manifestsDir, "manifests"),
            mount(resourceDir, "resource-dir"),
            ofRevision("secrets"),
            ofRevision("configmaps"),
            mount("/var/lock", "var-lock"),
            mount(logDir, "var-log"),
          ],
          resources: { requests: { memory: "50Mi", cpu: "5m" } },
          securityContext: { privileged: true, runAsUser: 0 },
        },
      ],
      hostNetwork: true,
      terminationGracePeriodSeconds: 5,
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists" }],
      volumes: [
        hostPath("resource-dir", resourceDir),
        hostPath("manifests", manifestsDir),
        hostPath("pod-resource-dir", `${resourceDir}/kube-apiserver-pod-${revision}`),
        hostPath("var-lock", "/var/lock"),
        hostPath("var-log", logDir),
      ],
    },
  };
}
