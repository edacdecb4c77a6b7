import type { Logger } from "@keelson/base";

export type SqlValue = string | number | boolean | null;

/** SQL statement with `$1`-style parameters. All of its columns are cast to text. */
export interface Statement {
  readonly text: string;
  /** Present if the statement is frequent enough to be prepared once per connection. */
  readonly name?: string;
}

export type Row = Readonly<Record<string, string | null>>;

/** Statements of one connection, in order. */
export interface Session {
  query(statement: Statement, values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Several statements without parameters. */
  execute(sql: string): Promise<void>;
}

export interface ChannelListener {
  /** The channel is open: whatever happens from now on is notified. */
  listening(): void;
  notified(payload: string): void;
}

/**
 * Interface of a PostgreSQL server. Failures of the connection are `StoreUnavailable`. Failures of a
 * statement have the SQLSTATE (see `sqlFailure`).
 */
export interface Connection extends AsyncDisposable {
  /** True if a commit with a notification would delay other commits that could share its flush. */
  readonly notifiesLater: boolean;
  /**
   * Executes one statement atomically. An abort closes the connection: a write may or may not have happened.
   * @throws StoreUnavailable
   */
  query(statement: Statement, values: readonly SqlValue[], signal: AbortSignal): Promise<readonly Row[]>;
  /**
   * Runs `work` on a separate connection, outside of transactions and without a statement time limit. The
   * connection is closed when `work` ends or the signal aborts.
   */
  session<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Runs until the signal aborts (resolves) or the connection is lost (throws `StoreUnavailable`). */
  listen(channel: string, listener: ChannelListener, signal: AbortSignal): Promise<void>;
  /** Housekeeping of tables that the server does not do by itself. */
  maintain(tables: readonly string[], signal: AbortSignal): Promise<void>;
}

/** A way to reach a PostgreSQL. Nothing is opened before `open`. */
export interface Driver {
  readonly name: string;
  /** True when no other process can have the database open: leases of an earlier process are void then. */
  readonly exclusive: boolean;
  /** @throws StoreUnavailable */
  open(options: { readonly logger: Logger; readonly signal: AbortSignal }): Promise<Connection>;
}

/** Rejection of a statement by the server. */
export interface SqlFailure {
  /** SQLSTATE, five characters. */
  readonly state: string;
  readonly table: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
}

/** The server's refusal in an error of either driver; `undefined` when it is something else. */
export function sqlFailure(error: unknown): SqlFailure | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (!/^[0-9A-Z]{5}$/.test(error.code) || !("severity" in error)) return undefined;
  const text = (name: "table" | "constraint" | "detail") => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? value : undefined;
  };
  return { state: error.code, table: text("table"), constraint: text("constraint"), detail: text("detail") };
}
