import type { IncomingHttpHeaders } from "node:http";

/** A request for a path that is no part of the API. */
export interface OpenRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Empty when there is none. */
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
