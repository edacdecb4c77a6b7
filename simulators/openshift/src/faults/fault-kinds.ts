/** Parameter type of a fault kind. `percent` is a number above 0 and at most 100. Default: 100. */
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
  group: optional("API group; 'core' for the core group"),
  resource: optional("plural resource name, for example pods"),
  namespace: optional("namespace of the objects"),
  name: optional("name of the object"),
  user: optional("name of the user that sends the request"),
  percent: {
    type: "percent",
    required: false,
    description: "percentage of the matching requests, 1 to 100. Default: 100",
  },
} as const satisfies Record<string, FaultParameter>;

/** All supported fault kinds with their parameters. */
export const faultKinds = {
  "api-error": {
    description: "the API server rejects requests with an error",
    parameters: {
      ...requests,
      code: number("HTTP status, 400 to 599. Default: 500"),
      reason: optional("reason of the Status. Default: derived from the code"),
      message: optional("message of the Status"),
      retryAfterSeconds: number("value of the Retry-After header, in seconds"),
    },
  },
  "api-slow": {
    description: "the API server delays its responses",
    parameters: { ...requests, delayMs: { ...number("milliseconds before the response"), required: true } },
  },
  "api-unhealthy": {
    description: "the API server reports that it is not healthy but continues to serve",
    parameters: { check: optional("failing health check: ping, log or etcd. Default: etcd") },
  },
  "watch-drop": {
    description: "the API server closes existing watches immediately, and new watches after afterMs",
    parameters: { ...requests, afterMs: number("lifetime of a new watch in milliseconds. Default: 1000") },
  },
  "watch-expired": {
    description: "the API server rejects watches with a resourceVersion with 410 Gone",
    parameters: requests,
  },
  "clock-skew": {
    description: "the API server's clock differs from the true time",
    parameters: {
      skewMs: {
        ...number("milliseconds that the clock is ahead of the true time; negative values: behind"),
        required: true,
      },
    },
  },
  "disk-full": {
    description:
      "with a node: the node has disk pressure. Without a node: the API server's database rejects writes",
    parameters: { node: optional("name of the node") },
  },
  "node-not-ready": {
    description: "a node's kubelet sends no status updates",
    parameters: { node: required("name of the node") },
  },
  "machine-create": {
    description: "Azure cannot create the virtual machines of new Machines, and the Machines become Failed",
    parameters: {
      machineSet: optional("name of the MachineSet. Default: all Machines"),
      reason: optional("InsufficientResources, InvalidConfiguration or CreateError. Default: CreateError"),
      message: optional("error message of Azure"),
    },
  },
  "drain-error": {
    description: "drains of nodes fail",
    parameters: { node: optional("name of the node"), message: optional("why") },
  },
  "config-error": {
    description: "the machine config daemon cannot apply a configuration, and the node becomes Degraded",
    parameters: { node: optional("name of the node"), message: optional("why") },
  },
  "operator-degraded": {
    description: "a cluster operator is Degraded, which also blocks its update",
    parameters: {
      operator: required("name of the ClusterOperator"),
      reason: optional("reason of the condition"),
      message: optional("message of the condition"),
      unavailable: optional("true: the operator is also not Available"),
    },
  },
  "release-rejected": {
    description: "the cluster version operator cannot load the release payload of an update",
    parameters: {
      version: optional("version of the update. Default: all versions"),
      message: optional("why"),
    },
  },
  alert: {
    description: "an alert fires",
    parameters: {
      alert: required("name of the alert"),
      severity: optional("critical, warning, info or none. Default: warning"),
      namespace: optional("value of the label namespace"),
      target: optional("value of the label target"),
      secondaryTarget: optional("value of the label secondary_target"),
      summary: optional("summary of the alert"),
    },
  },
  "port-unreachable": {
    description: "all ports of a pod refuse connections",
    parameters: {
      namespace: required("namespace of the pod"),
      pod: required("name of the pod"),
    },
  },
  "image-import": {
    description: "image imports fail or are delayed",
    parameters: {
      image: optional("image reference; * matches any characters. Default: all images"),
      code: number("HTTP status of the registry's response. Default: 401"),
      message: optional("error message of the registry"),
      delayMs: number(
        "milliseconds before the registry responds. Without code and message, the import succeeds after this delay",
      ),
    },
  },
} as const satisfies Record<string, FaultKindFacts>;

export type FaultKind = keyof typeof faultKinds;

export function isFaultKind(text: string): text is FaultKind {
  return Object.hasOwn(faultKinds, text);
}
