import { type Static, Type } from "typebox";
import { closed } from "./shape.ts";

const text = Type.String();

/** Resource quantities in the format of Kubernetes. */
const nodeResourcesSchema = closed({
  cpu: text,
  storageVolume: text,
  memory: text,
  pods: text,
});
export type NodeResources = Static<typeof nodeResourcesSchema>;

const nodeSchema = closed({
  name: text,
  createdTime: text,
  unschedulable: Type.Boolean(),
  instanceType: text,
  capacity: nodeResourcesSchema,
  allocatable: nodeResourcesSchema,
  volumes: Type.Array(closed({ name: text, path: text })),
  taints: Type.Array(closed({ key: text, value: text, effect: text, timeAdded: text })),
  conditions: Type.Array(
    closed({
      type: text,
      status: text,
      lastHeartbeatTime: text,
      lastTransitionTime: text,
      reason: text,
      message: text,
    }),
  ),
  labels: Type.Record(text, text),
  annotations: Type.Record(text, text),
  roles: Type.Array(text),
  zone: text,
  kubeletVersion: text,
  osImage: text,
  internalIp: text,
  usage: Type.Optional(
    closed({
      cpuPercent: Type.Integer({ minimum: 0, description: "usage in percent of the capacity" }),
      memoryPercent: Type.Integer({ minimum: 0, description: "usage in percent of the capacity" }),
    }),
  ),
});
export type NodeView = Static<typeof nodeSchema>;

export const nodesSchema = closed({ nodes: Type.Array(nodeSchema) });
export type Nodes = Static<typeof nodesSchema>;
