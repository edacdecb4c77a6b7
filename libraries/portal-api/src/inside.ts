import { type Static, Type } from "typebox";
import { closed, oneOf } from "./shape.ts";

const text = Type.String();
const time = Type.String({ description: "time from the cluster in RFC 3339 format, or an empty string" });
const total = Type.Integer({ minimum: 0, description: "number of all visible objects" });

/** Kubernetes Events in platform namespaces. A person with an elevated role sees the Events of all namespaces. */
export const clusterEventsSchema = closed({
  total,
  events: Type.Array(
    closed({
      namespace: text,
      type: Type.String({ description: "`Normal` or `Warning`" }),
      reason: text,
      object: Type.String({ description: "kind and name, for example `Pod/etcd-0`" }),
      message: text,
      count: Type.Integer({ minimum: 1 }),
      lastSeen: time,
    }),
    { maxItems: 500, description: "newest first" },
  ),
});
export type ClusterEvents = Static<typeof clusterEventsSchema>;
export type ClusterEvent = ClusterEvents["events"][number];

const containerSchema = closed({
  name: text,
  kind: oneOf("container", "init"),
  state: Type.String({ description: "`Running`, or the reason why the container waits or has terminated" }),
  restarts: Type.Integer({ minimum: 0 }),
});
export type ContainerView = Static<typeof containerSchema>;

const podSchema = closed({
  name: text,
  namespace: text,
  node: text,
  phase: text,
  ready: Type.String({ description: "ready containers of all containers: `2/3`" }),
  restarts: Type.Integer({ minimum: 0 }),
  createdAt: time,
  containers: Type.Array(containerSchema),
});
export type PodView = Static<typeof podSchema>;
export const podsSchema = closed({ total, pods: Type.Array(podSchema, { maxItems: 2_000 }) });
export type Pods = Static<typeof podsSchema>;

/** Last lines of a container's log. Control characters are removed. */
export const containerLogSchema = closed({
  lines: Type.Array(text, { maxItems: 10_000 }),
  truncated: Type.Boolean({ description: "true if earlier lines, or parts of long lines, are omitted" }),
});
export type ContainerLog = Static<typeof containerLogSchema>;

/** Kinds that the cluster's CustomResourceDefinitions define. */
export const customKindsSchema = closed({
  kinds: Type.Array(closed({ kind: text, group: text, version: text, namespaced: Type.Boolean() }), {
    maxItems: 1_000,
  }),
});
export type CustomKinds = Static<typeof customKindsSchema>;

export const objectListSchema = closed({
  kind: text,
  group: text,
  namespaced: Type.Boolean(),
  total,
  objects: Type.Array(closed({ name: text, namespace: text, createdAt: time }), { maxItems: 500 }),
});
export type ObjectList = Static<typeof objectListSchema>;

/** One Kubernetes object without its managed fields and confidential values. */
export const clusterObjectSchema = closed({ object: Type.Record(text, Type.Unknown()) });
export type ClusterObject = Static<typeof clusterObjectSchema>;
