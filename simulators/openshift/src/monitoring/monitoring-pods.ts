import type { KubeObject } from "@keelson/apiserver";

export const monitoringNamespace = "openshift-monitoring";

interface MonitoringFacts {
  /** Value of the pods' label `app.kubernetes.io/name`. */
  readonly name: "prometheus" | "alertmanager";
  readonly statefulSet: string;
  readonly replicas: number;
  readonly port: number;
}

export const prometheus = {
  name: "prometheus",
  statefulSet: "prometheus-k8s",
  replicas: 2,
  port: 9_090,
} as const;
export const alertManager = {
  name: "alertmanager",
  statefulSet: "alertmanager-main",
  replicas: 3,
  port: 9_093,
} as const;

/** Returns the StatefulSets of the monitoring operator. Other components connect to their pods. */
export function monitoringStatefulSets(release: string): readonly KubeObject[] {
  return [prometheus, alertManager].map((facts) => statefulSet(facts, release));
}

function statefulSet(
  { name, statefulSet: setName, replicas, port }: MonitoringFacts,
  release: string,
): KubeObject {
  const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "openshift-monitoring" };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { namespace: monitoringNamespace, name: setName, labels },
    spec: {
      replicas,
      podManagementPolicy: "Parallel",
      serviceName: `${setName}-operated`,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: "system-cluster-critical",
          automountServiceAccountToken: false,
          tolerations: [{ key: "node-role.kubernetes.io/infra", operator: "Exists" }],
          containers: [
            {
              name,
              image: `quay.io/openshift-release-dev/ocp-v4.0-art-dev:${release}-${name}`,
              ports: [{ name: "web", containerPort: port, protocol: "TCP" }],
            },
          ],
        },
      },
    },
  };
}
