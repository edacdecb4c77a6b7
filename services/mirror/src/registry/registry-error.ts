import { getSystemErrorMap } from "node:util";
import { CodedError, isPlainObject } from "@keelson/base";

/** Error for an unexpected response status of a registry. Status 0 means that there was no response. */
export class RegistryError extends CodedError<"RegistryRefused" | "RegistryUnavailable"> {
  readonly status: number;
  /** Retry delay in ms requested by the registry. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    const temporary = status === 0 || status === 408 || status === 429 || status >= 500;
    super(
      temporary ? "RegistryUnavailable" : "RegistryRefused",
      temporary ? "backoff" : "never",
      message,
      options,
    );
    this.status = status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Parses a registry's error body of the form `{"errors":[{"code","message","detail"}]}`. Returns its messages on one line. */
export function errorText(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const list: unknown = Reflect.get(Object(value), "errors");
    if (Array.isArray(list) && list.length > 0) return list.slice(0, 5).map(oneError).join("; ");
  } catch {
    // The body is not JSON. Such a body usually comes from a proxy in front of the registry.
  }
  return body.replaceAll(/\s+/g, " ").trim().slice(0, 200);
}

function oneError(value: unknown): string {
  const { code, message, detail }: Record<string, unknown> = Object(value);
  return [code, message, detailText(detail)]
    .filter((part) => typeof part === "string" && part !== "")
    .join(": ")
    .slice(0, 300);
}

/**
 * Returns an error's `detail` as a string. Registries written in Go include an operating system error number, for example for a
 * full disk.
 */
function detailText(detail: unknown): string | undefined {
  if (typeof detail === "string") return detail;
  if (!isPlainObject(detail) || Object.keys(detail).length === 0) return undefined;
  const text = JSON.stringify(detail);
  const [, number] = /"Err":(\d{1,3})\b/.exec(text) ?? [];
  return (number && getSystemErrorMap().get(-Number(number))?.[1]) || text.slice(0, 200);
}
