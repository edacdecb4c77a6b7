import type { IncomingHttpHeaders } from "node:http";

/** Request for a path outside the API. */
export interface OpenRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Empty without a body. */
  readonly body: string;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Default: an empty body. */
  readonly body?: object;
}

/** Handles requests without authentication. It may require credentials itself. It throws StatusErrors. */
export type OpenPath = (request: OpenRequest) => Promise<OpenAnswer>;
