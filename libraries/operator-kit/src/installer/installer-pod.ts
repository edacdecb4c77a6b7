import { stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { fieldVariable } from "../objects/field-variable.ts";
import type { WantedObject } from "../objects/managed-objects.ts";
import { statusName } from "../revisions/plan-revision.ts";
import type { NodeStatus } from "../static-pod/node-status.ts";
import {
  manifestName,
  type RevisionedSource,
  revisionName,
  type StaticPod,
} from "../static-pod/static-pod.ts";

const resourceDir = "/etc/kubernetes/static-pod-resources";
const manifestDir = "/etc/kubernetes/manifests";

/** Returns a pod that installs the node's target revision once. The pod is bound to the node. */
export function installerPod(
  pod: StaticPod,
  configuration: KubeObject,
  node: NodeStatus,
  name: string,
  status: KubeObject,
  hasMonitor: boolean,
): WantedObject {
  const { namespace, installerCommand, operatorImage, revisioned, live, certDir } = pod;
  // The installer and the startup monitor both change manifests. The lock prevents concurrent changes.
  const lock = hasMonitor ? [`--pod-manifests-lock-file=/var/lock/${pod.name}-installer.lock`] : [];
  const args = [
    `-v=${verbosity(stringAt(configuration, "spec", "logLevel"))}`,
    `--revision=${node.targetRevision}`,
    `--namespace=${namespace}`,
    `--pod=${manifestName(pod)}`,
    `--resource-dir=${resourceDir}`,
    `--pod-manifest-dir=${manifestDir}`,
    ...lock,
    ...sourceFlags(revisioned.configMaps, "configmaps"),
    ...sourceFlags(revisioned.secrets, "secrets"),
    `--cert-dir=${resourceDir}/${certDir}`,
    ...sourceFlags(live.configMaps, "cert-configmaps"),
    ...sourceFlags(live.secrets, "cert-secrets"),
  ];
  const container = {
    name: "installer",
    command: [...installerCommand],
    args,
    image: operatorImage,
    env: [fieldVariable("POD_NAME", "metadata.name"), fieldVariable("NODE_NAME", "spec.nodeName")],
    volumeMounts: [
      { mountPath: "/etc/kubernetes/", name: "kubelet-dir" },
      { mountPath: "/var/lock", name: "var-lock" },
    ],
  };
  const volumes = [
    { hostPath: { path: "/etc/kubernetes/" }, name: "kubelet-dir" },
    { hostPath: { path: "/var/lock" }, name: "var-lock" },
  ];
  const metadata = { namespace, name, labels: { app: "installer" }, ownerReferences: [ownerOf(status)] };
  return { metadata, spec: pinnedPod(node.nodeName, container, volumes) };
}

/** Returns a pod that deletes unneeded revisions from a node's disk. */
export function prunerPod(
  pod: StaticPod,
  node: string,
  latest: number,
  kept: readonly number[],
  status: KubeObject,
): WantedObject {
  const container = {
    name: "pruner",
    command: [...pod.prunerCommand],
    args: [
      "-v=4",
      `--max-eligible-revision=${latest}`,
      `--protected-revisions=${kept.join(",")}`,
      `--resource-dir=${resourceDir}`,
      `--static-pod-name=${manifestName(pod)}`,
    ],
    image: pod.operatorImage,
    volumeMounts: [{ mountPath: "/etc/kubernetes/", name: "kubelet-dir" }],
  };
  const metadata = {
    namespace: pod.namespace,
    name: `revision-pruner-${latest}-${node}`,
    labels: { app: "pruner" },
    ownerReferences: [ownerOf(status)],
  };
  const volumes = [{ hostPath: { path: "/etc/kubernetes/" }, name: "kubelet-dir" }];
  return { metadata, spec: pinnedPod(node, container, volumes) };
}

/**
 * Returns the key of a revision's status ConfigMap. This ConfigMap owns the revision's objects, so the garbage collector deletes
 * them after the ConfigMap is deleted.
 */
export function revisionStatusKey(pod: StaticPod, revision: number) {
  return { namespace: pod.namespace, name: revisionName(statusName, revision) };
}

function ownerOf({ apiVersion, kind, metadata: { name, uid = "" } }: KubeObject) {
  return { apiVersion, kind, name, uid };
}

function pinnedPod(nodeName: string, container: object, volumes: readonly object[]) {
  const amounts = { memory: "200M", cpu: "150m" };
  return {
    serviceAccountName: "installer-sa",
    nodeName,
    containers: [
      {
        ...container,
        imagePullPolicy: "IfNotPresent",
        terminationMessagePolicy: "FallbackToLogsOnError",
        securityContext: { privileged: true, runAsUser: 0 },
        resources: { requests: amounts, limits: amounts },
      },
    ],
    restartPolicy: "Never",
    priorityClassName: "system-node-critical",
    tolerations: [{ operator: "Exists" }],
    securityContext: { runAsUser: 0 },
    volumes,
  };
}

function sourceFlags(sources: readonly RevisionedSource[], flag: string): readonly string[] {
  return sources.map(({ name, optional = false }) => `--${optional ? "optional-" : ""}${flag}=${name}`);
}

/** Returns the `-v` flag of the operator's processes for a configured log level. */
export function verbosity(logLevel: string | undefined): number {
  return { Debug: 4, Trace: 6, TraceAll: 8 }[logLevel ?? ""] ?? 2;
}

/** Returns the missing ConfigMaps and Secrets of a revision, grouped for messages. */
export function missingSources(
  { revisioned, live }: StaticPod,
  revision: number,
  exists: (resource: KubeResource, name: string) => boolean,
): readonly string[] {
  const group = (kind: string, resource: KubeResource, names: readonly string[]) => {
    const missing = names.filter((name) => !exists(resource, name)).sort();
    return missing.length === 0 ? [] : [`${kind}: ${missing.join(",")}`];
  };
  const required = (sources: readonly RevisionedSource[]) =>
    sources.filter(({ optional }) => !optional).map(({ name }) => name);
  const copies = (sources: readonly RevisionedSource[]) =>
    required(sources).map((name) => revisionName(name, revision));
  return [
    ...group("configmaps", resources.configMaps, required(live.configMaps)),
    ...group("secrets", resources.secrets, required(live.secrets)),
    ...group("configmaps", resources.configMaps, copies(revisioned.configMaps)),
    ...group("secrets", resources.secrets, copies(revisioned.secrets)),
  ];
}
