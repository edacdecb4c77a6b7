import type { KubeObject } from "@keelson/apiserver";
import { etcdPort } from "../../etcd/etcd-port.ts";

interface StaticPodFacts {
  readonly name: string;
  readonly namespace: string;
  /** Value of the label `app`. Operators and monitors select the pod by this label. */
  readonly app: string;
  readonly containers: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Ports by container. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** Static pods of every master. The four static pod operators manage them. */
const staticPods: readonly StaticPodFacts[] = [
  {
    name: "etcd",
    namespace: "openshift-etcd",
    app: "etcd",
    containers: ["etcdctl", "etcd", "etcd-metrics", "etcd-readyz"],
    labels: { "k8s-app": "etcd", etcd: "true" },
    ports: { etcd: etcdPort },
  },
  {
    name: "kube-apiserver",
    namespace: "openshift-kube-apiserver",
    app: "openshift-kube-apiserver",
    containers: ["kube-apiserver", "kube-apiserver-cert-syncer", "kube-apiserver-check-endpoints"],
    labels: { apiserver: "true" },
  },
  {
    name: "kube-controller-manager",
    namespace: "openshift-kube-controller-manager",
    app: "kube-controller-manager",
    containers: ["kube-controller-manager", "cluster-policy-controller"],
    labels: { "kube-controller-manager": "true" },
  },
  {
    name: "openshift-kube-scheduler",
    namespace: "openshift-kube-scheduler",
    app: "openshift-kube-scheduler",
    containers: ["kube-scheduler", "kube-scheduler-cert-syncer"],
    labels: { scheduler: "true" },
  },
];

/**
 * Returns the static pod manifests of a master. Pod names in the manifests contain no node name, because each kubelet appends the
 * name of its node.
 */
export function controlPlaneManifests(release: string): readonly KubeObject[] {
  return staticPods.map(({ name, namespace, app, containers, labels, ports }) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { app, ...labels, revision: "1" } },
    spec: {
      hostNetwork: true,
      priorityClassName: "system-node-critical",
      tolerations: [{ operator: "Exists" }],
      containers: containers.map((container) => ({
        name: container,
        image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev:${release}-${container}`,
        ...(ports?.[container] === undefined
          ? {}
          : { ports: [{ name: container, containerPort: ports[container], protocol: "TCP" }] }),
      })),
    },
  }));
}

/** Returns the mirror pod that represents a manifest on a node. Used for nodes that have no directory. */
export function podOnNode(manifest: KubeObject, node: KubeObject): KubeObject {
  const { name, uid = "" } = node.metadata;
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      name: `${manifest.metadata.name}-${name}`,
      annotations: { "kubernetes.io/config.source": "file" },
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid, controller: true }],
    },
    spec: { ...(typeof manifest.spec === "object" ? manifest.spec : {}), nodeName: name },
  };
}
