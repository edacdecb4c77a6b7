const maxRequests = 2_000;
const maxBytes = 16 * 1_024 * 1_024;
/** Estimated memory per entry in bytes, in addition to the entry's content. */
const entryBytes = 512;

/** Summary of a logged request, without headers and bodies. It contains no secrets. */
export interface RequestSummary {
  /** Sequence number. It increases by one per request. */
  readonly sequence: number;
  /** Real time of the request, RFC 3339. */
  readonly at: string;
  readonly method: string;
  /** Host that the client called. */
  readonly host: string;
  /** Path with query. */
  readonly path: string;
  readonly service: string;
  /** Response status. Undefined if the connection closed before the response. */
  readonly status?: number;
  readonly durationMs: number;
  /** Application or user in the token. The token is not verified. */
  readonly caller?: string;
  /** First word of `User-Agent`. */
  readonly client?: string;
}

export interface LoggedBody {
  /** Size in bytes on the wire, if known. */
  readonly bytes?: number;
  /** Redacted JSON or form. Undefined for other content types. */
  readonly text?: string;
  readonly isCut?: boolean;
}

export interface RequestDetail {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: LoggedBody;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: LoggedBody;
}

export type LoggedRequest = RequestSummary & RequestDetail;

interface Entry {
  readonly summary: RequestSummary;
  /** Details as JSON. */
  readonly detail: Buffer;
  readonly bytes: number;
}

/** Log of the newest requests, in memory: at most 2,000 requests and 16 MiB. */
export class RequestLog {
  /** Entries by sequence number, oldest first. */
  readonly #entries = new Map<number, Entry>();
  #newest = 0;
  #bytes = 0;

  get newest(): number {
    return this.#newest;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(summary: Omit<RequestSummary, "sequence">, detail: RequestDetail): void {
    const sequence = ++this.#newest;
    const encoded = Buffer.from(JSON.stringify(detail));
    const { path, host, caller = "", client = "" } = summary;
    const bytes =
      encoded.length + 2 * (path.length + host.length + caller.length + client.length) + entryBytes;
    this.#entries.set(sequence, { summary: { sequence, ...summary }, detail: encoded, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= maxRequests && this.#bytes <= maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }

  /** Returns the requests with a sequence number above `after`, oldest first. */
  since(after: number): readonly RequestSummary[] {
    return [...this.#entries.values()]
      .filter(({ summary }) => summary.sequence > after)
      .map(({ summary }) => summary);
  }

  find(sequence: number): LoggedRequest | undefined {
    const entry = this.#entries.get(sequence);
    if (!entry) return undefined;
    const detail: RequestDetail = JSON.parse(entry.detail.toString());
    return { ...entry.summary, ...detail };
  }
}
