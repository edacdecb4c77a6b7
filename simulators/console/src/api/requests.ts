/** Request to the simulated Azure, without headers and bodies. */
export interface RequestSummary {
  /** Sequence number. Each request increments it by one. */
  readonly sequence: number;
  /** Time of the request (RFC 3339). */
  readonly at: string;
  readonly method: string;
  /** Requested host. */
  readonly host: string;
  /** Path with query. Values of unknown parameters are redacted. */
  readonly path: string;
  readonly service: string;
  /** Response status. Undefined if the connection closed before the response. */
  readonly status?: number;
  readonly durationMs: number;
  /** Application or user named in the token. The log does not verify the token. */
  readonly caller?: string;
  readonly client?: string;
}

export interface LoggedBody {
  /** Body size on the wire in bytes, if known. */
  readonly bytes?: number;
  /** Redacted JSON or form body, truncated at a limit. Undefined for other content types. */
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
