/** A parameter of a kind of fault. `percent` is a number from 1 to 100; 100 when it is not given. */
export interface FaultParameter {
  readonly type: "text" | "number" | "percent";
  readonly required: boolean;
  readonly description: string;
}

export interface FaultKindFacts {
  readonly description: string;
  readonly parameters: Readonly<Record<string, FaultParameter>>;
}

const optional = (description: string): FaultParameter => ({ type: "text", required: false, description });
const required = (description: string): FaultParameter => ({ type: "text", required: true, description });
const number = (description: string): FaultParameter => ({ type: "number", required: false, description });

const requests = {
  verb: optional("get, list, watch, create, update, patch, delete or deletecollection; any when absent"),
  group: optional("API group; the core group is written core"),
  resource: optional("plural, for example pods"),
  namespace: optional("namespace of the objects"),
  name: optional("name of the object"),
  user: optional("who asks"),
  percent: { type: "percent", required: false, description: "share of the requests it matches" },
} as const satisfies Record<string, FaultParameter>;

/** Every kind of fault that can be asked for, with its parameters. */
export const faultKinds = {
  "api-error": {
    description: "requests to the API are refused",
    parameters: {
      ...requests,
      code: number("HTTP status, 400 to 599; 500 when absent"),
      reason: optional("reason of the Status; follows from the code when absent"),
      message: optional("message of the Status"),
      retryAfterSeconds: number("Retry-After of the answer"),
    },
  },
  "api-slow": {
    description: "requests to the API are answered late",
    parameters: { ...requests, delayMs: { ...number("milliseconds before the answer"), required: true } },
  },
  "api-unhealthy": {
    description: "the API server says that it is not healthy, and serves on",
    parameters: { check: optional("ping, log or etcd, the check that fails; etcd when absent") },
  },
  "watch-drop": {
    description: "watches are cut: those there are at once, new ones after a while",
    parameters: { ...requests, afterMs: number("how long a new watch lives; 1000 when absent") },
  },
  "watch-expired": {
    description: "watches that go on from a resourceVersion get 410 Gone",
    parameters: requests,
  },
  "clock-skew": {
    description: "the API server's clock is wrong",
    parameters: {
      skewMs: { ...number("milliseconds ahead of the true time; negative: behind"), required: true },
    },
  },
  "disk-full": {
    description: "a node is under disk pressure; without a node, the store of the API takes no writes",
    parameters: { node: optional("name of the node") },
  },
  "node-not-ready": {
    description: "a node's kubelet falls silent",
    parameters: { node: required("name of the node") },
  },
  "machine-create": {
    description: "the virtual machines of new Machines cannot be created: the Machines become Failed",
    parameters: {
      machineSet: optional("only Machines of this MachineSet"),
      reason: optional("InsufficientResources, InvalidConfiguration or CreateError, which is the default"),
      message: optional("what Azure says"),
    },
  },
  "drain-error": {
    description: "nodes cannot be drained",
    parameters: { node: optional("name of the node"), message: optional("why") },
  },
  "config-error": {
    description: "the machine config daemon cannot apply a configuration: its node is Degraded",
    parameters: { node: optional("name of the node"), message: optional("why") },
  },
  "operator-degraded": {
    description: "a cluster operator is Degraded; while an update reaches it, it does not go on",
    parameters: {
      operator: required("name of the ClusterOperator"),
      reason: optional("reason of the condition"),
      message: optional("message of the condition"),
      unavailable: optional("true: it is not Available either"),
    },
  },
  "release-rejected": {
    description: "the payload of an update cannot be loaded",
    parameters: {
      version: optional("only this version"),
      message: optional("why"),
    },
  },
  alert: {
    description: "an alert fires",
    parameters: {
      alert: required("its name"),
      severity: optional("critical, warning, info or none; warning when absent"),
      namespace: optional("its label namespace"),
      target: optional("its label target"),
      secondaryTarget: optional("its label secondary_target"),
      summary: optional("what it says"),
    },
  },
  "port-unreachable": {
    description: "the ports of a pod refuse connections",
    parameters: {
      namespace: required("namespace of the pod"),
      pod: required("name of the pod"),
    },
  },
  "image-import": {
    description: "imports of images fail, or take long",
    parameters: {
      image: optional("the image, with * for any characters; all when absent"),
      code: number("HTTP status of the registry; 401 when absent"),
      message: optional("what the registry says"),
      delayMs: number("milliseconds before its answer; alone it only delays"),
    },
  },
} as const satisfies Record<string, FaultKindFacts>;

export type FaultKind = keyof typeof faultKinds;

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}
