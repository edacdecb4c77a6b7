/** A request to the simulated Azure without headers and bodies. */
export interface RequestSummary {
  /** Rises by one with each request. */
  readonly sequence: number;
  /** RFC 3339. */
  readonly at: string;
  readonly method: string;
  /** Host that the client called. */
  readonly host: string;
  /** Path with query. Values of unknown parameters are redacted. */
  readonly path: string;
  readonly service: string;
  /** Undefined if the connection closed before the response. */
  readonly status?: number;
  readonly durationMs: number;
  /** Application or user of the token. It is not verified. */
  readonly caller?: string;
  readonly client?: string;
}

export interface LoggedBody {
  /** Bytes on the wire, if known. */
  readonly bytes?: number;
  /** Redacted JSON or form, cut at a limit. Undefined for other content. */
  readonly text?: string;
  readonly isCut?: boolean;
}

export interface LoggedRequest extends RequestSummary {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: LoggedBody;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: LoggedBody;
}

export interface RequestsView {
  readonly requests: readonly RequestSummary[];
  /** Sequence number of the newest request. */
  readonly newest: number;
}
