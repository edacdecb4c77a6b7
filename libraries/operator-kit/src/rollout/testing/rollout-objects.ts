import type { KubeObject } from "@keelson/kube";
import type { RolloutObjects } from "../rollout-timeline.ts";

/** Returns the time that is `seconds` after noon. */
export const at = (seconds: number) =>
  new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)).toISOString().replace(".000", "");

interface InstallerFacts {
  readonly name: string;
  readonly node: string;
  readonly from: number;
  readonly to?: number;
  readonly failure?: string;
}

export function installer({ name, node, from, to, failure }: InstallerFacts): KubeObject {
  const terminated = to === undefined ? undefined : { finishedAt: at(to), message: failure };
  const phase = to === undefined ? "Running" : failure === undefined ? "Succeeded" : "Failed";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, creationTimestamp: at(from), labels: { app: "installer" } },
    spec: { nodeName: node },
    status: { phase, containerStatuses: [{ name: "installer", state: { terminated } }] },
  };
}

export function mirror(node: string, revision: number, readyAt?: number): KubeObject {
  const ready =
    readyAt === undefined
      ? { type: "Ready", status: "False" }
      : { type: "Ready", status: "True", lastTransitionTime: at(readyAt) };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `kube-apiserver-${node}`, labels: { revision: `${revision}` } },
    status: { phase: "Running", conditions: [ready] },
  };
}

export function revisionMaps(revision: number, from: number, reason: string): readonly KubeObject[] {
  const uid = `uid-${revision}`;
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: `revision-status-${revision}`, uid };
  return [
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: owner.name,
        uid,
        creationTimestamp: at(from),
        annotations: { "operator.openshift.io/revision-ready": "true" },
      },
      data: { revision: `${revision}`, reason },
    },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `config-${revision}`, creationTimestamp: at(from + 2), ownerReferences: [owner] },
    },
  ];
}

function event(reason: string, seconds: number, message: string, reportingInstance = ""): KubeObject {
  const metadata = { name: `${reason}-${seconds}` };
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata,
    reason,
    message,
    firstTimestamp: at(seconds),
    reportingInstance,
  };
}

const nodeReached = (node: string, revision: number, seconds: number) =>
  event(
    "NodeCurrentRevisionChanged",
    seconds,
    `Updated node "${node}" from revision ${revision - 1} to ${revision} because static pod is ready`,
  );

/**
 * Revision 4 is complete. In revision 5, master-0 is ready after a failed installer. master-1 is starting and master-2 is
 * waiting.
 */
export const twoRollouts: RolloutObjects = {
  configuration: {
    apiVersion: "operator.openshift.io/v1",
    kind: "KubeAPIServer",
    metadata: { name: "cluster" },
    status: {
      latestAvailableRevision: 5,
      nodeStatuses: [
        { nodeName: "master-0", currentRevision: 5 },
        { nodeName: "master-1", currentRevision: 4, targetRevision: 5 },
        { nodeName: "master-2", currentRevision: 4 },
      ],
    },
  },
  configMaps: [
    ...revisionMaps(4, -3_600, "required configmap/kube-apiserver-pod has changed"),
    ...revisionMaps(
      5,
      0,
      "required configmap/config has changed,optional secret/webhook-authenticator has been created",
    ),
  ],
  pods: [
    ...[0, 1, 2].map((node) =>
      installer({
        name: `installer-4-master-${node}`,
        node: `master-${node}`,
        from: -3_590 + node * 180,
        to: -3_570 + node * 180,
      }),
    ),
    installer({
      name: "installer-5-master-0",
      node: "master-0",
      from: 5,
      to: 12,
      failure: "disk <full> & slow",
    }),
    installer({ name: "installer-5-retry-1-master-0", node: "master-0", from: 28, to: 40 }),
    mirror("master-0", 5, 150),
    installer({ name: "installer-5-master-1", node: "master-1", from: 182, to: 194 }),
    mirror("master-1", 4, -3_200),
    mirror("master-2", 4, -3_020),
  ],
  events: [
    nodeReached("master-0", 4, -3_400),
    nodeReached("master-1", 4, -3_220),
    nodeReached("master-2", 4, -3_010),
    nodeReached("master-0", 5, 181),
    event("StaticPodInstallerFailed", 12, "Installing revision 5: disk full", "installer-5-master-0"),
    event("Created", 13, "irrelevant"),
  ],
};
