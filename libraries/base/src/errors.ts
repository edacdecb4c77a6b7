/** When a caller may try again: never, after a back-off, or at once with fresh input. */
export type RetryAdvice = "never" | "backoff" | "refresh";

export interface ErrorSpec {
  readonly retry: RetryAdvice;
}

/** An expected failure with a stable code. `message` says what was wrong, where, and what to do. */
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
 * One catalogue per package: every code it throws, and whether trying again can help.
 *
 *     const errors = defineErrors({ StoreUnavailable: { retry: "backoff" } });
 *     throw errors.StoreUnavailable("PostgreSQL does not answer at localhost:5432", { cause });
 */
export function defineErrors<const Specs extends Record<string, ErrorSpec>>(specs: Specs): Catalogue<Specs> {
  const entries = Object.entries(specs).map(([code, spec]) => [
    code,
    (message: string, options?: ErrorOptions) => new CodedError(code, spec.retry, message, options),
  ]);
  return Object.freeze(Object.fromEntries(entries)) as Catalogue<Specs>;
}

/** True for an error made by a catalogue, of that code if one is given. */
export function isCoded(error: unknown, code?: string): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** The message of anything thrown, for log fields and error texts. Some libraries throw objects that are no errors. */
export function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const parts = ["name", "message", "code", "errno"].map((name) => Reflect.get(error, name));
  // For a host with several addresses Node's error has only the causes, one per address.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  if (error instanceof Error) return error.message;
  return (
    parts.filter((part) => typeof part === "string" || typeof part === "number").join(" ") || String(error)
  );
}
