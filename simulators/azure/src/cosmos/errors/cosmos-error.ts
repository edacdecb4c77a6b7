/** Error response of Cosmos DB. `code` is returned in the body, `substatus` in a header. */
export class CosmosError extends Error {
  readonly status: number;
  readonly code: string;
  readonly substatus: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { readonly substatus?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.name = "CosmosError";
    this.status = status;
    this.code = code;
    this.substatus = extra.substatus;
    this.headers = extra.headers ?? {};
  }
}

export const badRequest = (message: string, substatus?: number) =>
  new CosmosError(400, "BadRequest", message, substatus === undefined ? {} : { substatus });

export const notFound = (what: string) =>
  new CosmosError(404, "NotFound", `Entity with the specified id does not exist in the system. ${what}`);

export const conflict = (message = "Entity with the specified id already exists in the system.") =>
  new CosmosError(409, "Conflict", message);

export const preconditionFailed = () =>
  new CosmosError(
    412,
    "PreconditionFailed",
    "Operation cannot be performed because one of the specified precondition is not met.",
  );

export const tooLarge = (message: string) => new CosmosError(413, "RequestEntityTooLarge", message);

export const tooManyRequests = (retryAfterMs: number) =>
  new CosmosError(429, "TooManyRequests", "Request rate is large.", {
    substatus: 3200,
    headers: { "x-ms-retry-after-ms": String(retryAfterMs) },
  });
