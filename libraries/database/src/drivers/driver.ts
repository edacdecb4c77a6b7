import type { Logger } from "@keelson/base";
import type { FirstProbe, WriteState } from "../documents/write-state.ts";
import type { StoreObserver } from "./store-observer.ts";

export type SqlValue = string | number | boolean | null;

/** SQL statement with parameters `$1`, `$2` and so on. All result columns are cast to text. */
export interface Statement {
  readonly text: string;
  /** Name of the prepared statement. Set for frequent statements, which are prepared once per connection. */
  readonly name?: string;
}

export type Row = Readonly<Record<string, string | null>>;

/** Executes statements sequentially on one connection. */
export interface Session {
  query(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Executes several statements without parameters. */
  execute(sql: string): Promise<void>;
}

export interface ChannelListener {
  /** Called when the channel is open. All later notifications reach the listener. */
  listening(): void;
  notified(payload: string): void;
}

/**
 * Connection to a PostgreSQL server. Connection failures are `StoreUnavailable`. Errors of a statement have the SQLSTATE (see
 * `sqlFailure`).
 */
export interface Connection extends AsyncDisposable {
  /**
   * True if notifications must be sent after the commit. Notifications inside transactions would prevent the server from flushing
   * several commits to disk together.
   */
  readonly notifiesLater: boolean;
  /**
   * Executes one statement atomically. An abort closes the connection. An aborted write may or may not have been applied.
   * @throws StoreUnavailable
   */
  query(statement: Statement, values: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]>;
  /**
   * Runs `work` on a separate connection without a transaction and without a statement time limit. The connection is closed when
   * `work` completes or the signal aborts.
   */
  session<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Listens to a channel. Resolves when the signal aborts. Throws `StoreUnavailable` when the connection is lost. */
  listen(channel: string, listener: ChannelListener, signal: AbortSignal): Promise<void>;
  /** Starts to report measurements to `observer`. */
  observe?(observer: StoreObserver): void;
  /**
   * Starts to probe writes. While writes are blocked, `writes` returns the cause and `query` rejects writes. Returns the result
   * of the first probe.
   */
  probeWrites?(): Promise<FirstProbe>;
  /** Returns the result of the last write probe. */
  writes?(): WriteState;
  /** Performs table maintenance that the server does not perform automatically. */
  maintain(tables: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Driver of a PostgreSQL database. It connects only when `open` is called. */
export interface Driver {
  readonly name: string;
  /** True if only one process at a time can open the database. Leases of earlier processes are then invalid. */
  readonly exclusive: boolean;
  /** @throws StoreUnavailable */
  open(options: { readonly logger: Logger; readonly signal: AbortSignal }): Promise<Connection>;
}

/** Error of a statement that the server rejected. */
export interface SqlFailure {
  /** SQLSTATE (five characters). */
  readonly state: string;
  readonly table: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
}

/**
 * Returns the server's error that the PostgreSQL or PGlite driver threw. Returns `undefined` if `error` does not come from the
 * server.
 */
export function sqlFailure(error: unknown): SqlFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (!/^[0-9A-Z]{5}$/.test(error.code) || !("severity" in error)) return undefined;
  const text = (name: "table" | "constraint" | "detail") => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? value : undefined;
  };
  return { state: error.code, table: text("table"), constraint: text("constraint"), detail: text("detail") };
}
