import type { IncomingHttpHeaders } from "node:http";

/** Request for a path that is not part of the API. */
export interface OpenRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Empty if the request has no body. */
  readonly body: string;
}

export interface OpenResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Response body, sent as JSON. Default: an empty body. */
  readonly body?: object;
}

/** Handler of requests without authentication. The handler may check credentials. It throws a StatusError to reject a request. */
export type OpenPath = (request: OpenRequest) => Promise<OpenResponse>;
