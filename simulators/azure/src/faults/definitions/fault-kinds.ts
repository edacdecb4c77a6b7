/** Parameter of a fault kind. */
interface FaultParameter {
  readonly type: "text" | "count" | "percent";
  readonly required: boolean;
  readonly description: string;
}

export interface FaultKindFacts {
  readonly description: string;
  readonly parameters: Readonly<Record<string, FaultParameter>>;
}

const text = (description: string) => ({ type: "text", required: false, description }) as const;
const count = (description: string) => ({ type: "count", required: false, description }) as const;

/** Parameters that select the requests to which a fault applies. Strings are case-insensitive, with `*` as wildcard. */
const matching = {
  service: text("Azure service: arm, entra, graph, vault, storage or identity. Default: arm"),
  type: text(
    "comma-separated resource types, for example Microsoft.Network/*; for Graph: collections. Default: any",
  ),
  except: text("comma-separated resource types without the fault"),
  verb: text("kind of request: read, write, delete or action. Default: any"),
  scope: text("resource ID; the fault applies to this resource and its child resources. Default: any"),
  clientId: text("client ID of the application that sends the request. Default: any"),
  percent: {
    type: "percent",
    required: false,
    description: "percentage of the requests, 1 to 100. Default: 100",
  },
  skip: count("number of matching requests without the fault before the first request with it. Default: 0"),
  count: count("number of requests with the fault. Default: all"),
} as const satisfies Record<string, FaultParameter>;

const message = text("error message. Default: Azure's message");
const retryAfterSeconds = count("value of the Retry-After header, in seconds");

/** All fault kinds with their parameters. An error has Azure's message unless the parameter `message` is set. */
export const faultKinds = {
  throttled: {
    description: "requests fail with 429 and Retry-After",
    parameters: {
      ...matching,
      retryAfterSeconds: count("value of the Retry-After header, in seconds. Default: 1"),
      code: text("error code. Default: TooManyRequests"),
      message,
    },
  },
  conflict: {
    description: "requests fail with 409 AnotherOperationInProgress",
    parameters: { ...matching, retryAfterSeconds, message },
  },
  "server-error": {
    description: "requests fail with 500, 502, 503 or 504",
    parameters: {
      ...matching,
      status: count("HTTP status of the response. Default: 500"),
      retryAfterSeconds,
      code: text("error code. Default: derived from the HTTP status"),
      message,
    },
  },
  refused: {
    description: "requests fail with the given HTTP status and error code",
    parameters: {
      ...matching,
      status: { ...count("HTTP status, 400 to 599"), required: true },
      code: { ...text("error code"), required: true },
      retryAfterSeconds,
      message,
    },
  },
  "quota-exceeded": {
    description: "writes fail with 409 QuotaExceeded",
    parameters: { ...matching, message },
  },
  "sku-not-available": {
    description: "writes of virtual machines fail with 409 SkuNotAvailable",
    parameters: { ...matching, message },
  },
  "allocation-failed": {
    description: "operations on virtual machines fail with AllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "zonal-allocation-failed": {
    description: "operations on virtual machines fail with ZonalAllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "os-provisioning-timed-out": {
    description: "creations of virtual machines fail with OSProvisioningTimedOut",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "operation-failed": {
    description: "accepted asynchronous operations fail, and the provisioning state becomes Failed",
    parameters: {
      ...matching,
      code: text("error code. Default: InternalOperationError"),
      delayMs: count("milliseconds before the failure"),
      message,
    },
  },
  "operation-slow": {
    description: "accepted operations take longer; synchronous operations become asynchronous",
    parameters: {
      ...matching,
      delayMs: { ...count("additional duration in milliseconds"), required: true },
      retryAfterSeconds: count("value of the Retry-After header in poll responses, in seconds"),
    },
  },
  slow: {
    description: "responses are delayed",
    parameters: { ...matching, delayMs: { ...count("milliseconds before the response"), required: true } },
  },
  dropped: {
    description: "the connection is closed without a response",
    parameters: {
      ...matching,
      when: text("time of the disconnection: before or after the request is processed. Default: after"),
    },
  },
  "secret-expired": {
    description: "sign-ins with a client secret fail with AADSTS7000222",
    parameters: {
      clientId: matching.clientId,
      percent: matching.percent,
      skip: matching.skip,
      count: matching.count,
    },
  },
} as const satisfies Record<string, FaultKindFacts>;

export type FaultKind = keyof typeof faultKinds;

export const services = ["arm", "entra", "graph", "vault", "storage", "identity"] as const;
export const verbs = ["read", "write", "delete", "action"] as const;
