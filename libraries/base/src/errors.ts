/** Recommended reaction of a caller: no retry, retry after a backoff, or retry immediately with current input. */
export type RetryAdvice = "never" | "backoff" | "refresh";

export interface ErrorSpec {
  readonly retry: RetryAdvice;
}

/** Expected failure with a stable code. `message` contains the problem, its location and the remedy. */
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
 * Defines the error catalogue of a package: all codes that it throws, and their retry advice.
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

/** True for an error from a catalogue. If `code` is set, the code must match. */
export function isCoded(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** Returns the message of a thrown value for logs and error messages. Some libraries throw values that are not errors. */
export function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const parts = ["name", "message", "code", "errno"].map((name) => Reflect.get(error, name));
  // If a host has several addresses, Node.js reports one error per address and an empty message.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  if (error instanceof Error) return error.message;
  return (
    parts.filter((part) => typeof part === "string" || typeof part === "number").join(" ") || String(error)
  );
}

/** Returns the message of an error, followed by the message of its cause if it is different. */
export function messageWithCause(error: unknown): string {
  const message = messageOf(error);
  if (!(error instanceof Error) || error.cause === undefined) return message;
  const cause = messageOf(error.cause);
  return cause === "" || message.includes(cause) ? message : `${message} Cause: ${cause}`;
}
