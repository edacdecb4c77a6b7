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

/** Parameters that select the requests of a fault. Strings are case-insensitive, with `*` as wildcard. */
const matching = {
  service: text("arm, entra, graph, vault, storage or identity. Default: arm"),
  type: text(
    "resource type, Microsoft.Network/*, several separated by commas; in Graph the collection. Default: any",
  ),
  except: text("excluded types, in the same form"),
  verb: text("read, write, delete or action. Default: any"),
  scope: text("only at this ID and below it"),
  clientId: text("only requests of this application"),
  percent: {
    type: "percent",
    required: false,
    description: "percentage of the requests, 1 to 100. Default: 100",
  },
  skip: count("number of requests before it begins"),
  count: count("number of requests that it is injected into"),
} as const satisfies Record<string, FaultParameter>;

const message = text("message of the error");
const retryAfterSeconds = count("Retry-After of the response");

/** All fault kinds with their parameters. Errors have Azure's message unless `message` is set. */
export const faultKinds = {
  throttled: {
    description: "requests fail with 429 and Retry-After",
    parameters: {
      ...matching,
      retryAfterSeconds: count("Retry-After of the response. Default: 1"),
      code: text("code of the error. Default: TooManyRequests"),
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
      status: count("status of the response. Default: 500"),
      retryAfterSeconds,
      code: text("code of the error. Default: derived from the status"),
      message,
    },
  },
  refused: {
    description: "requests fail with any error",
    parameters: {
      ...matching,
      status: { ...count("400 to 599"), required: true },
      code: { ...text("code of the error"), required: true },
      retryAfterSeconds,
      message,
    },
  },
  "quota-exceeded": {
    description: "writes fail with 409 QuotaExceeded",
    parameters: { ...matching, message },
  },
  "sku-not-available": {
    description: "writes of machines fail with 409 SkuNotAvailable",
    parameters: { ...matching, message },
  },
  "allocation-failed": {
    description: "operations on machines fail with AllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "zonal-allocation-failed": {
    description: "operations on machines fail with ZonalAllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "os-provisioning-timed-out": {
    description: "creations of machines fail with OSProvisioningTimedOut",
    parameters: { ...matching, delayMs: count("milliseconds before the failure"), message },
  },
  "operation-failed": {
    description: "accepted operations fail later and the resource is Failed",
    parameters: {
      ...matching,
      code: text("code of the error. Default: InternalOperationError"),
      delayMs: count("milliseconds before the failure"),
      message,
    },
  },
  "operation-slow": {
    description: "accepted operations take longer, including immediate ones",
    parameters: {
      ...matching,
      delayMs: { ...count("additional milliseconds"), required: true },
      retryAfterSeconds: count("Retry-After of each poll"),
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
      when: text("before or after the processing of the request. Default: after"),
    },
  },
  "secret-expired": {
    description: "sign-ins with a secret are rejected with AADSTS7000222",
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
