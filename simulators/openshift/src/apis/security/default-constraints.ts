import type { KubeObject } from "@keelson/apiserver";

const commonVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

interface Constraints {
  readonly name: string;
  readonly privileged?: boolean;
  readonly priority?: number;
  readonly host?: readonly ("Network" | "Ports" | "PID" | "IPC" | "DirVolumePlugin")[];
  readonly allowedCapabilities?: readonly string[] | null;
  readonly dropped?: readonly string[] | null;
  readonly fsGroup?: string;
  readonly runAsUser: string;
  readonly seLinuxContext?: string;
  readonly supplementalGroups?: string;
  readonly volumes?: readonly string[];
  readonly groups?: readonly string[];
  readonly users?: readonly string[];
  readonly escalation?: boolean;
}

/** SecurityContextConstraints of a new cluster (openshift/cluster-kube-apiserver-operator, bindata/bootkube/scc-manifests). */
const defaults: readonly Constraints[] = [
  {
    name: "anyuid",
    priority: 10,
    runAsUser: "RunAsAny",
    fsGroup: "RunAsAny",
    supplementalGroups: "RunAsAny",
    dropped: ["MKNOD"],
    groups: ["system:cluster-admins"],
  },
  {
    name: "hostaccess",
    host: ["Network", "Ports", "PID", "IPC", "DirVolumePlugin"],
    runAsUser: "MustRunAsRange",
    supplementalGroups: "RunAsAny",
    volumes: [...commonVolumes, "hostPath"],
  },
  {
    name: "hostmount-anyuid",
    host: ["DirVolumePlugin"],
    runAsUser: "RunAsAny",
    fsGroup: "RunAsAny",
    supplementalGroups: "RunAsAny",
    volumes: [...commonVolumes, "hostPath", "nfs"],
  },
  {
    name: "hostnetwork",
    host: ["Network", "Ports"],
    runAsUser: "MustRunAsRange",
    supplementalGroups: "MustRunAs",
  },
  {
    name: "hostnetwork-v2",
    host: ["Network", "Ports"],
    runAsUser: "MustRunAsRange",
    supplementalGroups: "MustRunAs",
    dropped: ["ALL"],
    allowedCapabilities: ["NET_BIND_SERVICE"],
    escalation: false,
  },
  { name: "nonroot", runAsUser: "MustRunAsNonRoot", fsGroup: "RunAsAny", supplementalGroups: "RunAsAny" },
  {
    name: "nonroot-v2",
    runAsUser: "MustRunAsNonRoot",
    fsGroup: "RunAsAny",
    supplementalGroups: "RunAsAny",
    dropped: ["ALL"],
    allowedCapabilities: ["NET_BIND_SERVICE"],
    escalation: false,
  },
  {
    name: "privileged",
    privileged: true,
    host: ["Network", "Ports", "PID", "IPC", "DirVolumePlugin"],
    allowedCapabilities: ["*"],
    dropped: null,
    runAsUser: "RunAsAny",
    fsGroup: "RunAsAny",
    seLinuxContext: "RunAsAny",
    supplementalGroups: "RunAsAny",
    volumes: ["*"],
    groups: ["system:cluster-admins", "system:nodes", "system:masters"],
    users: ["system:admin", "system:serviceaccount:openshift-infra:build-controller"],
  },
  {
    name: "restricted",
    runAsUser: "MustRunAsRange",
    supplementalGroups: "RunAsAny",
    dropped: ["KILL", "MKNOD", "SETUID", "SETGID"],
  },
  {
    name: "restricted-v2",
    runAsUser: "MustRunAsRange",
    supplementalGroups: "RunAsAny",
    dropped: ["ALL"],
    allowedCapabilities: ["NET_BIND_SERVICE"],
    groups: ["system:authenticated"],
    escalation: false,
  },
];

export function defaultConstraints(): readonly KubeObject[] {
  return defaults.map(constraintsOf);
}

function constraintsOf(each: Constraints): KubeObject {
  const host = (what: NonNullable<Constraints["host"]>[number]) => each.host?.includes(what) ?? false;
  return {
    apiVersion: "security.openshift.io/v1",
    kind: "SecurityContextConstraints",
    metadata: { name: each.name },
    allowHostDirVolumePlugin: host("DirVolumePlugin"),
    allowHostIPC: host("IPC"),
    allowHostNetwork: host("Network"),
    allowHostPID: host("PID"),
    allowHostPorts: host("Ports"),
    allowPrivilegeEscalation: each.escalation ?? true,
    allowPrivilegedContainer: each.privileged ?? false,
    allowedCapabilities: each.allowedCapabilities ?? null,
    defaultAddCapabilities: null,
    fsGroup: { type: each.fsGroup ?? "MustRunAs" },
    groups: each.groups ?? [],
    priority: each.priority ?? null,
    readOnlyRootFilesystem: false,
    requiredDropCapabilities: each.dropped ?? null,
    runAsUser: { type: each.runAsUser },
    seLinuxContext: { type: each.seLinuxContext ?? "MustRunAs" },
    supplementalGroups: { type: each.supplementalGroups ?? "RunAsAny" },
    users: each.users ?? [],
    volumes: each.volumes ?? commonVolumes,
  };
}
