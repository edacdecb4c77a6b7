/** Retry options of a caller: never, after a backoff, or immediately with fresh input. */
export type RetryAdvice = "never" | "backoff" | "refresh";

export interface ErrorSpec {
  readonly retry: RetryAdvice;
}

/** Expected failure with a stable code. `message` has the problem, its location and the remedy. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly retry: RetryAdvice;

  constructor(code: Code, retry: RetryAdvice, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = code;
    this.code = code;
    this.retry = retry;
  }
}

type Catalogue<Specs extends Record<string, ErrorSpec>> = {
  readonly [Code in keyof Specs & string]: (message: string, options?: ErrorOptions) => CodedError<Code>;
};

/**
 * Defines the error catalogue of a package: every code that it throws, and whether a retry can help.
 *
 *     const errors = defineErrors({ StoreUnavailable: { retry: "backoff" } });
 *     throw errors.StoreUnavailable("PostgreSQL is unreachable at localhost:5432", { cause });
 */
export function defineErrors<const Specs extends Record<string, ErrorSpec>>(specs: Specs): Catalogue<Specs> {
  const entries = Object.entries(specs).map(([code, spec]) => [
    code,
    (message: string, options?: ErrorOptions) => new CodedError(code, spec.retry, message, options),
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Catalogue<Specs>;
}

/** True for an error of a catalogue, with the code if one is given. */
export function isCoded(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/**
 * Returns the message of a thrown value, for log fields and error messages. Some libraries throw objects that
 * are not errors.
 */
export function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const parts = ["name", "message", "code", "errno"].map((name) => Reflect.get(error, name));
  // Node.js reports only the causes for a host with several addresses, one per address.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  if (error instanceof Error) return error.message;
  return (
    parts.filter((part) => typeof part === "string" || typeof part === "number").join(" ") || String(error)
  );
}
