/** Parameter type of a fault kind. `percent` is a number from 1 to 100. Default: 100. */
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
  verb: optional("get, list, watch, create, update, patch, delete or deletecollection. Default: any"),
  group: optional("API group; the core group is written core"),
  resource: optional("plural, for example pods"),
  namespace: optional("namespace of the objects"),
  name: optional("name of the object"),
  user: optional("who asks"),
  percent: { type: "percent", required: false, description: "share of the requests it matches" },
} as const satisfies Record<string, FaultParameter>;

/** All supported fault kinds with their parameters. */
export const faultKinds = {
  "api-error": {
    description: "requests to the API are rejected",
    parameters: {
      ...requests,
      code: number("HTTP status, 400 to 599. Default: 500"),
      reason: optional("reason of the Status. Default: derived from the code"),
      message: optional("message of the Status"),
      retryAfterSeconds: number("Retry-After of the response"),
    },
  },
  "api-slow": {
    description: "responses of the API are delayed",
    parameters: { ...requests, delayMs: { ...number("milliseconds before the response"), required: true } },
  },
  "api-unhealthy": {
    description: "the API server reports that it is not healthy but continues to serve",
    parameters: { check: optional("ping, log or etcd, the check that fails. Default: etcd") },
  },
  "watch-drop": {
    description: "watches are closed: existing ones immediately, new ones after a while",
    parameters: { ...requests, afterMs: number("lifetime of a new watch in milliseconds. Default: 1000") },
  },
  "watch-expired": {
    description: "watches that resume from a resourceVersion fail with 410 Gone",
    parameters: requests,
  },
  "clock-skew": {
    description: "the API server's clock is wrong",
    parameters: {
      skewMs: { ...number("milliseconds ahead of the true time; negative: behind"), required: true },
    },
  },
  "disk-full": {
    description: "a node is under disk pressure. Without a node, the API's store rejects writes",
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
      message: optional("error message of Azure"),
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
    description: "a cluster operator is Degraded, which also blocks its update",
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
      severity: optional("critical, warning, info or none. Default: warning"),
      namespace: optional("its label namespace"),
      target: optional("its label target"),
      secondaryTarget: optional("its label secondary_target"),
      summary: optional("its summary"),
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
    description: "imports of images fail or are slow",
    parameters: {
      image: optional("the image, with * for any characters. Default: all images"),
      code: number("HTTP status of the registry. Default: 401"),
      message: optional("error message of the registry"),
      delayMs: number(
        "milliseconds before the response. Without code and message, the import is only delayed",
      ),
    },
  },
} as const satisfies Record<string, FaultKindFacts>;

export type FaultKind = keyof typeof faultKinds;

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}
