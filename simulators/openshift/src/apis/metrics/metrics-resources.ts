import type { AggregatedResource, ClusterClient, KubeObject } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import { stringAt } from "@keelson/base";
import { timestamp } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import { failures } from "../failures.ts";
import { containerUsages, nodeUsage, quantities } from "./usage.ts";

const group = "metrics.k8s.io";
const { pods, nodes } = resources;

/** Resource metrics API for `kubectl top`. The usage of pods and nodes is computed from the pods' resource requests. */
export function metricsResources(client: ClusterClient, clock: Clock): readonly AggregatedResource[] {
  const version = "v1beta1";
  const at = (
    { metadata: { name, namespace, labels } }: KubeObject,
    kind: string,
    rest: object,
  ): KubeObject => ({
    kind,
    apiVersion: `${group}/${version}`,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      creationTimestamp: timestamp(clock.now()),
      ...(labels ? { labels } : {}),
    },
    timestamp: timestamp(clock.now()),
    window: "1m0s",
    ...rest,
  });
  const ofPod = (pod: KubeObject) =>
    at(pod, "PodMetrics", {
      containers: containerUsages(pod).map(([name, usage]) => ({ name, usage: quantities(usage) })),
    });
  const podsOn = async (node: KubeObject) =>
    (await client.list(pods, { fieldSelector: `spec.nodeName=${node.metadata.name}` })).items;
  const ofNode = async (node: KubeObject) =>
    at(node, "NodeMetrics", { usage: quantities(nodeUsage(await podsOn(node))) });
  return [
    {
      group,
      version,
      kind: "PodMetrics",
      plural: "pods",
      singular: "",
      namespaced: true,
      handlers: {
        async get({ name, namespace }) {
          const pod = await client.find(pods, { name, namespace: namespace || undefined });
          if (!pod || !isRunning(pod))
            throw failures.notFound({ group, resource: "podmetrics" }, `${namespace}/${name}`);
          return ofPod(pod);
        },
        async list({ namespace }) {
          const { items, resourceVersion } = await client.list(pods, namespace ? { namespace } : {});
          return { items: items.filter(isRunning).map(ofPod), resourceVersion };
        },
      },
    },
    {
      group,
      version,
      kind: "NodeMetrics",
      plural: "nodes",
      singular: "",
      namespaced: false,
      handlers: {
        async get({ name }) {
          const node = await client.find(nodes, { name });
          if (!node) throw failures.notFound({ group, resource: "nodemetrics" }, name);
          return ofNode(node);
        },
        async list() {
          const { items, resourceVersion } = await client.list(nodes);
          return { items: await Promise.all(items.map(ofNode)), resourceVersion };
        },
      },
    },
  ];
}

function isRunning(pod: KubeObject): boolean {
  return stringAt(pod, "status", "phase") === "Running";
}
