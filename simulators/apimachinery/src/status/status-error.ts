/** Cause in `Status.details.causes` (meta.k8s.io/v1 StatusCause). */
export interface StatusCause {
  /** Machine-readable reason of the cause. An empty reason is omitted. */
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** Plural name of the resource. For the reason `Invalid`, the kind of the object. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number | undefined;
}

/** `Status` object of a response. Clients branch on `reason` and `code`. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: Omit<StatusDetails, "causes"> & { readonly causes?: readonly Partial<StatusCause>[] };
  readonly code?: number;
}

/** Failure of a request with HTTP status `code`, machine-readable `reason` and human-readable `message`. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /**
   * `metadata.continue` of the response. With this token, the client can continue a list after the list's snapshot has expired.
   */
  readonly continueToken: string | undefined;

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    options?: ErrorOptions & { readonly continueToken?: string },
  ) {
    super(message, options);
    this.name = "StatusError";
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = options?.continueToken;
  }

  toStatus(): Status {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continueToken ? { continue: this.continueToken } : {},
      status: "Failure",
      message: this.message,
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.details ? { details: withoutEmptyReasons(this.details) } : {}),
      code: this.code,
    };
  }
}

function withoutEmptyReasons({ causes, ...details }: StatusDetails): NonNullable<Status["details"]> {
  if (!causes) return details;
  return {
    ...details,
    causes: causes.map(({ reason, ...cause }) => (reason ? { reason, ...cause } : cause)),
  };
}

/** Resource of a failed request, for example `deployments.apps` or `pods`. */
export interface Subject {
  readonly group: string;
  readonly resource: string;
}

function qualified({ group, resource }: Subject): string {
  return group ? `${resource}.${group}` : resource;
}

function detailsOf({ group, resource }: Subject, name: string): StatusDetails {
  return { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: resource };
}

/** Maximum number of causes in a response, because an object can have an error in each field. */
export const maxCauses = 100;

/** Failures common to all verbs, with kube-apiserver's messages. */
export const failures = {
  badRequest: (message: string) => new StatusError(400, "BadRequest", message),
  unauthorized: () => new StatusError(401, "Unauthorized", "Unauthorized"),
  forbidden: (subject: Subject, name: string, why: string, causes?: readonly StatusCause[]) =>
    new StatusError(
      403,
      "Forbidden",
      `${qualified(subject)}${name ? ` "${name}"` : ""} is forbidden: ${why}`,
      {
        ...detailsOf(subject, name),
        ...(causes ? { causes } : {}),
      },
    ),
  notFound: (subject: Subject, name: string) =>
    new StatusError(404, "NotFound", `${qualified(subject)} "${name}" not found`, detailsOf(subject, name)),
  noSuchPath: () => new StatusError(404, "NotFound", "the server could not find the requested resource", {}),
  methodNotAllowed: () =>
    new StatusError(
      405,
      "MethodNotAllowed",
      "the server does not allow this method on the requested resource",
      {},
    ),
  notAcceptable: (accepted: readonly string[]) =>
    new StatusError(
      406,
      "NotAcceptable",
      `only the following media types are accepted: ${accepted.join(", ")}`,
    ),
  /** The client requested a list format for a single object, or an object format for a list. */
  wrongForm: (message: string) => new StatusError(406, "NotAcceptable", message),
  alreadyExists: (subject: Subject, name: string) =>
    new StatusError(
      409,
      "AlreadyExists",
      `${qualified(subject)} "${name}" already exists`,
      detailsOf(subject, name),
    ),
  conflict: (subject: Subject, name: string, why: string) =>
    new StatusError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`,
      detailsOf(subject, name),
    ),
  modified: (subject: Subject, name: string) =>
    failures.conflict(
      subject,
      name,
      "the object has been modified; please apply your changes to the latest version and try again",
    ),
  expired: (message: string, continueToken?: string) =>
    new StatusError(410, "Expired", message, undefined, continueToken ? { continueToken } : {}),
  tooLarge: (limit: number) =>
    new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limit}`),
  /** The object exceeds etcd's size limit. kube-apiserver would forward etcd's message as a 500 without a reason. */
  tooLargeToStore: () => new StatusError(413, "RequestEntityTooLarge", "etcdserver: request is too large"),
  /**
   * The cluster's storage is full. kube-apiserver would forward etcd's message as a 500 without a reason. There is no retry time,
   * because waiting does not help.
   */
  storageFull: (limit: number) =>
    new StatusError(
      429,
      "TooManyRequests",
      `etcdserver: mvcc: database space exceeded: the objects of this cluster exceed ${limit} bytes, delete some of them`,
    ),
  unsupportedMediaType: (accepted: readonly string[]) =>
    new StatusError(
      415,
      "UnsupportedMediaType",
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
    ),
  unsupportedPatchType: () => new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}),
  rejectedPatch: (cause: unknown) =>
    new StatusError(
      422,
      "Invalid",
      "the server rejected our request due to an error in our request",
      {},
      { cause },
    ),
  invalid: (
    kind: { readonly group: string; readonly kind: string },
    name: string,
    causes: readonly StatusCause[],
  ) => {
    const shown = causes.slice(0, maxCauses);
    const texts = shown.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message));
    if (causes.length > maxCauses) texts.push("and more");
    const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
    const title = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
    return new StatusError(422, "Invalid", `${title} "${name}" is invalid: ${list}`, {
      ...(name ? { name } : {}),
      ...(kind.group ? { group: kind.group } : {}),
      ...(kind.kind ? { kind: kind.kind } : {}),
      causes: shown,
    });
  },
  tooLargeRevision: (asked: number, current: number) =>
    new StatusError(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    }),
  tooManyRequests: (message: string, cause: StatusCause) =>
    new StatusError(429, "TooManyRequests", message, { causes: [cause] }),
  /** The server is overloaded. The client should retry after one second. */
  overloaded: (message: string) => new StatusError(429, "TooManyRequests", message, { retryAfterSeconds: 1 }),
  noContainers: (subresource: string) =>
    new StatusError(
      501,
      "NotImplemented",
      `pods/${subresource} is not available: this server does not run containers`,
    ),
  /** The error has no retry time, so kubectl reports the error instead of retrying. */
  notServing: () => new StatusError(503, "ServiceUnavailable", "the control plane is not running", {}),
  unavailable: (message: string) =>
    new StatusError(503, "ServiceUnavailable", message, { retryAfterSeconds: 1 }),
  internal: (
    cause: unknown,
    message = "Internal error occurred: the server failed while handling the request",
  ) => new StatusError(500, "InternalError", message, undefined, { cause }),
} as const;

/** Ignores the error of a missing object and rethrows other errors. For use with `catch`. */
export function ignoreGone(error: unknown): void {
  if (!(error instanceof StatusError) || error.code !== 404) throw error;
}
