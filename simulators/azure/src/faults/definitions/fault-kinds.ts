/** A parameter of a kind of fault. */
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

/** Which requests a fault matches. Texts are compared without regard to case; `*` stands for anything. */
const matching = {
  service: text("arm (the default), entra, graph, vault, storage or identity"),
  type: text(
    "of the resource, Microsoft.Network/*; several with commas; in Graph the collection; any when absent",
  ),
  except: text("types that are spared, written likewise"),
  verb: text("read, write, delete or action; any when absent"),
  scope: text("only at this ID and below it"),
  clientId: text("only requests of this application"),
  percent: {
    type: "percent",
    required: false,
    description: "share of the requests, 1 to 100; 100 when absent",
  },
  skip: count("how many requests pass before it begins"),
  count: count("how many requests it is injected into before it is spent"),
} as const satisfies Record<string, FaultParameter>;

const message = text("what the error says");
const retryAfterSeconds = count("Retry-After of the answer");

/** Every kind of fault, with its parameters. The text of an error is Azure's own unless `message` says otherwise. */
export const faultKinds = {
  throttled: {
    description: "requests are answered 429 with Retry-After",
    parameters: {
      ...matching,
      retryAfterSeconds: count("1 when absent"),
      code: text("TooManyRequests when absent"),
      message,
    },
  },
  conflict: {
    description: "requests are answered 409 AnotherOperationInProgress",
    parameters: { ...matching, retryAfterSeconds, message },
  },
  "server-error": {
    description: "requests are answered 500, 502, 503 or 504",
    parameters: {
      ...matching,
      status: count("500 when absent"),
      retryAfterSeconds,
      code: text("follows from the status when absent"),
      message,
    },
  },
  refused: {
    description: "requests are answered with any error",
    parameters: {
      ...matching,
      status: { ...count("400 to 599"), required: true },
      code: { ...text("of the error"), required: true },
      retryAfterSeconds,
      message,
    },
  },
  "quota-exceeded": {
    description: "writes are answered 409 QuotaExceeded",
    parameters: { ...matching, message },
  },
  "sku-not-available": {
    description: "writes of machines are answered 409 SkuNotAvailable",
    parameters: { ...matching, message },
  },
  "allocation-failed": {
    description: "operations on machines end in AllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds until then"), message },
  },
  "zonal-allocation-failed": {
    description: "operations on machines end in ZonalAllocationFailed",
    parameters: { ...matching, delayMs: count("milliseconds until then"), message },
  },
  "os-provisioning-timed-out": {
    description: "creations of machines end in OSProvisioningTimedOut",
    parameters: { ...matching, delayMs: count("milliseconds until then"), message },
  },
  "operation-failed": {
    description: "what is accepted fails later: the operation ends in an error, the resource is Failed",
    parameters: {
      ...matching,
      code: text("InternalOperationError when absent"),
      delayMs: count("milliseconds until then"),
      message,
    },
  },
  "operation-slow": {
    description: "what is accepted takes longer, also what is otherwise over at once",
    parameters: {
      ...matching,
      delayMs: { ...count("milliseconds more"), required: true },
      retryAfterSeconds: count("Retry-After of each poll"),
    },
  },
  slow: {
    description: "requests are answered late",
    parameters: { ...matching, delayMs: { ...count("milliseconds before the answer"), required: true } },
  },
  dropped: {
    description: "the connection ends without an answer",
    parameters: {
      ...matching,
      when: text("before: nothing was done; after: it was done, which is the default"),
    },
  },
  "secret-expired": {
    description: "sign-ins with a secret are refused with AADSTS7000222",
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
