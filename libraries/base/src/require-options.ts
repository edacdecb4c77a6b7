import { defineErrors } from "./errors.ts";

const errors = defineErrors({ OptionMissing: { retry: "never" } });

/**
 * Checks the options of a published function. Callers in JavaScript have no compiler that reports a missing option.
 * @throws CodedError OptionMissing with the names of all missing options
 */
export function requireOptions<Options extends object>(
  caller: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  const given: Partial<Options> = options ?? {};
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  const plural = missing.length === 1 ? "option" : "options";
  throw errors.OptionMissing(
    `${caller} failed: missing ${plural} ${missing.map((name) => `"${name}"`).join(", ")}. Set ${missing.length === 1 ? "it" : "them"} in the argument of ${caller}.`,
  );
}
